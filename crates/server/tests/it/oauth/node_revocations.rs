//! A grant that ends at one node of a cluster: the other nodes refuse its tokens and end its streams.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::{Value, json};
use toolgate_testkit::{Client, McpClient, Postgres, RunningService};

use super::flow::OAuthFixture;
use super::open_streams::{assert_ended, open_streams};
use super::token_requests::{assert_error, post_form, text};
use crate::toolgate;

const ENCRYPTION_KEYS: &str = "a2V5cyB0aGF0IGFsbCBub2RlcyBvZiBvbmUgaGF2ZS4=";
const POLL_INTERVAL: Duration = Duration::from_millis(1);
/// Long enough for a busy machine, and less than the 30 seconds after which a node reads ended grants without a
/// notification.
const REFUSED_TIMEOUT: Duration = Duration::from_secs(10);

/// Three nodes of one issuer, whose URL is the address of the first.
struct GrantNodes {
    first: OAuthFixture,
    others: [RunningService; 2],
}

impl GrantNodes {
    /// `None` if PostgreSQL is not available.
    async fn start() -> Option<Self> {
        let node = toolgate().database(Postgres::fresh_database()?).env("TOOLGATE_ENCRYPTION_KEYS", ENCRYPTION_KEYS);
        let first = OAuthFixture::start(node.clone()).await;
        let node = node.env("TOOLGATE_BASE_URL", first.app.origin());
        let others = [(); 2].map(|()| node.clone().temporary_data_dir().start());
        Some(Self { first, others })
    }

    fn all(&self) -> [&RunningService; 3] {
        [&self.first.app, &self.others[0], &self.others[1]]
    }

    /// A client with these tokens at one node.
    fn client_at(&self, app: &RunningService, tokens: &Value) -> McpClient {
        McpClient::new(&format!("{}{}", app.origin(), self.first.endpoint_path())).bearer(text(tokens, "access_token"))
    }

    async fn assert_accepted(&self, tokens: &Value) {
        for app in self.all() {
            self.client_at(app, tokens).send("tools/list", json!({})).await.expect(200);
        }
    }

    /// Waits until every node refuses the access token, and asserts that no node accepts the refresh token.
    async fn assert_refused(&self, tokens: &Value) {
        let started = Instant::now();
        let is_refused = async |app: &RunningService| {
            let client = self.client_at(app, tokens);
            while client.send("tools/list", json!({})).await.status != 401 {
                assert!(started.elapsed() < REFUSED_TIMEOUT, "accepted after {:?}", started.elapsed());
                tokio::time::sleep(POLL_INTERVAL).await;
            }
            started.elapsed()
        };
        eprintln!("refused after {:?}", join_all(self.all().map(is_refused)).await);
        for app in self.all() {
            let fields = [
                ("grant_type", "refresh_token"),
                ("refresh_token", text(tokens, "refresh_token")),
                ("client_id", &self.first.client_id),
            ];
            let reply = post_form(&Client::new(&app.origin(), None), "/token", &fields).await;
            assert_error(&reply, 400, "invalid_grant");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_grant_that_is_deleted_at_one_node_ends_at_all_nodes() {
    let Some(nodes) = GrantNodes::start().await else { return };
    let path = format!("/servers/{}/grants", nodes.first.server["id"]);
    let kept = nodes.first.tokens().await;
    let kept_id = nodes.first.api.read(&path).await[0]["id"].clone();
    let ended = nodes.first.tokens().await;
    for tokens in [&kept, &ended] {
        nodes.assert_accepted(tokens).await;
    }
    let streams = [
        open_streams(&nodes.client_at(&nodes.others[0], &ended)).await,
        open_streams(&nodes.client_at(&nodes.others[1], &ended)).await,
    ];
    let grants = nodes.first.api.read(&path).await;
    let grant = grants.as_array().unwrap().iter().find(|grant| grant["id"] != kept_id).unwrap();
    nodes.first.api.delete(&format!("{path}/{}", grant["id"])).send().await.expect(200);
    nodes.assert_refused(&ended).await;
    for opened in streams {
        assert_ended(opened).await;
    }
    nodes.assert_accepted(&kept).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_that_a_program_revokes_at_one_node_ends_at_all_nodes() {
    let Some(nodes) = GrantNodes::start().await else { return };
    for token in ["access_token", "refresh_token"] {
        let tokens = nodes.first.tokens().await;
        nodes.assert_accepted(&tokens).await;
        let fields = [("token", text(&tokens, token)), ("client_id", &nodes.first.client_id)];
        post_form(&Client::new(&nodes.others[1].origin(), None), "/revoke", &fields).await.expect(200);
        nodes.assert_refused(&tokens).await;
    }
}
