//! Static headers of an upstream request. Values of secret headers are stored separately: they are sealed at rest and
//! read back as a mask, and a mask in an update means "unchanged".

use indexmap::IndexMap;
use secrecy::SecretString;

use crate::fault::{Fault, FaultKind, Faults};
use crate::json::{self, JsonObject, Members};

/// Replaces a secret value in responses.
pub const MASK: &str = "********";
/// Maximum length of a header value, in bytes. Browsers send Cookie headers of more than half this size.
pub(crate) const VALUE_MAX: usize = 16 * 1024;
/// Maximum number of static headers of a tool or resource.
const HEADERS_MAX: usize = 100;
/// Maximum length of an HTTP token, such as a header name, in bytes.
const TOKEN_MAX: usize = 256;
/// Substrings of a header name that mark its value as secret.
const SECRET_NAME_PARTS: [&str; 7] = ["cookie", "authorization", "token", "secret", "key", "password", "credential"];

/// Headers by name, in order: plain values, and [`MASK`] in place of secret ones.
pub type PlainHeaders = IndexMap<String, String>;
/// The secret values by header name.
pub type SecretHeaders = IndexMap<String, SecretString>;

/// Validated headers of a create or update request.
#[derive(Clone, Debug, Default)]
pub struct SentHeaders(IndexMap<String, SecretString>);

impl SentHeaders {
    /// Parses an object of header names and values.
    pub fn parse(field: &str, object: &JsonObject) -> Result<Self, Faults> {
        let members = object.members();
        if members.len() > HEADERS_MAX {
            return Err(Fault::too_many(field, HEADERS_MAX, "headers").into());
        }
        let mut faults = Faults::default();
        let values = parse_values(field, &members, &mut faults);
        faults.into_result(Self(values))
    }

    /// Like [`Self::resolve`], for headers that are all secret.
    pub fn resolve_secret(self, field: &str, stored: &SecretHeaders) -> Result<(PlainHeaders, SecretHeaders), Faults> {
        self.resolve_with(field, stored, |_| true)
    }

    /// Splits the headers into those that may be shown and those that must be sealed. A mask selects the stored secret.
    pub fn resolve(self, field: &str, stored: &SecretHeaders) -> Result<(PlainHeaders, SecretHeaders), Faults> {
        self.resolve_with(field, stored, is_secret)
    }

    fn resolve_with(
        self,
        field: &str,
        stored: &SecretHeaders,
        is_secret: impl Fn(&str) -> bool,
    ) -> Result<(PlainHeaders, SecretHeaders), Faults> {
        let (mut plain, mut secret, mut faults) = (PlainHeaders::new(), SecretHeaders::new(), Faults::default());
        for (name, value) in self.0 {
            if !is_secret(&name) {
                plain.insert(name, secrecy::ExposeSecret::expose_secret(&value).to_owned());
                continue;
            }
            let is_mask = secrecy::ExposeSecret::expose_secret(&value) == MASK;
            let stored_value =
                stored.iter().find(|(stored_name, _)| stored_name.eq_ignore_ascii_case(&name)).map(|(_, value)| value);
            match (is_mask, stored_value) {
                (true, None) => faults.push(Fault::invalid_value(
                    format!("{field}[{name}]"),
                    format!("{field}[{name}] is the mask of a secret, but none is stored; send the value itself."),
                )),
                (true, Some(stored_value)) => {
                    secret.insert(name.clone(), stored_value.clone());
                    plain.insert(name, MASK.to_owned());
                }
                (false, _) => {
                    secret.insert(name.clone(), value);
                    plain.insert(name, MASK.to_owned());
                }
            }
        }
        faults.into_result((plain, secret))
    }
}

fn parse_values(field: &str, members: &Members, faults: &mut Faults) -> IndexMap<String, SecretString> {
    let mut values: IndexMap<String, SecretString> = IndexMap::new();
    for (name, value) in members {
        let path = format!("{field}[{name}]");
        if !is_token(name) {
            faults.push(Fault::invalid_pattern(
                &path,
                format!("{path}: a header name holds only letters, digits and !#$%&'*+-.^_`|~."),
            ));
        } else if values.keys().any(|earlier| earlier.eq_ignore_ascii_case(name)) {
            faults.push(Fault::new(&path, FaultKind::DuplicateItems, format!("{path} is given twice.")));
        } else if let Some(text) = scalar_text(value) {
            if text.len() > VALUE_MAX {
                faults.push(Fault::too_long(&path, VALUE_MAX, "bytes"));
            } else if text.chars().any(|c| c.is_control() && c != '\t') {
                faults.push(Fault::invalid_pattern(&path, format!("{path} must not hold control characters.")));
            }
            values.insert(name.clone(), text.into());
        } else {
            faults.push(Fault::invalid_type(&path, "string"));
        }
    }
    values
}

/// The text of a string, number or boolean.
fn scalar_text(value: &serde_json::value::RawValue) -> Option<String> {
    let text = value.get();
    match text.as_bytes().first() {
        Some(b'"') => json::as_string(value),
        Some(b'{' | b'[' | b'n') | None => None,
        Some(_) => Some(text.to_owned()),
    }
}

/// Whether a name is an HTTP token of limited length, as header names must be.
pub fn is_token(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= TOKEN_MAX
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b))
}

/// Whether a header of this name has a secret value.
pub fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    SECRET_NAME_PARTS.iter().any(|part| name.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;
    use secrecy::ExposeSecret;

    fn headers(text: &str) -> Result<SentHeaders, Faults> {
        SentHeaders::parse("headers", &JsonObject::from_raw(json::check(text.as_bytes()).unwrap()).unwrap())
    }

    #[test]
    fn secret_values_are_split_off_and_masked() {
        let sent = headers(r#"{"Accept":"a/b","X-Api-Key":"s3","X-N":5}"#).unwrap();
        let (plain, secret) = sent.resolve("headers", &SecretHeaders::new()).unwrap();
        assert_eq!(plain["X-Api-Key"], MASK);
        assert_eq!(plain["X-N"], "5");
        assert_eq!(secret["X-Api-Key"].expose_secret(), "s3");
        let again = headers(r#"{"x-api-key":"********"}"#).unwrap();
        let (_, unchanged) = again.resolve("headers", &secret).unwrap();
        assert_eq!(unchanged["x-api-key"].expose_secret(), "s3");
    }

    #[test]
    fn a_value_may_be_as_long_as_a_large_cookie() {
        let with_length = |length: usize| headers(&serde_json::json!({"Cookie": "c".repeat(length)}).to_string());
        assert!(with_length(VALUE_MAX).is_ok());
        assert_eq!(with_length(VALUE_MAX + 1).unwrap_err().iter().next().unwrap().kind, FaultKind::TooLong);
    }

    #[test]
    fn a_fault_names_the_invalid_header() {
        for (text, field) in [
            (r#"{"a b":"x"}"#, "headers[a b]"),
            (r#"{"A":"x\r\ny"}"#, "headers[A]"),
            (r#"{"A":{}}"#, "headers[A]"),
            (r#"{"A":"1","a":"2"}"#, "headers[a]"),
        ] {
            assert_eq!(headers(text).unwrap_err().iter().next().unwrap().field, field);
        }
        let masked = headers(r#"{"Cookie":"********"}"#).unwrap();
        assert!(masked.resolve("headers", &SecretHeaders::new()).is_err());
    }
}
