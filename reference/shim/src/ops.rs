//! The ops: one handler each, in files by role.

use serde_json::Value;

use crate::message::{Call, Failure};

mod client;
mod server;
mod signature;

pub(crate) use server::shown_expect;

/// Answers one call with its `out`.
pub(crate) type Handler = fn(&Call<'_>) -> Result<Value, Failure>;

/// Every op by its name.
pub(crate) const ALL: &[(&str, Handler)] = &[
    ("token.parse", server::token_parse),
    ("token.create", server::token_create),
    ("token.admit", server::token_admit),
    ("seal.open", server::seal_open),
    ("binding.check", server::binding_check),
    ("csr.check", server::csr_check),
    ("claims.normalize", server::claims_normalize),
    ("hwkey.derive", server::hwkey_derive),
    ("hwkey.admit", server::hwkey_admit),
    ("expect.match", server::expect_match),
    ("join.check", server::join_check),
    ("join.response.sign", server::join_response_sign),
    ("token.read", client::token_read),
    ("token.ttl", client::token_ttl),
    ("token.id", client::token_id),
    ("seal.make", client::seal_make),
    ("binding.hash", client::binding_hash),
    ("csr.make", client::csr_make),
    ("smbios.uuid", client::smbios_uuid),
    ("join.response.verify", client::join_response_verify),
    ("deferral.verify", client::deferral_verify),
    ("pin.parse", client::pin_parse),
    ("pin.match", client::pin_match),
    ("keys.select", client::keys_select),
    ("config.load", client::config_load),
    ("signature.bytes", signature::bytes),
    ("signature.make", signature::make),
    ("signature.verify", signature::verify),
];
