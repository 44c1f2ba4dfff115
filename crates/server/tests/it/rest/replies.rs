//! Replies: headers, `_fields`, `_envelope`, `context`, and unknown parameters.

use serde_json::json;
use toolgate_testkit::ApiFixture;
use toolgate_testkit::objects::id;

use super::assertions::{assert_error, assert_invalid, keys};

on_both_databases!(
    every_reply_has_the_common_headers,
    fields_selects_the_named_fields,
    fields_selects_nested_fields,
    fields_can_be_a_list,
    fields_does_not_change_errors,
    an_envelope_holds_status_headers_and_body,
    context_is_validated_and_otherwise_ignored,
    unknown_parameters_are_ignored,
);

async fn every_reply_has_the_common_headers(service: &ApiFixture) {
    for reply in [
        service.api.get("/servers").send().await.expect(200),
        service.api.post("/servers").json(json!({"name": "A"})).send().await.expect(201),
        service.api.get("/servers/999").send().await.expect(404),
        service.api.post("/servers").body("{").send().await.expect(400),
        service.anonymous().get("/servers").send().await.expect(401),
        service.anonymous().get("").send().await.expect(200),
        service.anonymous().options("/servers").send().await.expect(200),
    ] {
        assert_eq!(reply.header("content-type"), Some("application/json; charset=UTF-8"), "{reply:?}");
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"), "{reply:?}");
        assert_eq!(reply.header("x-robots-tag"), Some("noindex"), "{reply:?}");
        assert_eq!(reply.header("cache-control"), Some("no-store, private"), "{reply:?}");
        let exposed = reply.header("access-control-expose-headers");
        assert_eq!(exposed, Some("X-WP-Total, X-WP-TotalPages, Link, X-Next-Before, X-Toolgate-Ignored"), "{reply:?}");
    }
}

async fn fields_selects_the_named_fields(service: &ApiFixture) {
    let server = service.api.create_server(json!({"name": "A"})).await;
    let single = service.api.read(&format!("/servers/{}?_fields=name,id", id(&server))).await;
    assert_eq!(single, json!({"id": server["id"], "name": "A"}));
    let list = service.api.get("/servers?_fields=slug").send().await.expect(200);
    assert_eq!(list.json(), json!([{"slug": "a"}]));
    assert_eq!(list.header("x-wp-total"), Some("1"));
    assert_eq!(service.api.read("/servers?_fields=unknown").await, json!([{}]));
    assert_eq!(service.api.read("/servers?_fields=").await, json!([server]));
    let created = service.api.post("/servers?_fields=name").json(json!({"name": "B"})).send().await.expect(201);
    assert_eq!(created.json(), json!({"name": "B"}));
    let deleted = service.api.delete(&format!("/servers/{}?_fields=deleted", id(&server))).send().await.expect(200);
    assert_eq!(deleted.json(), json!({"deleted": true}));
}

async fn fields_selects_nested_fields(service: &ApiFixture) {
    let settings = json!({"description": "d", "other": {"a": 1, "b": [{"c": 2, "d": 3}]}});
    let server = service.api.create_server(json!({"settings": settings})).await;
    let path = format!("/servers/{}", id(&server));
    let read = async |fields: &str| service.api.read(&format!("{path}?_fields={fields}")).await;
    assert_eq!(read("settings.description").await, json!({"settings": {"description": "d"}}));
    assert_eq!(read("id,settings.other.a").await, json!({"id": server["id"], "settings": {"other": {"a": 1}}}));
    assert_eq!(read("settings,settings.description").await, json!({"settings": settings}));
}

async fn fields_can_be_a_list(service: &ApiFixture) {
    let server = service.api.create_server(json!({"name": "A"})).await;
    let expected = json!([{"id": server["id"], "name": "A", "slug": "a"}]);
    assert_eq!(service.api.read("/servers?_fields[]=id&_fields[]=name&_fields[]=slug").await, expected);
    assert_eq!(service.api.read("/servers?_fields%5B%5D=id,name&_fields%5B%5D=slug").await, expected);
    assert_eq!(service.api.read("/servers?_fields[0]=id&_fields[1]=name&_fields[2]=slug").await, expected);
    assert_eq!(service.api.read("/servers?_fields=id,%20name,slug").await, expected);
}

async fn fields_does_not_change_errors(service: &ApiFixture) {
    assert_error(&service.api.get("/servers/999?_fields=id").send().await, 404, "rest_server_invalid_id");
}

async fn an_envelope_holds_status_headers_and_body(service: &ApiFixture) {
    let server = service.api.create_server(json!({"name": "A"})).await;
    let list = service.api.read("/servers?_envelope").await;
    assert_eq!(keys(&list), ["body", "status", "headers"]);
    assert_eq!((&list["body"], &list["status"]), (&json!([server]), &json!(200)));
    assert_eq!((&list["headers"]["X-WP-Total"], &list["headers"]["X-WP-TotalPages"]), (&json!("1"), &json!("1")));

    let created = service.api.post("/servers?_envelope=1").json(json!({"name": "B"})).send().await.expect(200).json();
    assert_eq!((&created["status"], &created["body"]["name"]), (&json!(201), &json!("B")));
    assert!(created["headers"]["Location"].as_str().unwrap().ends_with(&format!("/servers/{}", created["body"]["id"])));

    let absent = service.api.read("/servers/999?_envelope=true&_fields=id").await;
    assert_eq!((&absent["status"], &absent["body"]["code"]), (&json!(404), &json!("rest_server_invalid_id")));
    let refused = service.anonymous().get("/servers?_envelope").send().await.expect(200).json();
    assert_eq!(refused["status"], 401);
    let trimmed = service.api.read("/servers?_envelope&_fields=name&orderby=id&order=asc").await;
    assert_eq!(trimmed["body"], json!([{"name": "A"}, {"name": "B"}]));
}

async fn context_is_validated_and_otherwise_ignored(service: &ApiFixture) {
    let server = service.api.create_server(json!({})).await;
    for context in ["view", "embed", "edit"] {
        assert_eq!(service.api.read(&format!("/servers?context={context}")).await, json!([server]));
        assert_eq!(service.api.read(&format!("/servers/{}?context={context}", id(&server))).await, server);
    }
    let reply = service.api.get("/servers?context=all").send().await;
    assert_invalid(&reply, "context", "rest_not_in_enum");
    assert_eq!(reply.json()["data"]["params"]["context"], "context is not one of view, embed, and edit.");
}

async fn unknown_parameters_are_ignored(service: &ApiFixture) {
    let server = service
        .api
        .create_server(json!({"name": "A", "nonsense": {"a": [1]}, "user_id": 77, "id": 9, "tool_count": 5}))
        .await;
    assert_eq!((&server["user_id"], &server["tool_count"]), (&json!(1), &json!(0)));
    assert!(server.get("nonsense").is_none());
    let list = service.api.read("/servers?_embed=1&_locale=user&_jsonp=x&nonsense[]=1&a%00b=%FF&=&&").await;
    assert_eq!(list, json!([server]));
    let sent = json!({"server_id": "mine", "endpoint_url": "x", "created_at": "2001-01-01T00:00:00"});
    let updated = service.api.patch(&format!("/servers/{}", id(&server))).json(sent).send().await.expect(200).json();
    for field in ["server_id", "endpoint_url", "created_at"] {
        assert_eq!(updated[field], server[field], "{field} cannot be written");
    }
}
