//! Who may read metrics, on which address.

use serde_json::json;
use toolgate_testkit::ApiFixture;

use super::{get_public, monitored_service, monitoring_client};
use crate::toolgate;

#[tokio::test]
async fn the_main_address_requires_a_key_with_the_scope_metrics() {
    let ApiFixture { app, api } = ApiFixture::start(toolgate());
    let url = format!("{}/metrics", app.origin());
    let refused = get_public(&app, "/metrics").await.expect(401);
    assert!(refused.header("www-authenticate").is_some_and(|challenge| challenge.starts_with("Bearer")));
    api.with_key(Some("tg_wrong")).get(&url).send().await.expect(401);
    let create_key = async |scopes: &[&str]| {
        let key = api.create("/api-keys", json!({"user_id": 1, "name": "k", "scopes": scopes})).await;
        (key["id"].clone(), key["key"].as_str().unwrap().to_owned())
    };
    let (_, reader) = create_key(&["read", "write", "mcp"]).await;
    let refused = api.with_key(Some(&reader)).get(&url).send().await.expect(403);
    assert!(refused.text().contains("scope metrics"), "{refused:?}");
    let (id, scraper) = create_key(&["metrics"]).await;
    let scraper = api.with_key(Some(&scraper));
    assert!(scraper.get(&url).send().await.expect(200).text().contains("toolgate_build_info"));
    scraper.get("/servers").send().await.expect(403);
    api.get(&url).send().await.expect(200);
    scraper.post(&url).send().await.expect(405);
    api.delete(&format!("/api-keys/{id}?force=true")).send().await.expect(200);
    scraper.get(&url).send().await.expect(401);
}

#[tokio::test]
async fn keys_of_other_users_than_administrators_cannot_read_metrics() {
    let ApiFixture { app, api } = ApiFixture::start(toolgate());
    let owner = api.create("/users", json!({"name": "owner", "role": "owner"})).await;
    let fields = json!({"user_id": owner["id"], "name": "k", "scopes": ["read", "write", "metrics"]});
    let key = api.create("/api-keys", fields).await;
    let owner = api.with_key(key["key"].as_str());
    owner.get(&format!("{}/metrics", app.origin())).send().await.expect(403);
    owner.post("/api-keys").json(json!({"name": "k", "scopes": ["metrics"]})).send().await.expect(400);
    owner.create("/api-keys", json!({"name": "k", "scopes": ["read"]})).await;
}

#[tokio::test]
async fn a_separate_address_serves_metrics_and_health_without_a_key_and_nothing_else() {
    let app = monitored_service().start();
    let client = monitoring_client(&app);
    assert!(client.get("/metrics").send().await.expect(200).text().contains("toolgate_build_info"));
    for path in ["/livez", "/readyz", "/startupz", "/healthz"] {
        client.get(path).send().await.expect(200);
    }
    for path in ["/", "/wp-json", "/wp-json/toolgate/v1/servers", "/mcp/a/b", "/demo", "/metrics/x"] {
        client.get(path).send().await.expect(404);
    }
    client.post("/metrics").send().await.expect(405);
    get_public(&app, "/metrics").await.expect(404);
}

#[tokio::test]
async fn invalid_settings_are_refused_with_a_remedy() {
    for (name, value, expected) in [
        ("TOOLGATE_METRICS_LISTEN", "9464", "127.0.0.1:8080"),
        ("TOOLGATE_METRICS_TOOLS", "all", "top100"),
        ("TOOLGATE_METRICS_TOOLS", "top1001", "from 1 to 1000"),
        ("TOOLGATE_NODE", "a b", "64 letters"),
        ("TOOLGATE_REST_PREFIX", "metrics", "reserved"),
    ] {
        let error = toolgate().env(name, value).try_start().unwrap_err();
        assert_eq!(error.exit.and_then(|exit| exit.code()), Some(2), "{name}={value}");
        assert!(error.stderr.contains(expected), "{name}={value}: {}", error.stderr);
    }
    let app = monitored_service().start();
    let taken = monitoring_client(&app).api_base().trim_start_matches("http://").to_owned();
    let error = toolgate().env("TOOLGATE_METRICS_LISTEN", &taken).try_start().unwrap_err();
    assert!(error.stderr.contains("--metrics-listen"), "{}", error.stderr);
}
