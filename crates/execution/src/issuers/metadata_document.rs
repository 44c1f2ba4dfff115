//! The metadata of an issuer (`openid-configuration`, RFC 8414).

use serde_json::{Map, Value};
use toolgate_domain::json;
use url::Url;

use super::error::IssuerError;
use super::issuer_url::UrlRule;

/// The longest part of a document that is repeated in an error.
const SHOWN_CHARS_MAX: usize = 200;

/// The metadata of an issuer. All addresses were checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IssuerMetadata {
    /// The issuer, exactly as configured.
    pub issuer: String,
    /// Where its keys are.
    pub jwks_uri: Url,
    /// Where a person signs in.
    pub authorization_endpoint: Option<Url>,
    /// Where codes are exchanged for tokens.
    pub token_endpoint: Option<Url>,
    /// Where the claims of a person are.
    pub userinfo_endpoint: Option<Url>,
    /// How clients may authenticate; empty if the document does not list any method.
    pub token_endpoint_auth_methods_supported: Vec<String>,
    /// Whether authorization responses name the issuer (RFC 9207).
    pub names_issuer_in_responses: bool,
}

impl IssuerMetadata {
    /// Parses a document, which must name `issuer` exactly.
    pub(super) fn parse(document: &[u8], issuer: &str, rule: UrlRule) -> Result<Self, IssuerError> {
        let text = json::check(document).map_err(|_| IssuerError::BadMetadata)?;
        let members: Map<String, Value> = serde_json::from_str(text.get()).map_err(|_| IssuerError::BadMetadata)?;
        let text = |name: &str| members.get(name).and_then(Value::as_str);
        let named = text("issuer").ok_or(IssuerError::BadMetadata)?;
        if named != issuer {
            return Err(IssuerError::OtherIssuer(shown(named)));
        }
        let url = |name: &'static str| text(name).map(|text| rule.parse(text, name)).transpose();
        Ok(Self {
            issuer: issuer.to_owned(),
            jwks_uri: url("jwks_uri")?.ok_or(IssuerError::BadMetadata)?,
            authorization_endpoint: url("authorization_endpoint")?,
            token_endpoint: url("token_endpoint")?,
            userinfo_endpoint: url("userinfo_endpoint")?,
            token_endpoint_auth_methods_supported: texts(members.get("token_endpoint_auth_methods_supported")),
            names_issuer_in_responses: members
                .get("authorization_response_iss_parameter_supported")
                .is_some_and(|value| value == true),
        })
    }
}

fn texts(value: Option<&Value>) -> Vec<String> {
    let items = value.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    items.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn shown(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(SHOWN_CHARS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn parse(document: &Value) -> Result<IssuerMetadata, IssuerError> {
        let rule = UrlRule { allows_loopback_http: false };
        IssuerMetadata::parse(document.to_string().as_bytes(), "https://a.example/", rule)
    }

    #[test]
    fn the_document_names_the_issuer_exactly() {
        let keys = "https://a.example/keys";
        assert!(parse(&json!({"issuer": "https://a.example/", "jwks_uri": keys})).is_ok());
        for other in ["https://a.example", "https://A.example/", "https://b.example/"] {
            let error = parse(&json!({"issuer": other, "jwks_uri": keys})).unwrap_err();
            assert_eq!(error, IssuerError::OtherIssuer(other.to_owned()));
        }
    }

    #[test]
    fn every_address_is_checked() {
        let good = || {
            json!({"issuer": "https://a.example/", "jwks_uri": "https://a.example/keys",
                "token_endpoint": "https://a.example/token", "token_endpoint_auth_methods_supported": ["none", 7],
                "authorization_response_iss_parameter_supported": true})
        };
        let metadata = parse(&good()).unwrap();
        assert_eq!(metadata.token_endpoint.unwrap().as_str(), "https://a.example/token");
        assert_eq!(metadata.token_endpoint_auth_methods_supported, ["none"]);
        assert!(metadata.names_issuer_in_responses && metadata.authorization_endpoint.is_none());
        for name in ["jwks_uri", "authorization_endpoint", "token_endpoint", "userinfo_endpoint"] {
            for bad in ["http://a.example/x", "file:///etc/passwd", "x"] {
                let mut document = good();
                document[name] = bad.into();
                assert_eq!(parse(&document), Err(IssuerError::BadAddress(name)), "{document}");
            }
        }
        for bad in [json!([]), json!({}), json!({"issuer": "https://a.example/"}), json!({"issuer": 7})] {
            assert_eq!(parse(&bad), Err(IssuerError::BadMetadata), "{bad}");
        }
    }
}
