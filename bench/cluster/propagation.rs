//! How soon the other nodes know of a change at one node: of a tool, of a session's log level, the end of a session, and
//! the end of a program's access.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use http::Method;
use serde_json::json;
use toolgate_testkit::McpClient;
use toolgate_testkit::mcp::NEWEST_LEGACY;

use crate::cluster::{FaultCluster, LimitedServer, NODES};
use crate::traffic::TrafficControl;

const POLL_INTERVAL: Duration = Duration::from_millis(1);
/// A change that is not visible after this time fails the run.
const VISIBLE_TIMEOUT: Duration = Duration::from_secs(10);
/// A pause between two changes, so that changes are not much more frequent than in a real installation.
const CHANGE_INTERVAL: Duration = Duration::from_millis(50);

/// Delays until the other nodes knew of a change.
#[derive(Default)]
pub(crate) struct PropagationDelays {
    /// Changes of a tool.
    pub(crate) changes: Vec<Duration>,
    /// Changes of the log level of a session.
    pub(crate) levels: Vec<Duration>,
    /// Ends of sessions.
    pub(crate) ends: Vec<Duration>,
    /// Ends of grants, until the access token is refused.
    pub(crate) revocations: Vec<Duration>,
}

impl PropagationDelays {
    /// Measures changes, sessions and revocations for `time`, in each round at the next node.
    pub(crate) async fn measure(&mut self, cluster: &FaultCluster, control: &TrafficControl, time: Duration) {
        let began = Instant::now();
        let mut round = 0;
        while began.elapsed() < time {
            self.change_tool(cluster, round % NODES, control.next_number()).await;
            self.use_session(cluster, round % NODES, control).await;
            self.end_access(cluster, round % NODES).await;
            tokio::time::sleep(CHANGE_INTERVAL).await;
            round += 1;
        }
        for delays in [&mut self.changes, &mut self.levels, &mut self.ends, &mut self.revocations] {
            delays.sort_unstable();
        }
    }

    /// Changes a tool at one node and waits until the others list the change.
    async fn change_tool(&mut self, cluster: &FaultCluster, node: usize, number: u64) {
        let description = format!("Change {number}.");
        let path = format!("/tools/{}", cluster.tool);
        let api = cluster.nodes[node].api();
        api.patch(&path).json(json!({"description": description})).send().await.expect(200);
        let is_visible = async |caller: McpClient| {
            wait_until(async || caller.send("tools/list", json!({})).await.text().contains(&description)).await
        };
        let others = other_nodes(node).map(|other| is_visible(cluster.caller_at(other, LimitedServer::LargeLimit)));
        self.changes.extend(join_all(others).await);
    }

    /// Begins a session at one node, sets its log level and ends it, and waits for the others each time.
    async fn use_session(&mut self, cluster: &FaultCluster, node: usize, control: &TrafficControl) {
        let caller = cluster.caller_at(node, LimitedServer::LargeLimit);
        let client = caller.header("accept", "application/json, text/event-stream").legacy(NEWEST_LEGACY).await;
        let others: Vec<_> = other_nodes(node)
            .map(|other| client.at_endpoint_of(&cluster.caller_at(other, LimitedServer::LargeLimit)))
            .collect();
        client.result("logging/setLevel", json!({"level": "info"})).await;
        let logs = async |client: &McpClient| {
            let arguments = json!({"name": "tool", "arguments": {"n": control.next_number()}});
            client.send("tools/call", arguments).await.expect(200).text().contains("notifications/message")
        };
        self.levels.extend(join_all(others.iter().map(|client| wait_until(async || logs(client).await))).await);
        client.session_request(Method::DELETE).send().await.expect(204);
        let has_ended = async |client: &McpClient| client.send("ping", json!({})).await.status == 404;
        self.ends.extend(join_all(others.iter().map(|client| wait_until(async || has_ended(client).await))).await);
    }

    /// Gives a program access at one node and ends it there, and waits until the others refuse its token.
    async fn end_access(&mut self, cluster: &FaultCluster, node: usize) {
        let access = cluster.program.connect(&cluster.nodes[node]).await;
        let callers: Vec<_> =
            other_nodes(node).map(|other| cluster.program.caller_at(&cluster.nodes[other], &access)).collect();
        for caller in &callers {
            caller.send("tools/list", json!({})).await.expect(200);
        }
        let path = format!("/me/grants/{}", access.grant_id);
        cluster.nodes[node].api().delete(&path).send().await.expect(200);
        let is_refused = async |caller: &McpClient| caller.send("tools/list", json!({})).await.status == 401;
        self.revocations
            .extend(join_all(callers.iter().map(|caller| wait_until(async || is_refused(caller).await))).await);
    }
}

fn other_nodes(node: usize) -> impl Iterator<Item = usize> {
    (0..NODES).filter(move |other| *other != node)
}

/// Repeats `attempt` until it returns true. Returns how long that took.
async fn wait_until(mut attempt: impl AsyncFnMut() -> bool) -> Duration {
    let began = Instant::now();
    while !attempt().await {
        assert!(began.elapsed() < VISIBLE_TIMEOUT, "a change is not known to another node after {VISIBLE_TIMEOUT:?}");
        tokio::time::sleep(POLL_INTERVAL).await;
    }
    began.elapsed()
}
