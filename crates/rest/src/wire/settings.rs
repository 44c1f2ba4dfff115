//! Settings of the service, as far as an administrator may see them over the API.

use serde::Serialize;
use utoipa::ToSchema;

/// How the service is set up. Never a secret.
#[derive(Serialize, ToSchema)]
pub(crate) struct SettingsOut {
    pub(crate) version: &'static str,
    pub(crate) base_url: String,
    pub(crate) api_base: String,
    pub(crate) retention_days: u32,
    /// What tools may reach beside public addresses.
    pub(crate) upstream_allow: String,
    pub(crate) cors_origins: Vec<String>,
    /// The demo server, where it was added.
    #[schema(required)]
    pub(crate) demo_server_id: Option<i64>,
    #[schema(inline)]
    pub(crate) recording: RecordingOut,
    #[schema(inline)]
    pub(crate) limits: LimitsOut,
}

/// How recording calls is doing.
#[derive(Serialize, ToSchema)]
pub(crate) struct RecordingOut {
    /// Whether calls are recorded at all: not where the service was started with `--recording off`.
    pub(crate) enabled: bool,
    /// Calls that are not in the reports yet.
    pub(crate) pending_calls: u64,
    /// Calls that had to be given up, ever: the journal was full, or could not be read. Null while the database, which
    /// keeps the count, does not tell.
    #[schema(required)]
    pub(crate) lost_calls: Option<u64>,
    /// What the journal takes on disk.
    pub(crate) journal_bytes: u64,
}

/// Limits that requests meet.
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
