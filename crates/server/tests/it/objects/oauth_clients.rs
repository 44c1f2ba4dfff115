//! `/oauth/clients`: OAuth clients that an administrator registers, allows and blocks.

use serde_json::{Value, json};
use toolgate_testkit::ApiFixture;
use toolgate_testkit::objects::id;

use super::fixtures::assert_error;

on_both_databases![
    an_administrator_registers_a_client_and_its_secret_is_shown_once,
    a_client_is_blocked_and_allowed_again,
    a_client_with_invalid_fields_is_refused,
];

const PATH: &str = "/oauth/clients";

async fn an_administrator_registers_a_client_and_its_secret_is_shown_once(service: &ApiFixture) {
    let uris = json!(["https://client.example/callback", "http://127.0.0.1/cb", "cursor://anysphere.cursor-mcp/cb"]);
    let public = service.api.create(PATH, json!({"name": "Public", "redirect_uris": uris})).await;
    assert_eq!((&public["name"], &public["redirect_uris"]), (&json!("Public"), &uris));
    assert_eq!((&public["kind"], &public["status"]), (&json!("preregistered"), &json!("allowed")));
    assert_eq!((&public["token_endpoint_auth_method"], &public["last_consent_at"]), (&json!("none"), &Value::Null));
    assert!(public["client_id"].as_str().unwrap().starts_with("tgx_") && public.get("client_secret").is_none());
    for method in ["client_secret_post", "client_secret_basic"] {
        let fields = json!({"name": "P", "redirect_uris": uris, "token_endpoint_auth_method": method});
        let created = service.api.create(PATH, fields).await;
        let secret = created["client_secret"].as_str().unwrap();
        assert!(secret.starts_with("tgs_") && secret.len() == 47, "{created}");
        let stored = service.api.read(&format!("{PATH}/{}", id(&created))).await;
        assert_eq!(stored["token_endpoint_auth_method"], method);
        for text in
            [stored.to_string(), service.api.read(PATH).await.to_string(), service.api.read("/audit").await.to_string()]
        {
            assert!(!text.contains(secret), "{text}");
        }
    }
    let names: Vec<Value> =
        service.api.read(PATH).await.as_array().unwrap().iter().map(|client| client["name"].clone()).collect();
    assert_eq!(names, ["P", "P", "Public"], "the newest is first");
}

async fn a_client_is_blocked_and_allowed_again(service: &ApiFixture) {
    let client = service.api.create(PATH, json!({"name": "P", "redirect_uris": ["https://a.example/"]})).await;
    let path = format!("{PATH}/{}", id(&client));
    for status in ["blocked", "allowed"] {
        let reply = service.api.patch(&path).json(json!({"status": status})).send().await.expect(200);
        assert_eq!(reply.json()["status"], status);
    }
    assert_error(&service.api.patch(&path).json(json!({"status": "maybe"})).send().await, 400, "rest_invalid_param");
    let deleted = service.api.delete(&path).send().await.expect(200).json();
    assert_eq!((&deleted["deleted"], &deleted["previous"]["id"]), (&json!(true), &client["id"]));
    assert_error(&service.api.get(&path).send().await, 404, "rest_oauth_client_invalid_id");
    let audit = service.api.read("/audit?object_kind=oauth_client").await;
    let actions: Vec<&Value> = audit.as_array().unwrap().iter().map(|entry| &entry["action"]).collect();
    assert_eq!(actions, ["delete", "update", "update", "create"]);
}

async fn a_client_with_invalid_fields_is_refused(service: &ApiFixture) {
    let good = json!(["https://a.example/"]);
    for (name, uris, param) in [
        ("", &good, "name"),
        ("a\u{202e}b", &good, "name"),
        ("P", &json!([]), "redirect_uris"),
        ("P", &json!(vec!["https://a.example/"; 11]), "redirect_uris"),
        ("P", &json!(["javascript:alert(1)"]), "redirect_uris"),
        ("P", &json!(["http://a.example/"]), "redirect_uris"),
        ("P", &json!(["https://a.example/#x"]), "redirect_uris"),
        ("P", &json!(["https://a.example/", "https://user@a.example/"]), "redirect_uris"),
    ] {
        let reply = service.api.post(PATH).json(json!({"name": name, "redirect_uris": uris})).send().await.expect(400);
        assert!(reply.json()["data"]["params"][param].is_string(), "{reply:?}");
    }
    assert_eq!(service.api.read(PATH).await, json!([]));
}
