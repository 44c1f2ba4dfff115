//! The default of the addresses that tools may call depends on whether other machines can reach the service (guarantee
//! 2 in SECURITY.md).

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
