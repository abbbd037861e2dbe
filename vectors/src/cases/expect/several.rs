//! Several identifiers named at once: all must match, what is not named is not looked at.

use serde_json::{Value, json};

use super::{FULL, OP, RECIPE, bad, good, input, of_full, yes};
use crate::case::{Entry, accept};

pub(super) fn entries() -> Vec<Entry> {
    vec![
        all_four(),
        uuid_of_full(),
        some(),
        not_named(),
        one_wrong(),
        all_wrong(),
        junk_machine(),
        junk_machine_wrong(),
    ]
}

fn four() -> Value {
    json!({
        "productUuid": "d2a64d56-0617-4363-9c0e-5a1b7e3f2a10",
        "serial": "CH-3301",
        "mac": "3cec.ef12.3456",
        "gpuUuid": "gpu-41255406-c9af-f94b-4ebf-9d57ad1853da",
    })
}

fn four_but(member: &str, value: &str) -> Value {
    let mut expect = four();
    expect[member] = value.into();
    expect
}

fn all_four() -> Entry {
    accept(FULL, "EXPECT-1", "A machine that claims all that the token names matches.")
        .documented()
        .why("The accepted twin of partly true pins.")
        .call(OP, of_full(four()))
        .out(json!({}))
        .recipe(RECIPE)
}

fn uuid_of_full() -> Entry {
    accept("expect/uuid-of-full", "EXPECT-2", "A machine that claims everything matches by its UUID alone.")
        .documented()
        .why("The accepted twin of pins with another UUID.")
        .call(OP, of_full(json!({"productUuid": "d2a64d56-0617-4363-9c0e-5a1b7e3f2a10"})))
        .out(json!({}))
        .recipe(RECIPE)
}

fn some() -> Entry {
    let pick = |members: &[&str]| {
        let all = four();
        members.iter().map(|member| ((*member).to_owned(), all[*member].clone())).collect::<Value>()
    };
    let entry = good("expect/several-true", "EXPECT-1", "Several identifiers that are all claimed match.")
        .documented()
        .why("Each pair and triple is an and.");
    let entry = yes(entry, "uuid-serial", of_full(pick(&["productUuid", "serial"])));
    let entry = yes(entry, "serial-mac", of_full(pick(&["serial", "mac"])));
    let entry = yes(entry, "mac-gpu", of_full(pick(&["mac", "gpuUuid"])));
    yes(entry, "uuid-mac-gpu", of_full(pick(&["productUuid", "mac", "gpuUuid"])))
}

fn not_named() -> Entry {
    let entry =
        good("expect/not-named-not-looked-at", "EXPECT-1", "What the token does not name may be anything.")
            .why("A pin on the serial holds when a card is replaced.");
    let set = |more: Value| {
        let mut plain = json!({"productSerial": "SN-7701"});
        for (name, value) in more.as_object().into_iter().flatten() {
            plain[name] = value.clone();
        }
        input(json!({"serial": "SN-7701"}), plain)
    };
    let entry = yes(entry, "nothing-else", set(json!({})));
    let entry = yes(entry, "zero-uuid", set(json!({"productUuid": "00000000-0000-0000-0000-000000000000"})));
    let entry = yes(
        entry,
        "junk-beside",
        set(json!({"boardSerial": "Default string", "permanentMacs": ["02:00:00:00:00:01"]})),
    );
    yes(entry, "other-serials", set(json!({"boardSerial": "A-1", "chassisSerial": "B-2"})))
}

fn one_wrong() -> Entry {
    bad("expect/one-wrong", "EXPECT-1", "One identifier that does not match is enough to refuse.")
        .documented()
        .why("A pin of several identifiers that takes any of them is weaker than a pin of one.")
        .twin(
            FULL,
            &["/in/expect/productUuid", "/in/expect/serial", "/in/expect/mac", "/in/expect/gpuUuid"],
            "one of four is another machine's",
        )
        .bad("uuid", of_full(four_but("productUuid", "d2a64d56-0617-4363-9c0e-5a1b7e3f2a11")))
        .bad("serial", of_full(four_but("serial", "CH-3302")))
        .bad("mac", of_full(four_but("mac", "3cec.ef12.3457")))
        .bad("gpu", of_full(four_but("gpuUuid", "gpu-41255406-c9af-f94b-4ebf-9d57ad1853db")))
}

fn all_wrong() -> Entry {
    bad("expect/all-wrong", "EXPECT-1", "A machine that claims nothing of what is named does not match.")
        .documented()
        .why("The token reached another machine.")
        .twin(FULL, &["/in/claims"], "another machine's claims")
        .bad(
            "other-machine",
            input(
                four(),
                json!({
                    "productUuid": "643A9DB6-8C89-E111-BBA0-8CCB39332B00",
                    "productSerial": "5Q4Q7Y1",
                    "permanentMacs": ["00:1B:21:AA:00:02"],
                    "gpuUuids": ["GPU-00aa1122-c9af-f94b-4ebf-9d57ad1853da"],
                }),
            ),
        )
}

fn junk() -> Value {
    json!({
        "productUuid": "00000000-0000-0000-0000-000000000000",
        "productSerial": "Default string",
        "permanentMacs": ["02:00:00:00:00:01", "94:DE:80:06:F8:D5"],
    })
}

fn junk_machine() -> Entry {
    let entry = good(
        "expect/junk-machine",
        "EXPECT-3",
        "A machine of junk with the MAC that is named matches: its key is judged later.",
    )
    .why("The pin is how a machine without a trusted key gets in at all.");
    yes(entry, "mac", input(json!({"mac": "94-de-80-06-f8-d5"}), junk()))
}

fn junk_machine_wrong() -> Entry {
    bad(
        "expect/junk-machine-wrong",
        "EXPECT-3",
        "A machine of junk is refused for the pin, not for its hardware.",
    )
    .why("The pin comes first: the operator learns that the token went to the wrong machine.")
    .twin("expect/junk-machine#mac", &["/in/expect/mac"], "another MAC")
    .bad("mac", input(json!({"mac": "94-de-80-06-f8-d4"}), junk()))
}
