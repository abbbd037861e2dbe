//! Pages of a list: 100 without a limit, at most 200, and each follows the one before.

use serde_json::{Value, json};

use super::stateful::{list, page, record};
use crate::case::{Entry, NOW};
use crate::script::{accepted, refused, script_accept, script_reject};
use crate::testkit::world::{Grant, World, grant};

const ONE: &str = "token/page-of-one";
const TWO_HUNDRED: &str = "token/page-of-200";
const AFTER: &str = "token/page-after";
const RECIPE: &str = "A pool with so many tokens, then lists of it.";

pub(super) fn entries() -> Vec<Entry> {
    [sizes(), afters(), bad_limits(), bad_afters()].concat()
}

fn tokens(count: usize) -> Vec<Grant> {
    (0..count).map(|place| grant(&format!("page {place}"))).collect()
}

fn world(tokens: &[Grant]) -> World {
    tokens.iter().fold(World::usual(), World::token)
}

/// A page that others follow.
fn first_of(grants: &[Grant]) -> Value {
    let records: Vec<Value> = grants.iter().map(record).collect();
    json!({"records": records, "next": grants.last().map(|grant| grant.bearer.id.clone())})
}

fn last_of(grants: &[Grant]) -> Value {
    page(&grants.iter().collect::<Vec<_>>())
}

fn good(id: &str, title: &str, tokens: &[Grant]) -> Entry {
    script_accept(id, "TOKEN-8", title).world(&world(tokens)).recipe(RECIPE)
}

fn sizes() -> Vec<Entry> {
    let (three, hundred, more, many) = (tokens(3), tokens(100), tokens(101), tokens(201));
    let last = |grants: &[Grant]| grants.last().map(|grant| grant.bearer.id.clone());
    let (full, rest) = (&more[..100], &more[100..]);
    // The 200 records are counted; which they are, the next page shows.
    let two_hundred = json!({"records": vec![json!({"$any": true}); 200], "next": last(&many[..200])});
    vec![
        good(
            "token/page-default-101",
            "Without a limit a page has 100 records, and the next one the 101st.",
            &more,
        )
        .documented()
        .step("list", NOW, list(json!({})), accepted(first_of(full)))
        .step("next", NOW, list(json!({"after": last(full)})), accepted(last_of(rest)))
        .about("list")
        .why("A client that never sends a limit counts on 100, and must hear that there is more."),
        good("token/page-default-100", "A hundred tokens are one page, and no other follows.", &hundred)
            .documented()
            .step("list", NOW, list(json!({})), accepted(last_of(&hundred)))
            .why("A page that is full and the last one names no next: a client would ask for nothing."),
        good("token/page-101-of-200", "A limit of 200 gives 101 tokens in one page.", &more)
            .documented()
            .step("list", NOW, list(json!({"limit": 200})), accepted(last_of(&more)))
            .why("The limit is the caller's; 100 is only what there is without one."),
        good(TWO_HUNDRED, "A limit of 200 gives 200 of 201 tokens, and the next page the last.", &many)
            .documented()
            .step("list", NOW, list(json!({"limit": 200})), accepted(two_hundred))
            .step(
                "next",
                NOW,
                list(json!({"limit": 200, "after": last(&many[..200])})),
                accepted(last_of(&many[200..])),
            )
            .about("list")
            .why("The greatest limit is one that is taken."),
        good(ONE, "A limit of 1 gives one record at a time, and the last names no next.", &three)
            .step("list", NOW, list(json!({"limit": 1})), accepted(first_of(&three[..1])))
            .step(
                "second",
                NOW,
                list(json!({"limit": 1, "after": last(&three[..1])})),
                accepted(first_of(&three[1..2])),
            )
            .step(
                "third",
                NOW,
                list(json!({"limit": 1, "after": last(&three[..2])})),
                accepted(last_of(&three[2..])),
            )
            .about("list")
            .why("The smallest limit is one that is taken; page after page each token comes once."),
        good("token/page-exact", "A page that ends with the last token names no next.", &three)
            .step("list", NOW, list(json!({"limit": 3})), accepted(last_of(&three)))
            .why("Where more follow is known from what follows, not from how full the page is."),
    ]
}

fn afters() -> Vec<Entry> {
    let three = tokens(3);
    let id = |place: usize| three[place].bearer.id.clone();
    let dead = |member: &str, value: Value| {
        let mut tokens = three.clone();
        tokens[0] = tokens[0].clone().with(member, value);
        tokens
    };
    let after_dead = |name: &str, what: &str, tokens: &[Grant]| {
        let title = format!("A page after a token that {what} begins with the next one.");
        good(&format!("token/page-after-{name}"), &title, tokens)
            .step("list", NOW, list(json!({"after": id(0)})), accepted(last_of(&tokens[1..])))
            .why(
                "Between two pages the last token of the first one can die; the reader must not begin again.",
            )
    };
    let mut gap = three.clone();
    gap[1] = gap[1].clone().with("usesLeft", 0);
    vec![
        good(AFTER, "A page after a token begins with the next one.", &three)
            .step("list", NOW, list(json!({"after": id(0)})), accepted(last_of(&three[1..])))
            .why("The token that is named was on the page before."),
        good("token/page-after-the-last", "A page after the last token is empty.", &three)
            .step("list", NOW, list(json!({"after": id(2)})), accepted(last_of(&[])))
            .why("Nothing follows, and that is an answer."),
        after_dead("revoked", "was revoked", &dead("revokedAt", NOW.into())),
        after_dead("expired", "has expired", &dead("expiresAt", NOW.into())),
        after_dead("used", "has no use left", &dead("usesLeft", 0.into())),
        good(
            "token/page-counts-live",
            "A page counts the live tokens that it shows, not those that it passes over.",
            &gap,
        )
        .step("list", NOW, list(json!({"limit": 2})), accepted(last_of(&[gap[0].clone(), gap[2].clone()])))
        .why("A page that is short in the middle looks like the last one."),
        good(
            "token/page-of-all",
            "With includeInactive the dead ones are counted, and pages follow each other too.",
            &gap,
        )
        .step("list", NOW, list(json!({"includeInactive": true, "limit": 2})), accepted(first_of(&gap[..2])))
        .step(
            "next",
            NOW,
            list(json!({"includeInactive": true, "limit": 2, "after": id(1)})),
            accepted(last_of(&gap[2..])),
        )
        .about("list")
        .why("The same pages, of more tokens."),
    ]
}

fn bad(name: &str, title: &str, tokens: &[Grant], with: Value) -> Entry {
    script_reject(&format!("token/{name}"), "TOKEN-8", title)
        .world(&world(tokens))
        .step("list", NOW, list(with), refused("INVALID_ARGUMENT"))
        .recipe(RECIPE)
}

fn bad_limits() -> Vec<Entry> {
    const AT: &[&str] = &["/steps/0/request/limit"];
    let (three, many) = (tokens(3), tokens(201));
    let small = |name: &str, title: &str, limit: Value| {
        bad(&format!("page-of-{name}"), title, &three, json!({"limit": limit}))
            .twin(&format!("{ONE}@list"), AT, "The limit.")
            .why("A limit that is taken for none, or for all, gives a client what it did not ask for.")
    };
    vec![
        small("0", "A limit of 0 is refused.", 0.into()),
        small("minus-one", "A limit below 0 is refused.", (-1).into()),
        small("half", "A limit with a fraction is refused.", json!(1.5)),
        bad("page-of-201", "A limit of 201 is refused, not taken as 200.", &many, json!({"limit": 201}))
            .documented()
            .twin(&format!("{TWO_HUNDRED}@list"), AT, "The limit.")
            .why("A client that asked for 201, got 200 and looked for no next page would miss a token."),
    ]
}

fn bad_afters() -> Vec<Entry> {
    const AT: &[&str] = &["/steps/0/request/after"];
    let three = tokens(3);
    let unknown = |name: &str, title: &str, after: &str| {
        bad(&format!("page-after-{name}"), title, &three, json!({"after": after}))
            .twin(AFTER, AT, "The token after which the page begins.")
            .why("A page that begins at the front again makes a reader go round for ever.")
    };
    let beside = |name: &str, title: &str, other: Grant| {
        let mut tokens = three.clone();
        tokens[0] = other;
        let after = tokens[0].bearer.id.clone();
        bad(&format!("page-after-{name}"), title, &tokens, json!({"after": after}))
            .twin(AFTER, &["/world/tokens/0"], "The token is of another pool or tenant.")
            .why("Where a token that is not the pool's stands among the pool's is nobody's to say.")
    };
    vec![
        unknown(
            "no-token",
            "A page after a token that is not there is refused.",
            &grant("nowhere").bearer.id,
        ),
        unknown("no-id", "A page after what is no id is refused.", "page 0"),
        unknown("nothing", "A page after an empty text is refused, not taken as the first.", ""),
        unknown("capitals", "A page after an id in capitals is refused.", &three[0].bearer.id.to_uppercase()),
        beside(
            "anothers-pool-token",
            "A page after a token of another pool is refused.",
            three[0].clone().of("a", "ac"),
        ),
        beside(
            "anothers-token",
            "A page after another tenant's token in the pool is refused.",
            three[0].clone().of("b", "a"),
        ),
    ]
}
