//! Resources: addressable content items.

use crate::change::{Change, set};
use crate::data_source::{self, DataSourceType};
use crate::endpoint_url::URL_MAX;
use crate::fault::{Fault, FaultKind, Faults};
use crate::ids::{ResourceId, ServerId};
use crate::json::JsonObject;
use crate::secrets::Secrets;
use crate::time::Timestamp;
use crate::uri_template::UriTemplate;

/// Maximum number of resources of one server.
pub const RESOURCES_MAX: i64 = 1000;

/// The fields of a resource that its owner sets.
#[derive(Clone, Debug)]
pub struct ResourceSpec {
    /// Unique URI.
    pub uri: String,
    /// Display name.
    pub name: String,
    /// Description of the content.
    pub description: String,
    /// MIME type of the content.
    pub mime_type: String,
    /// Source of the content.
    pub data_source_type: DataSourceType,
    /// Configuration of the source, without secrets.
    pub data_source_config: JsonObject,
    /// RFC 6570 template for parameterised resources.
    pub template_uri: Option<String>,
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

/// Fields of an update request.
#[derive(Clone, Debug, Default)]
#[expect(missing_docs, reason = "the fields are those of ResourceSpec")]
pub struct ResourcePatch {
    pub uri: Option<String>,
    pub name: Option<String>,
    pub description: Option<String>,
    pub mime_type: Option<String>,
    pub data_source_type: Option<DataSourceType>,
    pub data_source_config: Option<JsonObject>,
    pub template_uri: Change<String>,
}

impl ResourceSpec {
    /// A static resource without content.
    pub fn new(uri: String, name: String) -> Self {
        Self {
            uri,
            name,
            description: String::new(),
            mime_type: "text/plain".to_owned(),
            data_source_type: DataSourceType::Static,
            data_source_config: JsonObject::empty(),
            template_uri: None,
        }
    }

    /// Applies a patch. Source and configuration are validated together, because the valid configuration depends on the
    /// source.
    pub fn apply(&mut self, patch: ResourcePatch, secrets: &mut Secrets) -> Result<(), Faults> {
        set(&mut self.data_source_type, patch.data_source_type);
        if patch.data_source_type.is_some() || patch.data_source_config.is_some() {
            let config = patch.data_source_config.as_ref().unwrap_or(&self.data_source_config);
            self.data_source_config = data_source::configure(self.data_source_type, config, secrets)?;
        }
        set(&mut self.uri, patch.uri);
        set(&mut self.name, patch.name);
        set(&mut self.description, patch.description);
        set(&mut self.mime_type, patch.mime_type);
        patch.template_uri.apply_to(&mut self.template_uri);
        Ok(())
    }
}

/// Validates a URI with a scheme.
pub fn uri(field: &str, text: &str) -> Result<String, Fault> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Fault::empty(field));
    }
    if text.chars().count() > URL_MAX {
        return Err(Fault::too_long(field, URL_MAX, "characters"));
    }
    let has_scheme = text.split_once(':').is_some_and(|(scheme, _)| is_scheme(scheme));
    if !has_scheme || text.chars().any(char::is_control) {
        return Err(Fault::new(
            field,
            FaultKind::InvalidPattern,
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
    if text.chars().count() > crate::text::NAME_MAX {
        return Err(Fault::too_long(field, crate::text::NAME_MAX, "characters"));
    }
    let essence = text.split(';').next().unwrap_or_default().trim();
    let is_mime = essence
        .split_once('/')
        .is_some_and(|(kind, sub)| crate::headers::is_token(kind) && crate::headers::is_token(sub));
    if !is_mime || text.chars().any(|c| c.is_control() || !c.is_ascii()) {
        return Err(Fault::new(
            field,
            FaultKind::InvalidPattern,
            format!("{field} must look like type/subtype, for example text/markdown."),
        ));
    }
    Ok(text.to_owned())
}

/// Validates a URI template.
pub fn template_uri(field: &str, text: &str) -> Result<String, Fault> {
    if text.chars().count() > URL_MAX {
        return Err(Fault::too_long(field, URL_MAX, "characters"));
    }
    if text.is_empty() {
        return Err(Fault::empty(field));
    }
    UriTemplate::parse(text).map_err(|error| {
        Fault::new(field, FaultKind::InvalidPattern, format!("{field} is not a valid RFC 6570 URI template: {error}."))
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
