//! What the models share: rules that can be switched off, properties in plain words, and the run that
//! explores everything.

use std::fmt;
use std::hash::Hash;

use stateright::{Checker, Model, Property};

macro_rules! rules {
    ($($flag:ident: $rule:literal, $off:literal;)*) => {
        /// The rules that a model can do without, one flag each; the flag is the rule's id, with a word where
        /// a rule has several.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Rules {
            $(pub(crate) $flag: bool,)*
        }

        impl Rules {
            /// Every rule is obeyed.
            pub const ALL: Self = Self { $($flag: true,)* };

            /// Every rule but that of the flag is obeyed; none where no flag has that name.
            #[must_use]
            pub fn without(flag: &str) -> Option<Self> {
                let mut rules = Self::ALL;
                match flag {
                    $(stringify!($flag) => rules.$flag = false,)*
                    _ => return None,
                }
                Some(rules)
            }
        }

        /// All flags, in the order of the models.
        pub const FLAGS: &[Flag] = &[$(Flag { name: stringify!($flag), rule: $rule, off: $off }),*];
    };
}

/// A rule that can be switched off.
#[derive(Clone, Copy, Debug)]
pub struct Flag {
    /// The flag.
    pub name: &'static str,
    /// The rule's id in `docs/spec`.
    pub rule: &'static str,
    /// What the model does without it.
    pub off: &'static str,
}

rules! {
    // admission.rs
    seal_3: "SEAL-3", "a seal passes beside any CSR";
    token_4: "TOKEN-4", "the token's secret is not looked at";
    seal_8: "SEAL-8", "no answer is stored";
    seal_8_lock: "SEAL-8", "the stored answer is looked up before the lock only";
    seal_8_equal: "SEAL-8", "a stored answer is given whatever else the request says";
    seal_8_dead: "SEAL-8", "a stored answer outlives its token's revocation and its certificate";
    binding_2: "BINDING-2", "the binding in the CSR is ignored";
    binding_3: "BINDING-3", "the client does not compare request_sha256";
    token_8: "TOKEN-8", "a revoked token admits";
    time_2: "TIME-2", "an expired token admits";
    admission_1: "ADMISSION-1", "the use is committed before the rest of the join";
    admission_2: "ADMISSION-2", "a refusal after the use was taken keeps the use";
    admission_3: "ADMISSION-3", "the uses are counted before the lock";
    admission_4: "ADMISSION-4", "the owner of the trusted key is not read again under the lock";
    admission_4_index: "ADMISSION-4", "no unique index over the trusted keys of live nodes";
    reclaim_3_row: "RECLAIM-3", "the node's row is written as it was read, without a look at its generation";
    // identity.rs
    reclaim_1: "RECLAIM-1", "a token join never looks for a node of the machine";
    reclaim_2: "RECLAIM-2", "a token without allowReclaim reclaims";
    reclaim_2_same: "RECLAIM-2", "a token reclaims in any pool";
    reclaim_3: "RECLAIM-3", "a take-over revokes nothing";
    reclaim_4: "RECLAIM-4", "retiring revokes nothing";
    reclaim_5: "RECLAIM-5", "a token reclaims a TPM-bound node (reclaim.tpm-bound any)";
    destination_2: "DESTINATION-2", "the token's tenant is not compared with the pool's owner";
    hosted_1: "HOSTED-1", "platformOperated counts whoever owns the pool";
    hosted_2: "HOSTED-2", "a plain reclaim raises in every pool";
    tpm_4: "TPM-4", "a tpm join that finds no node by its EK takes the one that its claims name";
    tpm_4_claims: "TPM-4", "the claims of a tpm join are not looked up";
    tpm_4_ek: "TPM-4", "a tpm join never looks for the node of its EK";
    renewal_2: "RENEWAL-2", "a revoked certificate renews";
    renewal_2_expired: "RENEWAL-2", "an expired certificate renews";
    renewal_2_attestation: "RENEWAL-2", "key_attestation is not asked for in a renewal";
    renewal_4: "RENEWAL-4", "a renewal drops the AK statement";
    x509pop_1: "X509POP-1", "the grace never ends";
    x509pop_1_expired: "X509POP-1", "x509pop takes certificates that have not expired";
    x509pop_2: "X509POP-2", "x509pop takes any certificate of the current generation";
    x509pop_3: "X509POP-3", "key_attestation is not asked for in an x509pop join";
    // renewal.rs
    renewal_2_clock: "RENEWAL-2", "a proof passes however late";
    renewal_2_ahead: "RENEWAL-2", "a proof passes however early";
    renewal_2_generation: "RENEWAL-2", "an old generation's certificate passes";
    renewal_2_issue: "RENEWAL-2", "generation and revocation are not read again at the issue";
    renewal_3: "RENEWAL-3", "proofs are not remembered";
    renewal_3_memory: "RENEWAL-3", "an entry leaves before it is 60 s old";
    renewal_3_fields: "RENEWAL-3", "the memory compares the signature's octets";
    renewal_3_recorded: "RENEWAL-3", "a later refusal takes the proof out of the memory";
    renewal_3_atomic: "RENEWAL-3", "the memory is read first and written later";
    renewal_3_restart: "RENEWAL-3", "a restart empties the memory";
    renewal_3_age: "RENEWAL-3", "the memory has room for one proof and drops the oldest";
    renewal_3_floor: "RENEWAL-3", "no floor remembers what has left";
    renewal_3_floor_only: "RENEWAL-3", "the floor is raised as soon as a proof is used";
}

/// What a property's sentence is in the design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It holds.
    Holds,
    /// It fails, and the specification or the threat model says so: its shortest trace is a test.
    Fails,
}

/// One row of the table: a sentence over every state that can be reached, and its twin, a sentence that some
/// state makes true.
#[derive(Debug)]
pub struct Claim<M: Model> {
    /// Whether the design keeps it.
    pub kind: Kind,
    /// The flags of the rules that it needs: without any one of them it fails, and no other claim does.
    pub rules: &'static [&'static str],
    /// The sentence.
    pub sentence: &'static str,
    /// Whether the state keeps the sentence.
    pub holds: fn(&M, &M::State) -> bool,
    /// What has to happen, so that the sentence does not hold merely because nothing does.
    pub twin: &'static str,
    /// Whether it happened in this state.
    pub reached: fn(&M, &M::State) -> bool,
}

/// What stateright asks of states and of actions.
pub trait Step: Clone + fmt::Debug + PartialEq + Send + Sync {}

impl<T: Clone + fmt::Debug + PartialEq + Send + Sync> Step for T {}

/// A model with its claims.
pub trait Explained: Model<State: Step + Hash, Action: Step + fmt::Display> + Send + Sync + 'static {
    /// The model's name: that of its file.
    const NAME: &'static str;
    /// What bounds the exploration, in plain words.
    const BOUNDS: &'static str;
    /// The number of different states that can be reached when every rule is obeyed.
    const STATES: usize;

    /// The model under these rules.
    fn new(rules: Rules) -> Self;

    /// The claims, as the table shows them.
    fn claims() -> Vec<Claim<Self>>;

    /// What came of a step, for the reader of a trace; empty where the step says it all.
    fn outcome(before: &Self::State, after: &Self::State) -> String;
}

/// The claims as stateright's properties: a sentence is `always`, its twin is `sometimes`.
#[must_use]
pub fn properties<M: Explained>() -> Vec<Property<M>> {
    let both = |claim: Claim<M>| {
        [Property::always(claim.sentence, claim.holds), Property::sometimes(claim.twin, claim.reached)]
    };
    M::claims().into_iter().flat_map(both).collect()
}

/// What an exploration found.
#[derive(Debug)]
pub struct Report {
    /// The number of different states.
    pub states: usize,
    /// The length of the longest way without a detour.
    pub depth: usize,
    /// The sentences that fail, in the order of the claims.
    pub failed: Vec<&'static str>,
    /// The twins that no state reaches.
    pub unreached: Vec<&'static str>,
}

/// Explores every state of the model.
#[must_use]
pub fn explore<M: Explained>(model: M) -> Report {
    let checker = model.checker().threads(1).spawn_bfs().join();
    let found = checker.discoveries();
    let claims = M::claims();
    Report {
        states: checker.unique_state_count(),
        depth: checker.max_depth(),
        failed: claims
            .iter()
            .map(|claim| claim.sentence)
            .filter(|sentence| found.contains_key(sentence))
            .collect(),
        unreached: claims.iter().map(|claim| claim.twin).filter(|twin| !found.contains_key(twin)).collect(),
    }
}

/// A shortest trace, in plain words, after which the claim's sentence is false; none where it never is.
#[must_use]
pub fn trace<M: Explained>(model: M, sentence: &'static str) -> Option<Vec<String>> {
    let claim = M::claims().into_iter().find(|claim| claim.sentence == sentence)?;
    counterexample(model, claim.sentence, claim.holds)
}

/// The same for any sentence.
pub(crate) fn counterexample<M: Explained>(
    model: M,
    sentence: &'static str,
    holds: fn(&M, &M::State) -> bool,
) -> Option<Vec<String>> {
    let checker = Only { model, sentence, holds }.checker().threads(1).spawn_bfs().join();
    let path = checker.discoveries().remove(sentence)?;
    Some(words::<M>(&path.into_vec()))
}

/// A model with a single claim: breadth first and on one thread, its first failure ends the exploration and
/// is a shortest one.
struct Only<M: Explained> {
    model: M,
    sentence: &'static str,
    holds: fn(&M, &M::State) -> bool,
}

impl<M: Explained> Model for Only<M> {
    type State = M::State;
    type Action = M::Action;

    fn init_states(&self) -> Vec<M::State> {
        self.model.init_states()
    }

    fn actions(&self, state: &M::State, actions: &mut Vec<M::Action>) {
        self.model.actions(state, actions);
    }

    fn next_state(&self, state: &M::State, action: M::Action) -> Option<M::State> {
        self.model.next_state(state, action)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always(self.sentence, |only, state| (only.holds)(&only.model, state))]
    }
}

/// The steps of a path, each with what came of it.
fn words<M: Explained>(path: &[(M::State, Option<M::Action>)]) -> Vec<String> {
    path.windows(2)
        .filter_map(|pair| {
            let [(before, Some(action)), (after, _)] = pair else { return None };
            let outcome = M::outcome(before, after);
            Some(if outcome.is_empty() { action.to_string() } else { format!("{action}: {outcome}") })
        })
        .collect()
}
