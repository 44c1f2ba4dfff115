//! `/nodes`: the processes of Toolgate that use the database.

use toolgate_domain::node::{ListedNode, NodeStatus};

use super::list_doc;
use crate::error::RestError;
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Operation, Route};
use crate::wire::node::NodeOut;

pub(super) fn route() -> Route {
    Operation::new(
        "listNodes",
        "List the nodes of the installation: version, start time, time last seen, state. With SQLite there is one.",
    )
    .read("/nodes", list_nodes)
    .reply(list_doc::<NodeOut<'_>>())
    .admin()
}

async fn list_nodes(request: ApiRequest) -> Result<ApiReply, RestError> {
    let (config, mut nodes) = (&request.context.config, request.storage().nodes().await?);
    if nodes.iter().all(|node| node.identity.id != config.node.id) {
        nodes.insert(0, this_node(&request));
    }
    ApiReply::ok(&nodes.iter().map(|node| NodeOut::new(node, &config.node)).collect::<Vec<_>>())
}

/// This node, if the database does not list it: with SQLite it never does, with PostgreSQL not before the first
/// heartbeat.
fn this_node(request: &ApiRequest) -> ListedNode {
    let config = &request.context.config;
    ListedNode {
        identity: config.node.clone(),
        started_at: config.started_at,
        last_seen_at: request.context.services.clock.now(),
        status: NodeStatus::Ready,
    }
}
