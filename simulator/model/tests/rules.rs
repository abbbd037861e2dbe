//! What the claims say is what an exhaustive exploration finds, with every rule and without each one.

use model::admission::Admission;
use model::identity::Identity;
use model::renewal::Renewal;
use model::types::{Claim, Explained, FLAGS, Kind, Rules, explore};

fn sentences<M: Explained>(is: impl Fn(&Claim<M>) -> bool) -> Vec<&'static str> {
    M::claims().iter().filter(|claim| is(claim)).map(|claim| claim.sentence).collect()
}

/// With every rule: the exact number of states, only what the design lets fail fails, and every twin is
/// reached.
fn obeyed<M: Explained>() {
    let report = explore(M::new(Rules::ALL));
    assert_eq!(report.failed, sentences::<M>(|claim| claim.kind == Kind::Fails));
    assert_eq!(report.unreached, Vec::<&str>::new());
    assert_eq!(report.states, M::STATES);
}

/// Without a rule: exactly the claim that names it fails, beside those that fail anyway.
fn each_breaks_its_claim<M: Explained>(flags: &[&str]) {
    let designed = sentences::<M>(|claim| claim.kind == Kind::Fails);
    for flag in flags {
        let rules = Rules::without(flag).unwrap_or_else(|| panic!("{flag} is no flag"));
        let mut failed = explore(M::new(rules)).failed;
        failed.retain(|sentence| !designed.contains(sentence));
        assert_eq!(failed, sentences::<M>(|claim| claim.rules.contains(flag)), "without {flag}");
        assert_eq!(failed.len(), 1, "without {flag}");
    }
}

const SEALS: &[&str] =
    &["seal_3", "token_4", "seal_8", "seal_8_lock", "seal_8_equal", "seal_8_dead", "binding_2", "binding_3"];

const USES: &[&str] = &[
    "token_8",
    "time_2",
    "admission_1",
    "admission_2",
    "admission_3",
    "admission_4",
    "admission_4_index",
    "reclaim_3_row",
];

const IDENTITY: &[&str] = &[
    "reclaim_1",
    "reclaim_2",
    "reclaim_2_same",
    "reclaim_3",
    "reclaim_4",
    "reclaim_5",
    "destination_2",
    "hosted_1",
    "hosted_2",
    "tpm_4",
    "tpm_4_claims",
    "tpm_4_ek",
    "renewal_2",
    "renewal_2_expired",
    "renewal_2_attestation",
    "renewal_4",
    "x509pop_1",
    "x509pop_1_expired",
    "x509pop_2",
    "x509pop_3",
];

const RENEWAL: &[&str] = &[
    "renewal_2_clock",
    "renewal_2_ahead",
    "renewal_2_generation",
    "renewal_2_issue",
    "renewal_3",
    "renewal_3_memory",
    "renewal_3_fields",
    "renewal_3_recorded",
    "renewal_3_atomic",
    "renewal_3_restart",
    "renewal_3_age",
    "renewal_3_floor",
    "renewal_3_floor_only",
];

#[test]
fn admission_is_explored() {
    obeyed::<Admission>();
}

#[test]
fn identity_is_explored() {
    obeyed::<Identity>();
}

#[test]
fn renewal_is_explored() {
    obeyed::<Renewal>();
}

#[test]
fn each_rule_of_seals_and_bindings_breaks_its_claim() {
    each_breaks_its_claim::<Admission>(SEALS);
}

#[test]
fn each_rule_of_uses_and_races_breaks_its_claim() {
    each_breaks_its_claim::<Admission>(USES);
}

#[test]
fn each_rule_of_identity_breaks_its_claim() {
    each_breaks_its_claim::<Identity>(IDENTITY);
}

#[test]
fn each_rule_of_renewal_breaks_its_claim() {
    each_breaks_its_claim::<Renewal>(RENEWAL);
}

#[test]
fn no_flag_is_left_out() {
    let flags: Vec<&str> = FLAGS.iter().map(|flag| flag.name).collect();
    assert_eq!([SEALS, USES, IDENTITY, RENEWAL].concat(), flags);
}

#[test]
fn a_flag_begins_with_its_rule_s_id() {
    for flag in FLAGS {
        let id = flag.rule.to_lowercase().replace('-', "_");
        assert!(flag.name == id || flag.name.starts_with(&format!("{id}_")), "{}", flag.name);
    }
}

/// `policy.requestBinding: required` ends the rewriting of claims under the pool's tokens. The swap of a
/// token stays: the relay's pool demands nothing.
#[test]
fn a_pool_that_demands_the_binding_keeps_its_tokens_from_machines_that_do_not_bind() {
    let mut model = Admission::new(Rules::ALL);
    model.required = true;
    let report = explore(model);
    assert_eq!(report.failed, ["A machine that does not bind is admitted only under its token."]);
    assert_eq!(report.states, 20_415);
}
