//! The service settings that the API shows to administrators.

use toolgate_analytics::RecordingState;
use toolgate_domain::endpoint_url::URL_MAX;
use toolgate_domain::ids::ServerId;
use toolgate_domain::json::DEPTH_MAX;
use toolgate_domain::page::Listing;
use toolgate_domain::prompt::PROMPTS_MAX;
use toolgate_domain::resource::RESOURCES_MAX;
use toolgate_domain::server::Server;
use toolgate_domain::text::{CONTENT_MAX, DESCRIPTION_MAX, IDENTIFIER_MAX, NAME_MAX};
use toolgate_domain::tool::{DOCUMENT_MAX, TOOLS_MAX};

use crate::config::{PER_PAGE_MAX, RestConfig};
use crate::params::BODY_MAX;
use crate::reply_object::reply_object;

reply_object! {
    /// The configuration of the service, without secrets.
    pub(crate) struct SettingsOut<'a>(
        config: &'a RestConfig,
        base_url: &'a str,
        demo_server: Option<ServerId>,
        recording: RecordingOut,
        open_servers: Option<&Listing<Server>>,
    ) {
        version: &'static str = config.version,
        /// The name of the node that sent the reply.
        node: &'a str = &config.node.name,
        base_url: &'a str = base_url,
        api_base: String = format!("{base_url}{}", config.root_path()),
        retention_days: u32 = config.retention_days,
        /// Destinations that tools may reach in addition to public addresses.
        upstream_allow: String = config.egress.to_string(),
        cors_origins: &'a [String] = &config.cors_origins,
        /// The demo server, if it was added.
        demo_server_id: Option<i64> = demo_server.map(|server| server.0),
        /// Number of active servers whose endpoint needs no key while other machines can reach the service; 0 if only
        /// this machine can. Null while the database is unavailable.
        open_server_count: Option<i64> = open_servers.map(|open| open.total),
        /// The first of these servers.
        open_servers: Vec<OpenServerOut> =
            open_servers.into_iter().flat_map(|open| &open.items).map(OpenServerOut::new).collect(),
        recording: RecordingOut = recording,
        limits: LimitsOut = LimitsOut::new(),
    }
}

reply_object! {
    /// A server whose endpoint needs no key.
    pub(crate) struct OpenServerOut(server: &Server) {
        id: i64 = server.id.0,
        name: String = server.spec.name.clone(),
        slug: String = server.slug.as_str().to_owned(),
    }
}

reply_object! {
    /// State of call recording.
    pub(crate) struct RecordingOut(is_enabled: bool, state: &RecordingState, stored_lost_calls: Option<u64>) {
        /// Whether calls are recorded; false if the service was started with `--recording off`.
        enabled: bool = is_enabled,
        /// Recorded calls that are not in the reports yet.
        pending_calls: u64 = state.pending,
        /// Calls lost since installation, because the journal was full or unreadable. Null while the database, which
        /// stores the count, is unavailable.
        lost_calls: Option<u64> = stored_lost_calls.map(|stored| stored.saturating_add(state.lost)),
        /// Size of the journal on disk.
        journal_bytes: u64 = state.journal_bytes,
    }
}

reply_object! {
    /// Limits of requests and objects.
    pub(crate) struct LimitsOut() {
        rest_body_bytes: usize = BODY_MAX,
        json_depth: usize = DEPTH_MAX,
        name_characters: usize = NAME_MAX,
        identifier_characters: usize = IDENTIFIER_MAX,
        description_characters: usize = DESCRIPTION_MAX,
        url_characters: usize = URL_MAX,
        content_bytes: usize = CONTENT_MAX,
        document_bytes: usize = DOCUMENT_MAX,
        tools_per_server: i64 = TOOLS_MAX,
        prompts_per_server: i64 = PROMPTS_MAX,
        resources_per_server: i64 = RESOURCES_MAX,
        per_page: i64 = PER_PAGE_MAX,
    }
}
