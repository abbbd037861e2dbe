//! Admission: the uses of tokens, seals, stored answers, bindings and races (SEAL-3, SEAL-8, BINDING,
//! ADMISSION).
//!
//! Machine a has two keys, each with a seal of a token of pool p, and sends the binding with both. Machine b
//! has one key and does not bind. The relay carries every message, so it sends any request that it can make,
//! at any time and as often as it likes, over two replicas: a machine's seal beside another CSR, with other
//! claims, or its own token's seal around a machine's CSR. It cannot change a CSR, and it has no secret but
//! that of its own token x, of another pool.

use crate::types::Rules;

mod claims;
mod steps;

/// A token; the number is its place in [`State::uses`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Token {
    /// Of pool p, two uses, allowReclaim; it can be revoked and can expire.
    T,
    /// Of pool p, one use, allowReclaim.
    S,
    /// The relay's own, of another pool: one use.
    X,
}

const USES: [u8; 3] = [2, 1, 1];

/// The identifiers that claims state: those of machine a or of machine b. Both give a trusted hardware key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Claims {
    OfA,
    OfB,
}

/// A CSR, named by its key: the machines', then the relay's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Csr {
    A1,
    A2,
    B,
    Relay,
}

impl Csr {
    /// What the machine that has this key sends with it.
    const fn sent(self) -> Option<(Token, Claims)> {
        match self {
            Self::A1 => Some((Token::T, Claims::OfA)),
            Self::A2 => Some((Token::S, Claims::OfA)),
            Self::B => Some((Token::T, Claims::OfB)),
            Self::Relay => None,
        }
    }

    /// The binding in the CSR (BINDING-2): the hash of what was sent.
    const fn binding(self) -> Option<(Token, Claims)> {
        match self {
            Self::A1 | Self::A2 => self.sent(),
            Self::B | Self::Relay => None,
        }
    }
}

/// A seal: which token around which CSR's hash, and whether its maker knew the secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Seal {
    token: Token,
    csr: Csr,
    secret: bool,
}

/// A Join as it arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Request {
    seal: Seal,
    csr: Csr,
    claims: Claims,
}

/// The live node that a trusted key belongs to: its place in [`State::nodes`] and its identityGeneration.
type Owner = Option<(u8, u8)>;

/// A Join that a replica works on. What was read early matters only where a rule is switched off, and is left
/// empty else.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Call {
    request: Request,
    seen: Owner,
    early_uses: u8,
    early_stored: Option<u8>,
    /// Under the lock, all checks passed: the owner as read there, and whether the token was revoked and
    /// expired.
    locked: Option<(Owner, [bool; 2])>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Node {
    claims: Claims,
    token: Token,
    generation: u8,
}

/// A committed join: the stored answer, and what the claims look at.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Answer {
    request: Request,
    node: u8,
    generation: u8,
    /// What was seen before the lock is what was taken over.
    seen: bool,
    dead: [bool; 2],
}

/// What the last call was answered, if nothing came of it: such a state leads nowhere, because a call that
/// fails leaves the same store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Last {
    Nothing,
    Resent { equal: bool, dead: bool },
    Refused(Reason),
    Conflict(Race),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Reason {
    SealCsr,
    TokenSecret,
    SealReplayed,
    RequestBinding,
    TokenRevoked,
    TokenExpired,
    TokenUsed,
    Reclaim,
}

/// Where a race was noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Race {
    Reading,
    Index,
    Row,
}

/// The store, the calls in flight, and the last answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    uses: [u8; 3],
    revoked: bool,
    expired: bool,
    nodes: Vec<Node>,
    answers: Vec<Answer>,
    calls: Vec<Call>,
    last: Last,
    /// A call that admitted nothing has changed the store.
    disturbed: bool,
}

/// The model under its rules.
#[derive(Clone, Debug)]
pub struct Admission {
    rules: Rules,
    /// Pool p demands the binding (`policy.requestBinding: required`).
    pub required: bool,
}

impl Admission {
    fn begin(&self, state: &State, next: &mut State, request: Request) {
        // SEAL-3
        if self.rules.seal_3 && request.seal.csr != request.csr {
            return next.end(state, Last::Refused(Reason::SealCsr));
        }
        // TOKEN-4
        if self.rules.token_4 && !request.seal.secret {
            return next.end(state, Last::Refused(Reason::TokenSecret));
        }
        let early_uses = if self.rules.admission_3 { 0 } else { state.uses[request.seal.token as usize] };
        let early_stored = if self.rules.seal_8_lock { None } else { state.stored(request.seal) };
        let seen = state.owner(request.claims);
        next.calls.push(Call { request, seen, early_uses, early_stored, locked: None });
    }

    /// The checks under the token row's lock, in the order of ADMISSION-1; what passes holds the lock until
    /// it commits.
    fn lock(&self, state: &State, next: &mut State, at: usize) {
        let mut call = next.calls.remove(at);
        let token = call.request.seal.token;
        let dead = if token == Token::T { [state.revoked, state.expired] } else { [false; 2] };
        if let Some(last) = self.before_use(state, &call, dead) {
            return next.end(state, last);
        }
        let found = state.owner(call.request.claims);
        // ADMISSION-4: the comparison comes before the rules of RECLAIM.
        let last = if self.rules.admission_4 && call.seen != found {
            Last::Conflict(Race::Reading)
        } else if found
            .is_some_and(|(node, _)| token == Token::X || state.nodes[usize::from(node)].token == Token::X)
        {
            // RECLAIM-2: allowReclaim and the same pool.
            Last::Refused(Reason::Reclaim)
        } else {
            call.locked = Some((found, dead));
            return next.calls.push(call);
        };
        // ADMISSION-2
        if !self.rules.admission_2 {
            next.uses[token as usize] -= 1;
        }
        next.end(state, last);
    }

    /// SEAL-8, BINDING-2, and the token's own state.
    fn before_use(&self, state: &State, call: &Call, dead: [bool; 2]) -> Option<Last> {
        let (rules, request, token) = (&self.rules, call.request, call.request.seal.token);
        let stored = if rules.seal_8_lock { state.stored(request.seal) } else { call.early_stored };
        if let Some(answer) = stored.filter(|_| rules.seal_8).map(|at| &state.answers[usize::from(at)]) {
            let equal = answer.request == request;
            let dead = dead[0] || state.nodes[usize::from(answer.node)].generation != answer.generation;
            let refused = (rules.seal_8_equal && !equal) || (rules.seal_8_dead && dead);
            return Some(if refused {
                Last::Refused(Reason::SealReplayed)
            } else {
                Last::Resent { equal, dead }
            });
        }
        let demanded = self.required && token != Token::X;
        let mismatch = request.csr.binding().map_or(demanded, |sent| sent != (token, request.claims));
        let uses = if rules.admission_3 { state.uses[token as usize] } else { call.early_uses };
        let reason = match () {
            () if rules.binding_2 && mismatch => Reason::RequestBinding,
            () if rules.token_8 && dead[0] => Reason::TokenRevoked,
            () if rules.time_2 && dead[1] => Reason::TokenExpired,
            () if uses == 0 => Reason::TokenUsed,
            () => return None,
        };
        Some(Last::Refused(reason))
    }

    fn commit(&self, state: &State, next: &mut State, at: usize) {
        let call = next.calls.remove(at);
        let Some((found, dead)) = call.locked else { return };
        let Request { seal: Seal { token, .. }, claims, .. } = call.request;
        let (node, generation) = match found {
            // ADMISSION-4: the unique index refuses the insert.
            None if self.rules.admission_4_index && state.owner(claims).is_some() => {
                return next.end(state, Last::Conflict(Race::Index));
            }
            None => {
                next.nodes.push(Node { claims, token, generation: 1 });
                (next.nodes.len() as u8 - 1, 1)
            }
            // RECLAIM-3: two tokens are two locks, so the node's row must still be the one that was read.
            Some(read) if self.rules.reclaim_3_row && state.owner(claims) != Some(read) => {
                return next.end(state, Last::Conflict(Race::Row));
            }
            Some((node, generation)) => {
                next.nodes[usize::from(node)].generation = generation + 1;
                (node, generation + 1)
            }
        };
        next.uses[token as usize] =
            if self.rules.admission_3 { state.uses[token as usize] } else { call.early_uses } - 1;
        next.answers.push(Answer { request: call.request, node, generation, seen: call.seen == found, dead });
    }

    fn fail(&self, state: &State, next: &mut State, at: usize) {
        let call = next.calls.remove(at);
        // ADMISSION-1: everything commits together or not at all.
        if !self.rules.admission_1 && call.locked.is_some() {
            next.uses[call.request.seal.token as usize] -= 1;
        }
        next.end(state, Last::Nothing);
    }
}

impl State {
    /// A call ends without an admission.
    fn end(&mut self, before: &Self, last: Last) {
        self.last = last;
        self.disturbed |=
            (self.uses, &self.nodes, &self.answers) != (before.uses, &before.nodes, &before.answers);
    }

    fn owner(&self, claims: Claims) -> Owner {
        let at = self.nodes.iter().position(|node| node.claims == claims)?;
        Some((at as u8, self.nodes[at].generation))
    }

    fn stored(&self, seal: Seal) -> Option<u8> {
        self.answers.iter().position(|answer| answer.request.seal == seal).map(|at| at as u8)
    }

    fn is_locked(&self, token: Token) -> bool {
        self.calls.iter().any(|call| call.request.seal.token == token && call.locked.is_some())
    }
}
