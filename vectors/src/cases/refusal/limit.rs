//! Sixty events of a bucket in a minute; what is more is counted, and no request is refused for it.

use super::flood::{
    LAST, NEXT, START, admitted, dropped, good, pending, roleless, stopped, stranger, token, told, world,
};
use crate::case::Entry;
use crate::script::{join, refused, restart, script_accept, script_reject};
use crate::testkit::token::token as bearer;
use crate::testkit::world::{Grant, World, grant, machine};

const SIXTY: &str = "refusal/limit-sixty";
const FLOOD: &str = "refusal/flood-of-a-thousand";

pub(super) fn entries() -> Vec<Entry> {
    vec![
        sixty(),
        sixty_first(),
        one_by_one(),
        thousand(),
        thousand_and_bad(),
        secrets(),
        example(),
        second_flood(),
    ]
}

fn sixty() -> Entry {
    let title = "Sixty refusals in a minute make sixty events, and the good join among them its node.";
    script_accept(SIXTY, "REFUSAL-2", title)
        .also("REFUSAL-4")
        .documented()
        .world(&world())
        .repeated(60, "flood", START, stranger("ghost"), told("attestor", 60, 0))
        .step("join", START, good(), admitted())
        .why("The sixtieth is still inside the limit: an owner who counts events counts refusals.")
        .recipe("Sixty joins under a name that no attestor has, then a good one.")
}

fn sixty_first() -> Entry {
    let title = "The sixty-first refusal in a minute is refused as the others, and makes no event.";
    script_reject("refusal/limit-sixty-first", "REFUSAL-2", title)
        .also("REFUSAL-4")
        .documented()
        .world(&world())
        .repeated(60, "flood", START, stranger("ghost"), told("attestor", 60, 0))
        .step("sixty-first", START, stranger("ghost"), dropped("attestor"))
        .twin(SIXTY, &["/steps/1/request"], "one more refusal in place of the good join")
        .why("Without the limit anybody writes into the store as fast as the line carries.")
        .recipe("Sixty-one joins under a name that no attestor has.")
}

fn one_by_one() -> Entry {
    let title = "The limit counts refusals over the whole minute, however they are spread.";
    script_reject("refusal/limit-spread", "REFUSAL-2", title)
        .also("REFUSAL-4")
        .documented()
        .world(&world())
        .repeated(59, "first", START, stranger("ghost"), told("attestor", 59, 0))
        .step("join", "2026-01-01T00:00:30.000Z", good(), admitted())
        .step("sixtieth", "2026-01-01T00:00:45.000Z", stranger("ghost"), told("attestor", 1, 0))
        .step("sixty-first", LAST, stranger("ghost"), dropped("attestor"))
        .twin(
            "refusal/limit-spread@join",
            &["/steps/2", "/steps/3"],
            "two more refusals, the sixtieth and the sixty-first",
        )
        .why("A good join takes no slot, and a pause gives none back.")
        .recipe("Fifty-nine refused joins, a good one, and two more refused ones before the minute ends.")
}

fn thousand() -> Entry {
    let title = "A good join among a thousand refusals of one minute is admitted.";
    script_accept(FLOOD, "REFUSAL-4", title)
        .also("ADMISSION-3")
        .world(&world())
        .repeated(1000, "flood", START, stranger("ghost"), told("attestor", 60, 0))
        .step("join", START, good(), admitted())
        .why("The limit drops reports. A limit that drops requests lets any stranger lock every machine out.")
        .recipe("A thousand joins under a name that no attestor has, then a good one, in one minute.")
}

fn thousand_and_bad() -> Entry {
    let title = "A refusal for another reason is told of among a thousand of the first.";
    script_reject("refusal/flood-hides-nothing", "REFUSAL-4", title)
        .world(&world())
        .repeated(1000, "flood", START, stranger("ghost"), told("attestor", 60, 0))
        .step("other", START, roleless(), refused("role-invalid"))
        .twin(FLOOD, &["/steps/1/request"], "an empty role, and another machine's CSR, seal and claims")
        .why("Somebody who wants one refusal to go unseen must not be able to drown it in others.")
        .recipe("A thousand joins under a name that no attestor has, then one that asks for no role.")
}

/// The token as its holder has it, with another secret.
fn wrong() -> Grant {
    let mut wrong = token();
    wrong.bearer.secret = bearer("another secret").secret;
    wrong
}

fn guess() -> crate::script::Join {
    join(&machine("guesser"), &wrong())
}

fn secrets() -> Entry {
    let title = "A good join is admitted with the very token whose secret was guessed at 61 times.";
    script_accept("refusal/flood-at-one-token", "REFUSAL-4", title)
        .also("TOKEN-4")
        .world(&world())
        .repeated(61, "guesses", START, guess(), told("token-secret", 60, 0))
        .step("join", START, good(), admitted())
        .why("A token that is shut after so many guesses is shut by whoever has seen its id.")
        .recipe("Sixty-one joins with the token's id and a wrong secret, then one with the right one.")
}

fn example() -> Entry {
    let expired = grant("refusal expired").with("expiresAt", "2025-12-31T23:00:00.000Z");
    let title = "63 wrong secrets in a minute, an expired token beside them, one more a minute later: the example of the page.";
    script_accept("refusal/example", "REFUSAL-4", title)
        .also("REFUSAL-2")
        .world(&World::usual().token(&token()).token(&expired))
        .repeated(63, "guesses", START, guess(), told("token-secret", 60, 0))
        .step("expired", LAST, join(&machine("b"), &expired), refused("token-expired"))
        .step("guess", NEXT, guess(), told("token-secret", 1, 3))
        .step("join", NEXT, good(), admitted())
        .why("Another reason is another bucket, and the count that was dropped is told once there is room.")
        .recipe("As the page has it: 63 wrong secrets, an expired token, one more wrong secret, then a good join.")
}

fn second_flood() -> Entry {
    let title = "What a flood left untold is told at a clean stop, and the good join after it is admitted.";
    script_accept("refusal/flood-then-stop", "REFUSAL-4", title)
        .world(&world())
        .repeated(100, "flood", START, stranger("ghost"), told("attestor", 60, 0))
        .step(
            "stop",
            START,
            restart(),
            stopped(serde_json::json!([pending("r00t", "unknown", "attestor", 40)])),
        )
        .step("join", START, good(), admitted())
        .why("A count that dies with the process hides the flood that made an operator restart it.")
        .recipe("A hundred joins under a name that no attestor has, a clean stop and start, then a good one.")
}
