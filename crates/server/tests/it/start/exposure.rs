//! Behaviour that depends on whether other machines can reach the service: the addresses that tools may call by default
//! (guarantee 2 in SECURITY.md), and the warning about servers that need no key.

use std::net::TcpListener;

use serde_json::json;

use crate::toolgate;

/// The default of `upstream_allow`, and the status of creating a tool that calls this machine.
async fn default_rule_and_tool_status(listen: &str) -> (String, u16) {
    let app = toolgate().env("TOOLGATE_LISTEN", listen).start();
    let api = app.client();
    let allowed = api.get("/settings").send().await.expect(200).json()["upstream_allow"].as_str().unwrap().to_owned();
    let server = api.create("/servers", json!({"name": "S"})).await;
    let tool = json!({"name": "t", "endpoint_url": "http://127.0.0.1:9/"});
    (allowed, api.post(&format!("/servers/{}/tools", server["id"])).json(tool).send().await.status)
}

#[tokio::test]
async fn non_public_addresses_are_allowed_by_default_only_if_the_service_listens_on_loopback() {
    let has_ipv6 = TcpListener::bind("[::1]:0").is_ok();
    for (listen, allowed, status) in [
        ("127.0.0.1:0", "loopback,private", 201),
        ("127.0.0.2:0", "loopback,private", 201),
        ("[::1]:0", "loopback,private", 201),
        ("0.0.0.0:0", "", 400),
        ("[::]:0", "", 400),
    ] {
        if has_ipv6 || !listen.starts_with('[') {
            assert_eq!(default_rule_and_tool_status(listen).await, (allowed.to_owned(), status), "{listen}");
        }
    }
}

#[tokio::test]
async fn open_servers_are_named_if_other_machines_can_reach_the_service() {
    let folder = tempfile::tempdir().unwrap();
    let local = toolgate().data_dir(folder.path()).start();
    for (name, auth_type) in [("Open", "none"), ("With key", "api-key"), ("Other", "none")] {
        local.client().create("/servers", json!({"name": name, "auth_type": auth_type})).await;
    }
    let settings = local.client().get("/settings").send().await.expect(200).json();
    assert_eq!((&settings["open_servers"], &settings["open_server_count"]), (&json!([]), &json!(0)));
    assert!(!local.stdout().contains("\n  open "), "{}", local.stdout());
    drop(local);
    for (name, value) in [("TOOLGATE_LISTEN", "0.0.0.0:0"), ("TOOLGATE_BASE_URL", "https://tools.example.com")] {
        let mut exposed = toolgate().data_dir(folder.path()).env(name, value).start();
        exposed.terminate();
        let named = "\n  open      Open (id 1), Other (id 3): everyone with the URL can call the tools; ";
        assert!(exposed.stdout().contains(named), "{}", exposed.stdout());
    }
    let exposed = toolgate().data_dir(folder.path()).env("TOOLGATE_LISTEN", "0.0.0.0:0").start();
    let settings = exposed.client().get("/settings").send().await.expect(200).json();
    let open = json!([{"id": 1, "name": "Open", "slug": "open"}, {"id": 3, "name": "Other", "slug": "other"}]);
    assert_eq!((&settings["open_servers"], &settings["open_server_count"]), (&open, &json!(2)));
}

#[tokio::test]
async fn the_number_of_named_open_servers_is_limited() {
    let mut app = toolgate().env("TOOLGATE_LISTEN", "0.0.0.0:0").start();
    for number in 0..25 {
        app.client().create("/servers", json!({"name": format!("S{number}")})).await;
    }
    let settings = app.client().get("/settings").send().await.expect(200).json();
    assert_eq!(settings["open_servers"].as_array().map(Vec::len), Some(20));
    assert_eq!(settings["open_server_count"], 25);
    app.restart();
    app.terminate();
    assert!(app.stdout().contains("S9 (id 10), and 15 more: everyone"), "{}", app.stdout());
}
