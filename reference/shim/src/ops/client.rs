//! The ops of a client.

use reference_core::base64url::encode;
use reference_core::claims;
use reference_core::config;
use reference_core::csr;
use reference_core::hash::sha256;
use reference_core::pin::Pin;
use reference_core::response::{self, Asked, Client};
use reference_core::seal::{self, Fresh};
use reference_core::token;
use reference_core::wellknown::{self, Keys};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use zeroize::Zeroizing;

use crate::message::{Call, Failure};
use crate::shapes::{Array, B, Request, Signed, judged_pins, nullable, pins, private_key, public_key, texts};
use crate::signer;

pub(super) fn token_read(call: &Call<'_>) -> Result<Value, Failure> {
    #[derive(Deserialize)]
    struct In {
        input: B,
    }
    let In { input } = call.input()?;
    Ok(json!({"token": &*token::read(&input.0)?.text()}))
}

pub(super) fn token_ttl(call: &Call<'_>) -> Result<Value, Failure> {
    Ok(json!({"seconds": token::ttl(&text(call)?)?}))
}

pub(super) fn token_id(call: &Call<'_>) -> Result<Value, Failure> {
    Ok(json!({"id": token::id(&text(call)?)?.as_str()}))
}

pub(super) fn seal_make(call: &Call<'_>) -> Result<Value, Failure> {
    #[derive(Deserialize)]
    struct In<'a> {
        token: String,
        csr: B,
        #[serde(borrow)]
        jwk: &'a RawValue,
        pins: Vec<String>,
    }
    let input: In<'_> = call.input()?;
    let token = token::parse(input.token.as_bytes()).map_err(|_| Failure::error("token is malformed"))?;
    let iat_s = u64::try_from(call.now.seconds()).map_err(Failure::error)?;
    let fresh = Fresh {
        ephemeral: signer::fresh_key()?,
        content_key: Zeroizing::new(signer::random()?),
        iv: signer::random()?,
    };
    let seal = seal::make(&token, &input.csr.0, &public_key(input.jwk)?, &pins(&input.pins)?, iat_s, &fresh)?;
    Ok(json!({"seal": encode(seal.as_bytes())}))
}

pub(super) fn binding_hash(call: &Call<'_>) -> Result<Value, Failure> {
    #[derive(Deserialize)]
    struct In {
        request: Request,
    }
    let In { request } = call.input()?;
    Ok(json!({"requestSha256": encode(&request.sha256())}))
}

pub(super) fn csr_make(call: &Call<'_>) -> Result<Value, Failure> {
    #[derive(Deserialize)]
    struct In<'a> {
        #[serde(borrow)]
        key: &'a RawValue,
        request: Option<Request>,
    }
    let In { key, request } = call.input()?;
    let key = private_key(key)?;
    let to_be_signed = csr::to_be_signed(key.public(), request.map(Request::sha256).as_ref());
    let signature = signer::sign(&key, &to_be_signed)?;
    Ok(json!({"csr": encode(&csr::assemble(&to_be_signed, &signature))}))
}

pub(super) fn smbios_uuid(call: &Call<'_>) -> Result<Value, Failure> {
    #[derive(Deserialize)]
    struct In {
        raw: Array<16>,
        version: Version,
    }
    #[derive(Deserialize)]
    struct Version {
        major: u64,
        minor: u64,
    }
    let In { raw, version } = call.input()?;
    Ok(json!({"uuid": claims::smbios_uuid(raw.0, version.major, version.minor).to_string()}))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ResponseVerify {
    response: Signed,
    pins: Vec<String>,
    csr: B,
    request: Request,
    site: String,
    #[serde(deserialize_with = "nullable")]
    node_id: Option<String>,
    require_request_binding: bool,
    #[serde(deserialize_with = "nullable")]
    ak: Option<String>,
    #[serde(deserialize_with = "nullable")]
    previous_ak: Option<String>,
}

pub(super) fn join_response_verify(call: &Call<'_>) -> Result<Value, Failure> {
    let input: ResponseVerify = call.input()?;
    let csr = own_csr(&input.csr.0)?;
    let (attestor, role) = (input.request.attestor.clone(), input.request.role.clone());
    let asked =
        Asked { csr: &csr, request_sha256: &input.request.sha256(), attestor: &attestor, role: &role };
    let client = Client {
        pins: &pins(&input.pins)?,
        site_id: &input.site,
        node_id: input.node_id.as_deref(),
        require_request_binding: input.require_request_binding,
        node_tenant: call.choices.client_node_tenant,
        ak: input.ak.as_deref(),
        previous_ak: input.previous_ak.as_deref(),
    };
    let identity = response::verify(input.response.as_received(), &asked, &client, call.now)?;
    let leaf =
        identity.certificate_chain.first().ok_or_else(|| Failure::error("an identity without a leaf"))?;
    Ok(json!({
        "nodeId": identity.node_id,
        "siteId": identity.site_id,
        "trustDomain": identity.trust_domain,
        "role": identity.role,
        "attestor": identity.attestor,
        "leafSha256": encode(&sha256(leaf)),
    }))
}

pub(super) fn deferral_verify(call: &Call<'_>) -> Result<Value, Failure> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct In {
        deferral: Signed,
        pins: Vec<String>,
        csr: B,
        request: Request,
        require_request_binding: bool,
    }
    let In { deferral, pins: given, csr, request, require_request_binding } = call.input()?;
    let csr = own_csr(&csr.0)?;
    let (attestor, role) = (request.attestor.clone(), request.role.clone());
    let asked = Asked { csr: &csr, request_sha256: &request.sha256(), attestor: &attestor, role: &role };
    let deferred =
        response::verify_deferral(deferral.as_received(), &asked, &pins(&given)?, require_request_binding)?;
    Ok(json!({"requestId": deferred.request_id}))
}

pub(super) fn pin_parse(call: &Call<'_>) -> Result<Value, Failure> {
    #[derive(Deserialize)]
    struct In {
        pin: String,
    }
    let In { pin } = call.input()?;
    Ok(json!({"sha256": encode(&Pin::parse(&pin)?.0)}))
}

pub(super) fn pin_match(call: &Call<'_>) -> Result<Value, Failure> {
    #[derive(Deserialize)]
    struct In {
        pins: Vec<String>,
        spki: B,
    }
    let In { pins, spki } = call.input()?;
    config::match_pin(&judged_pins(&pins)?, &spki.0)?;
    Ok(json!({}))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct KeysSelect {
    #[serde(deserialize_with = "nullable")]
    key_file: Option<B>,
    #[serde(deserialize_with = "nullable")]
    document: Option<B>,
    pins: KeyPins,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct KeyPins {
    encryption: Vec<String>,
    signing: Vec<String>,
    serving_ca: Option<Vec<String>>,
}

pub(super) fn keys_select(call: &Call<'_>) -> Result<Value, Failure> {
    let KeysSelect { key_file, document, pins: given } = call.input()?;
    let serving_ca = given.serving_ca.as_deref().map(pins).transpose()?;
    let pins = wellknown::Pins {
        encryption: &pins(&given.encryption)?,
        signing: &pins(&given.signing)?,
        serving_ca: serving_ca.as_deref(),
    };
    let [key_file, document] =
        [&key_file, &document].map(|file| file.as_ref().map(|B(octets)| octets.as_slice()));
    let keys = wellknown::select(key_file, document, pins)?;
    Ok(match keys {
        Keys::File { encryption_key } => json!({
            "encryptionPin": encryption_key.pin().to_string(),
            "from": "file",
            "signingPin": null,
            "gatewayUrl": null,
        }),
        Keys::Document { encryption_key, signing_key, gateway } => json!({
            "encryptionPin": encryption_key.pin().to_string(),
            "from": "document",
            "signingPin": signing_key.pin().to_string(),
            "gatewayUrl": gateway.map(|gateway| gateway.url),
        }),
    })
}

pub(super) fn config_load(call: &Call<'_>) -> Result<Value, Failure> {
    #[derive(Deserialize)]
    struct In {
        toml: B,
    }
    let In { toml } = call.input()?;
    let config = config::load(&toml.0)?;
    Ok(json!({
        "gatewayUrl": config.gateway_url,
        "site": config.site,
        "servingCaPins": texts(&config.serving_ca_pins),
        "joinSigningPins": texts(&config.join_signing_pins),
        "joinEncryptionPins": texts(&config.join_encryption_pins),
        "serverName": config.server_name,
        "requireRequestBinding": config.require_request_binding,
    }))
}

/// The member `text` of a call.
fn text(call: &Call<'_>) -> Result<String, Failure> {
    #[derive(Deserialize)]
    struct In {
        text: String,
    }
    let In { text } = call.input()?;
    Ok(text)
}

/// The client's own request, which nobody judges here.
fn own_csr(octets: &[u8]) -> Result<csr::Csr<'_>, Failure> {
    csr::check(octets).map_err(|_| Failure::error("the client's own CSR is malformed"))
}
