//! Every limit on the size or number of values: a value at the limit is accepted, and one above it is refused by name.

use std::time::Duration;

use http::Method;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use toolgate_testkit::objects::id;
use toolgate_testkit::raw::exchange;
use toolgate_testkit::{ApiFixture, Client, ServiceFixture, TestResponse};

use super::fixtures::{OwnedObjects, assert_error, assert_refused, assert_refused_as, create_server, create_tool};

on_both_databases![
    names_are_limited_in_length,
    descriptions_are_limited_in_length,
    urls_are_limited_in_length,
    contents_are_limited_in_size,
    documents_are_limited_in_size,
    schemas_are_bounded_in_depth_and_number,
    lists_are_limited_in_length,
    numbers_outside_their_range_are_refused,
    a_body_is_limited_to_two_mebibytes,
    json_nesting_is_limited_to_64_levels,
    a_server_holds_at_most_a_thousand_tools,
    a_server_holds_at_most_a_thousand_prompts,
    a_server_holds_at_most_a_thousand_resources,
    administrators_can_read_the_limits,
];

const MIB: usize = 1024 * 1024;
const DOCUMENT_BYTES_MAX: usize = 256 * 1024;

/// Builds a JSON value around a text.
type JsonTemplate<'a> = dyn Fn(&str) -> Value + 'a;

/// A request with one text whose length is limited.
struct LimitCase<'a> {
    path: String,
    param: &'a str,
    body: &'a JsonTemplate<'a>,
}

impl LimitCase<'_> {
    /// Checks that a text of `limit` times `fill` is accepted, and that a text with one more `fill` is refused.
    async fn assert_limit(&self, client: &Client, limit: usize, fill: &str) {
        let exact = fill.repeat(limit);
        let reply = client.post(&self.path).json((self.body)(&exact)).send().await;
        assert!(
            matches!(reply.status, 200 | 201),
            "{} was refused at its limit of {limit}: {}",
            self.param,
            excerpt(&reply)
        );
        assert!(reply.text().contains(&exact), "{} was truncated", self.param);
        let reply = client.post(&self.path).json((self.body)(&format!("{exact}{fill}"))).send().await;
        assert_eq!(reply.status, 400, "{}: {}", self.param, excerpt(&reply));
        assert_refused_as(&reply, self.param, "rest_too_long");
    }
}

/// The start of a reply: the whole one is too long for a failure message.
fn excerpt(reply: &TestResponse) -> String {
    format!("{reply:?}").chars().take(400).collect()
}

async fn names_are_limited_in_length(service: &ApiFixture) {
    let client = &service.api;
    let objects = OwnedObjects::create(client, "Edges").await;
    let child_path = |kind: &str| format!("/servers/{}/{kind}", objects.server);
    let limit_case = |path: String, param, body| LimitCase { path, param, body };
    let with_name = |name: &str| json!({"name": name});
    for fill in ["x", "ü"] {
        limit_case("/servers".into(), "name", &with_name).assert_limit(client, 200, fill).await;
        limit_case("/users".into(), "name", &with_name).assert_limit(client, 200, fill).await;
        limit_case("/api-keys".into(), "name", &with_name).assert_limit(client, 200, fill).await;
        limit_case(child_path("keys"), "name", &with_name).assert_limit(client, 200, fill).await;
        limit_case(child_path(&format!("resources/{}", objects.resource)), "name", &with_name)
            .assert_limit(client, 200, fill)
            .await;
    }
    limit_case(format!("/tools/{}", objects.tool), "name", &with_name).assert_limit(client, 128, "x").await;
    limit_case(child_path(&format!("prompts/{}", objects.prompt)), "name", &with_name)
        .assert_limit(client, 128, "x")
        .await;
    let slug = |slug: &str| json!({"name": "s", "slug": slug});
    limit_case("/servers".into(), "slug", &slug).assert_limit(client, 200, "y").await;
    // The generated name of a copy may exceed the limit.
    let copy = client.post(&format!("/tools/{}/duplicate", objects.tool)).send().await.expect(201).json();
    assert_eq!(copy["name"], format!("{} (copy)", "x".repeat(128)));
}

async fn descriptions_are_limited_in_length(service: &ApiFixture) {
    let client = &service.api;
    let objects = OwnedObjects::create(client, "Edges").await;
    let server = format!("/servers/{}", objects.server);
    let with_description = |text: &str| json!({"description": text});
    for path in [
        format!("/tools/{}", objects.tool),
        format!("{server}/prompts/{}", objects.prompt),
        format!("{server}/resources/{}", objects.resource),
    ] {
        for fill in ["d", "ü"] {
            let limit_case = LimitCase { path: path.clone(), param: "description", body: &with_description };
            limit_case.assert_limit(client, 65_535, fill).await;
        }
    }
    let settings = |text: &str| json!({"settings": {"description": text}});
    LimitCase { path: server, param: "settings", body: &settings }.assert_limit(client, 65_535, "d").await;
}

async fn urls_are_limited_in_length(service: &ApiFixture) {
    let client = &service.api;
    let objects = OwnedObjects::create(client, "Edges").await;
    let resource = format!("/servers/{}/resources/{}", objects.server, objects.resource);
    for (path, param, start) in [
        (format!("/tools/{}", objects.tool), "endpoint_url", "https://a.example/"),
        (resource.clone(), "uri", "docs://"),
        (resource.clone(), "template_uri", "docs://{a}"),
    ] {
        let body = |rest: &str| json!({param: format!("{start}{rest}")});
        LimitCase { path, param, body: &body }.assert_limit(client, 2048 - start.len(), "x").await;
    }
    let start = "https://a.example/";
    let url = |rest: &str| json!({"data_source_type": "url", "data_source_config": {"url": format!("{start}{rest}")}});
    LimitCase { path: resource, param: "data_source_config", body: &url }
        .assert_limit(client, 2048 - start.len(), "x")
        .await;
}

async fn contents_are_limited_in_size(service: &ApiFixture) {
    let client = &service.api;
    let objects = OwnedObjects::create(client, "Edges").await;
    let server = format!("/servers/{}", objects.server);
    let template = |text: &str| json!({"template_content": text});
    let content = |text: &str| json!({"data_source_config": {"content": text}});
    let cases = [
        LimitCase { path: format!("{server}/prompts/{}", objects.prompt), param: "template_content", body: &template },
        LimitCase {
            path: format!("{server}/resources/{}", objects.resource),
            param: "data_source_config",
            body: &content,
        },
    ];
    for limit_case in cases {
        limit_case.assert_limit(client, MIB, "x").await;
        limit_case.assert_limit(client, MIB / 4, "🎉").await;
    }
}

/// Builds an object whose compact JSON has exactly `size` bytes, by padding a text in it.
fn padded_object(size: usize, object: &JsonTemplate<'_>) -> Value {
    let empty = object("").to_string().len();
    object(&"x".repeat(size - empty))
}

async fn documents_are_limited_in_size(service: &ApiFixture) {
    let client = &service.api;
    let objects = OwnedObjects::create(client, "Edges").await;
    let (server, tool) = (format!("/servers/{}", objects.server), format!("/tools/{}", objects.tool));
    let schema = |text: &str| json!({"type": "object", "title": text});
    let mapping = |text: &str| json!({"a": {"location": "query", "name": text}});
    let settings = |text: &str| json!({"anything": text});
    let cases: [(&str, &str, &JsonTemplate<'_>); 3] =
        [(&tool, "input_schema", &schema), (&tool, "parameter_mapping", &mapping), (&server, "settings", &settings)];
    for (path, param, object) in cases {
        for (size, is_accepted) in [(DOCUMENT_BYTES_MAX, true), (DOCUMENT_BYTES_MAX + 1, false)] {
            let sent = padded_object(size, object);
            let reply = client.post(path).json(json!({param: sent})).send().await;
            if is_accepted {
                assert_eq!(reply.status, 200, "{param}: {}", excerpt(&reply));
                assert_eq!(reply.json()[param], sent);
            } else {
                assert_refused_as(&reply, param, "rest_too_long");
            }
        }
    }
    // Settings are merged, so the limit applies to the merged document.
    assert_refused_as(
        &client.post(&server).json(json!({"settings": {"more": "x"}})).send().await,
        "settings",
        "rest_too_long",
    );
    let curl = |size: usize| {
        let text = format!("curl https://a.example/{}", "x".repeat(size - "curl https://a.example/".len()));
        client.post("/tools/import-curl").json(json!({"curl": text})).send()
    };
    assert_refused_as(&curl(DOCUMENT_BYTES_MAX + 1).await, "curl", "rest_too_long");
    let longest = curl(DOCUMENT_BYTES_MAX).await;
    assert_eq!(longest.status, 200, "{}", excerpt(&longest));
}

async fn schemas_are_bounded_in_depth_and_number(fixture: &ServiceFixture) {
    let (client, server, path) = (&fixture.api, fixture.server_id(), fixture.path("/tools"));
    create_tool(client, server, "t").await;
    let deep = |levels: usize| {
        let mut schema = (1..levels).fold(json!({}), |inner, _| json!({"not": inner}));
        schema["type"] = json!("object");
        schema
    };
    let wide = |count: usize| {
        let properties: serde_json::Map<String, Value> = (0..count).map(|n| (format!("p{n}"), json!({}))).collect();
        json!({"type": "object", "properties": properties})
    };
    let create = |number: usize, schema: Value| {
        let body = json!({"name": format!("s{number}"), "endpoint_url": "https://a.example/", "input_schema": schema});
        client.post(&path).json(body).send()
    };
    create(1, deep(20)).await.expect(201);
    create(2, wide(900)).await.expect(201);
    for schema in [deep(40), wide(1_001), json!({"properties": {"a": {"$ref": "https://a.example/schema.json"}}})] {
        assert_refused(&create(3, schema).await, "input_schema");
    }
}

async fn lists_are_limited_in_length(service: &ApiFixture) {
    let client = &service.api;
    let objects = OwnedObjects::create(client, "Edges").await;
    let prompt = format!("/servers/{}/prompts/{}", objects.server, objects.prompt);
    let arguments = |count: usize| -> Vec<Value> { (0..count).map(|n| json!({"name": format!("a{n}")})).collect() };
    let reply = client.post(&prompt).json(json!({"arguments": arguments(100)})).send().await.expect(200);
    assert_eq!(reply.json()["arguments"].as_array().unwrap().len(), 100);
    let reply = client.post(&prompt).json(json!({"arguments": arguments(101)})).send().await;
    assert_refused_as(&reply, "arguments", "rest_too_many_items");
    let reorder = format!("/servers/{}/tools/reorder", objects.server);
    let ids = |count: i64| json!({"tool_ids": (1..=count).collect::<Vec<_>>()});
    let reply = client.post(&reorder).json(ids(1_001)).send().await;
    assert_refused_as(&reply, "tool_ids", "rest_too_many_items");
    let reply = client.post(&reorder).json(ids(1_000)).send().await;
    assert_refused(&reply, "tool_ids");
    assert_ne!(
        reply.json()["data"]["details"]["tool_ids"]["code"],
        "rest_too_many_items",
        "1000 items are within the limit"
    );
    assert_refused_as(
        &client.post(&reorder).json(json!({"tool_ids": []})).send().await,
        "tool_ids",
        "rest_too_few_items",
    );
}

async fn numbers_outside_their_range_are_refused(service: &ApiFixture) {
    let client = &service.api;
    let objects = OwnedObjects::create(client, "Edges").await;
    let (server, tool) = (format!("/servers/{}", objects.server), format!("/tools/{}", objects.tool));
    for (path, param, min, max) in [
        (&server, "rate_limit_per_min", 0_i64, 10_000_000_i64),
        (&tool, "timeout", 1, 300),
        (&tool, "cache_ttl", 0, 2_592_000),
        (&tool, "retry_count", 0, 5),
    ] {
        for value in [min, max] {
            let reply = client.post(path).json(json!({param: value})).send().await.expect(200);
            assert_eq!(reply.json()[param], value);
        }
        for value in [min - 1, max + 1, i64::MIN, i64::MAX] {
            let reply = client.post(path).json(json!({param: value})).send().await;
            assert_refused_as(&reply, param, "rest_out_of_bounds");
        }
        assert_eq!(client.read(path).await[param], max);
    }
    for (per_page, is_accepted) in [(1, true), (100, true), (0, false), (101, false)] {
        let reply = client.get("/servers").query("per_page", per_page).send().await;
        assert_eq!(reply.status == 200, is_accepted, "{reply:?}");
    }
}

async fn a_body_is_limited_to_two_mebibytes(service: &ApiFixture) {
    let ApiFixture { app, api: client } = service;
    let server = create_server(client, "Edges").await;
    let body = |size: usize| {
        let empty = json!({"name": "x", "ignored": ""}).to_string().len();
        json!({"name": "Exactly", "ignored": "x".repeat(size - empty - "Exactly".len() + 1)}).to_string()
    };
    let path = format!("/servers/{server}");
    let exact = body(2 * MIB);
    assert_eq!(exact.len(), 2 * MIB);
    assert_eq!(client.put(&path).body(exact).send().await.expect(200).json()["name"], "Exactly");
    for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
        let reply = client.request(method, &path).body(body(2 * MIB + 1)).send().await;
        assert_error(&reply, 413, "rest_request_too_large");
    }
    // The key is checked before the body is read.
    let anonymous = app.client_with_key(None).post(&path).body(body(2 * MIB + 1)).send().await;
    assert_error(&anonymous, 401, "rest_forbidden");
    // A chunked body is refused before its end, and a body whose declared length is too large before its start.
    let chunk = format!("10000\r\n{}\r\n", "x".repeat(0x10000)).repeat(40);
    let head = format!(
        "POST /wp-json/toolgate/v1{path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nConnection: close\r\n",
        app.key()
    );
    for (framing, body) in [
        ("Transfer-Encoding: chunked".to_owned(), format!("{chunk}0\r\n\r\n")),
        (format!("Content-Length: {}", 2 * MIB + 1), String::new()),
    ] {
        let request = format!("{head}{framing}\r\n\r\n{body}");
        let reply = exchange(app.address(), request.as_bytes(), Duration::from_secs(10)).await;
        assert_eq!(reply.status(), Some(413), "{}", reply.text());
    }
    client.read(&path).await;
}

async fn json_nesting_is_limited_to_64_levels(fixture: &ServiceFixture) {
    let (client, server) = (&fixture.api, fixture.server_id());
    let path = format!("/servers/{server}");
    // The outer object and `settings` are two of the levels.
    let body = |levels: usize| {
        let inner = levels - 2;
        format!("{{\"settings\":{{\"deep\":{}{}}}}}", "[".repeat(inner), "]".repeat(inner))
    };
    let send = |text: String| client.post(&path).header("content-type", "application/json").body(text).send();
    send(body(64)).await.expect(200);
    for levels in [65, 1_000, 100_000] {
        let reply = send(body(levels)).await;
        assert_error(&reply, 400, "rest_invalid_json");
        assert_eq!(reply.json()["message"], "Invalid JSON body passed.");
        assert_eq!(reply.json()["data"]["json_error_code"], 1, "{reply:?}");
    }
    let objects = format!("{}1{}", "{\"a\":".repeat(65), "}".repeat(65));
    assert_error(&send(objects).await, 400, "rest_invalid_json");
    assert_error(&send("[".repeat(2 * MIB)).await, 400, "rest_invalid_json");
}

/// Creates a thousand objects concurrently and checks that one more is refused.
async fn assert_holds_at_most_a_thousand(fixture: &ServiceFixture, kind: &str, body: fn(usize) -> Value) {
    let (client, server, path) = (&fixture.api, fixture.server_id(), fixture.path(&format!("/{kind}")));
    let mut workers = JoinSet::new();
    for worker in 0..8 {
        let (client, path) = (client.clone(), path.clone());
        workers.spawn(async move {
            for number in (worker..1_000).step_by(8) {
                client.post(&path).json(body(number)).send().await.expect(201);
            }
        });
    }
    while let Some(worker) = workers.join_next().await {
        worker.unwrap();
    }
    let reply = client.post(&path).json(body(1_000)).send().await;
    assert_error(&reply, 400, "rest_invalid_param");
    assert!(reply.json()["data"]["params"].as_object().is_some_and(|params| !params.is_empty()), "{reply:?}");
    let list = client.get(&path).send().await.expect(200);
    assert_eq!((list.header("x-wp-total"), list.json().as_array().unwrap().len()), (Some("1000"), 1_000));
    let first = list.json()[0]["id"].as_i64().unwrap();
    if kind == "tools" {
        let reply = client.post(&format!("/tools/{first}/duplicate")).send().await;
        assert_error(&reply, 400, "rest_invalid_param");
        assert_eq!(list.json()[999]["sort_order"], 999, "a new tool is the last one");
        let ids: Vec<i64> = list.json().as_array().unwrap().iter().rev().map(id).collect();
        client.post(&format!("{path}/reorder")).json(json!({"tool_ids": ids})).send().await.expect(200);
        let order: Vec<i64> = client.read(&path).await.as_array().unwrap().iter().map(id).collect();
        assert_eq!(order, ids);
        assert_eq!(client.read(&format!("/servers/{server}")).await["tool_count"], 1_000);
    }
    // A deletion makes room for one more, and the limit applies to each server separately.
    let item_path = if kind == "tools" { format!("/tools/{first}") } else { format!("{path}/{first}") };
    client.delete(&item_path).send().await.expect(200);
    client.post(&path).json(body(1_000)).send().await.expect(201);
    let other = create_server(client, "Other").await;
    client.post(&format!("/servers/{other}/{kind}")).json(body(0)).send().await.expect(201);
}

async fn a_server_holds_at_most_a_thousand_tools(fixture: &ServiceFixture) {
    let body = |number| json!({"name": format!("t{number}"), "endpoint_url": "https://a.example/"});
    assert_holds_at_most_a_thousand(fixture, "tools", body).await;
}

async fn a_server_holds_at_most_a_thousand_prompts(fixture: &ServiceFixture) {
    assert_holds_at_most_a_thousand(fixture, "prompts", |n| json!({"name": format!("p{n}"), "template_content": "x"}))
        .await;
}

async fn a_server_holds_at_most_a_thousand_resources(fixture: &ServiceFixture) {
    assert_holds_at_most_a_thousand(fixture, "resources", |n| json!({"name": "r", "uri": format!("docs://{n}")})).await;
}

async fn administrators_can_read_the_limits(service: &ApiFixture) {
    let limits = service.api.read("/settings").await["limits"].clone();
    for (name, value) in [
        ("rest_body_bytes", 2 * MIB),
        ("json_depth", 64),
        ("name_characters", 200),
        ("identifier_characters", 128),
        ("description_characters", 65_535),
        ("url_characters", 2048),
        ("content_bytes", MIB),
        ("document_bytes", DOCUMENT_BYTES_MAX),
        ("tools_per_server", 1000),
        ("prompts_per_server", 1000),
        ("resources_per_server", 1000),
        ("per_page", 100),
    ] {
        assert_eq!(limits[name], value, "{name}");
    }
}
