//! Claims that refuse the request refuse it before anything is compared.

use serde_json::{Value, json};

use super::{FULL, OP, RECIPE};
use crate::case::{Entry, reject};
use crate::testkit::claims::{full, with, with_list};

pub(super) fn entries() -> Vec<Entry> {
    vec![refused()]
}

fn call(claims: &Value) -> Value {
    json!({
        "expect": {
            "productUuid": "d2a64d56-0617-4363-9c0e-5a1b7e3f2a10",
            "serial": "CH-3301",
            "mac": "3cec.ef12.3456",
            "gpuUuid": "gpu-41255406-c9af-f94b-4ebf-9d57ad1853da",
        },
        "claims": claims,
    })
}

fn refused() -> Entry {
    reject(
        "expect/bad-claims",
        "EXPECT-1",
        "claims",
        "Claims that refuse are refused although all that is named matches.",
    )
    .also("CLAIMS-1")
    .why("The reason is the first failing check; the token's pin says nothing about the other fields.")
    .family(OP)
    .twin(
        FULL,
        &["/in/claims/productSerial", "/in/claims/hostname", "/in/claims/permanentMacs"],
        "one value that is not named has a control character, is no UTF-8 or too long, or there are 65 MACs",
    )
    .refused()
    .recipe(RECIPE)
    .bad("control", call(&with(full(), "productSerial", b"SN-77\x0101")))
    .bad("utf8-in-the-hostname", call(&with(full(), "hostname", b"node\xff17")))
    .bad("257-octets", call(&with(full(), "hostname", [b'n'; 257])))
    .bad("65-macs", call(&with_list(full(), "permanentMacs", &["3C:EC:EF:12:34:56"; 65])))
}
