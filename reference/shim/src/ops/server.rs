//! The ops of a server.

use reference_core::admission::{Policy, Received, Service};
use reference_core::base64url::encode;
use reference_core::binding;
use reference_core::choices::SealIatWindow;
use reference_core::claims::{self, Raw};
use reference_core::csr;
use reference_core::expect;
use reference_core::hardware_key;
use reference_core::response::Body;
use reference_core::seal;
use reference_core::signature::{JoinResponse, Signature};
use reference_core::token;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::message::{Call, Failure};
use crate::shapes::{
    Array, B, Claims, Expect, PoolBinding, Request, Row, Window, nullable, octets, private_key, private_keys,
    texts, verbatim,
};
use crate::signer;

pub(super) fn token_parse(call: &Call<'_>) -> Result<Value, Failure> {
    #[derive(Deserialize)]
    struct In {
        token: B,
    }
    let In { token } = call.input()?;
    let token = token::parse(&token.0)?;
    Ok(json!({"id": token.id().as_str(), "secretSha256": encode(&token.secret_sha256())}))
}

pub(super) fn token_create(call: &Call<'_>) -> Result<Value, Failure> {
    #[derive(Deserialize)]
    struct In<'a> {
        #[serde(borrow)]
        request: &'a RawValue,
    }
    let In { request } = call.input()?;
    let created = token::create(&verbatim(request)?)?;
    Ok(json!({
        "ttlSeconds": created.ttl_s,
        "maxUses": created.max_uses,
        "expect": created.expect.as_ref().map(shown_expect),
        "allowReclaim": created.allow_reclaim,
        "hosted": created.hosted.map(token::Hosted::as_str),
        "pinned": created.is_pinned(),
    }))
}

pub(super) fn token_admit(call: &Call<'_>) -> Result<Value, Failure> {
    #[derive(Deserialize)]
    struct In {
        #[serde(deserialize_with = "nullable")]
        row: Option<Row>,
        token: String,
        role: String,
    }
    let In { row, token, role } = call.input()?;
    let row = row.map(Row::read).transpose()?;
    let uses_left = token::admit(row.as_ref(), token.as_bytes(), &role, call.now)?;
    Ok(json!({"usesLeft": uses_left}))
}

pub(super) fn seal_open(call: &Call<'_>) -> Result<Value, Failure> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct In<'a> {
        seal: B,
        csr: B,
        #[serde(borrow)]
        keys: Vec<&'a RawValue>,
        iat_window: Option<Window>,
    }
    let In { seal, csr, keys, iat_window } = call.input()?;
    let window = window(call, iat_window)?;
    let opened = seal::judge(&seal.0, &csr.0, &private_keys(&keys)?, window, call.now)?;
    Ok(json!({"token": &*opened.token.text(), "iat": opened.iat_s}))
}

pub(super) fn binding_check(call: &Call<'_>) -> Result<Value, Failure> {
    #[derive(Deserialize)]
    struct In {
        csr: B,
        request: Request,
        required: bool,
    }
    let In { csr, request, required } = call.input()?;
    let csr = csr::check(&csr.0)?;
    let hash = request.sha256();
    let bound = binding::check(&csr, &hash, call.choices.request_binding, required)?;
    Ok(json!({"bound": bound, "requestSha256": encode(&hash)}))
}

pub(super) fn csr_check(call: &Call<'_>) -> Result<Value, Failure> {
    #[derive(Deserialize)]
    struct In {
        csr: B,
    }
    let In { csr } = call.input()?;
    let csr = csr::check(&csr.0)?;
    Ok(json!({"csrSha256": encode(&csr.sha256), "publicKey": encode(csr.public_key.point())}))
}

pub(super) fn claims_normalize(call: &Call<'_>) -> Result<Value, Failure> {
    let claims = normalized(call)?;
    let mut out = named([
        ("productUuid", &claims.product_uuid.map(|uuid| uuid.to_string())),
        ("productSerial", &claims.product_serial),
        ("boardSerial", &claims.board_serial),
        ("chassisSerial", &claims.chassis_serial),
        ("hostname", &claims.hostname),
    ]);
    out["permanentMacs"] = json!(texts(&claims.permanent_macs));
    out["gpuUuids"] = json!(texts(&claims.gpu_uuids));
    Ok(out)
}

pub(super) fn hwkey_derive(call: &Call<'_>) -> Result<Value, Failure> {
    #[derive(Deserialize)]
    struct In {
        sets: Vec<Claims>,
    }
    let In { sets } = call.input()?;
    let mut keys = Vec::with_capacity(sets.len());
    for set in sets {
        let claims = claims::normalize(&Raw::from(set))?;
        let derived =
            hardware_key::derive(&claims, call.choices.hwkey_selection, call.choices.hwkey_independence);
        keys.push(json!({"key": derived.key.map(|key| encode(&key)), "trusted": derived.trusted}));
    }
    Ok(json!({"keys": keys}))
}

pub(super) fn hwkey_admit(call: &Call<'_>) -> Result<Value, Failure> {
    #[derive(Deserialize)]
    struct In {
        pinned: bool,
    }
    let In { pinned } = call.input()?;
    let trusted = hardware_key::admit(&normalized(call)?, pinned, call.choices.hwkey_independence)?;
    Ok(json!({"trusted": trusted}))
}

pub(super) fn expect_match(call: &Call<'_>) -> Result<Value, Failure> {
    #[derive(Deserialize)]
    struct In {
        expect: Expect,
    }
    let In { expect } = call.input()?;
    expect::check(&expect.into(), &normalized(call)?)?;
    Ok(json!({}))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct JoinCheck<'a> {
    request: Join,
    attestors: Vec<String>,
    #[serde(borrow)]
    keys: Vec<&'a RawValue>,
    #[serde(deserialize_with = "nullable")]
    row: Option<Row>,
    #[serde(deserialize_with = "nullable")]
    expect: Option<Expect>,
    request_binding: PoolBinding,
    iat_window: Option<Window>,
}

#[derive(Deserialize)]
struct Join {
    attestor: String,
    role: String,
    csr: B,
    seal: B,
    claims: Claims,
}

pub(super) fn join_check(call: &Call<'_>) -> Result<Value, Failure> {
    let input: JoinCheck<'_> = call.input()?;
    let join = input.request;
    let (keys, window) = (private_keys(&input.keys)?, window(call, input.iat_window)?);
    let row = input.row.map(Row::read).transpose()?;
    let expect = input.expect.map(expect::Expect::from);
    let claims = Raw::from(join.claims);
    let received = Received {
        attestor: &join.attestor,
        role: &join.role,
        csr: &join.csr.0,
        seal: &join.seal.0,
        claims: &claims,
    };
    let service = Service { attestors: &input.attestors, keys: &keys, window };
    let policy = Policy {
        expect: expect.as_ref(),
        requires_request_binding: input.request_binding == PoolBinding::Required,
        choices: call.choices,
    };
    let opened = received.open(service, call.now).map_err(|refusal| refusal.reason())?;
    let attested = opened.attest(row.as_ref()).map_err(|refusal| refusal.reason())?;
    let admissible = attested.judge(policy, call.now).map_err(|refusal| refusal.reason())?;
    Ok(json!({
        "tokenId": admissible.token_id.as_str(),
        "usesLeft": admissible.uses_left,
        "trusted": admissible.trusted,
        "requestSha256": encode(&admissible.request_sha256),
    }))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ResponseBody {
    node_id: String,
    certificate_chain: Vec<B>,
    command_trust_bundle: Vec<B>,
    csr_sha256: Array<32>,
    trust_domain: String,
    site_id: String,
    role: String,
    attestor: String,
    request_sha256: Array<32>,
}

pub(super) fn join_response_sign(call: &Call<'_>) -> Result<Value, Failure> {
    #[derive(Deserialize)]
    struct In<'a> {
        #[serde(borrow)]
        key: &'a RawValue,
        body: ResponseBody,
    }
    let In { key, body } = call.input()?;
    let key = private_key(key)?;
    let body = Body {
        node_id: &body.node_id,
        certificate_chain: &octets(body.certificate_chain),
        command_trust_bundle: &octets(body.command_trust_bundle),
        csr_sha256: &body.csr_sha256.0,
        trust_domain: &body.trust_domain,
        site_id: &body.site_id,
        role: &body.role,
        attestor: &body.attestor,
        request_sha256: &body.request_sha256.0,
    }
    .encode();
    let signature = signer::sign(&key, JoinResponse { body: &body }.to_be_signed().octets())?;
    Ok(json!({"response": {
        "body": encode(&body),
        "sig": encode(Signature::made(&signature)?.octets()),
        "signingKey": encode(&key.public().spki()),
    }}))
}

/// The member `claims` of a call, normalized.
fn normalized(call: &Call<'_>) -> Result<claims::Claims, Failure> {
    #[derive(Deserialize)]
    struct In {
        claims: Claims,
    }
    let In { claims } = call.input()?;
    Ok(claims::normalize(&Raw::from(claims))?)
}

/// A token's binding to a machine, as it is shown.
pub(crate) fn shown_expect(expect: &expect::Expect) -> Value {
    named([
        ("productUuid", &expect.product_uuid),
        ("serial", &expect.serial),
        ("mac", &expect.mac),
        ("gpuUuid", &expect.gpu_uuid),
    ])
}

/// The window of SEAL-4; only the choice `window` has one.
fn window(call: &Call<'_>, given: Option<Window>) -> Result<Option<seal::Window>, Failure> {
    match call.choices.seal_iat_window {
        SealIatWindow::None => Ok(None),
        SealIatWindow::Window => {
            let window = given.ok_or_else(|| Failure::error("iatWindow is missing"))?;
            Ok(Some(window.into()))
        }
    }
}

/// An object of the members that are there.
fn named<const N: usize>(members: [(&str, &Option<String>); N]) -> Value {
    let present =
        members.into_iter().filter_map(|(name, text)| Some((name.to_owned(), json!(text.as_ref()?))));
    Value::Object(present.collect::<Map<_, _>>())
}
