//! Request headers: the constant ones, and those that arguments set.

use std::borrow::Cow;

use http::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE, HeaderMap, HeaderName, HeaderValue, SET_COOKIE};
use secrecy::ExposeSecret;
use toolgate_domain::headers::{MASK, PlainHeaders, is_secret};
use toolgate_domain::parameters::Serialization;
use toolgate_domain::secrets::Secrets;
use toolgate_domain::upstream_auth::AuthType;

use super::auth::{Auth, CredentialUse};
use super::secret_header::{CredentialUnavailable, sensitive_value};
use super::style;
use super::values;
use crate::arguments::violation::Violation;
use crate::egress::message::is_transport_header;

/// An argument that goes into a header.
pub(super) struct HeaderArgument<'a> {
    pub(super) argument: &'a str,
    pub(super) name: &'a HeaderName,
    pub(super) value: &'a str,
    pub(super) serialization: Option<Serialization>,
}

impl HeaderArgument<'_> {
    /// The value as text; `None` if there is nothing to send. Headers are not percent-encoded.
    fn text(&self) -> Option<Cow<'_, str>> {
        match self.serialization {
            None => Some(values::joined_text(self.value).unwrap_or(self.value.into())),
            Some(serialization) => {
                let encode = |out: &mut String, text: &str| out.push_str(text);
                style::text(serialization, self.name.as_str(), self.value, encode).map(Cow::Owned)
            }
        }
    }
}

/// A header name, if an argument may set it: not one for framing or authentication.
pub(super) fn settable_name(name: &str) -> Option<HeaderName> {
    let name = HeaderName::try_from(name).ok()?;
    (!is_transport_header(&name) && ![AUTHORIZATION, COOKIE, SET_COOKIE].contains(&name)).then_some(name)
}

/// The constant headers and the authentication of a tool or resource, both of which may hold secrets. `secrets` is an
/// error if the stored secrets cannot be decrypted.
pub(crate) fn compile(
    plain: &PlainHeaders,
    auth_type: AuthType,
    secrets: Result<&Secrets, CredentialUnavailable>,
) -> (HeaderMap, Auth) {
    let compile = |secrets: &Secrets| {
        let headers = constant_headers(plain, secrets)?;
        let auth = Auth::compile(auth_type, secrets.credentials.as_ref(), &headers);
        Ok((headers, auth))
    };
    secrets.and_then(compile).unwrap_or((HeaderMap::new(), Auth::Unavailable))
}

/// The headers of every call. Secret ones are marked sensitive. A secret header whose value is not stored is an error:
/// it must be neither omitted nor sent as the mask.
fn constant_headers(plain: &PlainHeaders, secrets: &Secrets) -> Result<HeaderMap, CredentialUnavailable> {
    // Room for a credential and a Content-Type.
    let mut headers = HeaderMap::with_capacity(plain.len() + 2);
    for (name, value) in plain {
        let Some(header) = HeaderName::try_from(name.as_str()).ok().filter(|header| !is_transport_header(header))
        else {
            continue;
        };
        if value == MASK && is_secret(name) {
            let stored = secrets.headers.iter().find(|(stored, _)| stored.eq_ignore_ascii_case(name));
            let (_, secret) = stored.ok_or(CredentialUnavailable)?;
            headers.insert(header, sensitive_value(secret.expose_secret())?);
        } else if let Ok(value) = HeaderValue::from_bytes(value.as_bytes()) {
            headers.insert(header, value);
        }
    }
    Ok(headers)
}

/// The constant headers for one request. If the credential is masked, so is every secret in them.
pub(crate) fn for_request(constant: &HeaderMap, credential: CredentialUse<'_>) -> HeaderMap {
    let mut headers = constant.clone();
    if matches!(credential, CredentialUse::Masked) {
        for value in headers.values_mut().filter(|value| value.is_sensitive()) {
            *value = HeaderValue::from_static(MASK);
        }
    }
    headers
}

/// Sets the headers from arguments; they replace constant ones.
pub(super) fn set_arguments(headers: &mut HeaderMap, arguments: &[HeaderArgument<'_>]) -> Result<(), Violation> {
    for argument in arguments {
        let Some(text) = argument.text() else { continue };
        let value = Some(text)
            .filter(|text| !text.chars().any(char::is_control))
            .and_then(|text| HeaderValue::from_bytes(text.as_bytes()).ok())
            .ok_or_else(|| {
                Violation::new(
                    argument.argument,
                    "must not contain line breaks or other control characters: it is sent as a header",
                )
            })?;
        headers.insert(argument.name.clone(), value);
    }
    Ok(())
}

/// Sets the `Content-Type` of a body. An existing value from the tool or an argument stays, unless it is a multipart
/// type, which would lack the boundary, or the call gives the type of its file (`is_given`).
pub(super) fn set_content_type(headers: &mut HeaderMap, content_type: HeaderValue, is_given: bool) {
    let is_multipart =
        |value: &HeaderValue| value.as_bytes().get(..10).is_some_and(|start| start.eq_ignore_ascii_case(b"multipart/"));
    let keeps_existing =
        headers.get(CONTENT_TYPE).is_some_and(|existing| !(is_multipart(existing) && is_multipart(&content_type)));
    if is_given || !keeps_existing {
        headers.insert(CONTENT_TYPE, content_type);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(pairs: &[(&str, &str)]) -> PlainHeaders {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    fn set_argument(value: &str) -> Result<HeaderMap, Violation> {
        let name = HeaderName::from_static("x-a");
        let mut headers = HeaderMap::new();
        headers.insert("x-a", HeaderValue::from_static("constant"));
        set_arguments(&mut headers, &[HeaderArgument { argument: "a", name: &name, value, serialization: None }])
            .map(|()| headers)
    }

    #[test]
    fn framing_headers_are_left_to_the_transport() {
        let names = [
            "Host",
            "Content-Length",
            "CONNECTION",
            "transfer-encoding",
            "Accept-Encoding",
            "TE",
            "Upgrade",
            ":authority",
            "Proxy-Authorization",
            "Proxy-Connection",
            "Keep-Alive",
            "Trailer",
            "Expect",
            "HTTP2-Settings",
        ];
        for name in names {
            let headers = constant_headers(&plain(&[(name, MASK), ("Accept", "a/b")]), &Secrets::default()).unwrap();
            assert_eq!(headers.len(), 1, "{name}");
            assert_eq!(settable_name(name), None, "{name}");
        }
        for name in ["Authorization", "cookie", "Set-Cookie", "a b", ""] {
            assert_eq!(settable_name(name), None, "{name}");
        }
        assert!(settable_name("X-Any").is_some());
    }

    #[test]
    fn secret_headers_are_filled_in_and_marked_sensitive() {
        let mut secrets = Secrets::default();
        secrets.headers.insert("x-api-key".into(), "s3cret".into());
        let headers = constant_headers(&plain(&[("X-Api-Key", MASK), ("X-Stars", MASK)]), &secrets).unwrap();
        assert_eq!(headers["x-api-key"], "s3cret");
        assert!(headers["x-api-key"].is_sensitive());
        assert!(!format!("{headers:?}").contains("s3cret"));
        assert_eq!(headers["x-stars"], MASK, "a header that is not secret may have the mask as its value");
        assert_eq!(for_request(&headers, CredentialUse::Masked)["x-api-key"], MASK);
        assert_eq!(constant_headers(&plain(&[("Cookie", MASK)]), &secrets), Err(CredentialUnavailable));
    }

    #[test]
    fn arguments_become_header_values() {
        for (json, text) in [
            ("\"a b\"", "a b"),
            ("\"\"", ""),
            ("\"é\"", "é"),
            ("123456789012345678901234", "123456789012345678901234"),
            ("true", "true"),
            (r#"["a",1]"#, "a,1"),
            (r#"{"path":"/x"}"#, r#"{"path":"/x"}"#),
        ] {
            let headers = set_argument(json).unwrap();
            assert_eq!(headers["x-a"].as_bytes(), text.as_bytes(), "{json}");
            assert_eq!(headers.len(), 1, "the argument replaces the constant header");
        }
    }

    #[test]
    fn arguments_cannot_break_out_of_their_header() {
        for json in
            [r#""a\r\nX-B: 1""#, r#""\n""#, r#""\u0000""#, r#""\t""#, r#""\u007f""#, r#""\u0085""#, r#"["a","\r"]"#]
        {
            let violation = set_argument(json).unwrap_err();
            assert_eq!(violation.argument, "a", "{json}");
        }
    }

    #[test]
    fn an_existing_content_type_wins_except_for_multipart() {
        for (existing, body_type, expected) in [
            (None, "application/json", "application/json"),
            (Some("application/vnd.api+json"), "application/json", "application/vnd.api+json"),
            (Some("multipart/form-data"), "multipart/form-data; boundary=b", "multipart/form-data; boundary=b"),
            (Some("text/xml"), "multipart/form-data; boundary=b", "text/xml"),
            (Some("multipart/mixed"), "application/json", "multipart/mixed"),
        ] {
            let mut headers = HeaderMap::new();
            headers.extend(existing.map(|value| (CONTENT_TYPE, HeaderValue::from_static(value))));
            set_content_type(&mut headers, HeaderValue::from_static(body_type), false);
            assert_eq!(headers[CONTENT_TYPE], expected);
            set_content_type(&mut headers, HeaderValue::from_static("image/png"), true);
            assert_eq!(headers[CONTENT_TYPE], "image/png");
        }
    }
}
