//! The request that makes a token (TOKEN-5, TOKEN-7, TOKEN-9).

use crate::expect::Expect;
use crate::json::Value;
use crate::limits::{IDEMPOTENCY_KEY_LENGTH, TOKEN_MAX_USES, TOKEN_MAX_USES_DEFAULT, TOKEN_TTL_S};
use crate::reason::Reason;

/// A request to make a token, judged and normalized.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Created {
    /// Lifetime in seconds.
    pub ttl_s: u32,
    /// Joins that it may admit.
    pub max_uses: u32,
    /// The machine that it is pinned to, normalized.
    pub expect: Option<Expect>,
    /// Whether it may reclaim a known machine's node.
    pub allow_reclaim: bool,
    /// Whether its nodes are controlled by a tenant.
    pub hosted: Option<Hosted>,
    /// The caller's key for retries.
    pub idempotency_key: Option<String>,
}

impl Created {
    /// Whether the token is pinned to a machine (TOKEN-9).
    #[must_use]
    pub fn is_pinned(&self) -> bool {
        self.expect.is_some()
    }
}

/// Who controls the nodes of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hosted {
    /// A tenant, as nodes of its Kubernetes.
    Kubernetes,
}

impl Hosted {
    /// The value's word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Kubernetes => "kubernetes",
        }
    }
}

/// Judges the JSON of a create request.
///
/// # Errors
/// `invalid-argument` for a member that is unknown, null, of another type or out of bounds, and for a binding
/// that binds nothing (TOKEN-5, TOKEN-7, TOKEN-9).
pub fn create(request: &Value) -> Result<Created, Reason> {
    judge(request).ok_or(Reason::InvalidArgument)
}

fn judge(request: &Value) -> Option<Created> {
    let members = request.as_object()?;
    // TOKEN-9: an unknown member is invalid.
    members.iter().all(|(name, _)| MEMBERS.contains(&name.as_str())).then_some(())?;
    Some(Created {
        // TOKEN-5: a JSON integer 60..=86400; its text has no fraction and no exponent.
        ttl_s: integer(request.get("ttlSeconds")?, TOKEN_TTL_S)?,
        max_uses: optional(request.get("maxUses"), |value| integer(value, TOKEN_MAX_USES))?
            .unwrap_or(TOKEN_MAX_USES_DEFAULT),
        // TOKEN-9: absence is the only way to have no binding.
        expect: optional(request.get("expect"), expect)?,
        allow_reclaim: optional(request.get("allowReclaim"), Value::as_bool)?.unwrap_or_default(),
        hosted: optional(request.get("hosted"), hosted)?,
        idempotency_key: optional(request.get("idempotencyKey"), idempotency_key)?,
    })
}

/// An absent member is fine; one that is present must be readable.
fn optional<T>(member: Option<&Value>, read: impl Fn(&Value) -> Option<T>) -> Option<Option<T>> {
    member.map_or(Some(None), |value| read(value).map(Some))
}

fn integer(value: &Value, bounds: std::ops::RangeInclusive<u64>) -> Option<u32> {
    value.as_digits().filter(|number| bounds.contains(number)).and_then(|number| u32::try_from(number).ok())
}

fn hosted(value: &Value) -> Option<Hosted> {
    (value.as_str()? == Hosted::Kubernetes.as_str()).then_some(Hosted::Kubernetes)
}

fn idempotency_key(value: &Value) -> Option<String> {
    // TOKEN-7: 1..=128 octets of printable ASCII with the space.
    let key = value.as_str()?;
    let printable = key.bytes().all(|octet| matches!(octet, 0x20..=0x7e));
    (printable && IDEMPOTENCY_KEY_LENGTH.contains(&key.len())).then(|| key.to_owned())
}

fn expect(value: &Value) -> Option<Expect> {
    let mut named = Expect::default();
    for (name, value) in value.as_object()? {
        let member = match name.as_str() {
            "productUuid" => &mut named.product_uuid,
            "serial" => &mut named.serial,
            "mac" => &mut named.mac,
            "gpuUuid" => &mut named.gpu_uuid,
            // TOKEN-9: no other member.
            _ => return None,
        };
        *member = Some(value.as_str()?.to_owned());
    }
    // TOKEN-9: at least one member, and every value normalizes to something that is no placeholder.
    named.normalized()
}

const MEMBERS: [&str; 6] = ["ttlSeconds", "maxUses", "expect", "allowReclaim", "hosted", "idempotencyKey"];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    fn created(text: &str) -> Result<Created, Reason> {
        create(&json::read(text.as_bytes()).unwrap())
    }

    #[test]
    fn what_is_absent_has_its_default() {
        let expected = Created {
            ttl_s: 3600,
            max_uses: 1,
            expect: None,
            allow_reclaim: false,
            hosted: None,
            idempotency_key: None,
        };
        assert_eq!(created(r#"{"ttlSeconds":3600}"#), Ok(expected));
    }

    #[test]
    fn every_member_is_read() {
        let request = r#"{"ttlSeconds":86400,"maxUses":10000,"allowReclaim":true,"hosted":"kubernetes",
            "idempotencyKey":"a key","expect":{"productUuid":"4C4C4544005134108051B5C04F375931",
            "serial":" SN-7701 ",
            "mac":"3CEC.EF12.3456","gpuUuid":"GPU-41255406-C9AF-F94B-4EBF-9D57AD1853DA"}}"#;
        let made = created(request).unwrap();
        assert_eq!((made.ttl_s, made.max_uses, made.allow_reclaim), (86_400, 10_000, true));
        assert_eq!((made.hosted, made.idempotency_key.as_deref()), (Some(Hosted::Kubernetes), Some("a key")));
        assert!(made.is_pinned());
        let expect = made.expect.unwrap();
        assert_eq!(expect.product_uuid.as_deref(), Some("4c4c4544-0051-3410-8051-b5c04f375931"));
        assert_eq!(expect.serial.as_deref(), Some("sn-7701"));
        assert_eq!(expect.mac.as_deref(), Some("3c:ec:ef:12:34:56"));
        assert_eq!(expect.gpu_uuid.as_deref(), Some("gpu-41255406-c9af-f94b-4ebf-9d57ad1853da"));
    }

    #[test]
    fn a_bad_lifetime_is_refused() {
        for bad in ["59", "86401", "90.5", "60.0", "6e1", "\"60\"", "true", "null", "-60", "[60]"] {
            let request = format!(r#"{{"ttlSeconds":{bad}}}"#);
            assert_eq!(created(&request), Err(Reason::InvalidArgument), "{request}");
        }
    }

    #[test]
    fn a_bad_member_is_refused() {
        let long = format!(r#""idempotencyKey":"{}""#, "k".repeat(129));
        for bad in [
            r#""maxUses":0"#,
            r#""maxUses":10001"#,
            r#""maxUses":1.0"#,
            r#""maxUses":null"#,
            r#""allowReclaim":null"#,
            r#""allowReclaim":"true""#,
            r#""allowReclaim":1"#,
            r#""hosted":"Kubernetes""#,
            r#""hosted":null"#,
            r#""hosted":"""#,
            r#""idempotencyKey":"""#,
            r#""idempotencyKey":"é""#,
            r#""idempotencyKey":"a\n""#,
            r#""idempotencyKey":null"#,
            long.as_str(),
            r#""expects":{}"#,
            r#""role":"node""#,
            r#""ttlseconds":60"#,
        ] {
            let request = format!(r#"{{"ttlSeconds":60,{bad}}}"#);
            assert_eq!(created(&request), Err(Reason::InvalidArgument), "{request}");
        }
        assert_eq!(created("{}"), Err(Reason::InvalidArgument));
        assert_eq!(created("[]"), Err(Reason::InvalidArgument));
    }

    #[test]
    fn a_binding_that_binds_nothing_is_refused() {
        for bad in [
            "null",
            "{}",
            "[]",
            r#""sn-7701""#,
            r#"{"serials":"sn-7701"}"#,
            r#"{"serial":null}"#,
            r#"{"serial":""}"#,
            r#"{"serial":"To Be Filled By O.E.M."}"#,
            r#"{"serial":"a\u0000b"}"#,
            r#"{"serial":"sn-7701","mac":"AA-BB-CC-DD-EE-FF"}"#,
            r#"{"mac":"00:50:56:c0:00:01"}"#,
            r#"{"productUuid":"sn-7701"}"#,
            r#"{"productUuid":"00000000-0000-0000-0000-000000000000"}"#,
            r#"{"gpuUuid":"MIG-a65afc88"}"#,
            r#"{"gpuUuid":"gpu-"}"#,
        ] {
            let request = format!(r#"{{"ttlSeconds":60,"expect":{bad}}}"#);
            assert_eq!(created(&request), Err(Reason::InvalidArgument), "{request}");
        }
    }
}
