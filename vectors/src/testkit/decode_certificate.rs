//! A certificate taken apart for people and for the lint: never an error, what does not parse says so.

use serde_json::{Value, json};
use x509_cert::Certificate;
use x509_cert::der::{Decode as _, Encode as _};
use x509_cert::ext::pkix::SubjectAltName;
use x509_cert::ext::pkix::name::GeneralName;
use x509_cert::name::Name;
use x509_cert::time::Time;

use super::encode::{b64, b64u};
use super::keys::hash;

/// The parts of a DER certificate by name, or `{"malformed": B}`.
#[must_use]
pub fn certificate(der: &[u8]) -> Value {
    let Ok(certificate) = Certificate::from_der(der) else {
        return json!({"malformed": b64u(der)});
    };
    let tbs = certificate.tbs_certificate();
    let spki = tbs.subject_public_key_info().to_der().unwrap_or_default();
    let extensions = tbs.extensions().map(Vec::as_slice).unwrap_or_default();
    json!({
        "version": format!("{:?}", tbs.version()).to_ascii_lowercase(),
        "serial": hex::encode(tbs.serial_number().as_bytes()),
        "signatureAlgorithm": tbs.signature().oid.to_string(),
        "issuer": name(tbs.issuer()),
        "notBefore": time(&tbs.validity().not_before),
        "notAfter": time(&tbs.validity().not_after),
        "subject": name(tbs.subject()),
        "spki": b64u(&spki),
        "pin": format!("sha256/{}", b64(hash(&spki))),
        "sans": sans(&certificate),
        "extensions": extensions.iter().map(|extension| json!({
            "oid": extension.extn_id.to_string(),
            "critical": extension.critical,
            "value": b64u(extension.extn_value.as_bytes()),
        })).collect::<Vec<_>>(),
        "signature": b64u(certificate.signature().raw_bytes()),
    })
}

fn name(name: &Name) -> Value {
    let attribute = |value: &x509_cert::attr::AttributeTypeAndValue| {
        let text = String::from_utf8_lossy(value.value.value()).into_owned();
        json!({"oid": value.oid.to_string(), "value": text})
    };
    name.iter_rdn().map(|rdn| rdn.iter().map(attribute).collect::<Value>()).collect()
}

fn time(time: &Time) -> Value {
    let seconds = i64::try_from(time.to_unix_duration().as_secs()).unwrap_or(i64::MAX);
    jiff::Timestamp::from_second(seconds)
        .map_or_else(|_| seconds.into(), |instant| instant.to_string().into())
}

fn sans(certificate: &Certificate) -> Value {
    match certificate.tbs_certificate().get_extension::<SubjectAltName>() {
        Ok(Some((_, names))) => names.0.iter().map(general_name).collect(),
        Ok(None) => Value::Null,
        Err(_) => "malformed".into(),
    }
}

fn general_name(name: &GeneralName) -> Value {
    match name {
        GeneralName::UniformResourceIdentifier(text) => json!({"uri": text.as_str()}),
        GeneralName::DnsName(text) => json!({"dns": text.as_str()}),
        GeneralName::Rfc822Name(text) => json!({"email": text.as_str()}),
        GeneralName::IpAddress(octets) => json!({"ip": b64u(octets.as_bytes())}),
        other => json!({"other": b64u(other.to_der().unwrap_or_default())}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::keys::key;
    use crate::testkit::signature::spki;
    use crate::testkit::x509::{San, leaf, node_intermediate};

    #[test]
    fn the_view_names_the_parts() {
        let sans = [San::uri("spiffe://td/site/s/node/n"), San::Dns("host".into())];
        let issuer = node_intermediate();
        let view = certificate(&leaf(&issuer, spki(&key("leaf")), "node", &sans).signed(&issuer.key));
        assert_eq!(view["subject"], json!([[{"oid": "2.5.4.11", "value": "bc-role:node"}]]));
        assert_eq!(view["sans"], json!([{"uri": "spiffe://td/site/s/node/n"}, {"dns": "host"}]));
        assert_eq!(view["notAfter"], "2026-01-01T23:59:00Z");
        assert_eq!(view["version"], "v3");
    }

    #[test]
    fn what_is_no_certificate_is_said_to_be_malformed() {
        assert_eq!(certificate(b"abc"), json!({"malformed": "YWJj"}));
        assert_eq!(certificate(b""), json!({"malformed": ""}));
    }
}
