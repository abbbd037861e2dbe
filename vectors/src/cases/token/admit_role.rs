//! The role asked for: one of three words, and the row's.

use serde_json::json;

use super::admission;
use crate::case::{Entry, accept, reject};

pub(super) fn entries() -> Vec<Entry> {
    vec![roles(), invalid(), other()]
}

fn roles() -> Entry {
    let entry = accept("token/admit-roles", "TOKEN-11", "A token is admitted for its row's role.")
        .documented()
        .why("node is what people make; site and ramdisk are minted by modules, and admitted by the same rule.")
        .family("token.admit")
        .recipe("The example token; role and row's role are the row's name.");
    ["node", "site", "ramdisk"].iter().fold(entry, |entry, role| {
        let input = admission(|input| {
            input["role"] = (*role).into();
            input["row"]["role"] = (*role).into();
        });
        entry.row(role, input, json!({"usesLeft": 0}))
    })
}

fn invalid() -> Entry {
    let entry = reject(
        "token/admit-role-invalid",
        "TOKEN-11",
        "role-invalid",
        "A role is exactly node, site or ramdisk.",
    )
    .refused()
    .why("Role words that are folded, trimmed or cut at a NUL have opened a stronger door than the token's.")
    .family("token.admit")
    .twin("token/admit-good", &["/in/role"], "the role is a word that is none of the three")
    .recipe("The twin, asked for the row's role.");
    [
        ("empty", ""),
        ("upper-case", "NODE"),
        ("one-capital", "Node"),
        ("nul-after", "node\0"),
        ("nul-and-more", "node\0site"),
        ("blank-before", " node"),
        ("blank-after", "node "),
        ("plural", "nodes"),
        ("certificate-role", "node-tenant"),
        ("attestor", "join-token"),
        ("list", "node,site"),
        ("cyrillic-letter", "n\u{43e}de"),
        ("admin", "admin"),
    ]
    .iter()
    .fold(entry, |entry, (name, role)| entry.bad(name, admission(|input| input["role"] = (*role).into())))
}

fn other() -> Entry {
    let entry = reject("token/admit-role-other", "TOKEN-11", "token-role", "A token is refused for a role that is not its row's.")
        .documented()
        .refused()
        .why("A worker's token once obtained a stronger machine's access; only the row's role admits, in each direction.")
        .family("token.admit")
        .twin("token/admit-good", &["/in/role", "/in/row/role"], "the role asked for is not the row's")
        .recipe("The example token; the row's name says the row's role and the role asked for.");
    [
        ("node-for-site", "node", "site"),
        ("node-for-ramdisk", "node", "ramdisk"),
        ("site-for-node", "site", "node"),
        ("site-for-ramdisk", "site", "ramdisk"),
        ("ramdisk-for-node", "ramdisk", "node"),
        ("ramdisk-for-site", "ramdisk", "site"),
    ]
    .iter()
    .fold(entry, |entry, (name, row, asked)| {
        entry.bad(
            name,
            admission(|input| {
                input["row"]["role"] = (*row).into();
                input["role"] = (*asked).into();
            }),
        )
    })
}
