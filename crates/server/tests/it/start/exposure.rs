//! What tools may reach by default follows from who can reach the service: row 2 of the security requirements.

use std::net::TcpListener;

use serde_json::json;

use super::toolgate;

/// What may be called beside public addresses, and the status of a tool that would call this machine.
async fn implied(listen: &str) -> (String, u16) {
    let app = toolgate().env("TOOLGATE_LISTEN", listen).start();
    let api = app.client();
    let allowed = api.get("/settings").send().await.expect(200).json()["upstream_allow"].as_str().unwrap().to_owned();
    let server = api.post("/servers").json(json!({"name": "S"})).send().await.expect(201).json();
    let tool = json!({"name": "t", "endpoint_url": "http://127.0.0.1:9/"});
    (allowed, api.post(&format!("/servers/{}/tools", server["id"])).json(tool).send().await.status)
}

#[tokio::test]
async fn inner_addresses_are_implied_only_while_the_service_listens_on_loopback() {
    let has_ipv6 = TcpListener::bind("[::1]:0").is_ok();
    for (listen, allowed, status) in [
        ("127.0.0.1:0", "loopback,private", 201),
        ("127.0.0.2:0", "loopback,private", 201),
        ("[::1]:0", "loopback,private", 201),
        ("0.0.0.0:0", "", 400),
        ("[::]:0", "", 400),
    ] {
        if has_ipv6 || !listen.starts_with('[') {
            assert_eq!(implied(listen).await, (allowed.to_owned(), status), "{listen}");
        }
    }
}
