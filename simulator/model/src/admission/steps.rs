//! What can happen in the model of admission, and how it reads.

use std::fmt;

use stateright::{Model, Property};

use super::{Admission, Claims, Csr, Last, Reason, Request, Seal, State, Token, USES};
use crate::types::properties;

const fn seal(token: Token, csr: Csr, secret: bool) -> Seal {
    Seal { token, csr, secret }
}

/// Every seal there is: the machines', one with a wrong secret, and those of the relay's own token.
const SEALS: [Seal; 7] = [
    seal(Token::T, Csr::A1, true),
    seal(Token::S, Csr::A2, true),
    seal(Token::T, Csr::B, true),
    seal(Token::T, Csr::Relay, false),
    seal(Token::X, Csr::A1, true),
    seal(Token::X, Csr::B, true),
    seal(Token::X, Csr::Relay, true),
];

/// One step of the world; a call is named by its place among the calls in flight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// A replica gets a Join and reads, without a lock, which live node the claims' key belongs to.
    Begin(Request),
    /// The call locks its token's row and runs its checks.
    Lock(usize, Request),
    /// The call commits.
    Commit(usize, Request),
    /// The call's replica dies, or signing or the commit fails.
    Fail(usize, Request),
    /// Token t is revoked.
    Revoke,
    /// Token t expires.
    Expire,
}

impl Model for Admission {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        let (nodes, answers, calls) = (Vec::new(), Vec::new(), Vec::new());
        let (revoked, expired, disturbed) = (false, false, false);
        vec![State { uses: USES, revoked, expired, nodes, answers, calls, last: Last::Nothing, disturbed }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        if state.last != Last::Nothing {
            return;
        }
        if state.calls.len() < 2 {
            actions.extend(requests().map(Action::Begin));
        }
        for (at, call) in state.calls.iter().enumerate() {
            actions.push(Action::Fail(at, call.request));
            if call.locked.is_some() {
                actions.push(Action::Commit(at, call.request));
            } else if !state.is_locked(call.request.seal.token) {
                actions.push(Action::Lock(at, call.request));
            }
        }
        if !state.revoked && !state.is_locked(Token::T) {
            actions.push(Action::Revoke);
        }
        if !state.expired {
            actions.push(Action::Expire);
        }
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        let mut next = state.clone();
        match action {
            Action::Begin(request) => self.begin(state, &mut next, request),
            Action::Lock(at, _) => self.lock(state, &mut next, at),
            Action::Commit(at, _) => self.commit(state, &mut next, at),
            Action::Fail(at, _) => self.fail(state, &mut next, at),
            Action::Revoke => next.revoked = true,
            Action::Expire => next.expired = true,
        }
        // The replicas are alike: which of the two has which call makes no difference.
        next.calls.sort();
        Some(next)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        properties()
    }
}

/// Every request: the machines' seals beside their own CSRs, with either claims; those of the machines' token
/// t beside the relay's CSR; and the relay's own, where other claims would be refused or would show nothing
/// new.
fn requests() -> impl Iterator<Item = Request> {
    SEALS.into_iter().flat_map(|seal| {
        let request = |csr, claims| Request { seal, csr, claims };
        match (seal.token, seal.csr) {
            (Token::T, Csr::A1 | Csr::B) => vec![
                request(seal.csr, Claims::OfA),
                request(seal.csr, Claims::OfB),
                request(Csr::Relay, Claims::OfA),
            ],
            (Token::S, _) => vec![request(seal.csr, Claims::OfA), request(seal.csr, Claims::OfB)],
            (Token::X, Csr::B) => vec![request(seal.csr, Claims::OfB)],
            _ => vec![request(seal.csr, Claims::OfA)],
        }
    })
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Begin(request) => write!(f, "a replica gets {request} and reads whose the claims' key is"),
            Self::Lock(_, request) => write!(f, "{request}: its checks run under the lock"),
            Self::Commit(_, request) => write!(f, "{request}: it commits"),
            Self::Fail(_, request) => write!(f, "{request}: it fails and is undone"),
            Self::Revoke => write!(f, "token t is revoked"),
            Self::Expire => write!(f, "token t expires"),
        }
    }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let token = match self.seal.token {
            Token::T => "t",
            Token::S => "s",
            Token::X => "x",
        };
        let forged = if self.seal.secret { "" } else { " (wrong secret)" };
        let claims = if self.claims == Claims::OfA { "a" } else { "b" };
        let (around, beside) = (self.seal.csr, self.csr);
        let beside = if around == beside { String::new() } else { format!(" beside {beside}") };
        write!(f, "[seal of token {token}{forged} around {around}{beside}, claims of {claims}]")
    }
}

impl fmt::Display for Csr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::A1 => "a's first CSR",
            Self::A2 => "a's second CSR",
            Self::B => "b's CSR",
            Self::Relay => "the relay's CSR",
        })
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SealCsr => "seal-csr",
            Self::TokenSecret => "token-secret",
            Self::SealReplayed => "seal-replayed",
            Self::RequestBinding => "request-binding",
            Self::TokenRevoked => "token-revoked",
            Self::TokenExpired => "token-expired",
            Self::TokenUsed => "token-used",
            Self::Reclaim => "reclaim",
        })
    }
}
