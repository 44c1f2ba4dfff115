//! `/settings`: the configuration and state of the service.

use toolgate_domain::page::Listing;
use toolgate_domain::server::Server;

use super::object_doc;
use crate::error::RestError;
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Operation, Route};
use crate::wire::settings::{LimitsOut, OpenServerOut, RecordingOut, SettingsOut};

/// Maximum number of open servers in the reply.
const OPEN_SERVERS_MAX: u32 = 20;

pub(super) fn route() -> Route {
    Operation::new(
        "getSettings",
        "Get the configuration of the service: version, retention, reachable destinations, open servers, recording, limits.",
    )
    .read("/settings", get)
    .reply(
        object_doc::<SettingsOut<'_>>(200)
            .part_type::<OpenServerOut>()
            .part_type::<RecordingOut>()
            .part_type::<LimitsOut>(),
    )
    .admin()
}

async fn get(request: ApiRequest) -> Result<ApiReply, RestError> {
    let lost_calls = request.storage().lost_calls().await;
    let recording = request.context.services.recorder.state();
    // The other settings need no database, so they are served even if it fails after the check of the key.
    let lost_calls =
        lost_calls.inspect_err(|error| tracing::warn!(?error, "failed to read the count of lost calls")).ok();
    let demo = request.context.services.demo.server(request.storage()).await;
    let demo = demo.inspect_err(|error| tracing::warn!(?error, "failed to read the demo server")).ok().flatten();
    let recording = RecordingOut::new(request.context.services.recorder.is_enabled(), &recording, lost_calls);
    let demo_server = demo.map(|server| server.id);
    let (config, open_servers) = (&request.context.config, open_servers(&request).await);
    ApiReply::ok(&SettingsOut::new(config, &request.base_url, demo_server, recording, open_servers.as_ref()))
}

/// The servers that other machines can use without a key; `None` while the database is unavailable.
async fn open_servers(request: &ApiRequest) -> Option<Listing<Server>> {
    if !request.context.config.is_exposed {
        return Some(Listing { items: Vec::new(), total: 0 });
    }
    let open = request.storage().list_open_servers(OPEN_SERVERS_MAX).await;
    open.inspect_err(|error| tracing::warn!(?error, "failed to read the open servers")).ok()
}
