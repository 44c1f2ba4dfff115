//! The form of a request to `/token` or `/revoke`.

use axum::extract::Request;
use http::HeaderMap;

use crate::form::FormFields;
use crate::oauth_error::OAuthError;
use crate::post_endpoint;

const FORM: &str = "application/x-www-form-urlencoded";

/// The parameters of a form, each of which was sent once.
pub(crate) struct TokenForm(FormFields);

impl TokenForm {
    /// Reads the form of a request, and returns it with the headers.
    pub(crate) async fn read(request: Request) -> Result<(HeaderMap, Self), OAuthError> {
        let (parts, body) = request.into_parts();
        if !post_endpoint::has_media_type(&parts.headers, FORM) {
            let description = format!("Send the parameters as a form, with Content-Type {FORM}.");
            return Err(OAuthError::bad_request("invalid_request", description));
        }
        let body = post_endpoint::read_body(&parts.headers, body, "invalid_request").await?;
        Ok((parts.headers, Self::parse(&body)?))
    }

    fn parse(body: &[u8]) -> Result<Self, OAuthError> {
        let fields = FormFields::parse(body);
        if let Some(name) = fields.repeated_name() {
            let description = format!("The parameter {name} was sent more than once; send it once.");
            return Err(OAuthError::bad_request("invalid_request", description));
        }
        Ok(Self(fields))
    }

    /// The value of a parameter; an empty one is treated as absent.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.get_filled(name)
    }

    /// The value of a required parameter.
    pub(crate) fn require(&self, name: &str) -> Result<&str, OAuthError> {
        let error = || OAuthError::bad_request("invalid_request", format!("The parameter {name} is missing."));
        self.get(name).ok_or_else(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_decoded_and_empty_ones_are_absent() {
        let form = TokenForm::parse(b"a=1+2%2B&b=&c").unwrap();
        assert_eq!(form.get("a"), Some("1 2+"));
        assert_eq!((form.get("b"), form.get("c"), form.get("d")), (None, None, None));
        assert_eq!(form.require("b").unwrap_err().error, "invalid_request");
    }

    #[test]
    fn a_repeated_parameter_is_refused() {
        for body in ["a=1&a=1", "a=&a=1", "a=1&b=2&%61=3"] {
            assert!(TokenForm::parse(body.as_bytes()).is_err(), "{body}");
        }
    }
}
