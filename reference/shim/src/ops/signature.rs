//! SIGNATURE: the ops of both roles.

use std::net::IpAddr;

use reference_core::base64url;
use reference_core::p256::PublicKey;
use reference_core::reason::Reason;
use reference_core::signature::{
    DiscoveryVouch, JoinDeferral, JoinResponse, RenewPop, RenewResponse, Signature, ToBeSigned, X509Pop,
    verify as verifies,
};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::message::{Call, Failure};
use crate::shapes::{Array, B, private_key};
use crate::signer;

#[derive(Deserialize)]
struct Message<'a> {
    purpose: String,
    #[serde(borrow)]
    fields: &'a RawValue,
}

#[derive(Deserialize)]
struct BodyFields {
    body: B,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PopFields {
    csr_sha256: Array<32>,
    node_id: String,
    client_time_ms: i64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct VouchFields {
    csr_sha256: Array<32>,
    mac: Array<6>,
    ip: B,
    workflow_id: String,
    boot_lease_epoch: i64,
}

impl Message<'_> {
    /// The message of its purpose; an error when there is none, or when the fields are not the purpose's.
    fn to_be_signed(&self) -> Result<ToBeSigned, Failure> {
        Ok(match &*self.purpose {
            "join-response" => JoinResponse { body: &self.read::<BodyFields>(1)?.body.0 }.to_be_signed(),
            "join-deferral" => JoinDeferral { body: &self.read::<BodyFields>(1)?.body.0 }.to_be_signed(),
            "renew-response" => RenewResponse { body: &self.read::<BodyFields>(1)?.body.0 }.to_be_signed(),
            "renew-pop" => {
                let PopFields { csr_sha256, node_id, client_time_ms } = self.read(3)?;
                RenewPop { csr_sha256: &csr_sha256.0, node_id: &node_id, client_time_ms }.to_be_signed()
            }
            "x509pop" => {
                let PopFields { csr_sha256, node_id, client_time_ms } = self.read(3)?;
                X509Pop { csr_sha256: &csr_sha256.0, node_id: &node_id, client_time_ms }.to_be_signed()
            }
            "discovery-vouch" => vouch(&self.read(5)?)?,
            other => return Err(Failure::error(format!("purpose {other}"))),
        })
    }

    /// The fields, exactly `count` of them.
    fn read<T: for<'de> Deserialize<'de>>(&self, count: usize) -> Result<T, Failure> {
        let members: Map<String, Value> = serde_json::from_str(self.fields.get()).map_err(Failure::error)?;
        if members.len() != count {
            return Err(Failure::error("not the fields of the purpose"));
        }
        serde_json::from_str(self.fields.get()).map_err(Failure::error)
    }
}

fn vouch(fields: &VouchFields) -> Result<ToBeSigned, Failure> {
    let ip = <[u8; 4]>::try_from(&*fields.ip.0).map(IpAddr::from);
    let ip = ip.or_else(|_| <[u8; 16]>::try_from(&*fields.ip.0).map(IpAddr::from)).map_err(Failure::error)?;
    let message = DiscoveryVouch {
        csr_sha256: &fields.csr_sha256.0,
        mac: fields.mac.0,
        ip,
        workflow_id: &fields.workflow_id,
        boot_lease_epoch: fields.boot_lease_epoch,
    };
    Ok(message.to_be_signed())
}

pub(super) fn bytes(call: &Call<'_>) -> Result<Value, Failure> {
    let message: Message<'_> = call.input()?;
    Ok(json!({"bytes": base64url::encode(message.to_be_signed()?.octets())}))
}

pub(super) fn make(call: &Call<'_>) -> Result<Value, Failure> {
    #[derive(Deserialize)]
    struct In<'a> {
        #[serde(borrow)]
        key: &'a RawValue,
    }
    let message: Message<'_> = call.input()?;
    let In { key } = call.input()?;
    let signature = signer::sign(&private_key(key)?, message.to_be_signed()?.octets())?;
    Ok(json!({"sig": base64url::encode(Signature::made(&signature)?.octets())}))
}

pub(super) fn verify(call: &Call<'_>) -> Result<Value, Failure> {
    #[derive(Deserialize)]
    struct In {
        key: B,
        sig: B,
    }
    let message: Message<'_> = call.input()?;
    let In { key, sig } = call.input()?;
    // SIGNATURE-1: an unknown purpose, other fields and a bad key are `signature` too.
    let key = PublicKey::from_spki(&key.0).ok_or(Reason::Signature)?;
    let message = message.to_be_signed().map_err(|_| Reason::Signature)?;
    verifies(&key, &message, &sig.0)?;
    Ok(json!({}))
}
