//! Worlds: JoinService over time, for the ops `world.load`, `world.step` and `world.dump`.
//!
//! ```text
//! load ──▶ World { config, store, tickets }
//! step ──▶ (the core judges rows) ──▶ Decision ──effects──▶ store
//! dump ──▶ rows, events, audit
//! ```
//!
//! One step at a time runs to its end, so each is its own transaction: the core answers with effects, and nothing is
//! written before it has.

use std::collections::BTreeMap;

use reference_core::base64url::encode;
use reference_core::certificate::{CertTtl, Issuer};
use reference_core::choices::Choices;
use reference_core::decision::{Answer, Decision};
use reference_core::grant::{Deployment, Granted};
use reference_core::p256::PrivateKey;
use reference_core::reason::Reason;
use reference_core::refusal::ErrorName;
use reference_core::seal::Window;
use reference_core::time::Millis;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::message::{Call, Failure};
use crate::shapes::Time;
use crate::signer;

mod admission;
mod dump;
mod load;
mod nodes;
mod refusals;
mod renewal;
mod store;
mod tokens;

use refusals::Denied;
use store::Store;

/// One deployment.
pub(crate) struct World {
    config: Config,
    store: Store,
    /// Joins that have begun. They are only in memory.
    tickets: BTreeMap<String, admission::Begun>,
}

/// What the deployment is configured with. No step changes it.
struct Config {
    trust_domain: String,
    root_tenant: Option<String>,
    attestors: Vec<String>,
    ttl: CertTtl,
    /// Looked at under `seal.iat-window` `window` alone.
    iat_window: Option<Window>,
    /// Absent where there is no join configuration.
    keys: Option<Keys>,
}

struct Keys {
    encryption: Vec<PrivateKey>,
    signing: PrivateKey,
    node_ca: PrivateKey,
    /// DER, read before.
    node_ca_certificate: Vec<u8>,
    trust_bundle: Vec<Vec<u8>>,
}

/// When a step happens and which choices are made.
#[derive(Clone, Copy)]
struct Step {
    at: Millis,
    choices: Choices,
}

/// An op with state: the world of the calls before comes in, the world of the calls after is left.
pub(crate) type Handler = fn(&Call<'_>, &mut Option<World>) -> Result<Value, Failure>;

/// Every op with state by its name.
pub(crate) const OPS: &[(&str, Handler)] =
    &[("world.load", load), ("world.step", step), ("world.dump", dump)];

fn load(call: &Call<'_>, world: &mut Option<World>) -> Result<Value, Failure> {
    // A world with a fault leaves the one before; one that does not start leaves none.
    let loaded = load::read(call)?;
    *world = loaded;
    // CERTIFICATE-1: a lifetime out of bounds is an error at start-up.
    if world.is_none() { Err(ErrorName::InvalidConfig.into()) } else { Ok(json!({})) }
}

fn dump(_: &Call<'_>, world: &mut Option<World>) -> Result<Value, Failure> {
    Ok(dump::shown(current(world)?))
}

fn step(call: &Call<'_>, world: &mut Option<World>) -> Result<Value, Failure> {
    #[derive(Deserialize)]
    struct In<'a> {
        at: Time,
        #[serde(borrow)]
        request: &'a RawValue,
    }
    #[derive(Deserialize)]
    struct What {
        r#do: String,
    }
    let world = current(world)?;
    let In { at, request } = call.input()?;
    let step = Step { at: at.0, choices: call.choices };
    match &*read::<What>(request)?.r#do {
        "join" => admission::join(world, step, read(request)?),
        "join-begin" => admission::begin(world, step, read(request)?),
        "join-finish" => admission::finish(world, step, &read(request)?),
        "renew" => renewal::renew(world, step, &read(request)?),
        "token-create" => tokens::create(world, step, &read(request)?),
        "token-list" => tokens::list(world, step, &read(request)?),
        "token-revoke" => tokens::revoke(world, step, &read(request)?),
        "retire" => nodes::retire(world, step, &read(request)?),
        "enqueue" => nodes::enqueue(world, &read(request)?),
        "restart" => Ok(restart(world)),
        other => Err(Failure::Unsupported(format!("do {other}"))),
    }
}

fn read<'a, T: Deserialize<'a>>(request: &'a RawValue) -> Result<T, Failure> {
    serde_json::from_str(request.get()).map_err(Failure::error)
}

fn current(world: &mut Option<World>) -> Result<&mut World, Failure> {
    world.as_mut().ok_or_else(|| Failure::error("no world is loaded"))
}

/// A clean stop and start: what is stored stays, what was only in memory goes.
fn restart(world: &mut World) -> Value {
    world.tickets.clear();
    refusals::publish_pending(world);
    json!({})
}

impl Config {
    /// The join configuration, where it can be used.
    fn joins(&self, now: Millis) -> Result<(&Keys, Deployment<'_>), Failure> {
        // ADMISSION-4: INVALID_CONFIG without it, before the request is looked into.
        let keys = self.keys.as_ref().ok_or(ErrorName::InvalidConfig)?;
        let issuer = Issuer::read(&keys.node_ca_certificate).ok_or(ErrorName::InvalidConfig)?;
        // CERTIFICATE-1: the same for an issuer that is itself expired.
        if issuer.is_expired(now) {
            return Err(ErrorName::InvalidConfig.into());
        }
        let deployment = Deployment {
            trust_domain: &self.trust_domain,
            root_tenant: self.root_tenant.as_deref(),
            issuer,
            signing_key: keys.signing.public(),
            trust_bundle: &keys.trust_bundle,
            ttl: self.ttl,
        };
        Ok((keys, deployment))
    }
}

/// What a join or a renewal that was not denied comes to.
enum Outcome {
    /// Something new.
    Decided(Decision),
    /// The stored answer (SEAL-8); nothing changes.
    Again(Answer),
}

/// Writes what was decided, or what is told of a refusal, and answers.
fn answered(
    world: &mut World,
    decided: Result<Outcome, Denied>,
    publish: impl FnOnce(&mut World, Reason, Option<String>),
) -> Result<Value, Failure> {
    let Answer { body, sig, signing_key } = match decided {
        Ok(Outcome::Decided(Decision { answer, effects })) => {
            world.store.apply(effects);
            answer
        }
        Ok(Outcome::Again(answer)) => answer,
        Err(Denied::Refused(reason, tenant)) => {
            publish(world, reason, tenant);
            return Err(reason.into());
        }
        Err(Denied::Failed(failure)) => return Err(failure),
    };
    Ok(json!({"response": {"body": encode(&body), "sig": encode(&sig), "signingKey": encode(&signing_key)}}))
}

impl Keys {
    /// Makes the certificate and the answer of what was granted.
    fn decide(&self, granted: Granted<'_>) -> Result<Decision, Failure> {
        let signature = signer::sign(&self.node_ca, granted.to_sign())?;
        let certified = granted.certify(&signature);
        let message = certified.to_sign();
        let signature = message.map(|message| signer::sign(&self.signing, message.octets())).transpose()?;
        certified.decide(signature.as_ref()).map_err(|reason| Failure::error(reason.as_str()))
    }
}
