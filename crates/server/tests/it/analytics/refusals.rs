//! Refused requests, counted by server and reason.

use serde_json::{Value, json};
use toolgate_testkit::{McpClient, RunningService};

use crate::toolgate;

/// One line for each row of the report.
async fn lines(app: &RunningService, query: &str) -> Vec<String> {
    let rows = app.client().read(&format!("/analytics/refusals?{query}")).await;
    let line = |row: &Value| {
        let [server, reason] = ["server_name", "reason"].map(|field| row[field].as_str().unwrap_or("-"));
        format!("{server} {reason} {} {}", row["status"], row["requests"])
    };
    rows.as_array().unwrap().iter().map(line).collect()
}

fn start() -> RunningService {
    toolgate().start()
}

/// Creates a server, and an endpoint key with a limit of one request per minute. Returns the server and the secret of
/// the key.
async fn create_guarded_server(app: &RunningService) -> (Value, String) {
    let fields = json!({"name": "Guarded", "auth_type": "api-key", "rate_limit_per_min": 2});
    let server = app.client().create("/servers", fields).await;
    let fields = json!({"name": "k", "rate_limit_per_min": 1});
    let key = app.client().create(&format!("/servers/{}/keys", server["id"]), fields).await;
    (server, key["key"].as_str().unwrap().to_owned())
}

async fn send(mcp: &McpClient, status: u16) {
    mcp.send("tools/list", json!({})).await.expect(status);
}

#[tokio::test]
async fn refused_requests_are_counted_by_server_and_reason() {
    let mut app = start();
    let (server, key) = create_guarded_server(&app).await;
    let mcp = || McpClient::new(server["endpoint_url"].as_str().unwrap());
    for _ in 0..4 {
        send(&mcp(), 401).await;
    }
    for _ in 0..3 {
        send(&mcp().bearer("tg_wrong"), 401).await;
    }
    send(&mcp().bearer(&key), 200).await;
    for _ in 0..2 {
        send(&mcp().bearer(&key), 429).await;
    }
    let origin = mcp().header("origin", "https://evil.example");
    send(&origin, 403).await;
    let unknown = format!("{}/mcp/no/0123456789abcdef0123456789abcdef", app.origin());
    for id in 0..5 {
        let unknown = unknown.replace("/no/", &format!("/no-{id}/"));
        send(&McpClient::new(&unknown), 404).await;
        send(&McpClient::new(&unknown).header("origin", "https://evil.example"), 403).await;
    }
    let expected = [
        "- forbidden_origin 403 5",
        "Guarded missing_key 401 4",
        "Guarded unknown_key 401 3",
        "Guarded key_rate_limit 429 2",
        "Guarded forbidden_origin 403 1",
    ];
    assert_eq!(lines(&app, "").await, expected);
    assert_eq!(lines(&app, &format!("server={}", server["id"])).await, expected[1..]);
    assert_eq!(lines(&app, "per_page=2&page=2").await, expected[2..4]);
    assert_eq!(lines(&app, "to=2001-01-01").await, Vec::<String>::new());
    assert_eq!(app.client().read("/calls").await, json!([]), "refused requests are not in the call log");
    let csv = app.client().get("/analytics/refusals?format=csv&server=1").send().await.expect(200).text();
    assert!(csv.starts_with("server_id,server_name,reason,status,requests,last_hour\r\n"), "{csv}");
    // Counts that are not in the database yet are written at shutdown.
    send(&mcp(), 401).await;
    app.terminate();
    app.restart();
    assert_eq!(lines(&app, "").await[1], "Guarded missing_key 401 5");
}

#[tokio::test]
async fn owners_see_the_refused_requests_of_their_servers_only() {
    let app = start();
    let user = app.client().create("/users", json!({"name": "ann", "role": "owner"})).await;
    let key = app.client().create("/api-keys", json!({"name": "k", "user_id": user["id"], "scopes": ["write"]})).await;
    let owner = app.client_with_key(key["key"].as_str());
    let own = owner.create("/servers", json!({"name": "Own", "auth_type": "api-key"})).await;
    let (foreign, _) = create_guarded_server(&app).await;
    for server in [&own, &foreign] {
        send(&McpClient::new(server["endpoint_url"].as_str().unwrap()), 401).await;
    }
    let rows = owner.read("/analytics/refusals").await;
    assert_eq!(rows.as_array().unwrap().len(), 1);
    assert_eq!((&rows[0]["server_id"], &rows[0]["requests"]), (&own["id"], &json!(1)));
    let foreign_rows = owner.read(&format!("/analytics/refusals?server={}", foreign["id"])).await;
    assert_eq!(foreign_rows, json!([]));
}
