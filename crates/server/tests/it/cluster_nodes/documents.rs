//! A document that one node refreshes changes the tools of the others.

use serde_json::json;
use toolgate_testkit::{MockResponse, Upstream};

use super::start_nodes;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refresh_on_one_node_is_visible_on_the_other() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let url = upstream.url("");
    let Some((nodes, _redis)) = start_nodes(upstream, 0).await else { return };
    let content = |summary: &str| {
        json!({"openapi": "3.1.0", "info": {"title": "P", "version": "1"}, "servers": [{"url": url}],
            "paths": {"/a": {"get": {"operationId": "imported", "summary": summary, "responses": {}}}}})
    };
    let api = nodes.first.app.client();
    let import =
        json!({"content": content("before"), "commit": true, "selected_temp_ids": ["*"], "imported_status": "active"});
    let import = api.post(&nodes.first.path("/tools/import-openapi")).json(import).send().await.expect(200).json();
    nodes.wait_until_published("before").await;
    let path = format!("/documents/{}/refresh", import["document_id"]);
    api.post(&path).json(json!({"content": content("afterwards"), "commit": true})).send().await.expect(200);
    nodes.wait_until_published("afterwards").await;
}
