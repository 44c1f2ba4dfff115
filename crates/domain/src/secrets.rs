//! The secrets of an object, stored apart from it, so that a `Tool` can be logged or serialised safely.

use secrecy::ExposeSecret;
use serde::Deserialize;
use serde_json::{Map, Value};
use zeroize::Zeroizing;

use crate::headers::SecretHeaders;
use crate::json::{self, JsonObject};
use crate::upstream_auth::{AuthType, Credentials};

/// Credentials and secret headers of a tool, a resource or (as test credentials) a server.
#[derive(Clone, Debug, Default)]
pub struct Secrets {
    /// Credentials for the upstream request.
    pub credentials: Option<Credentials>,
    /// Values of the secret headers, which responses show as a mask.
    pub headers: SecretHeaders,
}

/// The form that is sealed; `kind` is the type of `credentials`.
#[derive(Deserialize)]
struct ExposedSecrets<'a> {
    kind: Option<String>,
    #[serde(borrow)]
    credentials: &'a serde_json::value::RawValue,
    headers: indexmap::IndexMap<String, String>,
}

impl Secrets {
    /// Whether there is nothing to seal.
    pub fn is_empty(&self) -> bool {
        self.credentials.is_none() && self.headers.is_empty()
    }

    /// The plain text to seal.
    pub fn expose(&self) -> Zeroizing<String> {
        let headers: Map<String, Value> =
            self.headers.iter().map(|(name, value)| (name.clone(), value.expose_secret().into())).collect();
        let credentials =
            self.credentials.as_ref().map_or_else(|| Zeroizing::new("{}".to_owned()), Credentials::expose);
        let kind = self.credentials.as_ref().map(|credentials| credentials.auth_type().as_str());
        Zeroizing::new(format!(
            r#"{{"kind":{},"credentials":{},"headers":{}}}"#,
            Value::from(kind),
            credentials.as_str(),
            Value::Object(headers),
        ))
    }

    /// Parses the output of [`Secrets::expose`]; `None` for other text.
    pub fn from_exposed(text: &str) -> Option<Self> {
        let exposed: ExposedSecrets<'_> = serde_json::from_str(text).ok()?;
        let credentials = match exposed.kind {
            Some(kind) => {
                let object = JsonObject::from_raw(json::check(exposed.credentials.get().as_bytes()).ok()?)?;
                Credentials::parse(AuthType::parse(&kind)?, &object).ok()?
            }
            None => None,
        };
        let headers = exposed.headers.into_iter().map(|(name, value)| (name, value.into())).collect();
        Some(Self { credentials, headers })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exposed_secrets_can_be_parsed_and_debug_output_contains_no_secret() {
        let mut secrets =
            Secrets { credentials: Some(Credentials::Bearer { token: "tok-1".into() }), ..Secrets::default() };
        secrets.headers.insert("Cookie".into(), "sid=2".into());
        let parsed = Secrets::from_exposed(&secrets.expose()).unwrap();
        assert_eq!(parsed.expose(), secrets.expose());
        let debug = format!("{secrets:?}");
        assert!(!debug.contains("tok-1") && !debug.contains("sid=2"), "{debug}");
    }
}
