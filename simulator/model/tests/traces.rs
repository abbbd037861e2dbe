//! What fails as the design says: each with its shortest trace, in plain words.

use model::admission::Admission;
use model::identity::Identity;
use model::renewal::Renewal;
use model::types::{Explained, Rules, trace};

fn shortest<M: Explained>(rules: Rules, sentence: &'static str) -> Vec<String> {
    trace(M::new(rules), sentence).unwrap_or_default()
}

/// The threat model's "swap the token": the relay's seal around the machine's CSR.
#[test]
fn a_token_is_swapped_under_a_machine_that_does_not_bind() {
    assert_eq!(
        shortest::<Admission>(Rules::ALL, "A machine that does not bind is admitted only under its token."),
        [
            "a replica gets [seal of token x around b's CSR, claims of b] and reads whose the claims' key is",
            "[seal of token x around b's CSR, claims of b]: its checks run under the lock",
            "[seal of token x around b's CSR, claims of b]: it commits: admitted as node 1, generation 1",
        ]
    );
}

/// The threat model's "rewrite claims".
#[test]
fn claims_are_rewritten_for_a_machine_that_does_not_bind() {
    assert_eq!(
        shortest::<Admission>(
            Rules::ALL,
            "A machine that does not bind is admitted under its token only with its claims."
        ),
        [
            "a replica gets [seal of token t around b's CSR, claims of a] and reads whose the claims' key is",
            "[seal of token t around b's CSR, claims of a]: its checks run under the lock",
            "[seal of token t around b's CSR, claims of a]: it commits: admitted as node 1, generation 1",
        ]
    );
}

/// RECLAIM-1: who claims an identity first blocks it elsewhere.
#[test]
fn an_identity_is_claimed_by_another_machine() {
    assert_eq!(
        shortest::<Identity>(Rules::ALL, "A node with a machine's identifiers is that machine's."),
        ["machine 2 joins by a plain token of pool p as machine 1"]
    );
}

/// RECLAIM-2: an unpinned allowReclaim token is a master key to its pool's token-joined nodes.
#[test]
fn an_unpinned_allow_reclaim_token_takes_over_another_machine_s_node() {
    assert_eq!(
        shortest::<Identity>(
            Rules::ALL,
            "An unpinned allowReclaim token takes over only nodes of the machine that joins."
        ),
        [
            "machine 1 joins by a plain token of pool p as machine 1",
            "machine 2 joins by a plain allowReclaim token of pool p as machine 1",
        ]
    );
}

/// HOSTED-2: a reclaim through a hosted token lowers an existing platform node too.
#[test]
fn a_hosted_token_lowers_a_node() {
    assert_eq!(
        shortest::<Identity>(
            Rules::ALL,
            "A hosted allowReclaim token lowers no node that joined as the platform's."
        ),
        [
            "machine 1 joins by a plain token of pool p as machine 1",
            "machine 1 joins by a hosted allowReclaim token of pool p as machine 1",
        ]
    );
}

/// RENEWAL-3: an operator can clear entries and floor; what was in them can be sent again.
#[test]
fn a_proof_passes_again_after_an_operator_cleared_the_memory() {
    assert_eq!(
        shortest::<Renewal>(
            Rules::ALL,
            "No proof passes twice in a generation, also after an operator has cleared the memory."
        ),
        [
            "a replica gets [proof of the first key for 0 s] and checks certificate, signature and time",
            "a replica gets [proof of the first key for 0 s] and checks certificate, signature and time",
            "[proof of the first key for 0 s] is looked up and recorded",
            "an operator clears the memory",
            "[proof of the first key for 0 s] is looked up and recorded",
        ]
    );
}

/// RENEWAL-3: the floor that closes the door to replays closes it to the node too, until the clock is past
/// it.
#[test]
fn a_node_is_shut_out_after_the_clock_was_set_back() {
    assert_eq!(
        shortest::<Renewal>(
            Rules::ALL,
            "No proof that is in its time and was not used is refused, also after the clock was set back."
        ),
        [
            "a replica gets [proof of the first key for 0 s] and checks certificate, signature and time",
            "[proof of the first key for 0 s] is looked up and recorded",
            "60 s pass",
            "60 s pass",
            "60 s pass",
            "what is old enough leaves the memory",
            "the clock is set back to 0 s",
        ]
    );
}

/// Why two locks are not enough: each token's row is locked, the node's is not.
#[test]
fn two_tokens_reclaim_one_node_into_one_generation_when_its_row_is_not_compared() {
    let rules = Rules::without("reclaim_3_row").unwrap();
    let trace = shortest::<Admission>(rules, "Each join that is admitted makes a generation of its own.");
    let of_a = ", claims of a]: it commits: admitted as node 1, generation 2";
    let last: Vec<&str> = trace.iter().rev().take(2).rev().map(String::as_str).collect();
    let seals = ["[seal of token t around b's CSR", "[seal of token s around a's second CSR"];
    assert_eq!(last, seals.map(|seal| format!("{seal}{of_a}")));
}

/// What is checked at the call's beginning only is not checked: a reclaim comes between.
#[test]
fn a_certificate_is_issued_in_an_older_generation_when_issuing_does_not_read_again() {
    let rules = Rules::without("renewal_2_issue").unwrap();
    assert_eq!(
        shortest::<Renewal>(rules, "No certificate is issued in an older generation than the node's."),
        [
            "a replica gets [proof of the first key for 0 s] and checks certificate, signature and time",
            "[proof of the first key for 0 s] is looked up and recorded",
            "the machine is reclaimed with a new key",
            "[proof of the first key for 0 s]: the certificate is issued",
        ]
    );
}

#[test]
fn what_holds_has_no_trace() {
    assert_eq!(shortest::<Admission>(Rules::ALL, "One seal admits one join."), Vec::<String>::new());
}
