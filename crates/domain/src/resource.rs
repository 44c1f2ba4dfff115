//! Resources: addressable content items.

use crate::data_source::{self, DataSourceType};
use crate::endpoint_url::URL_MAX;
use crate::fault::{Fault, Faults};
use crate::ids::{ResourceId, ServerId};
use crate::json::JsonObject;
use crate::owner_fields::owner_fields;
use crate::secrets::Secrets;
use crate::text::{NAME_MAX, check_length, check_not_empty};
use crate::time::Timestamp;
use crate::uri_template::UriTemplate;

/// Maximum number of resources of one server.
pub const RESOURCES_MAX: i64 = 1000;

owner_fields! {
    /// The fields of a resource that its owner sets.
    pub struct ResourceSpec;
    /// Fields of a create or update request.
    pub struct ResourcePatch;
    required {
        /// Unique URI.
        uri: String,
        /// Display name.
        name: String,
    }
    optional {
        /// Description of the content.
        description: String = String::new(),
        /// MIME type of the content.
        mime_type: String = "text/plain".to_owned(),
        /// Source of the content.
        data_source_type: DataSourceType = DataSourceType::Static,
    }
    nullable {
        /// RFC 6570 template for parameterised resources.
        template_uri: String,
    }
    resolved {
        /// Configuration of the source, without secrets.
        data_source_config: JsonObject = JsonObject::empty(), from Option<JsonObject>;
    }
}

/// A stored resource.
#[derive(Clone, Debug)]
pub struct Resource {
    /// Id.
    pub id: ResourceId,
    /// The server it belongs to.
    pub server_id: ServerId,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// The fields set by its owner.
    pub spec: ResourceSpec,
}

impl ResourceSpec {
    /// Applies a patch. Source and configuration are validated together, because the valid configuration depends on the
    /// source.
    pub fn apply(&mut self, patch: ResourcePatch, secrets: &mut Secrets) -> Result<(), Faults> {
        if patch.data_source_type.is_some() || patch.data_source_config.is_some() {
            let source = patch.data_source_type.unwrap_or(self.data_source_type);
            let config = patch.data_source_config.as_ref().unwrap_or(&self.data_source_config);
            self.data_source_config = data_source::configure(source, config, secrets)?;
        }
        self.apply_fields(patch);
        Ok(())
    }
}

/// Validates a URI with a scheme.
pub fn uri(field: &str, text: &str) -> Result<String, Fault> {
    let text = text.trim();
    check_not_empty(field, text, URL_MAX)?;
    let has_scheme = text.split_once(':').is_some_and(|(scheme, _)| is_scheme(scheme));
    if !has_scheme || text.chars().any(char::is_control) {
        return Err(Fault::invalid_pattern(
            field,
            format!("{field} must be a URI with a scheme, like docs://guide or https://example.com/x."),
        ));
    }
    Ok(text.to_owned())
}

fn is_scheme(text: &str) -> bool {
    text.bytes().next().is_some_and(|b| b.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'.' | b'-'))
}

/// Validates a media type: `type/subtype`, with optional parameters.
pub fn mime_type(field: &str, text: &str) -> Result<String, Fault> {
    let text = text.trim();
    check_length(field, text, NAME_MAX)?;
    let essence = text.split(';').next().unwrap_or_default().trim();
    let is_mime = essence
        .split_once('/')
        .is_some_and(|(kind, sub)| crate::headers::is_token(kind) && crate::headers::is_token(sub));
    if !is_mime || text.chars().any(|c| c.is_control() || !c.is_ascii()) {
        return Err(Fault::invalid_pattern(
            field,
            format!("{field} must look like type/subtype, for example text/markdown."),
        ));
    }
    Ok(text.to_owned())
}

/// Validates a URI template.
pub fn template_uri(field: &str, text: &str) -> Result<String, Fault> {
    check_not_empty(field, text, URL_MAX)?;
    UriTemplate::parse(text).map_err(|error| {
        Fault::invalid_pattern(field, format!("{field} is not a valid RFC 6570 URI template: {error}."))
    })?;
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_uris_and_mime_types_are_refused() {
        for good in ["docs://guide", "https://example.com/x", "urn:isbn:1", "a+b.c-d:x"] {
            assert!(uri("uri", good).is_ok(), "{good}");
        }
        for bad in ["", "guide", "1a:x", ":x", "a b:x", "a:\nb"] {
            assert!(uri("uri", bad).is_err(), "{bad:?}");
        }
        assert!(mime_type("m", "text/markdown; charset=utf-8").is_ok());
        for bad in ["text", "text/", "/x", "te xt/a", ""] {
            assert!(mime_type("m", bad).is_err(), "{bad:?}");
        }
    }
}
