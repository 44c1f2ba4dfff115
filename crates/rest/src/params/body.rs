//! The values of a request before validation. Values of a JSON or form body override those of the query.

use axum::body::Body;
use bytes::Bytes;
use http::HeaderMap;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use indexmap::IndexMap;
use toolgate_domain::json::{self, Members};

use super::input::Input;
use super::pairs::read_pairs;
use crate::error::RestError;

/// Largest request body, in bytes.
pub(crate) const BODY_MAX: usize = 2 * 1024 * 1024;

/// The values of a request, by name.
#[derive(Clone, Default)]
pub(crate) struct Inputs(IndexMap<String, Input>);

impl Inputs {
    /// The values of the query.
    pub(crate) fn from_query(query: &str) -> Self {
        Self(read_pairs(query.as_bytes()))
    }

    /// The members of a JSON object.
    pub(super) fn from_members(members: Members) -> Self {
        Self(members.into_iter().map(|(name, value)| (name, Input::Json(value))).collect())
    }

    /// Adds the values of the body, which override those of the query.
    pub(crate) fn add_body(&mut self, headers: &HeaderMap, body: &[u8]) -> Result<(), RestError> {
        let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let media_type = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let body = body.trim_ascii();
        if body.is_empty() {
            return Ok(());
        }
        // `curl -d '{…}'` sends the content type of a form, so a body that starts like an object is parsed as JSON.
        if media_type == "application/json" || media_type.ends_with("+json") || body.starts_with(b"{") {
            let document = json::check(body).map_err(|fault| RestError::invalid_json(&fault))?;
            // JSON other than an object has no parameters.
            let members: Members = serde_json::from_str(document.get()).unwrap_or_default();
            self.0.extend(members.into_iter().map(|(name, value)| (name, Input::Json(value))));
        } else if media_type == "application/x-www-form-urlencoded" {
            self.0.extend(read_pairs(body));
        }
        Ok(())
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Input)> {
        self.0.iter().map(|(name, input)| (name.as_str(), input))
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Input> {
        self.0.get(name)
    }

    /// A value of the query or of a form.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        match self.0.get(name)? {
            Input::Text(text) => Some(text),
            Input::Json(_) => None,
        }
    }

    pub(crate) fn contains(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }
}

/// Reads the complete body, up to the limit.
pub(crate) async fn read_body(headers: &HeaderMap, body: &mut Body) -> Result<Bytes, RestError> {
    let content_length = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    if content_length.is_some_and(|length| length > BODY_MAX) {
        return Err(RestError::too_large(BODY_MAX));
    }
    match Limited::new(body, BODY_MAX).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(RestError::too_large(BODY_MAX)),
        Err(error) => {
            tracing::debug!(%error, "failed to read the request body");
            Err(RestError::incomplete_body())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(content_type: &str, body: &str) -> Result<Inputs, RestError> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, content_type.parse().unwrap());
        let mut inputs = Inputs::from_query("a=query&b=query");
        inputs.add_body(&headers, body.as_bytes()).map(|()| inputs)
    }

    #[test]
    fn json_and_form_values_override_query_values() {
        let json = inputs("application/json", r#"{"a":1}"#).unwrap();
        assert!(matches!(json.get("a"), Some(Input::Json(_))));
        assert_eq!(json.text("b"), Some("query"));
        let form = inputs("application/x-www-form-urlencoded", "a=form").unwrap();
        assert_eq!(form.text("a"), Some("form"));
        let lenient = inputs("application/x-www-form-urlencoded", r#" {"a":1}"#).unwrap();
        assert!(matches!(lenient.get("a"), Some(Input::Json(_))));
    }

    #[test]
    fn json_other_than_an_object_has_no_parameters_and_invalid_json_is_refused() {
        assert_eq!(inputs("application/json", "[1]").unwrap().text("a"), Some("query"));
        assert!(inputs("application/json", "{").is_err());
        assert!(inputs("text/plain", r#"{"a":1,"a":2}"#).is_err());
    }
}
