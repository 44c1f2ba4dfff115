//! The route `/me`: the user and the rights of the caller's key.

use serde_json::{Value, json};
use toolgate_testkit::ApiFixture;

on_both_databases![me_shows_the_user_and_the_rights_of_a_key];

async fn me_shows_the_user_and_the_rights_of_a_key(service: &ApiFixture) {
    let app = &service.app;
    let admin = service.api.read("/me").await;
    assert_eq!((&admin["user"]["id"], &admin["user"]["role"]), (&json!(1), &json!("admin")));
    assert_eq!((&admin["may_write"], &admin["may_administer"]), (&json!(true), &json!(true)));
    for (role, scopes, may_write, may_administer) in [
        ("owner", json!(["read", "write"]), true, false),
        ("owner", json!(["read"]), false, false),
        ("viewer", json!(["read", "write", "admin"]), false, false),
        ("admin", json!(["write"]), true, false),
    ] {
        let name = format!("{role} {scopes}");
        let holder = service.api.create_user(&name, role).await;
        let fields = json!({"name": "k", "user_id": holder, "scopes": scopes, "expires_at": "2099-01-01T00:00:00"});
        let key = service.api.create("/api-keys", fields).await;
        let me = app.client_with_key(key["key"].as_str()).read("/me").await;
        assert_eq!((&me["user"]["name"], &me["user"]["role"]), (&json!(name), &json!(role)));
        assert_eq!((&me["may_write"], &me["may_administer"]), (&json!(may_write), &json!(may_administer)), "{me}");
        let Value::Object(mut created) = key.clone() else { panic!("{key}") };
        created.remove("key");
        assert_eq!(me["key"], Value::Object(created), "the reply shows everything except the secret");
        assert!(!me.to_string().contains(key["key"].as_str().unwrap()));
    }
    app.client_with_key(None).get("/me").send().await.expect(401);
}
