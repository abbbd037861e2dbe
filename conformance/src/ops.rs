//! The ops of the shim contract as the judge needs them: conformance/SHIM.md, *Ops*. A test compares the two.

/// What the judge knows of an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Op {
    /// Its name.
    pub name: &'static str,
    /// The first member of its input that is always there.
    pub required: &'static str,
    /// Whether a right answer can be a rejection.
    pub can_reject: bool,
    /// Whether the call's `now` takes part in the verdict.
    pub timed: bool,
}

const fn op(name: &'static str, required: &'static str) -> Op {
    Op { name, required, can_reject: true, timed: false }
}

const fn sure(name: &'static str, required: &'static str) -> Op {
    Op { can_reject: false, ..op(name, required) }
}

const fn timed(name: &'static str, required: &'static str) -> Op {
    Op { timed: true, ..op(name, required) }
}

/// Every op.
pub const OPS: &[Op] = &[
    op("token.parse", "token"),
    op("token.read", "input"),
    op("token.ttl", "text"),
    op("token.id", "text"),
    op("token.create", "request"),
    timed("token.admit", "row"),
    timed("seal.open", "seal"),
    timed("seal.make", "token"),
    sure("binding.hash", "request"),
    op("binding.check", "csr"),
    op("csr.check", "csr"),
    sure("csr.make", "key"),
    op("claims.normalize", "claims"),
    sure("smbios.uuid", "raw"),
    op("hwkey.derive", "sets"),
    op("hwkey.admit", "claims"),
    op("expect.match", "expect"),
    timed("join.check", "request"),
    sure("signature.bytes", "purpose"),
    sure("signature.make", "purpose"),
    op("signature.verify", "purpose"),
    sure("join.response.sign", "key"),
    timed("join.response.verify", "response"),
    op("deferral.verify", "deferral"),
    op("pin.parse", "pin"),
    op("pin.match", "pins"),
    op("keys.select", "keyFile"),
    op("config.load", "toml"),
];

/// The ops with state; a shim has them all when it says `"world": true`.
pub const WORLD: [&str; 3] = ["world.load", "world.step", "world.dump"];

/// An op that no shim has: calling it must be answered `unsupported`.
pub const MADE_UP: &str = "judge.no-such-op";

/// An op by its name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Op> {
    OPS.iter().find(|op| op.name == name)
}

/// Every name, those with state too, as hello sends them.
#[must_use]
pub fn called() -> Vec<&'static str> {
    names().into_iter().chain(WORLD).collect()
}

/// The names of the ops without state.
#[must_use]
pub fn names() -> Vec<&'static str> {
    OPS.iter().map(|op| op.name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_that_of_the_contract() {
        let page = include_str!("../SHIM.md");
        let rows: Vec<(String, String, bool)> = page
            .lines()
            .filter(|line| line.starts_with("| `") && line.contains('.') && line.matches(" | ").count() == 4)
            .map(|line| {
                let mut cells = line.trim_matches('|').split(" | ");
                let name = cells.next().unwrap().trim().trim_matches('`').to_owned();
                let input = cells.nth(1).unwrap();
                let first = input.split_once('{').unwrap().1.split([':', ',']).next().unwrap().to_owned();
                (name, first, cells.nth(1).unwrap().trim() != "–")
            })
            .collect();
        let ours: Vec<_> =
            OPS.iter().map(|op| (op.name.to_owned(), op.required.to_owned(), op.can_reject)).collect();
        assert_eq!(rows, ours);
    }
}
