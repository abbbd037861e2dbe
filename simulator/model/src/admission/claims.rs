//! What the model of admission claims.

use super::{Admission, Csr, Last, Race, Reason, Request, State, Token, USES};
use crate::types::{Claim, Explained, Kind, Rules};

impl Explained for Admission {
    const NAME: &'static str = "admission";
    const BOUNDS: &'static str = "three tokens (two uses, one use, and the relay's own of one use), two \
        machines with three keys, seven seals, twelve requests sent any number of times, two calls \
        in flight";
    const STATES: usize = 121_358;

    fn new(rules: Rules) -> Self {
        Self { rules, required: false }
    }

    fn claims() -> Vec<Claim<Self>> {
        let mut claims = uses();
        claims.extend(races());
        claims.extend(seals());
        claims.extend(bindings());
        claims
    }

    fn outcome(before: &State, after: &State) -> String {
        match after.last {
            Last::Resent { .. } => "the stored answer".into(),
            Last::Refused(reason) => format!("refused, {reason}"),
            Last::Conflict(_) => "CONFLICT".into(),
            Last::Nothing => match after.answers.get(before.answers.len()) {
                Some(answer) => {
                    format!("admitted as node {}, generation {}", answer.node + 1, answer.generation)
                }
                None => String::new(),
            },
        }
    }
}

fn uses() -> Vec<Claim<Admission>> {
    vec![
        Claim {
            kind: Kind::Holds,
            rules: &["admission_3"],
            sentence: "No token admits more joins than its maxUses.",
            holds: |_, state| {
                TOKENS.iter().all(|token| admitted(state, *token) <= USES[*token as usize].into())
            },
            twin: "A token with two uses has admitted two joins.",
            reached: |_, state| admitted(state, Token::T) == 2,
        },
        Claim {
            kind: Kind::Holds,
            rules: &["admission_1", "admission_2"],
            sentence: "A join that is refused, loses a race, fails or is answered again changes nothing.",
            holds: |_, state| !state.disturbed,
            twin: "A join is refused after its use was taken.",
            reached: |_, state| state.last == Last::Refused(Reason::Reclaim),
        },
        Claim {
            kind: Kind::Holds,
            rules: &["token_8"],
            sentence: "A revoked token admits nobody.",
            holds: |_, state| state.answers.iter().all(|answer| !answer.dead[0]),
            twin: "A join with a revoked token is refused.",
            reached: |_, state| state.last == Last::Refused(Reason::TokenRevoked),
        },
        Claim {
            kind: Kind::Holds,
            rules: &["time_2"],
            sentence: "An expired token admits nobody.",
            holds: |_, state| state.answers.iter().all(|answer| !answer.dead[1]),
            twin: "A join with an expired token is refused.",
            reached: |_, state| state.last == Last::Refused(Reason::TokenExpired),
        },
    ]
}

fn races() -> Vec<Claim<Admission>> {
    vec![
        Claim {
            kind: Kind::Holds,
            rules: &["admission_4_index"],
            sentence: "One trusted key has one live node, whatever token its joins are locked by.",
            holds: |_, state| distinct(state.nodes.iter().map(|node| node.claims)),
            twin: "Two tokens' joins of one machine reach the insert and one is answered CONFLICT.",
            reached: |_, state| state.last == Last::Conflict(Race::Index),
        },
        Claim {
            kind: Kind::Holds,
            rules: &["admission_4"],
            sentence: "A join takes over only the node and generation that it saw before the lock.",
            holds: |_, state| state.answers.iter().all(|answer| answer.seen),
            twin: "A join finds another owner under the lock than before it and is answered CONFLICT.",
            reached: |_, state| state.last == Last::Conflict(Race::Reading),
        },
        Claim {
            kind: Kind::Holds,
            rules: &["reclaim_3_row"],
            sentence: "Each join that is admitted makes a generation of its own.",
            holds: |_, state| distinct(state.answers.iter().map(|answer| (answer.node, answer.generation))),
            twin: "Two tokens' reclaims of one node reach its row and one is answered CONFLICT.",
            reached: |_, state| state.last == Last::Conflict(Race::Row),
        },
    ]
}

fn seals() -> Vec<Claim<Admission>> {
    vec![
        Claim {
            kind: Kind::Holds,
            rules: &["seal_8", "seal_8_lock"],
            sentence: "One seal admits one join.",
            holds: |_, state| distinct(state.answers.iter().map(|answer| answer.request.seal)),
            twin: "A seal that admitted a join gets its answer again although its token has no use left.",
            reached: |_, state| {
                matches!(state.last, Last::Resent { .. }) && state.uses[Token::T as usize] == 0
            },
        },
        Claim {
            kind: Kind::Holds,
            rules: &["seal_8_equal"],
            sentence: "A stored answer is given to nobody but an equal request.",
            holds: |_, state| !matches!(state.last, Last::Resent { equal: false, .. }),
            twin: "A request with a seal that admitted a join is refused.",
            reached: |_, state| state.last == Last::Refused(Reason::SealReplayed),
        },
        Claim {
            kind: Kind::Holds,
            rules: &["seal_8_dead"],
            sentence: "No stored answer is given once its token is revoked or its certificate is of an older \
                generation.",
            holds: |_, state| !matches!(state.last, Last::Resent { dead: true, .. }),
            twin: "A stored answer is given although its token has expired.",
            reached: |_, state| matches!(state.last, Last::Resent { .. }) && state.expired,
        },
        Claim {
            kind: Kind::Holds,
            rules: &["seal_3", "token_4"],
            sentence: "An admission under a token for a key means that a holder sealed that token \
                for that key.",
            holds: |_, state| {
                state
                    .answers
                    .iter()
                    .all(|answer| answer.request.seal.secret && answer.request.seal.csr == answer.request.csr)
            },
            twin: "A machine's seal beside the relay's CSR is refused.",
            reached: |_, state| state.last == Last::Refused(Reason::SealCsr),
        },
    ]
}

fn bindings() -> Vec<Claim<Admission>> {
    vec![
        Claim {
            kind: Kind::Holds,
            rules: &["binding_2"],
            sentence: "A machine that sends the binding is admitted only under its token and with \
                its claims.",
            holds: |_, state| as_sent(state, |csr, _| csr.binding().is_some()),
            twin: "A machine's CSR with the binding in a request that it did not send is refused.",
            reached: |_, state| state.last == Last::Refused(Reason::RequestBinding),
        },
        Claim {
            kind: Kind::Holds,
            rules: &["binding_3"],
            sentence: "A machine that compares request_sha256 keeps an identity only of the request \
                that it sent.",
            holds: |model, state| {
                // BINDING-3: what is not of its own request is response-request, and nothing is kept.
                model.rules.binding_3 || as_sent(state, |csr, _| csr == Csr::B)
            },
            twin: "A machine is offered an identity of a request that it did not send.",
            reached: |_, state| !as_sent(state, |csr, _| csr == Csr::B),
        },
        Claim {
            kind: Kind::Fails,
            rules: &[],
            sentence: "A machine that does not bind is admitted only under its token.",
            holds: |_, state| {
                let swapped = |request: &Request| request.csr == Csr::B && request.seal.token != Token::T;
                !state.answers.iter().any(|answer| swapped(&answer.request))
            },
            twin: "A machine that does not bind is admitted, or refused for it.",
            reached: |model, state| {
                let admitted = state.answers.iter().any(|answer| answer.request.csr == Csr::B);
                admitted || (model.required && state.last == Last::Refused(Reason::RequestBinding))
            },
        },
        Claim {
            kind: Kind::Fails,
            rules: &[],
            sentence: "A machine that does not bind is admitted under its token only with its claims.",
            holds: |_, state| as_sent(state, |csr, token| csr == Csr::B && token == Token::T),
            twin: "The relay's own token admits the relay's own key.",
            reached: |_, state| state.answers.iter().any(|answer| answer.request.csr == Csr::Relay),
        },
    ]
}

const TOKENS: [Token; 3] = [Token::T, Token::S, Token::X];

fn admitted(state: &State, token: Token) -> usize {
    state.answers.iter().filter(|answer| answer.request.seal.token == token).count()
}

/// Whether every admission of these is of the token and the claims that the machine with that key sent.
fn as_sent(state: &State, of: fn(Csr, Token) -> bool) -> bool {
    let requests = state.answers.iter().map(|answer| answer.request);
    let mut of = requests.filter(|request| of(request.csr, request.seal.token));
    of.all(|request| request.csr.sent() == Some((request.seal.token, request.claims)))
}

fn distinct<T: PartialEq>(items: impl Iterator<Item = T>) -> bool {
    let items: Vec<T> = items.collect();
    items.iter().enumerate().all(|(at, item)| !items[..at].contains(item))
}
