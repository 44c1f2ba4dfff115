//! The resources of a server, by address and by template.

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
use toolgate_storage::SealedAway;

use super::lists::{Lists, text_member};

/// What a template's variables stand for in an address.
pub(crate) type Variables = Vec<(String, String)>;

/// A resource as it can be read.
#[derive(Debug)]
pub(crate) struct PublishedResource {
    pub(crate) mime_type: String,
    pub(crate) source: Source,
    template: Option<UriTemplate>,
    /// Another one says that the content may have changed.
    pub(crate) fingerprint: u64,
}

impl PublishedResource {
    /// Whether its template has a variable of this name.
    pub(crate) fn declares(&self, name: &str) -> bool {
        self.template.as_ref().is_some_and(|template| template.variables().any(|variable| variable == name))
    }
}

/// Where the content comes from.
#[derive(Debug)]
pub(crate) enum Source {
    /// It is here; with a template, `{{name}}` stands for a variable.
    Static { content: String },
    /// From an upstream.
    Fetch(Box<CompiledFetch>),
    /// From a tool of the same server.
    Tool { name: String, arguments: Members },
    /// It cannot be read; the log says why.
    Broken,
}

/// The resources of a server.
#[derive(Debug)]
pub(crate) struct Resources {
    all: Vec<PublishedResource>,
    by_uri: HashMap<String, usize>,
    /// Those with a template, the most specific first.
    templates: Vec<usize>,
    pub(crate) lists: Lists,
    pub(crate) template_lists: Lists,
}

impl Resources {
    pub(super) fn compile(stored: &[(Resource, Result<Secrets, SealedAway>)]) -> Self {
        let all: Vec<PublishedResource> = stored.iter().map(|(resource, secrets)| publish(resource, secrets)).collect();
        let by_uri = stored.iter().enumerate().map(|(at, (resource, _))| (resource.spec.uri.clone(), at)).collect();
        let literal_len = |at: &usize| all.get(*at).and_then(|one| one.template.as_ref()).map(UriTemplate::literal_len);
        let mut templates: Vec<usize> = (0..all.len()).filter(|at| literal_len(at).is_some()).collect();
        templates.sort_by_key(|at| std::cmp::Reverse(literal_len(at)));
        let with_template: Vec<&Resource> = stored
            .iter()
            .map(|(resource, _)| resource)
            .filter(|resource| resource.spec.template_uri.is_some())
            .collect();
        let lists = Lists::new("resources", stored, |(resource, _), _, out| {
            write("uri", &resource.spec.uri, resource, out);
        });
        let template_lists = Lists::new("resourceTemplates", &with_template, |resource, _, out| {
            write("uriTemplate", resource.spec.template_uri.as_deref().unwrap_or_default(), resource, out);
        });
        Self { all, by_uri, templates, lists, template_lists }
    }

    /// The resource of an address: by its own, then by the most specific template that matches.
    pub(crate) fn find(&self, uri: &str) -> Option<(&PublishedResource, Variables)> {
        if let Some(at) = self.by_uri.get(uri) {
            return Some((self.all.get(*at)?, Variables::new()));
        }
        self.templates.iter().find_map(|at| {
            let resource = self.all.get(*at)?;
            Some((resource, resource.template.as_ref()?.matches(uri)?))
        })
    }

    /// What changes when the content at an address may have changed.
    pub(crate) fn fingerprint(&self, uri: &str) -> Option<u64> {
        self.find(uri).map(|(resource, _)| resource.fingerprint)
    }
}

fn publish(resource: &Resource, secrets: &Result<Secrets, SealedAway>) -> PublishedResource {
    let spec = &resource.spec;
    let source = source(spec.data_source_type, resource, secrets).unwrap_or_else(|reason| {
        tracing::error!(resource_id = %resource.id, %reason, "a stored resource cannot be read");
        Source::Broken
    });
    PublishedResource {
        mime_type: spec.mime_type.clone(),
        source,
        template: spec.template_uri.as_deref().and_then(|text| UriTemplate::parse(text).ok()),
        fingerprint: fingerprint(resource),
    }
}

fn source(kind: DataSourceType, resource: &Resource, secrets: &Result<Secrets, SealedAway>) -> Result<Source, String> {
    let config = resource.spec.data_source_config.members();
    let text = |key: &str| config.get(key).and_then(|value| json::as_string(value)).unwrap_or_default();
    let secrets = secrets.as_ref().map_err(|_| CredentialUnavailable);
    Ok(match kind {
        DataSourceType::Static => Source::Static { content: text("content") },
        DataSourceType::Url => Source::Fetch(Box::new(CompiledFetch::url(resource, secrets)?)),
        DataSourceType::WpQuery => Source::Fetch(Box::new(CompiledFetch::wp_query(resource, secrets)?)),
        DataSourceType::Dynamic => {
            let arguments = config.get("arguments").and_then(|value| JsonObject::from_raw(value));
            Source::Tool { name: text("tool"), arguments: arguments.map(|object| object.members()).unwrap_or_default() }
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

fn write(key: &str, address: &str, resource: &Resource, out: &mut Vec<u8>) {
    out.extend_from_slice(format!("{{\"{key}\":").as_bytes());
    write_json_string(address, out);
    text_member("name", &resource.spec.name, out);
    if !resource.spec.description.is_empty() {
        text_member("description", &resource.spec.description, out);
    }
    text_member("mimeType", &resource.spec.mime_type, out);
    out.push(b'}');
}
