//! A small deployment over time: who lives in it, what they send, and what comes of it.

use std::fmt;

use super::cast::{self, Cast, START, bearer, claims, pool, stored, trusted_key};
use super::store::{Live, Store};
use crate::admission::{Placement, Policy, Received, Service};
use crate::certificate::{Revoked, Row, Serial};
use crate::choices::{Choices, RequestBinding};
use crate::claims::Raw;
use crate::decision::{Decision, Effect, Rejected};
use crate::grant::Granted;
use crate::hash::sha256;
use crate::p256::PrivateKey;
use crate::reason::Reason;
use crate::reclaim::Reading;
use crate::refusal::Refusal;
use crate::renewal;
use crate::seal::{self, Fresh};
use crate::signature::{RenewPop, Signature, ToBeSigned, X509Pop};
use crate::time::Millis;
use crate::x509::fixture::{key, sign};
use crate::x509pop;

/// What may happen. Numbers of things that come to be count from the newest, and begin again where there are fewer.
#[derive(Clone, Debug)]
pub(super) enum Action {
    Join { token: usize, machine: usize, key: usize },
    Begin { token: usize, machine: usize, key: usize },
    Finish(usize),
    Renew { certificate: usize, key: usize, skew: i64 },
    Return { certificate: usize, key: usize, skew: i64 },
    Resend(usize),
    Retire(usize),
    RevokeToken(usize),
    RevokeCertificate(usize),
    Wait(i64),
    Restart,
}

/// What came of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Joined,
    Reclaimed,
    Returned,
    Renewed,
    /// The stored answer.
    Again,
    Conflict,
    Refused(Reason),
    /// An operator or the clock did something, or nothing was there to do it with.
    Unasked,
}

impl fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Joined => "joined",
            Self::Reclaimed => "reclaimed",
            Self::Returned => "returned",
            Self::Renewed => "renewed",
            Self::Again => "again",
            Self::Conflict => "conflict",
            Self::Refused(reason) => reason.as_str(),
            Self::Unasked => "unasked",
        })
    }
}

impl From<Refusal<'_>> for Outcome {
    fn from(refusal: Refusal<'_>) -> Self {
        Self::Refused(refusal.reason())
    }
}

impl From<Rejected<'_>> for Outcome {
    fn from(rejected: Rejected<'_>) -> Self {
        match rejected {
            Rejected::Refused(refusal) => refusal.into(),
            Rejected::Conflict => Self::Conflict,
        }
    }
}

/// What a machine sends, and may send again.
#[derive(Clone, Debug)]
pub(super) enum Message {
    Join { token: usize, machine: usize, key: usize, seal: String },
    Renew(Proof),
    Return(Proof),
}

#[derive(Clone, Debug)]
pub(super) struct Proof {
    pub(super) leaf: Vec<u8>,
    key: usize,
    client_time_ms: i64,
    pop_sig: [u8; 64],
}

/// One action with all that invariants look at.
pub(super) struct Step {
    pub(super) before: Store,
    pub(super) after: Store,
    pub(super) now: Millis,
    pub(super) outcome: Outcome,
    pub(super) message: Option<Message>,
    /// Whether this very message was granted before.
    pub(super) granted_before: bool,
    /// For a token join: the live node of the machine's key before any lock, and under it.
    pub(super) readings: Option<(Live, Live)>,
}

pub(super) struct World<'c> {
    cast: &'c Cast,
    choices: Choices,
    now: Millis,
    store: Store,
    sent: Vec<Message>,
    /// Which of what was sent has been granted.
    granted: Vec<usize>,
    /// Joins between their halves, in memory only: the message, and what was read before any lock.
    begun: Vec<(usize, Live, Reading)>,
    made: u8,
}

/// What came of an action, of which message, and the two readings.
type Told = (Outcome, Option<usize>, Option<(Live, Live)>);

const UNASKED: Told = (Outcome::Unasked, None, None);

impl<'c> World<'c> {
    pub(super) fn new(cast: &'c Cast, choices: Choices) -> Self {
        let store = Store { tokens: (0..cast::TOKENS).map(stored).collect(), ..Store::default() };
        let (sent, granted, begun) = (Vec::new(), Vec::new(), Vec::new());
        Self { cast, choices, now: START, store, sent, granted, begun, made: 0 }
    }

    pub(super) fn play(&mut self, action: &Action) -> Step {
        let before = self.store.clone();
        let (outcome, number, readings) = self.act(action).unwrap_or(UNASKED);
        let granted_before = number.is_some_and(|number| self.granted.contains(&number));
        if matches!(outcome, Outcome::Joined | Outcome::Reclaimed | Outcome::Returned | Outcome::Renewed) {
            self.granted.extend(number);
        }
        let message = number.map(|number| self.sent[number].clone());
        Step { before, after: self.store.clone(), now: self.now, outcome, message, granted_before, readings }
    }

    /// None where there is nothing to act on.
    fn act(&mut self, action: &Action) -> Option<Told> {
        match *action {
            Action::Join { token, machine, key } => {
                let number = self.send_join(token, machine, key);
                return Some(self.deliver(number));
            }
            Action::Begin { token, machine, key } => {
                let number = self.send_join(token, machine, key);
                self.begin(number, machine);
            }
            Action::Finish(begun) => {
                let begun = from_newest(begun, self.begun.len())?;
                return Some(self.finish(begun));
            }
            Action::Renew { certificate, key, skew } => {
                let number = self.send_proof(certificate, key, skew, Message::Renew)?;
                return Some(self.deliver(number));
            }
            Action::Return { certificate, key, skew } => {
                let number = self.send_proof(certificate, key, skew, Message::Return)?;
                return Some(self.deliver(number));
            }
            Action::Resend(message) => {
                let number = from_newest(message, self.sent.len())?;
                return Some(self.deliver(number));
            }
            Action::Retire(node) => {
                let node = &self.store.nodes[from_newest(node, self.store.nodes.len())?];
                let effects = self.store.holder(node).retire(self.now);
                self.store.apply(effects);
            }
            Action::RevokeToken(token) => {
                let id = stored(token).row.id;
                self.store.apply(vec![Effect::RevokeToken { id, at: self.now }]);
            }
            Action::RevokeCertificate(certificate) => {
                let row = &self.store.certificates[from_newest(certificate, self.store.certificates.len())?];
                let unrevoked = row.revoked.is_none().then(|| row.serial.clone())?;
                self.store.revoke(&unrevoked, &Revoked { at: self.now, reason: "operator".into() });
            }
            Action::Wait(step) => self.now.0 += step,
            // What is stored stays; joins between their halves were in memory.
            Action::Restart => self.begun.clear(),
        }
        Some(UNASKED)
    }

    fn send_join(&mut self, token: usize, machine: usize, key_number: usize) -> usize {
        let ephemeral = key(&format!("ephemeral key {}", self.sent.len()));
        let fresh = Fresh { ephemeral, content_key: [6; 32].into(), iv: [7; 12] };
        let recipient = self.cast.encryption[0].public();
        let (csr, pins) = (&self.cast.csrs[key_number], [recipient.pin()]);
        let seal = seal::make(&bearer(token), csr, recipient, &pins, 0, &fresh).unwrap();
        self.sent.push(Message::Join { token, machine, key: key_number, seal });
        self.sent.len() - 1
    }

    fn send_proof(
        &mut self,
        certificate: usize,
        key: usize,
        skew: i64,
        message: fn(Proof) -> Message,
    ) -> Option<usize> {
        let row = &self.store.certificates[from_newest(certificate, self.store.certificates.len())?];
        let holds = |key: &&PrivateKey| sha256(&key.public().spki()) == row.spki_sha256;
        let current = self.cast.keys.iter().find(holds)?;
        let client_time_ms = self.now.0 + skew;
        let (csr_sha256, node_id) = (&sha256(&self.cast.csrs[key]), row.node_id.as_str());
        let proof = |pop_sig| Proof { leaf: row.der.clone(), key, client_time_ms, pop_sig };
        let signed = |message: &ToBeSigned| {
            let made = sign(current, message.octets());
            *Signature::made(&made).unwrap().octets()
        };
        let unsigned = message(proof([0; 64]));
        let pop_sig = match unsigned {
            Message::Return(_) => signed(&X509Pop { csr_sha256, node_id, client_time_ms }.to_be_signed()),
            _ => signed(&RenewPop { csr_sha256, node_id, client_time_ms }.to_be_signed()),
        };
        self.sent.push(message(proof(pop_sig)));
        Some(self.sent.len() - 1)
    }

    fn deliver(&mut self, number: usize) -> Told {
        match self.sent[number].clone() {
            Message::Join { machine, .. } => {
                self.begin(number, machine);
                self.finish(self.begun.len() - 1)
            }
            Message::Renew(proof) => {
                let decided = self.renew(&proof);
                (self.commit(decided.map(Some), Outcome::Renewed), Some(number), None)
            }
            Message::Return(proof) => {
                let decided = self.come_back(&proof);
                (self.commit(decided.map(Some), Outcome::Returned), Some(number), None)
            }
        }
    }

    fn begin(&mut self, number: usize, machine: usize) {
        let key = trusted_key(machine);
        let reading = Reading::of(self.store.known(key).live.as_ref().map(|holder| holder.node));
        self.begun.push((number, self.store.live(key), reading));
    }

    fn finish(&mut self, begun: usize) -> Told {
        let (number, seen, reading) = self.begun.remove(begun);
        let Message::Join { token, machine, key, seal } = self.sent[number].clone() else { return UNASKED };
        let found = self.store.live(trusted_key(machine));
        let decided = self.admit(token, machine, key, &seal, &reading);
        (self.commit(decided, Outcome::Joined), Some(number), Some((seen, found)))
    }

    /// Writes a decision. A join that replaces a node is a reclaim.
    fn commit(&mut self, decided: Result<Option<Decision>, Outcome>, granted: Outcome) -> Outcome {
        let effects = match decided {
            Ok(Some(decision)) => decision.effects,
            Ok(None) => return Outcome::Again,
            Err(outcome) => return outcome,
        };
        let replaces = effects.iter().any(|effect| matches!(effect, Effect::ReplaceNode(_)));
        self.store.apply(effects);
        if replaces && granted == Outcome::Joined { Outcome::Reclaimed } else { granted }
    }

    fn admit(
        &mut self,
        token: usize,
        machine: usize,
        key: usize,
        seal: &str,
        seen: &Reading,
    ) -> Result<Option<Decision>, Outcome> {
        let (serial, node_id) = self.next();
        let Self { cast, store, now, choices, .. } = self;
        let claims = claims(machine);
        let received = Received {
            attestor: "join-token",
            role: "node",
            csr: &cast.csrs[key],
            seal: seal.as_bytes(),
            claims: &claims,
        };
        let service = Service { attestors: &cast.attestors, keys: &cast.encryption, window: None };
        let opened = received.open(service, *now)?;
        let token = &store.tokens[token];
        let attested = opened.attest(Some(&token.row))?;
        if let Some(found) = store.answered(attested.seal_sha256()) {
            attested.resend(&found, choices.seal_resend, *now)?;
            return Ok(None);
        }
        let policy =
            Policy { expect: token.expect.as_ref(), requires_request_binding: false, choices: *choices };
        let admissible = attested.judge(policy, *now)?;
        let known = store.known(admissible.hardware_key.key.filter(|_| admissible.trusted));
        let pool = pool(&token.pool_id);
        let placement = Placement {
            token,
            seen,
            known: &known,
            pool: Some(&pool),
            site: Some(&cast.site),
            node_id: &node_id,
            serial,
            choices: *choices,
        };
        Ok(Some(signed(admissible.place(&placement, &cast.deployment(), *now)?)))
    }

    fn renew(&mut self, proof: &Proof) -> Result<Decision, Outcome> {
        let (serial, _) = self.next();
        let Self { cast, store, now, .. } = self;
        let row = store.leaf(&proof.leaf).cloned();
        let received = renewal::Received {
            csr: &cast.csrs[proof.key],
            chain: std::slice::from_ref(&proof.leaf),
            client_time_ms: proof.client_time_ms,
            pop_sig: &proof.pop_sig,
            caller: row.as_ref().map(|row| row.spiffe_id.as_str()),
            key_attestation: None,
        };
        let node = row.as_ref().and_then(|row| store.node(&row.node_id)).cloned();
        let timely = received.open()?.prove(row.as_ref(), node.as_ref())?.judge(*now)?;
        let node_id = timely.node_id().to_owned();
        let spent = timely.spend(store.memories.entry(node_id).or_default(), *now)?;
        let certificates = row.as_ref().map(|row| store.certificates_of(&row.node_id)).unwrap_or_default();
        Ok(signed(spent.grant(&certificates, &cast.deployment(), serial, true, *now)?))
    }

    fn come_back(&mut self, proof: &Proof) -> Result<Decision, Outcome> {
        let (serial, _) = self.next();
        let Self { cast, store, now, .. } = self;
        let row = store.leaf(&proof.leaf).cloned();
        let claims = Raw::default();
        let evidence = x509pop::Evidence {
            chain: std::slice::from_ref(&proof.leaf),
            client_time_ms: proof.client_time_ms,
            pop_sig: &proof.pop_sig,
            key_attestation: None,
        };
        let received = x509pop::Received {
            attestor: "x509pop",
            role: "node",
            csr: &cast.csrs[proof.key],
            claims: &claims,
            evidence: Some(evidence),
        };
        let node = row.as_ref().and_then(|row| store.node(&row.node_id)).cloned();
        let proven = received.open(&cast.attestors)?.prove(row.as_ref(), node.as_ref())?;
        let rows = store.certificates.clone();
        let is_own = |other: &&Row| row.as_ref().is_some_and(|row| row.node_id == other.node_id);
        let certificates: Vec<&Row> = rows.iter().filter(is_own).collect();
        let timely = proven.judge(&certificates, *now)?;
        let node_id = timely.node_id().to_owned();
        let spent = timely.spend(store.memories.entry(node_id).or_default(), *now)?;
        let pool = node.as_ref().map(|node| pool(&node.pool_id));
        let request_binding = RequestBinding::Checked;
        let placement =
            x509pop::Placement { certificates: &certificates, pool: pool.as_ref(), request_binding, serial };
        Ok(signed(spent.grant(&placement, &cast.deployment(), *now)?))
    }

    /// A new serial and a new node's id.
    fn next(&mut self) -> (Serial, String) {
        self.made += 1;
        let mut octets = [1; 16];
        octets[15] = self.made;
        (Serial::of_random(octets), format!("node_{}", self.made))
    }
}

/// The position that counts from the newest of so many, and begins again after the oldest.
fn from_newest(count: usize, length: usize) -> Option<usize> {
    let back = count.checked_rem(length)?;
    Some(length - 1 - back)
}

/// Signs as the node CA and the join-signing key do; nobody here verifies it.
fn signed(granted: Granted<'_>) -> Decision {
    granted.certify(&[1; 64]).decide(Some(&[1; 64])).unwrap()
}
