//! One proof, one renewal: the memory of 120 s and the window of 60 s, both ends included.

use crate::case::{Entry, NOW};
use crate::script::{Renew, join, joined, refused, renew, renewed, script_accept, script_reject};
use crate::testkit::world::{World, grant, machine};

/// The script up to its first renewal.
const GOOD: &str = "renewal/earliest";

pub(super) fn entries() -> Vec<Entry> {
    vec![earliest(), replayed_at_the_boundary()]
}

/// The proof's client time is a minute ahead of the server's clock: the earliest that counts.
const EARLIEST: &str = "2026-01-01T08:00:00.000Z";
const CLIENT_TIME: &str = "2026-01-01T08:01:00.000Z";
/// The latest at which the same client time counts, and the last instant of the memory.
const LATEST: &str = "2026-01-01T08:02:00.000Z";

fn proof() -> Renew {
    let machine = machine("a");
    renew(&machine.clone().rekeyed("second"), "join", &machine.key).client_time(CLIENT_TIME)
}

fn started(entry: Entry) -> Entry {
    let token = grant("renewal");
    entry
        .world(&World::usual().token(&token))
        .step("join", NOW, join(&machine("a"), &token), joined("n1"))
        .step("renew", EARLIEST, proof(), renewed("second"))
        .recipe("A join, then a renewal to another key with the certificate of the join.")
}

fn earliest() -> Entry {
    let title =
        "A renewal whose client time is 60 s ahead of the server's clock is answered with a new certificate.";
    started(script_accept(GOOD, "RENEWAL-3", title))
        .also("RENEWAL-4")
        .why("Both ends of the window are inside it; the new certificate keeps node, role and generation.")
}

fn replayed_at_the_boundary() -> Entry {
    let title = "The same proof 120 s after its use, still within its own window, is a replay.";
    started(script_reject("renewal/replay-last-instant", "RENEWAL-3", title))
        .step("replay", LATEST, proof(), refused("replay"))
        .twin(GOOD, &["/steps/2"], "The same request once more, 120 s later.")
        .why(
            "A window of 120 s needs a memory of 120 s, both ends included: with one less, the proof that was used at the \
             earliest instant is good again at the latest.",
        )
}
