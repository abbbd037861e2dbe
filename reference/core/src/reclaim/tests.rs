use super::*;
use crate::certificate::{CertificateRole, Validity};
use crate::rows::fixture::{LAST_S, node, row, row_of_tpm, stored};
use crate::token::Role;

fn revoked(row: Row) -> Row {
    Row { revoked: Some(Revoked { at: Millis(1), reason: "reclaimed".into() }), ..row }
}

/// The verdict on a join of a machine whose key belongs to this node.
fn judged(node: &Node, certificates: Vec<&Row>, token: &Stored, choices: Choices) -> Result<bool, Reason> {
    let known = Known { live: Some(Holder { node, certificates }), retired: false };
    judge(&known, token, choices).map(|holder| holder.is_some())
}

#[test]
fn a_live_node_comes_back_with_a_token_that_allows_it_in_its_own_place() {
    let (row, choices) = (row(3, 1), Choices::default());
    assert_eq!(judged(&node(), vec![&row], &stored(), choices), Ok(true));
    // A node that a tenant controls is of kind node.
    let tenants = Node { certificate_role: CertificateRole::NodeTenant, ..node() };
    assert_eq!(judged(&tenants, vec![&row], &stored(), choices), Ok(true));
    // One that never had a certificate comes back as well.
    assert_eq!(judged(&node(), vec![], &stored(), choices), Ok(true));
    for (what, other) in [
        ("tenant", Node { tenant: "ten_u".into(), ..node() }),
        ("site", Node { site_id: "site_t".into(), ..node() }),
        ("pool", Node { pool_id: "pool_q".into(), ..node() }),
        ("kind", Node { kind: Role::Ramdisk, ..node() }),
        ("kind", Node { kind: Role::Site, ..node() }),
    ] {
        assert_eq!(judged(&other, vec![&row], &stored(), choices), Err(Reason::Reclaim), "{what}");
    }
    let without = Stored { allow_reclaim: false, ..stored() };
    assert_eq!(judged(&node(), vec![&row], &without, choices), Err(Reason::Reclaim));
}

#[test]
fn a_live_node_is_asked_about_first_whatever_was_retired() {
    let node = node();
    for reclaim_retired in [ReclaimRetired::NewNode, ReclaimRetired::Refuse] {
        let choices = Choices { reclaim_retired, ..Choices::default() };
        let known = Known { live: Some(Holder { node: &node, certificates: vec![] }), retired: true };
        assert!(judge(&known, &stored(), choices).unwrap().is_some());
    }
}

#[test]
fn retired_nodes_alone_are_a_choice_and_nobody_is_none() {
    let without = Stored { allow_reclaim: false, ..stored() };
    for (reclaim_retired, retired, verdict) in [
        (ReclaimRetired::NewNode, true, Ok(false)),
        (ReclaimRetired::Refuse, true, Err(Reason::Reclaim)),
        (ReclaimRetired::NewNode, false, Ok(false)),
        (ReclaimRetired::Refuse, false, Ok(false)),
    ] {
        let choices = Choices { reclaim_retired, ..Choices::default() };
        for token in [stored(), without.clone()] {
            let known = Known { live: None, retired };
            let judged = judge(&known, &token, choices).map(|holder| holder.is_some());
            assert_eq!(judged, verdict, "{reclaim_retired:?} {retired}");
        }
    }
}

#[test]
fn the_newest_certificate_of_the_generation_binds_a_node_to_a_tpm() {
    let (plain, tpm) = (row(3, 1), row_of_tpm(3, 2));
    let (older, expired) = (
        row_of_tpm(2, 3),
        Row { validity: Validity { not_before_s: 0, not_after_s: 1 }, ..row_of_tpm(3, 4) },
    );
    for (certificates, bound) in [
        (vec![], false),
        (vec![&plain], false),
        (vec![&older], false),
        (vec![&plain, &older], false),
        (vec![&tpm, &plain], false),
        (vec![&plain, &tpm], true),
        (vec![&tpm, &older], true),
        (vec![&plain, &expired], true),
    ] {
        let node = node();
        let holder = Holder { node: &node, certificates: certificates.clone() };
        assert_eq!(holder.is_tpm_bound(), bound, "{certificates:?}");
        for (reclaim_tpm_bound, refused) in [(ReclaimTpmBound::SameTpm, bound), (ReclaimTpmBound::Any, false)]
        {
            let choices = Choices { reclaim_tpm_bound, ..Choices::default() };
            let verdict = judged(&node, certificates.clone(), &stored(), choices);
            assert_eq!(verdict, if refused { Err(Reason::Reclaim) } else { Ok(true) }, "{certificates:?}");
        }
    }
}

#[test]
fn the_old_key_is_told_by_the_newest_certificate_of_any_generation() {
    let (plain, tpm, node) = (row(3, 1), row_of_tpm(2, 2), node());
    let key = |certificates| Holder { node: &node, certificates }.node_key();
    assert_eq!(key(vec![]), NodeKey::Unattested);
    assert_eq!(key(vec![&plain, &tpm]), NodeKey::Tpm);
    assert_eq!(key(vec![&tpm, &plain]), NodeKey::Unattested);
}

#[test]
fn each_certificate_that_was_not_revoked_is_with_one_event_and_expired_ones_too() {
    let expired = Row { validity: Validity { not_before_s: 0, not_after_s: 1 }, ..row(2, 1) };
    let (before, live, node) = (revoked(row(2, 2)), row(3, 3), node());
    let holder = Holder { node: &node, certificates: vec![&expired, &before, &live] };
    let at = Millis(LAST_S * 1000);
    let pair = |serial: u8| {
        let (node_id, serial, reason) = ("node_n".to_owned(), vec![serial; 16], "reclaimed".to_owned());
        let event = Event::CertificateRevoked {
            tenant: "ten_t".into(),
            serial: serial.clone(),
            node_id: node_id.clone(),
            reason: reason.clone(),
        };
        [
            Effect::RevokeCertificate { node_id, serial, revoked: Revoked { at, reason } },
            Effect::Publish(event),
        ]
    };
    assert_eq!(holder.revocations("reclaimed", at), [pair(1), pair(3)].concat());
}

#[test]
fn retiring_writes_the_node_its_revocations_and_one_audit_row_once() {
    let (row, node) = (row(3, 1), node());
    let holder = Holder { node: &node, certificates: vec![&row] };
    let effects = holder.retire(Millis(5));
    let (node_id, tenant) = ("node_n".to_owned(), "ten_t".to_owned());
    let expected = [
        vec![Effect::ReplaceNode(Box::new(Node { retired: true, ..node.clone() }))],
        holder.revocations("retired", Millis(5)),
        vec![
            Effect::ClearProofs { node_id: node_id.clone() },
            Effect::Audit(Audit::Retired { tenant, node_id }),
        ],
    ];
    assert_eq!(effects, expected.concat());
    assert_eq!(effects.len(), 5);
    let retired = Node { retired: true, ..node.clone() };
    assert_eq!(Holder { node: &retired, certificates: vec![&row] }.retire(Millis(5)), []);
}

#[test]
fn a_reading_is_the_node_and_its_generation() {
    let raised = Node { generation: 4, ..node() };
    let another = Node { id: "node_m".into(), ..node() };
    // What else is different does not make a race.
    let moved = Node { pool_id: "pool_q".into(), queued: false, ..node() };
    assert_eq!(Reading::of(Some(&node())), Reading::of(Some(&moved)));
    assert_eq!(Reading::of(None), Reading::default());
    for other in [Reading::of(None), Reading::of(Some(&raised)), Reading::of(Some(&another))] {
        assert_ne!(Reading::of(Some(&node())), other);
    }
}
