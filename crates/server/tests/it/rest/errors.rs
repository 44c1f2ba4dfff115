//! Errors: their format, access control, the order of checks, and the accepted forms of values.

use serde_json::{Value, json};
use toolgate_testkit::ApiFixture;
use toolgate_testkit::objects::id;

use super::assertions::{assert_error, assert_invalid, assert_invalid_fields, assert_missing, keys};

on_both_databases!(
    missing_parameters_are_named,
    invalid_values_are_named_with_a_code_and_a_message,
    every_fault_of_a_request_is_in_one_reply,
    every_invalid_key_gets_the_same_reply,
    a_valid_key_without_the_required_access_is_forbidden,
    objects_of_other_users_are_reported_as_absent,
    requests_are_checked_in_a_fixed_order,
    conflicts_name_the_field,
    numbers_may_be_sent_as_text,
    null_is_treated_as_omitted,
    required_text_must_not_be_blank,
    no_text_breaks_the_database,
);

async fn missing_parameters_are_named(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    assert_missing(&service.api.post("/servers").send().await, &["name"]);
    assert_missing(&service.api.post("/servers").json(json!({"slug": "!"})).send().await, &["name"]);
    let tools = format!("/servers/{server_id}/tools");
    assert_missing(&service.api.post(&tools).json(json!({})).send().await, &["name", "endpoint_url"]);
    assert_missing(&service.api.post(&tools).json(json!({"name": "a"})).send().await, &["endpoint_url"]);
    assert_missing(&service.api.post(&format!("{tools}/reorder")).send().await, &["tool_ids"]);
    assert_missing(&service.api.post("/tools/import-curl").send().await, &["curl"]);
}

async fn invalid_values_are_named_with_a_code_and_a_message(service: &ApiFixture) {
    let reply = service.api.get("/servers?per_page=x").send().await;
    assert_invalid(&reply, "per_page", "rest_invalid_type");
    let error = reply.json();
    assert_eq!(error["message"], "Invalid parameter(s): per_page");
    assert_eq!(keys(&error["data"]), ["status", "params", "details"]);
    assert_eq!(error["data"]["params"]["per_page"], "per_page is not of type integer.");
    assert_eq!(error["data"]["details"]["per_page"]["message"], "per_page is not of type integer.");

    for (query, field, code, message) in [
        (
            "per_page=101",
            "per_page",
            "rest_out_of_bounds",
            "per_page must be between 1 (inclusive) and 100 (inclusive)",
        ),
        ("status=gone", "status", "rest_not_in_enum", "status is not one of active, paused, and draft."),
    ] {
        let reply = service.api.get(&format!("/servers?{query}")).send().await;
        assert_invalid(&reply, field, code);
        assert_eq!(reply.json()["data"]["params"][field], message);
    }
}

async fn every_fault_of_a_request_is_in_one_reply(service: &ApiFixture) {
    let reply = service.api.get("/servers?per_page=0&page=-1&order=up&orderby=user_id&status=x&context=y").send().await;
    assert_invalid_fields(&reply, &["per_page", "page", "order", "orderby", "status", "context"]);
    let server =
        json!({"name": " ", "slug": "A B", "status": 1, "rate_limit_per_min": -1, "settings": {"description": 1}});
    let reply = service.api.post("/servers").json(server).send().await;
    assert_invalid_fields(&reply, &["name", "slug", "status", "rate_limit_per_min", "settings"]);
    let tool = json!({"name": "a b", "endpoint_url": "x", "http_method": "BREW", "timeout": 0, "input_schema": {"type": "x"},
        "parameter_mapping": {"a": 1}, "headers": {"X": null}, "description": 5, "body_type": []});
    let wrong = ["name", "endpoint_url", "http_method", "timeout", "input_schema", "parameter_mapping", "headers"];
    let server_id = service.api.create_default_server().await;
    let reply = service.api.post(&format!("/servers/{server_id}/tools")).json(tool).send().await;
    assert_invalid_fields(&reply, &[&wrong[..], &["description", "body_type"]].concat());
}

async fn every_invalid_key_gets_the_same_reply(service: &ApiFixture) {
    let created = service.api.create("/api-keys", json!({"name": "k"})).await;
    let revoked = format!("Bearer {}", created["key"].as_str().unwrap());
    let request = |value: Option<&str>| match value {
        Some(value) => service.anonymous().get("/servers").header("authorization", value),
        None => service.anonymous().get("/servers"),
    };
    request(Some(&revoked)).send().await.expect(200);
    service.api.delete(&format!("/api-keys/{}", created["id"])).send().await.expect(200);

    let key = service.app.key();
    let (no_scheme, basic, quoted) = (key.clone(), format!("Basic {key}"), format!("Bearer \"{key}\""));
    let authorizations = [
        None,
        Some(""),
        Some("Bearer"),
        Some("Bearer "),
        Some("Bearer tg_wrong"),
        Some(revoked.as_str()),
        Some(no_scheme.as_str()),
        Some(basic.as_str()),
        Some(quoted.as_str()),
    ];
    for authorization in authorizations {
        let reply = request(authorization).send().await;
        assert_error(&reply, 401, "rest_forbidden");
        let expected = json!({"code": "rest_forbidden", "message": "Sorry, you are not allowed to do that.", "data": {"status": 401}});
        assert_eq!(reply.json(), expected, "{authorization:?}");
        assert_eq!(reply.header("www-authenticate"), Some("Bearer"), "{authorization:?}");
    }
    for scheme in ["bearer", "BEARER"] {
        request(Some(&format!("{scheme} {key}"))).send().await.expect(200);
    }
}

async fn a_valid_key_without_the_required_access_is_forbidden(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let reader = service.api.key_client(json!({"scopes": ["read"]})).await;
    let viewer = service.api.user_client("viewer", "viewer").await;
    let owner = service.api.user_client("owner", "owner").await;
    for client in [&reader, &viewer] {
        client.get("/servers").send().await.expect(200);
        client.head("/servers").send().await.expect(200);
        let write = client.post("/servers").json(json!({"name": "A"})).send().await;
        assert_error(&write, 403, "rest_forbidden");
        assert_eq!(write.header("www-authenticate"), None);
        let toggle = client.post(&format!("/servers/{server_id}/toggle")).send().await;
        assert_error(&toggle, 403, "rest_forbidden");
        // Access is checked before parameters.
        assert_error(&client.post("/servers").body("{").send().await, 403, "rest_forbidden");
    }
    for path in ["/users", "/settings"] {
        assert_error(&owner.get(path).send().await, 403, "rest_forbidden");
        service.api.get(path).send().await.expect(200);
    }
    let mcp_only = service.api.key_client(json!({"scopes": ["mcp"]})).await;
    assert_error(&mcp_only.get("/servers").send().await, 403, "rest_forbidden");
}

async fn objects_of_other_users_are_reported_as_absent(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let tool_id = id(&service.api.create_tool(server_id, json!({})).await);
    let owner = service.api.user_client("owner", "owner").await;
    let absent = owner.get("/servers/999").send().await;
    for request in [
        owner.get(&format!("/servers/{server_id}")),
        owner.post(&format!("/servers/{server_id}")).json(json!({"name": "Mine"})),
        owner.post(&format!("/servers/{server_id}/toggle")),
        owner.post(&format!("/servers/{server_id}/duplicate")),
        owner.delete(&format!("/servers/{server_id}")),
        owner.get(&format!("/servers/{server_id}/tools")),
        owner
            .post(&format!("/servers/{server_id}/tools"))
            .json(json!({"name": "a", "endpoint_url": "https://a.example"})),
        owner.post(&format!("/servers/{server_id}/tools/reorder")).json(json!({"tool_ids": [tool_id]})),
    ] {
        let reply = request.send().await;
        assert_eq!(reply.json(), absent.json(), "{reply:?}");
        assert_error(&reply, 404, "rest_server_invalid_id");
    }
    for request in [
        owner.get(&format!("/tools/{tool_id}")),
        owner.patch(&format!("/tools/{tool_id}")).json(json!({"timeout": 1})),
        owner.post(&format!("/tools/{tool_id}/duplicate")),
        owner.post(&format!("/tools/{tool_id}/toggle")),
        owner.post(&format!("/tools/{tool_id}/test")),
        owner.delete(&format!("/tools/{tool_id}")),
    ] {
        assert_error(&request.send().await, 404, "rest_tool_invalid_id");
    }
    let list = owner.get("/servers").send().await.expect(200);
    assert_eq!((list.json(), list.header("x-wp-total")), (json!([]), Some("0")));

    let owners_server = owner.create("/servers", json!({"name": "Weather"})).await;
    assert_ne!(owners_server["user_id"], 1);
    assert_eq!(owners_server["slug"], "weather", "two users may have servers with the same slug");
    assert_eq!(service.api.read("/servers?orderby=id&_fields=user_id").await.as_array().unwrap().len(), 2);
    assert_eq!(
        service.api.read(&format!("/servers/{}", id(&owners_server))).await,
        owners_server,
        "an administrator can read the servers of every user"
    );
}

async fn requests_are_checked_in_a_fixed_order(service: &ApiFixture) {
    // The order: route, key, parameters, existence of the object, state of the object.
    assert_error(&service.anonymous().get("/nothing").send().await, 404, "rest_no_route");
    assert_error(&service.anonymous().delete("/servers").send().await, 404, "rest_no_route");
    assert_error(&service.anonymous().post("/servers").body("{").send().await, 401, "rest_forbidden");
    assert_error(&service.anonymous().get("/servers/999?context=x").send().await, 401, "rest_forbidden");
    assert_invalid(&service.api.get("/servers/999/tools?status=x").send().await, "status", "rest_not_in_enum");
    let absent = service.api.patch("/servers/999");
    assert_invalid(&absent.clone().json(json!({"status": "x"})).send().await, "status", "rest_not_in_enum");
    assert_error(&absent.json(json!({"status": "draft"})).send().await, 404, "rest_server_invalid_id");
    service.api.create_server(json!({"slug": "taken"})).await;
    let absent = service.api.patch("/servers/999").json(json!({"slug": "taken"})).send().await;
    assert_error(&absent, 404, "rest_server_invalid_id");
}

async fn conflicts_name_the_field(service: &ApiFixture) {
    let server_id = id(&service.api.create_server(json!({"slug": "a"})).await);
    let tools = format!("/servers/{server_id}/tools");
    service.api.create_tool(server_id, json!({"name": "t"})).await;
    let tool = json!({"name": "t", "endpoint_url": "https://a.example"});
    for (path, body, code, field) in [
        ("/servers", json!({"name": "x", "slug": "a"}), "rest_server_exists", "slug"),
        (tools.as_str(), tool, "rest_tool_exists", "name"),
    ] {
        let reply = service.api.post(path).json(body).send().await;
        assert_error(&reply, 409, code);
        assert_eq!(keys(&reply.json()["data"]["params"]), [field]);
    }
}

async fn numbers_may_be_sent_as_text(service: &ApiFixture) {
    for good in [json!(5), json!("5"), json!(5.0), json!("5.0")] {
        let server = service.api.create_server(json!({"rate_limit_per_min": good})).await;
        assert_eq!(server["rate_limit_per_min"].to_string(), "5");
    }
    for bad in [json!(5.5), json!("five"), json!(""), json!(true), json!([5]), json!({}), json!("0x10"), json!("5,0")] {
        let reply = service.api.post("/servers").json(json!({"name": "A", "rate_limit_per_min": bad})).send().await;
        assert_invalid(&reply, "rate_limit_per_min", "rest_invalid_type");
    }
    for huge in [json!(1e300), json!(-1e300), json!(u64::MAX), json!("99999999999999999999999999")] {
        let reply = service.api.post("/servers").json(json!({"name": "A", "rate_limit_per_min": huge})).send().await;
        assert_invalid(&reply, "rate_limit_per_min", "rest_out_of_bounds");
    }
    let server_id = service.api.create_default_server().await;
    for (force, is_valid) in [("maybe", false), ("2", false), ("true", true)] {
        let reply = service.api.delete(&format!("/servers/{server_id}?force={force}")).send().await;
        if is_valid { drop(reply.expect(200)) } else { assert_invalid(&reply, "force", "rest_invalid_type") }
    }
}

async fn null_is_treated_as_omitted(service: &ApiFixture) {
    assert_missing(&service.api.post("/servers").json(json!({"name": null})).send().await, &["name"]);
    let nulls = json!({"slug": null, "status": null, "auth_type": null, "rate_limit_per_min": null, "settings": null});
    let server = service.api.create_server(nulls.clone()).await;
    assert_eq!((&server["slug"], &server["status"]), (&json!("weather"), &json!("active")));
    assert_eq!((&server["rate_limit_per_min"], &server["settings"]), (&json!(60), &Value::Null));
    let changed = service.api.post(&format!("/servers/{}", id(&server)));
    let changed = changed.json(json!({"name": null, "status": null})).send().await.expect(200).json();
    assert_eq!((&changed["name"], &changed["status"]), (&server["name"], &server["status"]));
    let tool =
        json!({"description": null, "http_method": null, "input_schema": null, "timeout": null, "headers": null});
    let tool = service.api.create_tool(id(&server), tool).await;
    assert_eq!((&tool["description"], &tool["http_method"], &tool["timeout"]), (&json!(""), &json!("GET"), &json!(30)));
}

async fn required_text_must_not_be_blank(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    for blank in ["", " ", "\t\n", "\u{a0}\u{2003}"] {
        let reply = service.api.post("/servers").json(json!({"name": blank})).send().await;
        assert_invalid(&reply, "name", "rest_too_short");
        let reply = service.api.patch(&format!("/servers/{server_id}")).json(json!({"name": blank})).send().await;
        assert_invalid(&reply, "name", "rest_too_short");
        let tool = json!({"name": "a", "endpoint_url": blank});
        let reply = service.api.post(&format!("/servers/{server_id}/tools")).json(tool).send().await;
        assert_invalid(&reply, "endpoint_url", "rest_too_short");
    }
}

/// `PostgreSQL` cannot store U+0000, and no text may break the database.
async fn no_text_breaks_the_database(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let server = format!("/servers/{server_id}");
    let with_nul = "a\u{0}b";
    for body in [json!({"name": with_nul}), json!({"slug": with_nul}), json!({"settings": {"description": with_nul}})] {
        let field = keys(&body)[0].to_owned();
        assert_invalid_fields(&service.api.patch(&server).json(body.clone()).send().await, &[&field]);
    }
    service.api.get("/servers?search=a%00b").send().await.expect(400);
    let changed =
        service.api.patch(&server).json(json!({"settings": {"free": with_nul, with_nul: 1}})).send().await.expect(200);
    assert_eq!(changed.json()["settings"], json!({"free": with_nul, with_nul: 1}));
    assert_eq!(service.api.read(&server).await, changed.json());
    let schema = json!({"type": "object", "properties": {with_nul: {"type": "string", "default": with_nul}}});
    let tool =
        service.api.create_tool(server_id, json!({"input_schema": schema, "annotations": {"title": with_nul}})).await;
    assert_eq!(service.api.read(&format!("/tools/{}", id(&tool))).await["input_schema"], schema);
    for text in ["Robert'); DROP TABLE servers;--", "\\", "'", "\"", "$1", "\u{1F600}\u{10FFFF}"] {
        let named = service.api.create_server(json!({"name": text, "settings": {"description": text}})).await;
        assert_eq!((&named["name"], &named["settings"]["description"]), (&json!(text), &json!(text)));
        let found = service.api.get("/servers?_fields=id").query("search", text).send().await.expect(200).json();
        assert!(found.as_array().unwrap().contains(&json!({"id": named["id"]})), "{text}: {found}");
    }
}
