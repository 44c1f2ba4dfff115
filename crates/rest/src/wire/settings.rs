//! The service settings that the API shows to administrators.

use serde::Serialize;
use utoipa::ToSchema;

/// The configuration of the service, without secrets.
#[derive(Serialize, ToSchema)]
pub(crate) struct SettingsOut {
    pub(crate) version: &'static str,
    pub(crate) base_url: String,
    pub(crate) api_base: String,
    pub(crate) retention_days: u32,
    /// Destinations that tools may reach in addition to public addresses.
    pub(crate) upstream_allow: String,
    pub(crate) cors_origins: Vec<String>,
    /// The demo server, if it was added.
    #[schema(required)]
    pub(crate) demo_server_id: Option<i64>,
    #[schema(inline)]
    pub(crate) recording: RecordingOut,
    #[schema(inline)]
    pub(crate) limits: LimitsOut,
}

/// State of call recording.
#[derive(Serialize, ToSchema)]
pub(crate) struct RecordingOut {
    /// Whether calls are recorded; false if the service was started with `--recording off`.
    pub(crate) enabled: bool,
    /// Recorded calls that are not in the reports yet.
    pub(crate) pending_calls: u64,
    /// Calls lost since installation, because the journal was full or unreadable. Null while the database, which stores
    /// the count, is unavailable.
    #[schema(required)]
    pub(crate) lost_calls: Option<u64>,
    /// Size of the journal on disk.
    pub(crate) journal_bytes: u64,
}

/// Limits of requests and objects.
#[derive(Serialize, ToSchema)]
pub(crate) struct LimitsOut {
    pub(crate) rest_body_bytes: usize,
    pub(crate) json_depth: usize,
    pub(crate) name_characters: usize,
    pub(crate) identifier_characters: usize,
    pub(crate) description_characters: usize,
    pub(crate) url_characters: usize,
    pub(crate) content_bytes: usize,
    pub(crate) document_bytes: usize,
    pub(crate) tools_per_server: i64,
    pub(crate) prompts_per_server: i64,
    pub(crate) resources_per_server: i64,
    pub(crate) per_page: i64,
}
