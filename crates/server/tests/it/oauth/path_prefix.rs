//! A base URL with a path, which the proxy removes before it forwards a request.

use serde_json::json;
use toolgate_testkit::{Client, free_address};

use crate::toolgate;

#[tokio::test]
async fn documents_and_pages_work_below_a_path_prefix() {
    let address = free_address();
    let base = format!("http://{address}/gate");
    let app = toolgate().env("TOOLGATE_LISTEN", address.to_string()).env("TOOLGATE_BASE_URL", &base).start();
    let web = Client::new(&format!("http://{address}"), None);
    let api = Client::new(&format!("http://{address}/wp-json/toolgate/v1"), Some(&app.key()));
    let server = api.create("/servers", json!({"name": "Weather", "auth_type": "oauth"})).await;
    let endpoint = server["endpoint_url"].as_str().unwrap();
    assert!(endpoint.starts_with(&format!("{base}/mcp/weather/")), "{endpoint}");
    let issuer = "/.well-known/oauth-authorization-server";
    for path in [issuer.to_owned(), format!("{issuer}/gate")] {
        let document = web.get(&path).send().await.expect(200).json();
        assert_eq!(document["issuer"], json!(base));
        assert_eq!(document["authorization_endpoint"], json!(format!("{base}/authorize")));
    }
    let path = endpoint.strip_prefix(&base).unwrap();
    for inserted in ["", "/gate"] {
        let path = format!("/.well-known/oauth-protected-resource{inserted}{path}");
        let document = web.get(&path).send().await.expect(200).json();
        assert_eq!((&document["resource"], &document["authorization_servers"]), (&json!(endpoint), &json!([base])));
    }
    web.get("/.well-known/oauth-authorization-server/other").send().await.expect(404);
    let page = web.get("/signin").send().await.expect(200).text();
    assert!(page.contains("action=\"/gate/signin\"") && page.contains("href=\"/gate/signin.css\""), "{page}");
    let stdout = app.stdout();
    assert!(stdout.contains("/.well-known/oauth-authorization-server/gate"), "the proxy rule is printed: {stdout}");
}
