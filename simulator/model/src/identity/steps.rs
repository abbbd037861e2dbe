//! What can happen in the model of identity, and how it reads.

use std::fmt;

use stateright::{Model, Property};

use super::{Identity, Machine, Pool, Reason, State, Store, TOKENS, Token};
use crate::types::properties;

/// Who joins, with whose identifiers: honest, lying, honest.
const JOINS: [(Machine, Machine); 3] =
    [(Machine::One, Machine::One), (Machine::Two, Machine::One), (Machine::Two, Machine::Two)];

/// One step of the world; nodes and certificates are named by their places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// A token join by the first machine with the identifiers of the second.
    Token(Token, (Machine, Machine)),
    /// A tpm join, likewise; both EKs are on the allow-list, for pool p.
    Tpm((Machine, Machine)),
    /// A renewal with this certificate of this node, to a key inside the TPM or to one in a file.
    Renew(usize, usize, bool),
    /// An x509pop join, likewise.
    Pop(usize, usize, bool),
    /// An operator revokes a certificate.
    Revoke(usize, usize),
    /// An operator retires a node.
    Retire(usize),
    /// Pool p changes hands.
    Sell,
    /// A certificate's lifetime passes.
    Tick,
}

impl Model for Identity {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![State(Ok(Store::default()))]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        let Ok(store) = &state.0 else { return };
        let issued: usize = store.nodes.iter().map(|node| node.certs.len()).sum();
        if issued < 3 {
            for (by, key) in JOINS.into_iter().filter(|(_, key)| *key == Machine::One) {
                // Pool q's token is in the honest machine's hands only.
                let tokens = TOKENS.into_iter().filter(|token| token.pool == Pool::P || by == Machine::One);
                actions.extend(tokens.map(|token| Action::Token(token, (by, key))));
            }
            actions.extend(JOINS.map(Action::Tpm).into_iter().filter(|_| !store.sold));
        }
        if store.sold {
            return;
        }
        for (at, node) in store.nodes.iter().enumerate() {
            for (with, cert) in node.certs.iter().enumerate() {
                // Where no AK is named nobody looks at where the key is.
                for inside in
                    [true, false].into_iter().filter(|inside| issued < 3 && (cert.ak.is_some() || !inside))
                {
                    actions.extend([Action::Renew(at, with, inside), Action::Pop(at, with, inside)]);
                }
                if !cert.revoked && store.revocations == 0 {
                    actions.push(Action::Revoke(at, with));
                }
            }
            if !store.nodes.iter().any(|node| node.retired) {
                actions.push(Action::Retire(at));
            }
        }
        actions.push(Action::Sell);
        if store.now < 2 {
            actions.push(Action::Tick);
        }
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        let mut store = state.0.clone().ok()?;
        let mut done = Ok(());
        match action {
            Action::Token(token, (by, key)) => done = self.token_join(&mut store, token, by, key),
            Action::Tpm((by, key)) => done = self.tpm_join(&mut store, by, key),
            Action::Renew(at, with, inside) => done = self.renew(&mut store, at, with, inside),
            Action::Pop(at, with, inside) => done = self.pop(&mut store, at, with, inside),
            Action::Revoke(at, with) => {
                store.nodes[at].certs[with].revoked = true;
                store.revocations = 1;
            }
            Action::Retire(at) => self.retire(&mut store.nodes[at]),
            Action::Sell => store.sold = true,
            Action::Tick => store.now += 1,
        }
        Some(State(done.map(|()| store)))
    }

    fn properties(&self) -> Vec<Property<Self>> {
        properties()
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = |inside| if inside { "in the TPM" } else { "in a file" };
        match *self {
            Self::Token(token, (by, key)) => write!(f, "machine {by} joins by {token} as machine {key}"),
            Self::Tpm((by, key)) => write!(f, "machine {by} joins by its TPM as machine {key}"),
            Self::Renew(at, with, inside) => {
                write!(
                    f,
                    "node {} renews with its certificate {} to a key {}",
                    at + 1,
                    with + 1,
                    place(inside)
                )
            }
            Self::Pop(at, with, inside) => {
                write!(
                    f,
                    "node {} comes back by x509pop with its certificate {} and a key {}",
                    at + 1,
                    with + 1,
                    place(inside)
                )
            }
            Self::Revoke(at, with) => write!(f, "certificate {} of node {} is revoked", with + 1, at + 1),
            Self::Retire(at) => write!(f, "node {} is retired", at + 1),
            Self::Sell => write!(f, "pool p changes hands"),
            Self::Tick => write!(f, "a certificate's lifetime passes"),
        }
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hosted = if self.hosted { " hosted" } else { " plain" };
        let reclaim = if self.reclaim { " allowReclaim" } else { "" };
        let pool = if self.pool == Pool::P { "p" } else { "q" };
        write!(f, "a{hosted}{reclaim} token of pool {pool}")
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Self::One { "1" } else { "2" })
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Reclaim => "reclaim",
            Self::PoolTenant => "pool-tenant",
            Self::CertRevoked => "cert-revoked",
            Self::CertExpired => "cert-expired",
            Self::CertNotExpired => "cert-not-expired",
            Self::Grace => "grace",
            Self::Generation => "generation",
            Self::NodeRetired => "node-retired",
            Self::PopSuperseded => "pop-superseded",
            Self::KeyAttestation => "key-attestation-missing",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Explained as _, Rules, counterexample};

    fn first_answer(rules: Rules, holds: fn(&Identity, &State) -> bool) -> Option<Vec<String>> {
        counterexample(Identity::new(rules), "no call is answered so", holds)
    }

    #[test]
    fn generation_and_node_retired_are_second_lines() {
        assert_eq!(first_answer(Rules::ALL, |_, state| state.0 != Err(Reason::Generation)), None);
        assert_eq!(first_answer(Rules::ALL, |_, state| state.0 != Err(Reason::NodeRetired)), None);
        let unrevoked = |flag| Rules::without(flag).unwrap();
        assert!(
            first_answer(unrevoked("reclaim_3"), |_, state| state.0 != Err(Reason::Generation)).is_some()
        );
        assert!(
            first_answer(unrevoked("reclaim_4"), |_, state| state.0 != Err(Reason::NodeRetired)).is_some()
        );
    }
}
