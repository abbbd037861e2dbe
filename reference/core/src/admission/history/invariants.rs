//! What holds after every action, whatever happened before.

use std::collections::BTreeMap;

use super::store::Store;
use super::world::{Message, Outcome, Step};
use crate::decision::Audit;
use crate::renewal::Memory;
use crate::rows::Node;
use crate::time;

type Invariant = fn(&Step) -> bool;

macro_rules! invariants {
    ($($name:ident,)+) => {
        /// Every invariant with its name.
        pub(super) const ALL: &[(&str, Invariant)] = &[$((stringify!($name), $name),)+];
    };
}

invariants! {
    a_token_admits_no_more_than_its_uses,
    no_two_live_nodes_share_a_trusted_key,
    no_certificate_of_an_older_generation_is_unrevoked,
    no_certificate_of_a_retired_node_is_unrevoked,
    a_granted_certificate_is_no_ninth_live_one,
    a_renewal_follows_a_good_certificate_of_a_live_node,
    a_return_follows_the_newest_certificate_in_its_grace,
    a_reclaim_is_by_a_token_that_allows_it_in_its_own_place,
    a_generation_goes_up_by_one_with_a_reclaim_or_a_return_alone,
    a_join_is_a_conflict_exactly_when_another_was_faster,
    a_refused_token_join_changes_nothing,
    a_refused_proof_changes_nothing_but_its_memory,
    a_message_is_granted_once,
    a_grant_touches_its_own_node_and_token_alone,
    what_is_revoked_or_retired_stays_so,
    proofs_are_forgotten_with_the_end_of_a_generation_or_a_node,
}

/// ADMISSION-3, counted from the audit rows.
fn a_token_admits_no_more_than_its_uses(step: &Step) -> bool {
    let admissions = |id: &str| {
        let by_token =
            |row: &&Audit| matches!(row, Audit::Joined(joined) if joined.token_id.as_deref() == Some(id));
        step.after.audit.iter().filter(by_token).count()
    };
    step.after.tokens.iter().all(|token| {
        let taken =
            token.max_uses.checked_sub(token.row.uses_left).and_then(|taken| usize::try_from(taken).ok());
        taken == Some(admissions(&token.row.id))
    })
}

/// RECLAIM-1
fn no_two_live_nodes_share_a_trusted_key(step: &Step) -> bool {
    let live = || step.after.nodes.iter().filter(|node| !node.retired);
    let mut owners = BTreeMap::new();
    live().all(|node| node.trusted_key().is_none_or(|key| owners.insert(key, &node.id).is_none()))
}

/// RECLAIM-3, X509POP-1: expired ones too.
fn no_certificate_of_an_older_generation_is_unrevoked(step: &Step) -> bool {
    let mut unrevoked = step.after.certificates.iter().filter(|row| row.revoked.is_none());
    unrevoked.all(|row| step.after.node(&row.node_id).is_some_and(|node| node.generation == row.generation))
}

/// RECLAIM-4
fn no_certificate_of_a_retired_node_is_unrevoked(step: &Step) -> bool {
    let mut retired = step.after.nodes.iter().filter(|node| node.retired);
    retired.all(|node| step.after.certificates_of(&node.id).iter().all(|row| row.revoked.is_some()))
}

/// CERTIFICATE-7, at the instant of the grant: a clock that is set back may bring expired ones to life.
fn a_granted_certificate_is_no_ninth_live_one(step: &Step) -> bool {
    let Some(new) = step.after.certificates.last().filter(|_| is_grant(step)) else { return true };
    let of_generation = step.after.certificates.iter().filter(|row| {
        row.node_id == new.node_id && row.generation == new.generation && row.revoked.is_none()
    });
    of_generation.filter(|row| !time::is_expired(row.validity.not_after_s, step.now)).count() <= 8
}

/// RENEWAL-2, of the rows as they were before.
fn a_renewal_follows_a_good_certificate_of_a_live_node(step: &Step) -> bool {
    let (Outcome::Renewed, Some(Message::Renew(proof))) = (step.outcome, &step.message) else { return true };
    let row = step.before.leaf(&proof.leaf);
    row.and_then(|row| Some((row, step.before.node(&row.node_id)?))).is_some_and(|(row, node)| {
        row.revoked.is_none()
            && step.now.0 < (row.validity.not_after_s + 1) * 1000
            && row.generation == node.generation
            && !node.retired
    })
}

/// X509POP-1, X509POP-2, of the rows as they were before.
fn a_return_follows_the_newest_certificate_in_its_grace(step: &Step) -> bool {
    let (Outcome::Returned, Some(Message::Return(proof))) = (step.outcome, &step.message) else {
        return true;
    };
    let row = step.before.leaf(&proof.leaf);
    row.and_then(|row| Some((row, step.before.node(&row.node_id)?))).is_some_and(|(row, node)| {
        let dead = (row.validity.not_after_s + 1) * 1000;
        row.revoked.is_none()
            && (dead..dead + 604_800_000).contains(&step.now.0)
            && !node.retired
            // Newest of all, so of the current generation too.
            && step.before.certificates_of(&node.id).last() == Some(&row)
    })
}

/// RECLAIM-2
fn a_reclaim_is_by_a_token_that_allows_it_in_its_own_place(step: &Step) -> bool {
    let (Outcome::Reclaimed, Some(Message::Join { token, .. })) = (step.outcome, &step.message) else {
        return true;
    };
    let token = &step.before.tokens[*token];
    changed(step).all(|node| {
        let place =
            |node: &Node| (node.tenant.clone(), node.site_id.clone(), node.pool_id.clone(), node.kind);
        let of_token =
            (token.row.tenant.clone(), token.site_id.clone(), token.pool_id.clone(), token.row.role);
        token.allow_reclaim && step.before.node(&node.id).map(place) == Some(of_token)
    })
}

/// RECLAIM-3, X509POP-1; a new node begins with 1 (ADMISSION-1).
fn a_generation_goes_up_by_one_with_a_reclaim_or_a_return_alone(step: &Step) -> bool {
    let rises = matches!(step.outcome, Outcome::Reclaimed | Outcome::Returned);
    let risen = changed(step).filter(|node| {
        let before = step.before.node(&node.id).map_or(0, |node| node.generation);
        before != node.generation
    });
    let by_one =
        |node: &Node| node.generation == step.before.node(&node.id).map_or(1, |node| node.generation + 1);
    let risen: Vec<&Node> = risen.collect();
    risen.len() == usize::from(rises || step.outcome == Outcome::Joined) && risen.into_iter().all(by_one)
}

/// ADMISSION-4. A refusal by an earlier check may come first.
fn a_join_is_a_conflict_exactly_when_another_was_faster(step: &Step) -> bool {
    let Some((seen, found)) = &step.readings else { return step.outcome != Outcome::Conflict };
    match step.outcome {
        Outcome::Joined | Outcome::Reclaimed => seen == found,
        Outcome::Conflict => seen != found,
        _ => true,
    }
}

/// ADMISSION-2, ADMISSION-4; the same for a stored answer, which takes no use (ADMISSION-3).
fn a_refused_token_join_changes_nothing(step: &Step) -> bool {
    let changes_nothing = matches!(step.outcome, Outcome::Refused(_) | Outcome::Conflict | Outcome::Again);
    !(changes_nothing && matches!(step.message, Some(Message::Join { .. }))) || step.before == step.after
}

/// ADMISSION-2, RENEWAL-3
fn a_refused_proof_changes_nothing_but_its_memory(step: &Step) -> bool {
    let Some(Message::Renew(proof) | Message::Return(proof)) = &step.message else { return true };
    let own = step.before.leaf(&proof.leaf).map_or("", |row| &row.node_id);
    let without = |store: &Store| Store { memories: memories_but(store, own), ..store.clone() };
    !matches!(step.outcome, Outcome::Refused(_)) || without(&step.before) == without(&step.after)
}

/// SEAL-8, RENEWAL-3
fn a_message_is_granted_once(step: &Step) -> bool {
    !(is_grant(step) && step.granted_before)
}

/// One node with its memory, one token at most, one certificate more, and revocations of that node's alone.
fn a_grant_touches_its_own_node_and_token_alone(step: &Step) -> bool {
    if !is_grant(step) {
        return true;
    }
    let Some((new, others)) = step.after.certificates.split_last() else { return false };
    let (before, after) = (&step.before, &step.after);
    let own = new.node_id.as_str();
    let same_certificates = before.certificates.len() == others.len()
        && before.certificates.iter().zip(others).all(|(was, is)| was == is || is.node_id == own);
    let tokens = before.tokens.iter().zip(&after.tokens).filter(|(was, is)| was != is).count();
    let of_token = matches!(step.outcome, Outcome::Joined | Outcome::Reclaimed);
    let same_memories = memories_but(before, own) == memories_but(after, own);
    same_certificates
        && same_memories
        && changed(step).all(|node| node.id == own)
        && tokens == usize::from(of_token)
}

/// RECLAIM-4, CERTIFICATE-5
fn what_is_revoked_or_retired_stays_so(step: &Step) -> bool {
    let (before, after) = (&step.before, &step.after);
    let revoked = before.certificates.iter().filter(|row| row.revoked.is_some());
    let retired = before.nodes.iter().filter(|node| node.retired);
    let tokens = before.tokens.iter().filter(|token| token.row.revoked_at.is_some());
    revoked.into_iter().all(|row| after.leaf(&row.der) == Some(row))
        && retired.into_iter().all(|node| after.node(&node.id) == Some(node))
        && tokens.into_iter().all(|token| {
            let now = after.tokens.iter().find(|now| now.row.id == token.row.id);
            now.is_some_and(|now| now.row.uses_left == token.row.uses_left && now.row.revoked_at.is_some())
        })
}

/// RENEWAL-3
fn proofs_are_forgotten_with_the_end_of_a_generation_or_a_node(step: &Step) -> bool {
    let ended = changed(step).filter(|node| {
        step.before.node(&node.id).is_some_and(|was| node.retired || was.generation != node.generation)
    });
    ended.into_iter().all(|node| !step.after.memories.contains_key(&node.id))
}

/// The memories of every node but one.
fn memories_but(store: &Store, own: &str) -> BTreeMap<String, Memory> {
    store.memories.clone().into_iter().filter(|(node_id, _)| node_id != own).collect()
}

/// Nodes that are new or not what they were.
fn changed(step: &Step) -> impl Iterator<Item = &Node> {
    step.after.nodes.iter().filter(|node| step.before.node(&node.id) != Some(node))
}

fn is_grant(step: &Step) -> bool {
    matches!(step.outcome, Outcome::Joined | Outcome::Reclaimed | Outcome::Returned | Outcome::Renewed)
}
