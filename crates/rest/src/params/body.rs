//! The values of a request before validation. Values of a JSON or form body override those of the query.

use axum::body::Body;
use bytes::Bytes;
use http::HeaderMap;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use indexmap::IndexMap;
use toolgate_domain::json::{self, Members};

use super::body_format::BodyFormat;
use super::document_body;
use super::input::Input;
use super::multipart;
use super::pairs::read_pairs;
use crate::error::RestError;

/// The values of a request, by name.
#[derive(Clone, Default)]
pub(crate) struct Inputs {
    values: IndexMap<String, Input>,
    /// The document that the request contains.
    pub(crate) upload: Option<Bytes>,
}

impl Inputs {
    /// The values of the query.
    pub(crate) fn from_query(query: &str) -> Self {
        Self { values: read_pairs(query.as_bytes()), upload: None }
    }

    /// The members of a JSON object.
    pub(super) fn from_members(members: Members) -> Self {
        let values = members.into_iter().map(|(name, value)| (name, Input::Json(value))).collect();
        Self { values, upload: None }
    }

    /// Adds the values of the body, which override those of the query.
    pub(crate) fn add_body(&mut self, format: BodyFormat, headers: &HeaderMap, body: &Bytes) -> Result<(), RestError> {
        let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let media_type = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let text = body.trim_ascii();
        if text.is_empty() {
            return Ok(());
        }
        // `curl -d '{…}'` sends the content type of a form, so a body that starts like an object is parsed as JSON.
        let is_json = media_type == "application/json" || media_type.ends_with("+json") || text.starts_with(b"{");
        match format {
            BodyFormat::Document if document_body::is_document_type(&media_type) => self.upload = Some(body.clone()),
            BodyFormat::Document if media_type == "multipart/form-data" => self.add_parts(content_type, body)?,
            BodyFormat::Document if is_json => self.add_document_arguments(text, body)?,
            BodyFormat::List(name) if is_json || text.starts_with(b"[") => self.add_list(name, text)?,
            BodyFormat::Arguments if is_json => self.add_json(text)?,
            _ if media_type == "application/x-www-form-urlencoded" => self.values.extend(read_pairs(text)),
            _ => {}
        }
        Ok(())
    }

    fn add_json(&mut self, body: &[u8]) -> Result<(), RestError> {
        let document = json::check(body).map_err(|fault| RestError::invalid_json(&fault))?;
        // JSON other than an object has no parameters.
        let members: Members = serde_json::from_str(document.get()).unwrap_or_default();
        self.values.extend(members.into_iter().map(|(name, value)| (name, Input::Json(value))));
        Ok(())
    }

    /// Adds the members of an object, or a list as the value `name`. The route checks the items of this list.
    fn add_list(&mut self, name: &str, body: &[u8]) -> Result<(), RestError> {
        if body.starts_with(b"[") {
            let list = serde_json::from_slice(body).map_err(|error| RestError::malformed_json(&error))?;
            self.values.insert(name.to_owned(), Input::Json(list));
            return Ok(());
        }
        self.add_members(body, |member| member != name)
    }

    /// Adds the arguments of an import. A body that is itself a document becomes the upload.
    fn add_document_arguments(&mut self, text: &[u8], body: &Bytes) -> Result<(), RestError> {
        let is_document =
            serde_json::from_slice(text).is_ok_and(|members: Members| document_body::is_document(&members));
        if is_document {
            self.upload = Some(body.clone());
            return Ok(());
        }
        // The document parser checks `content`, which may exceed the limits of `json::check`.
        self.add_members(text, |member| member != "content")
    }

    /// Adds the members of an object. Those that `is_checked` selects must pass `json::check`.
    fn add_members(&mut self, body: &[u8], is_checked: impl Fn(&str) -> bool) -> Result<(), RestError> {
        let members: Members = serde_json::from_slice(body).map_err(|error| RestError::malformed_json(&error))?;
        for (name, value) in members {
            if is_checked(&name) {
                json::check(value.get().as_bytes()).map_err(|fault| RestError::invalid_json(&fault))?;
            }
            self.values.insert(name, Input::Json(value));
        }
        Ok(())
    }

    fn add_parts(&mut self, content_type: &str, body: &Bytes) -> Result<(), RestError> {
        let parts = multipart::boundary(content_type).and_then(|boundary| multipart::parts(body, &boundary));
        let mut files = Vec::new();
        for part in parts.ok_or_else(RestError::invalid_multipart)? {
            if part.file_name.is_some() || part.name == "file" {
                files.push(part);
            } else {
                let text = String::from_utf8(part.content.to_vec()).map_err(|_| RestError::invalid_multipart())?;
                self.values.insert(part.name, form_value(text));
            }
        }
        self.upload = document_body::join_files(&files)?;
        Ok(())
    }

    /// Moves the document argument to `upload`, unless the body itself was a document.
    pub(crate) fn take_document(&mut self) {
        let document = document_body::take_document(&mut self.values);
        self.upload = self.upload.take().or(document);
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Input)> {
        self.values.iter().map(|(name, input)| (name.as_str(), input))
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Input> {
        self.values.get(name)
    }

    /// A value of the query or of a form.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        match self.values.get(name)? {
            Input::Text(text) => Some(text),
            Input::Json(_) => None,
        }
    }

    pub(crate) fn contains(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }
}

/// The value of a field of a form: JSON if it is an object or a list, as clients send them in a part.
fn form_value(text: String) -> Input {
    let is_json = text.trim_start().starts_with(['{', '[']) && json::check(text.as_bytes()).is_ok();
    if is_json { Input::Json(json::raw(text)) } else { Input::Text(text) }
}

/// Reads the complete body, up to the limit.
pub(crate) async fn read_body(headers: &HeaderMap, body: &mut Body, bytes_max: usize) -> Result<Bytes, RestError> {
    let content_length = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    if content_length.is_some_and(|length| length > bytes_max) {
        return Err(RestError::too_large(bytes_max));
    }
    match Limited::new(body, bytes_max).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(RestError::too_large(bytes_max)),
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
        inputs.add_body(BodyFormat::Arguments, &headers, &Bytes::from(body.to_owned())).map(|()| inputs)
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
