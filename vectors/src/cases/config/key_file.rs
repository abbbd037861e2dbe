//! join-encryption.jwk: used only when it is pinned, and never passed over in silence.

use serde_json::{Value, json};

use crate::case::{Entry, accept, reject};
use crate::cases::wellknown::document::{
    GATEWAY, SELECT, document, encryption_key, pin_of, pins, pins_without_config, select, selected, stranger,
    with_gateway,
};
use crate::cases::wellknown::jwk::{alter, unused_bits};
use crate::testkit::encode::b64u;
use crate::testkit::keys::{private_jwk, public_jwk};

const FILE: [&str; 1] = ["/in/keyFile"];
const RECIPE: &str =
    "Write the encryption key to join-encryption.jwk and pin it; then do what the mutation says.";

pub(super) fn cases() -> Vec<Entry> {
    vec![
        used(),
        form_accepted(),
        two_pins(),
        absent(),
        without_config(),
        not_pinned(),
        not_pinned_although_the_document_is(),
        malformed(),
        malformed_although_the_document_is_not(),
        jwk(),
        private(),
        twice(),
        malformed_before_pins(),
    ]
}

/// Input with this text as the key file and a right document.
fn file(text: impl AsRef<[u8]>) -> Value {
    with_document(text, &document())
}

fn with_document(text: impl AsRef<[u8]>, document: &Value) -> Value {
    let mut input = select(document);
    input["keyFile"] = b64u(text).into();
    input
}

/// What a client takes from the key file.
fn from_file() -> Value {
    let own = pin_of(&encryption_key());
    json!({"encryptionPin": own, "from": "file", "signingPin": null, "gatewayUrl": null})
}

fn right() -> String {
    public_jwk(&encryption_key()).to_string()
}

fn good(name: &str, title: &str) -> Entry {
    accept(&format!("config/{name}"), "CONFIG-1", title).recipe(RECIPE)
}

fn bad(name: &str, reason: &str, title: &str, what: &str) -> Entry {
    reject(&format!("config/{name}"), "CONFIG-1", reason, title)
        .twin("config/key-file#beside a document", &FILE, what)
        .recipe(RECIPE)
}

fn used() -> Entry {
    let alone = json!({"keyFile": b64u(right()), "document": null, "pins": pins()});
    let mut broken = file(right());
    broken["document"] = b64u("{").into();
    good("key-file", "A key file that is pinned is used, and the document is not asked.")
        .documented()
        .family(SELECT)
        .row("beside a document", file(right()), from_file())
        .row("alone", alone, from_file())
        .row("beside a document that is malformed", broken, from_file())
        .why("A machine that has the key joins while the control plane's web server is down.")
}

fn form_accepted() -> Entry {
    let pretty = serde_json::to_string_pretty(&public_jwk(&encryption_key())).unwrap_or_default();
    let mut more = public_jwk(&encryption_key());
    more["kid"] = "join-encryption".into();
    more["use"] = "enc".into();
    more["key_ops"] = json!(["deriveBits"]);
    good("key-file-form", "The file is one JWK, with other members or white space as they come.")
        .also("WELLKNOWN-1")
        .family(SELECT)
        .row("indented", file(&pretty), from_file())
        .row("a line feed after it", file(format!("{}\n", right())), from_file())
        .row("other members", file(more.to_string()), from_file())
        .why("An install script writes it with whatever tool it has.")
}

fn two_pins() -> Entry {
    let mut input = file(right());
    input["pins"]["encryption"] = json!([pin_of(&stranger()), pin_of(&encryption_key())]);
    good("key-file-two-pins", "During a rotation the file's key is one of two that are pinned.")
        .call(SELECT, input)
        .out(from_file())
        .why("The file may be the old key or the new one.")
}

fn absent() -> Entry {
    good("key-file-absent", "When the file is absent the key comes from the document.")
        .documented()
        .also("WELLKNOWN-1")
        .call(SELECT, select(&document()))
        .out(selected(None))
        .why("This is how an OS that a deploy installed joins.")
}

fn without_config() -> Entry {
    let mut input = with_document(right(), &with_gateway());
    input["pins"] = pins_without_config();
    good(
        "key-file-without-config",
        "Without a configuration the keys come from the document, whatever file there is.",
    )
    .call(SELECT, input)
    .out(selected(Some(GATEWAY)))
    .why("The file belongs to a configuration; one that was left behind is replaced after the join.")
}

fn not_pinned() -> Entry {
    let title = "A key file that is not pinned fails.";
    bad("key-file-not-pinned", "pin-mismatch", title, "a stranger's key in the file")
        .documented()
        .twin("config/key-file#alone", &FILE, "a stranger's key in the file")
        .call(
            SELECT,
            json!({
                "keyFile": b64u(public_jwk(&stranger()).to_string()), "document": null, "pins": pins(),
            }),
        )
        .why("The token would be sealed to whoever wrote the file.")
}

fn not_pinned_although_the_document_is() -> Entry {
    let title = "A key file that is not pinned fails although the document has the right key.";
    bad("key-file-stale", "pin-mismatch", title, "the old key in the file, the new one pinned and published")
        .documented()
        .call(SELECT, file(public_jwk(&stranger()).to_string()))
        .why("After a rotation the stale file shows that this host was forgotten; going on would hide it.")
}

fn malformed() -> Entry {
    let right = right();
    bad("key-file-malformed", "document", "A key file is one JWK.", "something else in the file")
        .also("WELLKNOWN-1")
        .family(SELECT)
        .bad("empty", file(""))
        .bad("not JSON", file("-----BEGIN PUBLIC KEY-----"))
        .bad("a list", file(format!("[{right}]")))
        .bad("a JWK set", file(format!("{{\"keys\":[{right}]}}")))
        .bad("two keys", file(format!("{right}\n{right}")))
        .bad("the document", file(document().to_string()))
        .bad("byte order mark", file(format!("\u{feff}{right}")))
        .bad("the end missing", file(right.trim_end_matches('}')))
        .why("A file that was half written is told from one that holds another key.")
}

fn malformed_although_the_document_is_not() -> Entry {
    let mut input = file("");
    input["document"] = b64u(document().to_string()).into();
    bad("key-file-empty", "document", "An empty key file is present.", "nothing in the file")
        .call(SELECT, input)
        .why("Empty is not absent: the document is not asked.")
}

fn jwk() -> Entry {
    let with = |name: &str, value: Option<Value>| {
        let mut jwk = public_jwk(&encryption_key());
        alter(&mut jwk, name, value);
        file(jwk.to_string())
    };
    let x = public_jwk(&encryption_key())["x"].as_str().unwrap_or_default().to_owned();
    let y = public_jwk(&encryption_key())["y"].as_str().unwrap_or_default().to_owned();
    bad("key-file-jwk", "document", "The rules for a JWK are the document's.", "another JWK in the file")
        .also("WELLKNOWN-1")
        .family(SELECT)
        .bad("no kty", with("kty", None))
        .bad("OKP", with("kty", Some("OKP".into())))
        .bad("P-384", with("crv", Some("P-384".into())))
        .bad("no y", with("y", None))
        .bad("padding", with("x", Some(format!("{x}=").into())))
        .bad("unused bits set", with("x", Some(unused_bits(&x).into())))
        .bad("off the curve", with("y", Some(x.into())))
        .bad("x replaced by y", with("x", Some(y.into())))
        .why("Two readers for one format drift apart.")
}

fn private() -> Entry {
    bad("key-file-private", "document", "A JWK with a private half is refused.", "a member d in the file")
        .also("WELLKNOWN-1")
        .call(SELECT, file(private_jwk(&encryption_key()).to_string()))
        .why("The server's private key on a machine is an accident that must be seen.")
}

fn twice() -> Entry {
    let again = |member: &str| file(right().replacen('{', &format!("{{{member},"), 1));
    bad("key-file-member-twice", "document", "No member of the file stands twice.", "a member once more")
        .also("WELLKNOWN-1")
        .family(SELECT)
        .bad("x", again("\"x\":\"\""))
        .bad("crv, equal", again("\"crv\":\"P-256\""))
        .bad("escaped", again("\"\\u0078\":\"\""))
        .why("Two readers of two equal names read two keys.")
}

fn malformed_before_pins() -> Entry {
    bad(
        "key-file-order",
        "document",
        "A malformed file comes before a key that is not pinned.",
        "a stranger's private JWK",
    )
    .also("WELLKNOWN-1")
    .call(SELECT, file(private_jwk(&stranger()).to_string()))
    .why("What is malformed has no hash.")
}
