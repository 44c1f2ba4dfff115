//! The resources of a server, by URI and by URI template.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use toolgate_domain::data_source::DataSourceType;
use toolgate_domain::json::{self, JsonObject, Members};
use toolgate_domain::resource::Resource;
use toolgate_domain::secrets::Secrets;
use toolgate_domain::uri_template::UriTemplate;
use toolgate_execution::content::write_json_string;
use toolgate_execution::fetch::CompiledFetch;
use toolgate_execution::tool::CredentialUnavailable;
use toolgate_storage::UnreadableSecrets;

use super::lists::{ListsByEra, write_text_member};

/// The values of template variables in a URI.
pub(crate) type ResourceVariables = Vec<(String, String)>;

/// A resource, ready to be read.
#[derive(Debug)]
pub(crate) struct PublishedResource {
    pub(crate) mime_type: String,
    pub(crate) source: ResourceSource,
    template: Option<UriTemplate>,
    /// Changes if the content may have changed.
    pub(crate) fingerprint: u64,
}

impl PublishedResource {
    /// Whether its template has a variable with this name.
    pub(crate) fn declares_variable(&self, name: &str) -> bool {
        self.template.as_ref().is_some_and(|template| template.variables().any(|variable| variable == name))
    }
}

/// The source of the content.
#[derive(Debug)]
pub(crate) enum ResourceSource {
    /// Stored content; with a template, `{{name}}` is replaced by a variable.
    Static { content: String },
    /// A request to an upstream.
    Fetch(Box<CompiledFetch>),
    /// A tool of the same server.
    Tool { name: String, arguments: Members },
    /// An invalid configuration; the reason is logged.
    Broken,
}

/// The resources of a server.
#[derive(Debug)]
pub(crate) struct PublishedResources {
    resources: Vec<PublishedResource>,
    by_uri: HashMap<String, usize>,
    /// Resources with a template, the most specific first.
    templates: Vec<usize>,
    /// The results of `resources/list`.
    pub(crate) lists: ListsByEra,
    /// The results of `resources/templates/list`.
    pub(crate) template_lists: ListsByEra,
}

impl PublishedResources {
    pub(super) fn compile(stored: &[(Resource, Result<Secrets, UnreadableSecrets>)]) -> Self {
        let resources: Vec<PublishedResource> =
            stored.iter().map(|(resource, secrets)| compile_resource(resource, secrets)).collect();
        let by_uri =
            stored.iter().enumerate().map(|(index, (resource, _))| (resource.spec.uri.clone(), index)).collect();
        let template = |index: &usize| resources.get(*index).and_then(|resource| resource.template.as_ref());
        let literal_len = |index: &usize| template(index).map(UriTemplate::literal_len);
        let mut templates: Vec<usize> = (0..resources.len()).filter(|index| literal_len(index).is_some()).collect();
        templates.sort_by_key(|index| std::cmp::Reverse(literal_len(index)));
        let template_resources: Vec<&Resource> = stored
            .iter()
            .map(|(resource, _)| resource)
            .filter(|resource| resource.spec.template_uri.is_some())
            .collect();
        let lists = ListsByEra::new("resources", stored, |(resource, _), _, out| {
            write_resource("uri", &resource.spec.uri, resource, out);
        });
        let template_lists = ListsByEra::new("resourceTemplates", &template_resources, |resource, _, out| {
            write_resource("uriTemplate", resource.spec.template_uri.as_deref().unwrap_or_default(), resource, out);
        });
        Self { resources, by_uri, templates, lists, template_lists }
    }

    /// Finds a resource by its URI, else by the most specific template that matches.
    pub(crate) fn find(&self, uri: &str) -> Option<(&PublishedResource, ResourceVariables)> {
        if let Some(index) = self.by_uri.get(uri) {
            return Some((self.resources.get(*index)?, ResourceVariables::new()));
        }
        self.templates.iter().find_map(|index| {
            let resource = self.resources.get(*index)?;
            Some((resource, resource.template.as_ref()?.matches(uri)?))
        })
    }

    /// The fingerprint of the resource at a URI.
    pub(crate) fn fingerprint(&self, uri: &str) -> Option<u64> {
        self.find(uri).map(|(resource, _)| resource.fingerprint)
    }
}

fn compile_resource(resource: &Resource, secrets: &Result<Secrets, UnreadableSecrets>) -> PublishedResource {
    let spec = &resource.spec;
    let source = compile_source(spec.data_source_type, resource, secrets).unwrap_or_else(|reason| {
        tracing::error!(resource_id = %resource.id, %reason, "cannot compile a stored resource");
        ResourceSource::Broken
    });
    PublishedResource {
        mime_type: spec.mime_type.clone(),
        source,
        template: spec.template_uri.as_deref().and_then(|text| UriTemplate::parse(text).ok()),
        fingerprint: fingerprint(resource),
    }
}

fn compile_source(
    kind: DataSourceType,
    resource: &Resource,
    secrets: &Result<Secrets, UnreadableSecrets>,
) -> Result<ResourceSource, String> {
    let config = resource.spec.data_source_config.members();
    let text = |key: &str| config.get(key).and_then(|value| json::as_string(value)).unwrap_or_default();
    let secrets = secrets.as_ref().map_err(|_| CredentialUnavailable);
    Ok(match kind {
        DataSourceType::Static => ResourceSource::Static { content: text("content") },
        DataSourceType::Url => ResourceSource::Fetch(Box::new(CompiledFetch::url(resource, secrets)?)),
        DataSourceType::WpQuery => ResourceSource::Fetch(Box::new(CompiledFetch::wp_query(resource, secrets)?)),
        DataSourceType::Dynamic => {
            let arguments = config.get("arguments").and_then(|value| JsonObject::from_raw(value));
            ResourceSource::Tool {
                name: text("tool"),
                arguments: arguments.map(|object| object.members()).unwrap_or_default(),
            }
        }
    })
}

fn fingerprint(resource: &Resource) -> u64 {
    let mut hasher = DefaultHasher::new();
    resource.id.hash(&mut hasher);
    resource.updated_at.hash(&mut hasher);
    resource.spec.mime_type.hash(&mut hasher);
    resource.spec.data_source_config.as_str().hash(&mut hasher);
    hasher.finish()
}

fn write_resource(key: &str, uri: &str, resource: &Resource, out: &mut Vec<u8>) {
    out.extend_from_slice(format!("{{\"{key}\":").as_bytes());
    write_json_string(uri, out);
    write_text_member("name", &resource.spec.name, out);
    if !resource.spec.description.is_empty() {
        write_text_member("description", &resource.spec.description, out);
    }
    write_text_member("mimeType", &resource.spec.mime_type, out);
    out.push(b'}');
}
