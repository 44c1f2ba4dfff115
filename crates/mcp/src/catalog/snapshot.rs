//! The compiled snapshot of one server: compiled tools and serialised lists.

use std::sync::Arc;

use serde_json::json;
use toolgate_analytics::{AccessCounters, RefusalCounts};
use toolgate_domain::capture::CaptureRule;
use toolgate_domain::discovery::DiscoveryRule;
use toolgate_domain::json::{self, JsonObject, Members};
use toolgate_domain::server::Server;
use toolgate_domain::settings;

use super::endpoint_access::EndpointAccess;
use super::endpoint_keys::EndpointKeys;
use super::prompts::PublishedPrompts;
use super::resources::PublishedResources;
use super::tools::PublishedTools;

/// How long a client may cache a list; changes are announced anyway.
const LIST_TTL_MS: u64 = 5_000;
/// The size of a tool, prompt or resource without its long texts, in bytes: an estimate.
const OBJECT_BASE_SIZE: usize = 512;
/// The size of a prompt argument, in bytes: an estimate.
const PROMPT_ARGUMENT_SIZE: usize = 256;

/// The compiled state of a server.
#[derive(Debug)]
pub(crate) struct ServerSnapshot {
    pub(crate) server: Server,
    /// The credentials that a caller must present.
    pub(crate) access: EndpointAccess,
    pub(crate) keys: EndpointKeys,
    /// Refused requests, shared by all snapshots of the server.
    pub(crate) refusals: Arc<RefusalCounts>,
    pub(crate) allowed_origins: Vec<String>,
    /// Whether arguments that do not match the schema of a tool are read leniently.
    pub(crate) coerces_arguments: bool,
    /// Whether upstreams get the trace of a call.
    pub(crate) traces_upstream: bool,
    /// The rule for capturing its calls, if they are captured.
    pub(crate) capture: Option<CaptureRule>,
    pub(crate) tools: PublishedTools,
    pub(crate) prompts: PublishedPrompts,
    pub(crate) resources: PublishedResources,
    /// `{name, title, version}` as JSON.
    pub(crate) server_info_json: String,
    /// The `_meta` of results, as JSON. It names the server.
    pub(crate) server_meta_json: String,
    /// The owner's instructions for the model.
    pub(crate) instructions: Option<String>,
    /// The approximate size of its configuration, in KiB.
    pub(super) weight: u32,
}

/// How long a result may be cached, and whether only by the caller.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Freshness {
    pub(crate) ttl_ms: u64,
    pub(crate) is_private: bool,
}

impl ServerSnapshot {
    /// Compiles a stored server. A tool or resource that cannot be compiled fails when it is used.
    pub(super) fn compile(
        stored: toolgate_storage::PublishedServer,
        last: Option<&Self>,
        version: &str,
        counters: &AccessCounters,
    ) -> Self {
        let weight = weight(&stored);
        let server = stored.server;
        let stored_settings = server.spec.settings.as_ref().map(JsonObject::members).unwrap_or_default();
        let has_safe_names = stored_settings.get("safe_tool_names").is_none_or(|value| value.get() != "false");
        let allowed_origins =
            stored_settings.get("allowed_origins").and_then(|value| serde_json::from_str(value.get()).ok());
        let default_shaping = settings::default_shaping(server.spec.settings.as_ref());
        let server_info = json!({"name": server.slug.as_str(), "title": server.spec.name, "version": version});
        let server_info_json = server_info.to_string();
        let server_meta_json = format!(r#"{{"io.modelcontextprotocol/serverInfo":{server_info_json}}}"#);
        Self {
            access: EndpointAccess::from_spec(&server.spec),
            keys: EndpointKeys::new(&stored.endpoint_keys, counters),
            refusals: counters.server(server.id),
            allowed_origins: allowed_origins.unwrap_or_default(),
            coerces_arguments: settings::coerces_arguments(server.spec.settings.as_ref()),
            traces_upstream: settings::traces_upstream(server.spec.settings.as_ref()),
            capture: CaptureRule::from_settings(&stored_settings),
            tools: PublishedTools::compile(
                &stored.tools,
                stored.paused_tool_names,
                has_safe_names,
                default_shaping.as_ref(),
                DiscoveryRule::from_settings(&stored_settings),
                last.map(|last| &last.tools),
                counters,
            ),
            prompts: PublishedPrompts::compile(stored.prompts),
            resources: PublishedResources::compile(&stored.resources),
            server_info_json,
            server_meta_json,
            instructions: setting_text(&stored_settings, "instructions")
                .or_else(|| setting_text(&stored_settings, "description")),
            weight,
            server,
        }
    }

    /// The freshness of lists and other results whose changes are announced.
    pub(crate) fn list_freshness(&self) -> Freshness {
        self.freshness(LIST_TTL_MS)
    }

    /// The freshness with this TTL. Results of a server that requires a credential must not be shared between callers.
    pub(crate) fn freshness(&self, ttl_ms: u64) -> Freshness {
        Freshness { ttl_ms, is_private: self.access != EndpointAccess::Open }
    }
}

fn setting_text(settings: &Members, key: &str) -> Option<String> {
    settings.get(key).and_then(|value| json::as_string(value)).filter(|text| !text.is_empty())
}

/// The approximate size of the configuration, in KiB. Listed texts count twice, because the serialised lists hold a
/// copy, and schemas three times, because the explanation of errors needs another copy.
fn weight(stored: &toolgate_storage::PublishedServer) -> u32 {
    let document_len = |object: &Option<JsonObject>| object.as_ref().map_or(0, |object| object.as_str().len());
    let tools = stored.tools.iter().map(|(tool, _)| {
        let spec = &tool.spec;
        let mapping_len = spec.parameter_mapping.as_json().as_str().len();
        let listed_len = spec.input_schema.as_str().len() + spec.description.len() + document_len(&spec.annotations);
        let schemas_len = spec.input_schema.as_str().len() + document_len(&spec.output_schema);
        2 * (listed_len + document_len(&spec.output_schema))
            + schemas_len
            + mapping_len
            + document_len(&spec.required_client_capabilities)
    });
    let prompts = stored.prompts.iter().map(|prompt| {
        let spec = &prompt.spec;
        let messages_len = spec.messages.as_ref().map_or(0, |messages| messages.as_str().len());
        spec.template_content.len()
            + messages_len
            + 2 * spec.description.len()
            + PROMPT_ARGUMENT_SIZE * spec.arguments.len()
    });
    let resources = stored
        .resources
        .iter()
        .map(|(resource, _)| resource.spec.data_source_config.as_str().len() + 2 * resource.spec.description.len());
    let bytes: usize = tools.chain(prompts).chain(resources).map(|bytes| bytes + OBJECT_BASE_SIZE).sum();
    u32::try_from(bytes / 1024 + 1).unwrap_or(u32::MAX)
}
