//! What a client says about itself: in a registration request, and in a metadata document.

use serde_json::{Map, Value};
use toolgate_domain::oauth::client::{ClientAuthMethod, check_name};
use toolgate_domain::oauth::redirect_uri::{REDIRECT_URIS_MAX, RedirectUri};

/// The code of an error in the list of redirect URIs.
const INVALID_REDIRECT_URI: &str = "invalid_redirect_uri";
/// The code of all other errors.
const INVALID_METADATA: &str = "invalid_client_metadata";

/// What is wrong with metadata: a code of RFC 7591 and a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MetadataFault {
    pub(crate) code: &'static str,
    pub(crate) description: &'static str,
}

impl MetadataFault {
    pub(crate) const fn new(description: &'static str) -> Self {
        Self { code: INVALID_METADATA, description }
    }

    const fn redirect_uri(description: &'static str) -> Self {
        Self { code: INVALID_REDIRECT_URI, description }
    }
}

/// Checked metadata. Other members are ignored; no address in them is ever fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ClientMetadata {
    pub(crate) name: Option<String>,
    /// The usable redirect URIs, as sent.
    pub(crate) redirect_uris: Vec<String>,
    pub(crate) auth_method: ClientAuthMethod,
}

impl ClientMetadata {
    /// Checks the members of an object. `schemes` are private-use schemes that the operator allows in addition to those
    /// of known programs.
    pub(crate) fn parse(object: &Map<String, Value>, schemes: &[String]) -> Result<Self, MetadataFault> {
        Ok(Self {
            redirect_uris: redirect_uris(member(object, "redirect_uris"), schemes)?,
            name: name(member(object, "client_name"))?,
            auth_method: auth_method(member(object, "token_endpoint_auth_method"))?,
        })
    }
}

/// A member; `null` is treated as absent.
fn member<'a>(object: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    object.get(name).filter(|value| !value.is_null())
}

/// The usable redirect URIs. Clients send all that they might use in one request, so an unusable one must not fail the
/// request; the reply lists the usable ones.
fn redirect_uris(value: Option<&Value>, schemes: &[String]) -> Result<Vec<String>, MetadataFault> {
    let fault = MetadataFault::redirect_uri;
    let items = value.and_then(Value::as_array).ok_or(fault("redirect_uris must be a list of redirect URIs"))?;
    if !(1..=REDIRECT_URIS_MAX).contains(&items.len()) {
        return Err(fault("redirect_uris must have 1 to 10 redirect URIs"));
    }
    let mut usable: Vec<String> = Vec::new();
    // Always replaced if no URI is usable, because each one is then refused.
    let mut last_refusal = "redirect_uris has no usable redirect URI";
    for item in items {
        let text = item.as_str().ok_or(fault("redirect_uris must be a list of texts"))?;
        match RedirectUri::parse(text, schemes) {
            Ok(uri) if usable.iter().any(|other| other == uri.as_str()) => {}
            Ok(uri) => usable.push(uri.as_str().to_owned()),
            Err(reason) => last_refusal = reason,
        }
    }
    if usable.is_empty() { Err(fault(last_refusal)) } else { Ok(usable) }
}

fn name(value: Option<&Value>) -> Result<Option<String>, MetadataFault> {
    let Some(value) = value else { return Ok(None) };
    let name = value.as_str().ok_or(MetadataFault::new("client_name must be a text"))?;
    check_name(name).map_err(MetadataFault::new)?;
    Ok(Some(name.to_owned()))
}

fn auth_method(value: Option<&Value>) -> Result<ClientAuthMethod, MetadataFault> {
    let Some(value) = value else { return Ok(ClientAuthMethod::None) };
    value
        .as_str()
        .and_then(ClientAuthMethod::parse)
        .ok_or(MetadataFault::new("token_endpoint_auth_method must be none, client_secret_post or client_secret_basic"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn parse(value: &Value) -> Result<ClientMetadata, &'static str> {
        ClientMetadata::parse(value.as_object().unwrap(), &[]).map_err(|fault| fault.code)
    }

    #[test]
    fn one_redirect_uri_that_cannot_be_used_does_not_fail_the_others() {
        let uris = ["cursor://anysphere.cursor-mcp/oauth/callback", "unknown://x", "http://localhost:8787/callback"];
        let metadata = parse(&json!({"redirect_uris": uris, "client_name": "Cursor", "logo_uri": 7})).unwrap();
        assert_eq!(metadata.redirect_uris, [uris[0], uris[2]]);
        assert_eq!((metadata.name.as_deref(), metadata.auth_method), (Some("Cursor"), ClientAuthMethod::None));
    }

    #[test]
    fn metadata_that_cannot_be_used_is_refused_with_its_code() {
        let good = "https://a.example/cb";
        for (metadata, code) in [
            (json!({}), INVALID_REDIRECT_URI),
            (json!({"redirect_uris": null}), INVALID_REDIRECT_URI),
            (json!({"redirect_uris": []}), INVALID_REDIRECT_URI),
            (json!({"redirect_uris": good}), INVALID_REDIRECT_URI),
            (json!({"redirect_uris": [1]}), INVALID_REDIRECT_URI),
            (json!({"redirect_uris": ["javascript:alert(1)"]}), INVALID_REDIRECT_URI),
            (json!({"redirect_uris": ["data:text/html,x", "http://evil.example/"]}), INVALID_REDIRECT_URI),
            (json!({"redirect_uris": vec![good; 11]}), INVALID_REDIRECT_URI),
            (json!({"redirect_uris": [good], "client_name": ""}), INVALID_METADATA),
            (json!({"redirect_uris": [good], "client_name": "a\u{202e}b"}), INVALID_METADATA),
            (json!({"redirect_uris": [good], "client_name": 5}), INVALID_METADATA),
            (json!({"redirect_uris": [good], "token_endpoint_auth_method": "private_key_jwt"}), INVALID_METADATA),
            (json!({"redirect_uris": [good], "token_endpoint_auth_method": []}), INVALID_METADATA),
        ] {
            assert_eq!(parse(&metadata).unwrap_err(), code, "{metadata}");
        }
    }
}
