//! The size comes first: 4096 octets.

use super::{HONEST, accepted, good, refused};
use crate::case::Entry;
use crate::testkit::csr::UNSTRUCTURED_NAME;
use crate::testkit::der;

pub(super) fn entries() -> Vec<Entry> {
    vec![limit(), over(), many(), large(), empty()]
}

/// A right request that has so many octets, by an attribute's length.
fn of(octets: usize) -> Vec<u8> {
    let with =
        |length| good().attribute(UNSTRUCTURED_NAME, &[&der::tlv(der::UTF8, vec![b'x'; length])]).der();
    let start = octets.saturating_sub(with(1000).len() - 1000 + 8);
    (start..octets).map(with).find(|csr| csr.len() == octets).unwrap_or_default()
}

fn limit() -> Entry {
    accepted("size-4096", "CSR-1", "A right request of 4096 octets is accepted.", of(4096))
        .why("The limit itself is allowed.")
        .recipe("Lengthen an attribute until the request has 4096 octets, then sign.")
}

fn over() -> Entry {
    refused("size-4097", "CSR-1", "A request of 4097 octets is refused, right as it is otherwise.", of(4097))
        .why("What is over the cap is not parsed.")
        .twin("csr/size-4096", &["/in/csr:attributes"], "one more octet in the attribute; signed again")
        .recipe("Lengthen an attribute until the request has 4097 octets, then sign.")
}

fn many() -> Entry {
    let attribute = crate::testkit::csr::attribute(UNSTRUCTURED_NAME, &[&der::tlv(der::UTF8, "x")]);
    let all = vec![attribute.as_slice(); 200];
    accepted(
        "attributes-200",
        "CSR-1",
        "Two hundred equal attributes are accepted.",
        good().attributes(&all).der(),
    )
    .also("CSR-4")
    .why("Within the size there is no limit to their number, and equal neighbours are in order.")
    .recipe("Put 200 equal attributes of one short value into the request, then sign.")
}

fn large() -> Entry {
    refused("size-16k", "CSR-1", "A request of 16384 octets is refused.", of(16_384))
        .why(
            "Requests of megabytes have taken signers down. The cap is the first check, so they cost \
            nothing.",
        )
        .twin(HONEST, &["/in/csr:attributes"], "an attribute of 16 KiB; signed with it")
        .recipe("Lengthen an attribute until the request has 16384 octets, then sign.")
}

fn empty() -> Entry {
    refused("empty", "CSR-1", "An empty request is refused.", "")
        .why("Code that looks at the first octet panics on it.")
        .twin(HONEST, &["/in/csr"], "no octets at all")
        .recipe("Send a request of no octets.")
}
