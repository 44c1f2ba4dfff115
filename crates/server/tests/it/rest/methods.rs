//! PUT, PATCH and POST; method override; HEAD; OPTIONS.

use serde_json::{Value, json};
use toolgate_testkit::ApiFixture;
use toolgate_testkit::objects::id;

use super::assertions::{assert_error, keys};

on_both_databases!(
    put_patch_and_post_change_only_the_sent_fields,
    post_can_override_the_method_by_header,
    post_can_override_the_method_by_query,
    only_post_can_override_the_method,
    head_replies_like_get_without_a_body,
    options_describes_a_path_without_a_key,
);

async fn put_patch_and_post_change_only_the_sent_fields(service: &ApiFixture) {
    let server = service.api.create_server(json!({"name": "A", "status": "draft", "rate_limit_per_min": 7})).await;
    let path = format!("/servers/{}", server["id"]);
    for (method, name) in [("PUT", "B"), ("PATCH", "C"), ("POST", "D")] {
        let request = service.api.request(method.parse().unwrap(), &path);
        let changed = request.json(json!({"name": name})).send().await.expect(200).json();
        assert_eq!(changed["name"], name);
        for field in ["id", "user_id", "slug", "server_id", "status", "rate_limit_per_min", "settings", "created_at"] {
            assert_eq!(changed[field], server[field], "{method}: {field}");
        }
        assert_eq!(service.api.read(&path).await, changed);
    }
}

async fn post_can_override_the_method_by_header(service: &ApiFixture) {
    let server = service.api.create_server(json!({})).await;
    let path = format!("/servers/{}", server["id"]);
    let overridden = |method: &str| service.api.post(&path).header("x-http-method-override", method);
    assert_eq!(overridden("GET").send().await.expect(200).json(), server);
    assert_eq!(overridden("patch").json(json!({"name": "B"})).send().await.expect(200).json()["name"], "B");
    assert_eq!(overridden("DELETE").send().await.expect(200).json()["deleted"], true);
    assert_error(&overridden("DELETE").send().await, 404, "rest_server_invalid_id");
}

async fn post_can_override_the_method_by_query(service: &ApiFixture) {
    let server = service.api.create_server(json!({})).await;
    let path = format!("/servers/{}", server["id"]);
    let overridden = |method: &str| service.api.post(&path).query("_method", method);
    assert_eq!(overridden("PUT").json(json!({"name": "B"})).send().await.expect(200).json()["name"], "B");
    assert_eq!(service.api.post("/servers?_method=GET").send().await.expect(200).json()[0]["name"], "B");
    assert_eq!(overridden("delete").send().await.expect(200).json()["previous"]["name"], "B");
}

async fn only_post_can_override_the_method(service: &ApiFixture) {
    let server = service.api.create_server(json!({})).await;
    let path = format!("/servers/{}", server["id"]);
    let read = service.api.get(&path).query("_method", "DELETE").header("x-http-method-override", "DELETE");
    assert_eq!(read.send().await.expect(200).json(), server);
    assert_eq!(service.api.read(&path).await, server);
    let unknown_method = service.api.post(&path).header("x-http-method-override", "BREW").send().await;
    assert_error(&unknown_method, 404, "rest_no_route");
}

async fn head_replies_like_get_without_a_body(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    service.api.create_server(json!({})).await;
    service.api.create_tools(server_id, &["a", "b", "c"]).await;
    for path in ["/servers?per_page=1&page=2", "/servers?status=draft", &format!("/servers/{server_id}/tools")] {
        let (head, get) = (service.api.head(path).send().await, service.api.get(path).send().await);
        assert_eq!((head.status, head.body.len()), (200, 0), "{path}");
        for name in ["x-wp-total", "x-wp-totalpages", "link", "content-type", "cache-control"] {
            assert_eq!(head.header(name), get.header(name), "{path}: {name}");
        }
        assert!(head.header("x-wp-total").is_some(), "{path}");
    }
    service.api.head(&format!("/servers/{server_id}")).send().await.expect(200);
    service.api.head("/servers/999").send().await.expect(404);
    service.api.head(&format!("/servers/{server_id}/toggle")).send().await.expect(404);
    service.anonymous().head("/servers").send().await.expect(401);
}

async fn options_describes_a_path_without_a_key(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let anonymous = service.anonymous();
    let reply = anonymous.options("/servers").send().await.expect(200);
    let body = reply.json();
    assert_eq!(keys(&body), ["namespace", "methods", "endpoints", "schema"]);
    assert_eq!((&body["namespace"], &body["methods"]), (&json!("toolgate/v1"), &json!(["GET", "POST"])));
    assert_eq!(reply.header("allow"), Some("GET, POST, HEAD, OPTIONS"));
    let (list, create) = (&body["endpoints"][0]["args"], &body["endpoints"][1]["args"]);
    assert_eq!((&list["per_page"]["default"], &list["per_page"]["maximum"]), (&json!(20), &json!(100)));
    assert_eq!(list["order"]["default"], "DESC");
    assert_eq!((&create["name"]["required"], &create["slug"]["required"]), (&json!(true), &json!(false)));
    assert_eq!(create["status"]["enum"], json!(["active", "paused", "draft"]));

    let path = format!("/servers/{server_id}");
    let single = anonymous.options(&path).send().await.expect(200);
    assert_eq!(single.json()["methods"], json!(["GET", "POST", "PUT", "PATCH", "DELETE"]));
    // The reply does not reveal whether the object exists.
    assert_eq!(anonymous.options("/servers/999").send().await.expect(200).json(), single.json());
    assert_error(&anonymous.options("/nothing").send().await, 404, "rest_no_route");
    anonymous.options("").send().await.expect(200);
    let still_there: Value = service.api.read(&path).await;
    assert_eq!(id(&still_there), server_id);
}
