//! Who made a call and from where: endpoint key, user or none, and the address of the client.

use serde_json::{Value, json};
use toolgate_testkit::objects::id;
use toolgate_testkit::{ApiFixture, McpClient};

use super::fixture::{ServerFixture, assert_invalid, items};
use crate::toolgate;

on_both_databases!(
    a_call_is_logged_with_its_key_and_the_address_of_its_client,
    calls_are_filtered_by_key_and_address,
    calls_are_reported_by_key,
    keys_of_other_owners_servers_are_not_reported,
    invalid_origin_filters_are_refused,
);

/// Creates a server that requires a key, with the tool `good`, and an endpoint key with this name. Returns the server,
/// and the id and the secret of the key.
async fn create_server_with_key(fixture: &ApiFixture, name: &str) -> (ServerFixture, i64, String) {
    let server = ServerFixture::create(&fixture.api, "Shop").await;
    server.create_tool(&fixture.api, "good").await;
    let protect = fixture.api.patch(&format!("/servers/{}", server.id)).json(json!({"auth_type": "api-key"}));
    protect.send().await.expect(200);
    let key = fixture.api.create(&format!("/servers/{}/keys", server.id), json!({"name": name})).await;
    (server, id(&key), key["key"].as_str().unwrap().to_owned())
}

async fn call_with_key(server: &ServerFixture, key: &str, times: usize) {
    let client = McpClient::new(&server.url).bearer(key);
    for _ in 0..times {
        client.call("good", json!({})).await;
    }
}

/// The fields of a call or a report that say who made the calls.
fn credential(row: &Value) -> [&Value; 4] {
    ["endpoint_key_id", "endpoint_key_name", "user_id", "user_name"].map(|field| &row[field])
}

async fn a_call_is_logged_with_its_key_and_the_address_of_its_client(fixture: &ApiFixture) {
    let (server, key_id, key) = create_server_with_key(fixture, "laptop").await;
    let (open, ..) = ServerFixture::create_with_tools(&fixture.api, "Open").await;
    call_with_key(&server, &key, 1).await;
    call_with_key(&server, &fixture.app.key(), 1).await;
    call_with_key(&open, &key, 1).await;
    let log = fixture.api.read("/calls").await;
    let (null, me) = (Value::Null, fixture.api.read("/me").await["user"].clone());
    assert_eq!(credential(&log[2]), [&json!(key_id), &json!("laptop"), &null, &null]);
    assert_eq!(credential(&log[1]), [&null, &null, &me["id"], &me["name"]]);
    assert_eq!(credential(&log[0]), [&null; 4], "a server without authentication does not read the key");
    assert!(items(&log).iter().all(|call| call["client_address"] == "127.0.0.1"), "{log}");
    assert_eq!(fixture.api.read(&format!("/calls/{}", id(&log[2]))).await["endpoint_key_id"], key_id);
    fixture.api.delete(&format!("/servers/{}/keys/{key_id}", server.id)).send().await.expect(200);
    let after_deletion = &fixture.api.read("/calls").await[2];
    assert_eq!(credential(after_deletion), [&json!(key_id), &json!("laptop"), &null, &null]);
}

async fn calls_are_filtered_by_key_and_address(fixture: &ApiFixture) {
    let (one, one_id, one_key) = create_server_with_key(fixture, "one").await;
    let (two, two_id, two_key) = create_server_with_key(fixture, "two").await;
    call_with_key(&one, &one_key, 2).await;
    call_with_key(&two, &two_key, 1).await;
    call_with_key(&two, &fixture.app.key(), 1).await;
    for (query, calls) in [
        (format!("endpoint_key_id={one_id}"), 2),
        (format!("endpoint_key_id={two_id}&server={}", two.id), 1),
        (format!("endpoint_key_id={two_id}&server={}", one.id), 0),
        (format!("endpoint_key_id={}", two_id + 1000), 0),
        ("client_address=127.0.0.1".to_owned(), 4),
        ("client_address=::ffff:127.0.0.1".to_owned(), 4),
        ("client_address=127.0.0.2".to_owned(), 0),
        (format!("client_address=127.0.0.1&endpoint_key_id={one_id}"), 2),
        ("client_address=&endpoint_key_id=".to_owned(), 4),
    ] {
        assert_eq!(items(&fixture.api.read(&format!("/calls?{query}")).await).len(), calls, "{query}");
        let table = fixture.api.get(&format!("/calls?{query}&format=csv")).send().await.expect(200).text();
        assert_eq!(table.lines().count(), calls + 1, "{query}: {table}");
        assert!(
            table
                .lines()
                .next()
                .unwrap()
                .ends_with(",endpoint_key_id,endpoint_key_name,user_id,user_name,client_address")
        );
    }
}

async fn calls_are_reported_by_key(fixture: &ApiFixture) {
    let (server, key_id, key) = create_server_with_key(fixture, "laptop").await;
    let (open, ..) = ServerFixture::create_with_tools(&fixture.api, "Open").await;
    call_with_key(&server, &key, 3).await;
    call_with_key(&server, &fixture.app.key(), 1).await;
    open.call("cursor", "good", 1).await;
    open.call("cursor", "bad", 1).await;
    let report = fixture.api.get("/analytics/keys").send().await.expect(200);
    assert_eq!(report.header("x-wp-total"), Some("3"));
    let report = report.json();
    let (null, me) = (Value::Null, fixture.api.read("/me").await["user"].clone());
    let rows: Vec<(i64, i64, [&Value; 4])> = items(&report)
        .iter()
        .map(|row| (row["server_id"].as_i64().unwrap(), row["calls"].as_i64().unwrap(), credential(row)))
        .collect();
    let (key_id, key_name) = (json!(key_id), json!("laptop"));
    assert_eq!(
        rows,
        [
            (server.id, 3, [&key_id, &key_name, &null, &null]),
            (open.id, 2, [&null; 4]),
            (server.id, 1, [&null, &null, &me["id"], &me["name"]]),
        ]
    );
    assert_eq!((&report[1]["failures"], &report[1]["failure_rate"]), (&json!(1), &json!(50.0)));
    assert!(report[0]["p95_ms"].as_f64() > Some(0.0) && report[0]["last_call"].is_string(), "{report}");
    let open_server_rows = fixture.api.read(&format!("/analytics/keys?server={}", open.id)).await;
    assert_eq!(open_server_rows, json!([report[1]]));
    assert_eq!(fixture.api.read("/analytics/keys?to=2026-01-31").await, json!([]));
    assert_eq!(fixture.api.read("/analytics/keys?page=2&per_page=2").await, json!([report[2]]));
    let table = fixture.api.get("/analytics/keys?format=csv").send().await.expect(200).text();
    let head = "server_id,server_name,endpoint_key_id,endpoint_key_name,user_id,user_name,calls,failures,failure_rate,";
    assert!(table.starts_with(head) && table.lines().count() == 4, "{table}");
}

async fn keys_of_other_owners_servers_are_not_reported(fixture: &ApiFixture) {
    let (alice, bob) = (fixture.api.user_client("alice", "owner").await, fixture.api.user_client("bob", "owner").await);
    let (server, ..) = ServerFixture::create_with_tools(&alice, "Alice's").await;
    server.call("cursor", "good", 1).await;
    for (client, rows) in [(&alice, 1), (&bob, 0), (&fixture.api, 1)] {
        for query in [String::new(), format!("?server={}", server.id)] {
            assert_eq!(items(&client.read(&format!("/analytics/keys{query}")).await).len(), rows);
        }
    }
}

async fn invalid_origin_filters_are_refused(fixture: &ApiFixture) {
    for (path, field) in [
        ("/calls?client_address=host.example", "client_address"),
        ("/calls?client_address=10.0.0.0/8", "client_address"),
        ("/calls?endpoint_key_id=0", "endpoint_key_id"),
        ("/calls?endpoint_key_id=laptop&client_address=x", "client_address"),
        ("/calls/stream?client_address=x", "client_address"),
        ("/analytics/keys?server=x", "server"),
        ("/analytics/keys?from=yesterday", "from"),
    ] {
        assert_invalid(&fixture.api.get(path).send().await, field);
    }
}

/// Starts a service with these settings, makes a call with each of these `X-Forwarded-For` headers, and returns the
/// recorded addresses.
async fn recorded_addresses(settings: &[(&str, &str)], forwarded: &[&str]) -> Vec<Value> {
    let fixture =
        ApiFixture::start(settings.iter().fold(toolgate(), |builder, (name, value)| builder.env(name, *value)));
    let (server, ..) = ServerFixture::create_with_tools(&fixture.api, "Shop").await;
    for addresses in forwarded {
        McpClient::new(&server.url).header("x-forwarded-for", addresses).call("good", json!({})).await;
    }
    let log = fixture.api.read("/calls").await;
    items(&log).iter().rev().map(|call| call["client_address"].clone()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_a_trusted_proxy_decides_the_address_of_the_client() {
    let forwarded = ["203.0.113.9", "6.6.6.6, 2001:db8::1, 10.0.0.7", "unknown"];
    assert_eq!(recorded_addresses(&[], &forwarded).await, [json!("127.0.0.1"), json!("127.0.0.1"), json!("127.0.0.1")]);
    let settings = [("TOOLGATE_TRUSTED_PROXIES", "127.0.0.1,10.0.0.0/8")];
    let recorded = recorded_addresses(&settings, &forwarded).await;
    assert_eq!(recorded, [json!("203.0.113.9"), json!("2001:db8::1"), json!("127.0.0.1")]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn addresses_are_not_recorded_if_the_setting_is_off() {
    let settings = [("TOOLGATE_RECORD_CLIENT_ADDRESS", "false"), ("TOOLGATE_TRUSTED_PROXIES", "127.0.0.1")];
    assert_eq!(recorded_addresses(&settings, &["203.0.113.9"]).await, [Value::Null]);
}
