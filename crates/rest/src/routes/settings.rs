//! `/settings`.

use toolgate_domain::endpoint_url::URL_MAX;
use toolgate_domain::json::DEPTH_MAX;
use toolgate_domain::prompt::PROMPTS_MAX;
use toolgate_domain::resource::RESOURCES_MAX;
use toolgate_domain::text::{CONTENT_MAX, DESCRIPTION_MAX, IDENTIFIER_MAX, NAME_MAX};
use toolgate_domain::tool::{DOCUMENT_MAX, TOOLS_MAX};

use super::{PER_PAGE_MAX, object_doc};
use crate::error::RestError;
use crate::params::BODY_MAX;
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::Route;
use crate::wire::{LimitsOut, RecordingOut, SettingsOut};

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::read(
            "/settings",
            "getSettings",
            "Get the configuration of the service: version, retention, reachable destinations, recording, limits.",
            get,
        )
        .reply(object_doc::<SettingsOut>(200).part_type::<RecordingOut>().part_type::<LimitsOut>())
        .admin(),
    ]
}

async fn get(request: ApiRequest) -> Result<ApiReply, RestError> {
    let config = &request.context.config;
    let lost_calls = request.storage().lost_calls().await;
    let recording = request.context.recorder.state();
    // The other settings need no database, so they are served even when it is unavailable.
    let lost_calls =
        lost_calls.inspect_err(|error| tracing::warn!(?error, "failed to read the count of lost calls")).ok();
    let demo = request.context.demo.server(request.storage()).await;
    let demo = demo.inspect_err(|error| tracing::warn!(?error, "failed to read the demo server")).ok().flatten();
    ApiReply::ok(&SettingsOut {
        version: config.version,
        base_url: request.base_url.clone(),
        api_base: request.link(""),
        retention_days: config.retention_days,
        upstream_allow: config.egress.to_string(),
        cors_origins: config.cors_origins.clone(),
        demo_server_id: demo.map(|server| server.id.0),
        recording: RecordingOut {
            enabled: request.context.recorder.is_enabled(),
            pending_calls: recording.pending,
            lost_calls: lost_calls.map(|stored| stored.saturating_add(recording.lost)),
            journal_bytes: recording.journal_bytes,
        },
        limits: LimitsOut {
            rest_body_bytes: BODY_MAX,
            json_depth: DEPTH_MAX,
            name_characters: NAME_MAX,
            identifier_characters: IDENTIFIER_MAX,
            description_characters: DESCRIPTION_MAX,
            url_characters: URL_MAX,
            content_bytes: CONTENT_MAX,
            document_bytes: DOCUMENT_MAX,
            tools_per_server: TOOLS_MAX,
            prompts_per_server: PROMPTS_MAX,
            resources_per_server: RESOURCES_MAX,
            per_page: PER_PAGE_MAX,
        },
    })
}
