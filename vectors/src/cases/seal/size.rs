//! The size comes first: 4096 octets.

use super::{HONEST, good, opens, refused};
use crate::case::Entry;
use crate::testkit::seal::Seal;

pub(super) fn entries() -> Vec<Entry> {
    vec![
        opens("size-4096", "SEAL-5", "A right seal of 4096 octets opens.", padded(4096).text())
            .why("The limit itself is allowed.")
            .recipe("Put spaces behind the header's object until the seal has 4096 octets."),
        refused(
            "size-4098",
            "SEAL-5",
            "A seal of 4098 octets is refused, right as it is otherwise.",
            padded(4098).text(),
        )
        .why(
            "What is over the cap is not parsed. No right seal has 4097 octets: a header of that length \
                    would \
                 have 1 modulo 4 characters.",
        )
        .twin("seal/size-4096", &["/in/seal:headerText"], "one more octet of white space in the header")
        .recipe("Put spaces behind the header's object until the seal has 4098 octets."),
        refused("size-16k", "SEAL-5", "A seal with an encrypted key of 12000 octets is refused.", large())
            .why("An opener that decodes first spends memory on what it will refuse.")
            .twin(HONEST, &["/in/seal:encryptedKey"], "12000 octets of zeros as the encrypted key")
            .recipe("Replace the encrypted key by 12000 zero octets."),
    ]
}

fn padded(octets: usize) -> Seal {
    let header = good().header_octets();
    // The header's characters are what the other four parts and the dots leave.
    let others = good().text().len() - good().parts()[0].len();
    let spaces = ((octets - others) * 3 / 4).saturating_sub(header.len());
    good().header([header, vec![b' '; spaces]].concat())
}

fn large() -> String {
    Seal { encrypted_key: Some(vec![0; 12_000]), ..good() }.text()
}

#[cfg(test)]
#[test]
fn the_sizes_are_those_of_the_titles() {
    assert_eq!(padded(4096).text().len(), 4096);
    assert_eq!(padded(4098).text().len(), 4098);
}
