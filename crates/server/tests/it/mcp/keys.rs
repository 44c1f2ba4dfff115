//! Access to a server that requires a key.

use http::Method;
use serde_json::{Value, json};
use toolgate_testkit::{McpClient, MockResponse, ServiceFixture, Upstream};

use super::management::{self, assert_refused, bare_client};

async fn start_server_that_requires_keys() -> ServiceFixture {
    management::start_server(json!({"auth_type": "api-key"})).await
}

/// A key of the management API for a user, with these scopes.
async fn management_key(fixture: &ServiceFixture, user: &Value, scopes: &[&str]) -> Value {
    fixture.app.client().create("/api-keys", json!({"name": "k", "user_id": user["id"], "scopes": scopes})).await
}

fn secret(key: &Value) -> &str {
    key["key"].as_str().unwrap()
}

async fn assert_unauthorized(mcp: &McpClient) {
    let reply = mcp.send("tools/list", json!({})).await;
    assert_refused(&reply, 401, 401);
    assert_eq!(reply.header("www-authenticate"), Some("Bearer realm=\"toolgate\""));
}

#[tokio::test]
async fn without_a_key_every_method_is_refused_in_json() {
    let fixture = start_server_that_requires_keys().await;
    assert_unauthorized(&bare_client(&fixture)).await;
    let requests = [Method::POST, Method::GET, Method::DELETE, Method::PUT].map(|method| async {
        let reply = bare_client(&fixture).raw_request(method).send().await;
        assert_refused(&reply, 401, 401);
        // With `resource_metadata`, clients would start OAuth discovery.
        assert!(!reply.header("www-authenticate").unwrap().contains("resource_metadata"));
        reply.text()
    });
    let mut texts = Vec::new();
    for request in requests {
        texts.push(request.await);
    }
    texts.dedup();
    assert_eq!(texts.len(), 1, "{texts:?}");
    assert!(texts[0].starts_with(r#"{"jsonrpc":"2.0","id":null,"error":{"code":401,"message":"Unauthorized"#));
}

#[tokio::test]
async fn a_key_may_be_sent_in_three_ways() {
    let fixture = start_server_that_requires_keys().await;
    let key = fixture.create_key().await;
    for (name, value) in [
        ("authorization", format!("Bearer {key}")),
        ("authorization", format!("bearer {key}")),
        ("authorization", format!("ApiKey {key}")),
        ("authorization", format!("APIKEY  {key}")),
        ("x-api-key", key.clone()),
    ] {
        bare_client(&fixture).header(name, &value).send("tools/list", json!({})).await.expect(200);
    }
    // A proxy may add its own credential, so each one is tried.
    let request = bare_client(&fixture).bearer("another-key").request("tools/list", json!({}));
    request.header("x-api-key", &key).send().await.expect(200);
}

#[tokio::test]
async fn anything_but_the_whole_key_in_a_header_is_refused() {
    let fixture = start_server_that_requires_keys().await;
    let key = fixture.create_key().await;
    for (name, value) in [
        ("authorization", key.clone()),
        ("authorization", format!("Basic {key}")),
        ("authorization", format!("Bearer {key}x")),
        ("authorization", format!("Bearer {}", key.strip_suffix(|_: char| true).unwrap())),
        ("authorization", format!("Bearer {}", key.to_uppercase())),
        ("authorization", "Bearer".to_owned()),
        ("authorization", "Bearer ".to_owned()),
        ("x-api-key", String::new()),
        ("x-api-key", format!("Bearer {key}")),
        ("cookie", format!("key={key}")),
    ] {
        assert_unauthorized(&bare_client(&fixture).header(name, &value)).await;
    }
}

#[tokio::test]
async fn a_key_in_the_url_is_ignored() {
    let fixture = start_server_that_requires_keys().await;
    let key = fixture.create_key().await;
    for name in ["key", "api_key", "access_token", "token", "authorization", "x-api-key"] {
        assert_unauthorized(&McpClient::new(&format!("{}?{name}={key}", fixture.url()))).await;
    }
}

#[tokio::test]
async fn a_revoked_key_stops_working_immediately() {
    let fixture = start_server_that_requires_keys().await;
    for _ in 0..20 {
        let key = fixture.app.client().create(&fixture.path("/keys"), json!({"name": "k"})).await;
        let mcp = bare_client(&fixture).bearer(secret(&key));
        mcp.send("tools/list", json!({})).await.expect(200);
        management::delete(&fixture, &fixture.path(&format!("/keys/{}", key["id"]))).await;
        assert_unauthorized(&mcp).await;
    }
}

#[tokio::test]
async fn a_key_gives_access_to_its_own_server_only() {
    let fixture = start_server_that_requires_keys().await;
    let other = management::create_another_server(&fixture, json!({"name": "Other", "auth_type": "api-key"})).await;
    let key = fixture.create_key().await;
    assert_unauthorized(&McpClient::new(other["endpoint_url"].as_str().unwrap()).bearer(&key)).await;
    // The key of a server gives no access to the management API.
    fixture.app.client_with_key(Some(&key)).get("/servers").send().await.expect(401);
}

#[tokio::test]
async fn the_owners_management_key_gives_access_if_it_has_the_mcp_scope() {
    let fixture = start_server_that_requires_keys().await;
    let owner = fixture.app.client().create("/users", json!({"name": "ada", "role": "owner"})).await;
    let write_key = management_key(&fixture, &owner, &["write"]).await;
    let api = fixture.app.client_with_key(Some(secret(&write_key)));
    let fields = json!({"name": "Adas", "auth_type": "api-key", "rate_limit_per_min": 0});
    let server = api.create("/servers", fields).await;
    let mcp = || McpClient::new(server["endpoint_url"].as_str().unwrap());

    assert_unauthorized(&mcp().bearer(secret(&write_key))).await;
    let mcp_key = management_key(&fixture, &owner, &["mcp"]).await;
    mcp().bearer(secret(&mcp_key)).send("tools/list", json!({})).await.expect(200);
    mcp().header("x-api-key", secret(&mcp_key)).send("tools/list", json!({})).await.expect(200);

    // Keys of other users are refused with any scopes, including those of an administrator.
    let other_user = fixture.app.client().create("/users", json!({"name": "bob", "role": "owner"})).await;
    let other_key = management_key(&fixture, &other_user, &["read", "write", "mcp"]).await;
    assert_unauthorized(&mcp().bearer(secret(&other_key))).await;
    assert_unauthorized(&mcp().bearer(&fixture.app.key())).await;
    bare_client(&fixture).bearer(&fixture.app.key()).send("tools/list", json!({})).await.expect(200);

    management::delete(&fixture, &format!("/api-keys/{}", mcp_key["id"])).await;
    assert_unauthorized(&mcp().bearer(secret(&mcp_key))).await;
}

#[tokio::test]
async fn a_server_may_start_or_stop_requiring_a_key() {
    let fixture = management::start_server(json!({})).await;
    let mcp = bare_client(&fixture);
    for (auth_type, status) in [("api-key", 401), ("none", 200), ("api-key", 401)] {
        management::change_server(&fixture, json!({"auth_type": auth_type})).await;
        assert_eq!(mcp.send("tools/list", json!({})).await.status, status);
        // A key that is not required is ignored.
        let key = fixture.create_key().await;
        mcp.clone().bearer(&key).send("tools/list", json!({})).await.expect(200);
    }
}

#[tokio::test]
async fn a_clients_key_is_never_passed_upstream() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let fixture = start_server_that_requires_keys().await;
    fixture.create("/tools", management::tool(&upstream, "t")).await;
    let key = fixture.create_key().await;
    let mcp = bare_client(&fixture).bearer(&key).header("x-api-key", &key).header("cookie", &format!("k={key}"));
    mcp.text("t", json!({})).await;
    let received = upstream.last();
    assert!(!format!("{received:?}").contains(&key), "{received:?}");
}
