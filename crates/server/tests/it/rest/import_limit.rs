//! The limit of concurrent imports: one for each user, two for a node.

use serde_json::json;
use tokio::task::JoinSet;
use toolgate_testkit::upstream::{MockResponse, ResponseGate};
use toolgate_testkit::{ApiFixture, Client, TestResponse, Upstream};

use super::assertions::assert_error;

on_both_databases!(a_user_runs_one_import_at_a_time_and_a_node_two);

const PATH: &str = "/tools/import-openapi";

/// Starts an import whose document arrives when the upstream responds.
fn start_import(imports: &mut JoinSet<TestResponse>, client: &Client, upstream: &Upstream) {
    let request = client.post(PATH).json(json!({"url": upstream.url("/openapi.json")}));
    imports.spawn(request.send());
}

async fn a_user_runs_one_import_at_a_time_and_a_node_two(service: &ApiFixture) {
    let gate = ResponseGate::new();
    let document = json!({"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {}});
    let upstream =
        Upstream::builder().route("/openapi.json", MockResponse::json(document.clone()).held_by(&gate)).start();
    let second = service.api.user_client("second", "owner").await;
    let third = service.api.user_client("third", "owner").await;
    let content = json!({"content": document});
    let mut imports = JoinSet::new();
    start_import(&mut imports, &service.api, &upstream);
    upstream.wait_for_requests(1).await;
    let refused = service.api.post(PATH).json(content.clone()).send().await;
    assert_error(&refused, 503, "rest_too_many_imports");
    assert_eq!(refused.header("retry-after"), Some("5"));
    start_import(&mut imports, &second, &upstream);
    upstream.wait_for_requests(2).await;
    assert_error(&third.post(PATH).json(content.clone()).send().await, 503, "rest_too_many_imports");
    gate.open();
    while let Some(reply) = imports.join_next().await {
        reply.unwrap().expect(200);
    }
    for client in [&service.api, &second, &third] {
        client.post(PATH).json(content.clone()).send().await.expect(200);
    }
}
