//! Every limit of section 1.9 of the decisions at its edge: exactly so much passes, one more is refused by name.

use std::time::Duration;

use http::Method;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use toolgate_testkit::raw::exchange;
use toolgate_testkit::{Client, TestResponse};

use super::backend::{Backend, on_both_databases};
use super::make::{ObjectScene, OwnedObjects, assert_error, assert_refused, assert_refused_as, get, server, tool};

on_both_databases![
    names_end_at_their_limit,
    descriptions_end_at_their_limit,
    addresses_end_at_their_limit,
    contents_end_at_their_limit,
    documents_end_at_their_limit,
    schemas_are_bounded_in_depth_and_number,
    lists_end_at_their_limit,
    numbers_end_at_their_limits,
    a_body_ends_at_two_mebibytes,
    json_ends_at_sixty_four_levels,
    a_server_holds_a_thousand_tools,
    a_server_holds_a_thousand_prompts,
    a_server_holds_a_thousand_resources,
    the_limits_are_told_to_administrators,
];

const MIB: usize = 1024 * 1024;
const DOCUMENT: usize = 256 * 1024;

/// Something in JSON with a text put into it.
type Filled<'a> = dyn Fn(&str) -> Value + 'a;

/// A request below the API whose one text, of a given length, is at stake.
struct LimitCase<'a> {
    path: String,
    param: &'a str,
    body: &'a Filled<'a>,
}

impl LimitCase<'_> {
    /// Sends a text of exactly `limit` characters, then one that is longer by one.
    async fn assert(&self, client: &Client, limit: usize, fill: &str) {
        let exact = fill.repeat(limit);
        let reply = client.post(&self.path).json((self.body)(&exact)).send().await;
        assert!(matches!(reply.status, 200 | 201), "{limit} are too many for {}: {}", self.param, head(&reply));
        assert!(reply.text().contains(&exact), "{} was cut", self.param);
        let reply = client.post(&self.path).json((self.body)(&format!("{exact}{fill}"))).send().await;
        assert_eq!(reply.status, 400, "{}: {}", self.param, head(&reply));
        assert_refused_as(&reply, self.param, "rest_too_long");
    }
}

/// The beginning of a reply: whole ones are too long to read here.
fn head(reply: &TestResponse) -> String {
    format!("{reply:?}").chars().take(400).collect()
}

async fn names_end_at_their_limit(backend: &Backend) {
    let app = backend.start();
    let client = app.client();
    let at = OwnedObjects::create(&client, "Edges").await;
    let below = |kind: &str| format!("/servers/{}/{kind}", at.server);
    let limit_case = |path: String, param, body| LimitCase { path, param, body };
    let named = |name: &str| json!({"name": name});
    for fill in ["x", "ü"] {
        limit_case("/servers".into(), "name", &named).assert(&client, 200, fill).await;
        limit_case("/users".into(), "name", &named).assert(&client, 200, fill).await;
        limit_case("/api-keys".into(), "name", &named).assert(&client, 200, fill).await;
        limit_case(below("keys"), "name", &named).assert(&client, 200, fill).await;
        limit_case(below(&format!("resources/{}", at.resource)), "name", &named).assert(&client, 200, fill).await;
    }
    limit_case(format!("/tools/{}", at.tool), "name", &named).assert(&client, 128, "x").await;
    limit_case(below(&format!("prompts/{}", at.prompt)), "name", &named).assert(&client, 128, "x").await;
    let slug = |slug: &str| json!({"name": "s", "slug": slug});
    limit_case("/servers".into(), "slug", &slug).assert(&client, 200, "y").await;
    // A copy's name may be longer than one that is given.
    let copy = client.post(&format!("/tools/{}/duplicate", at.tool)).send().await.expect(201).json();
    assert_eq!(copy["name"], format!("{} (copy)", "x".repeat(128)));
}

async fn descriptions_end_at_their_limit(backend: &Backend) {
    let app = backend.start();
    let client = app.client();
    let at = OwnedObjects::create(&client, "Edges").await;
    let server = format!("/servers/{}", at.server);
    let described = |text: &str| json!({"description": text});
    for path in [
        format!("/tools/{}", at.tool),
        format!("{server}/prompts/{}", at.prompt),
        format!("{server}/resources/{}", at.resource),
    ] {
        for fill in ["d", "ü"] {
            let limit_case = LimitCase { path: path.clone(), param: "description", body: &described };
            limit_case.assert(&client, 65_535, fill).await;
        }
    }
    let settings = |text: &str| json!({"settings": {"description": text}});
    LimitCase { path: server, param: "settings", body: &settings }.assert(&client, 65_535, "d").await;
}

async fn addresses_end_at_their_limit(backend: &Backend) {
    let app = backend.start();
    let client = app.client();
    let at = OwnedObjects::create(&client, "Edges").await;
    let resource = format!("/servers/{}/resources/{}", at.server, at.resource);
    for (path, param, start) in [
        (format!("/tools/{}", at.tool), "endpoint_url", "https://a.example/"),
        (resource.clone(), "uri", "docs://"),
        (resource.clone(), "template_uri", "docs://{a}"),
    ] {
        let body = |rest: &str| json!({param: format!("{start}{rest}")});
        LimitCase { path, param, body: &body }.assert(&client, 2048 - start.len(), "x").await;
    }
    let start = "https://a.example/";
    let url = |rest: &str| json!({"data_source_type": "url", "data_source_config": {"url": format!("{start}{rest}")}});
    LimitCase { path: resource, param: "data_source_config", body: &url }
        .assert(&client, 2048 - start.len(), "x")
        .await;
}

async fn contents_end_at_their_limit(backend: &Backend) {
    let app = backend.start();
    let client = app.client();
    let at = OwnedObjects::create(&client, "Edges").await;
    let server = format!("/servers/{}", at.server);
    let template = |text: &str| json!({"template_content": text});
    let content = |text: &str| json!({"data_source_config": {"content": text}});
    let edges = [
        LimitCase { path: format!("{server}/prompts/{}", at.prompt), param: "template_content", body: &template },
        LimitCase { path: format!("{server}/resources/{}", at.resource), param: "data_source_config", body: &content },
    ];
    for limit_case in edges {
        limit_case.assert(&client, MIB, "x").await;
        limit_case.assert(&client, MIB / 4, "🎉").await;
    }
}

/// An object of exactly so many bytes when written without blanks: the text of a value fills it up.
fn padded(size: usize, object: &Filled<'_>) -> Value {
    let empty = object("").to_string().len();
    object(&"x".repeat(size - empty))
}

async fn documents_end_at_their_limit(backend: &Backend) {
    let app = backend.start();
    let client = app.client();
    let at = OwnedObjects::create(&client, "Edges").await;
    let (server, tool) = (format!("/servers/{}", at.server), format!("/tools/{}", at.tool));
    let schema = |text: &str| json!({"type": "object", "title": text});
    let mapping = |text: &str| json!({"a": {"location": "query", "name": text}});
    let settings = |text: &str| json!({"anything": text});
    let cases: [(&str, &str, &Filled<'_>); 3] =
        [(&tool, "input_schema", &schema), (&tool, "parameter_mapping", &mapping), (&server, "settings", &settings)];
    for (path, param, object) in cases {
        for (size, passes) in [(DOCUMENT, true), (DOCUMENT + 1, false)] {
            let sent = padded(size, object);
            let reply = client.post(path).json(json!({param: sent})).send().await;
            if passes {
                assert_eq!(reply.status, 200, "{param}: {}", head(&reply));
                assert_eq!(reply.json()[param], sent);
            } else {
                assert_refused_as(&reply, param, "rest_too_long");
            }
        }
    }
    // Settings are merged: what counts is what would be stored.
    assert_refused_as(
        &client.post(&server).json(json!({"settings": {"more": "x"}})).send().await,
        "settings",
        "rest_too_long",
    );
    let curl = |size: usize| {
        let text = format!("curl https://a.example/{}", "x".repeat(size - "curl https://a.example/".len()));
        client.post("/tools/import-curl").json(json!({"curl": text})).send()
    };
    assert_refused_as(&curl(DOCUMENT + 1).await, "curl", "rest_too_long");
    let longest = curl(DOCUMENT).await;
    assert_eq!(longest.status, 200, "{}", head(&longest));
}

async fn schemas_are_bounded_in_depth_and_number(backend: &Backend) {
    let ObjectScene { app: _app, client, server, path } = ObjectScene::with_server(backend.start(), "tools").await;
    tool(&client, server, "t").await;
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

async fn lists_end_at_their_limit(backend: &Backend) {
    let app = backend.start();
    let client = app.client();
    let at = OwnedObjects::create(&client, "Edges").await;
    let prompt = format!("/servers/{}/prompts/{}", at.server, at.prompt);
    let arguments = |count: usize| -> Vec<Value> { (0..count).map(|n| json!({"name": format!("a{n}")})).collect() };
    let reply = client.post(&prompt).json(json!({"arguments": arguments(100)})).send().await.expect(200);
    assert_eq!(reply.json()["arguments"].as_array().unwrap().len(), 100);
    let reply = client.post(&prompt).json(json!({"arguments": arguments(101)})).send().await;
    assert_refused_as(&reply, "arguments", "rest_too_many_items");
    let reorder = format!("/servers/{}/tools/reorder", at.server);
    let ids = |count: i64| json!({"tool_ids": (1..=count).collect::<Vec<_>>()});
    let reply = client.post(&reorder).json(ids(1_001)).send().await;
    assert_refused_as(&reply, "tool_ids", "rest_too_many_items");
    let reply = client.post(&reorder).json(ids(1_000)).send().await;
    assert_refused(&reply, "tool_ids");
    assert_ne!(reply.json()["data"]["details"]["tool_ids"]["code"], "rest_too_many_items", "1000 are not too many");
    assert_refused_as(
        &client.post(&reorder).json(json!({"tool_ids": []})).send().await,
        "tool_ids",
        "rest_too_few_items",
    );
}

async fn numbers_end_at_their_limits(backend: &Backend) {
    let app = backend.start();
    let client = app.client();
    let at = OwnedObjects::create(&client, "Edges").await;
    let (server, tool) = (format!("/servers/{}", at.server), format!("/tools/{}", at.tool));
    for (path, param, least, most) in [
        (&server, "rate_limit_per_min", 0_i64, 10_000_000_i64),
        (&tool, "timeout", 1, 300),
        (&tool, "cache_ttl", 0, 2_592_000),
        (&tool, "retry_count", 0, 5),
    ] {
        for value in [least, most] {
            let reply = client.post(path).json(json!({param: value})).send().await.expect(200);
            assert_eq!(reply.json()[param], value);
        }
        for value in [least - 1, most + 1, i64::MIN, i64::MAX] {
            let reply = client.post(path).json(json!({param: value})).send().await;
            assert_refused_as(&reply, param, "rest_out_of_bounds");
        }
        assert_eq!(get(&client, path).await[param], most);
    }
    for (per_page, passes) in [(1, true), (100, true), (0, false), (101, false)] {
        let reply = client.get("/servers").query("per_page", per_page).send().await;
        assert_eq!(reply.status == 200, passes, "{reply:?}");
    }
}

async fn a_body_ends_at_two_mebibytes(backend: &Backend) {
    let app = backend.start();
    let client = app.client();
    let server = server(&client, "Edges").await;
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
    // Nobody reads on for a caller who is not known: the key is asked for first.
    let stranger = app.client_with_key(None).post(&path).body(body(2 * MIB + 1)).send().await;
    assert_error(&stranger, 401, "rest_forbidden");
    // Nor is the end awaited of a body that does not say how long it is, nor the start of one that says it is too long.
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
    get(&client, &path).await;
}

async fn json_ends_at_sixty_four_levels(backend: &Backend) {
    let ObjectScene { app: _app, client, server, .. } = ObjectScene::with_server(backend.start(), "tools").await;
    let path = format!("/servers/{server}");
    // The object around it and its member are two of the levels.
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

/// Creates a thousand, several at a time, and then one more.
async fn assert_holds_a_thousand(backend: &Backend, kind: &str, body: fn(usize) -> Value) {
    let ObjectScene { app: _app, client, server, path } = ObjectScene::with_server(backend.start(), kind).await;
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
        let ids: Vec<i64> = list.json().as_array().unwrap().iter().rev().map(super::make::id).collect();
        client.post(&format!("{path}/reorder")).json(json!({"tool_ids": ids})).send().await.expect(200);
        let order: Vec<i64> = get(&client, &path).await.as_array().unwrap().iter().map(super::make::id).collect();
        assert_eq!(order, ids);
        assert_eq!(get(&client, &format!("/servers/{server}")).await["tool_count"], 1_000);
    }
    // One goes, one may come; and another server has a thousand of its own.
    let own = if kind == "tools" { format!("/tools/{first}") } else { format!("{path}/{first}") };
    client.delete(&own).send().await.expect(200);
    client.post(&path).json(body(1_000)).send().await.expect(201);
    let other = super::make::server(&client, "Other").await;
    client.post(&format!("/servers/{other}/{kind}")).json(body(0)).send().await.expect(201);
}

async fn a_server_holds_a_thousand_tools(backend: &Backend) {
    let body = |number| json!({"name": format!("t{number}"), "endpoint_url": "https://a.example/"});
    assert_holds_a_thousand(backend, "tools", body).await;
}

async fn a_server_holds_a_thousand_prompts(backend: &Backend) {
    assert_holds_a_thousand(backend, "prompts", |n| json!({"name": format!("p{n}"), "template_content": "x"})).await;
}

async fn a_server_holds_a_thousand_resources(backend: &Backend) {
    assert_holds_a_thousand(backend, "resources", |n| json!({"name": "r", "uri": format!("docs://{n}")})).await;
}

async fn the_limits_are_told_to_administrators(backend: &Backend) {
    let app = backend.start();
    let limits = get(&app.client(), "/settings").await["limits"].clone();
    for (name, value) in [
        ("rest_body_bytes", 2 * MIB),
        ("json_depth", 64),
        ("name_characters", 200),
        ("identifier_characters", 128),
        ("description_characters", 65_535),
        ("url_characters", 2048),
        ("content_bytes", MIB),
        ("document_bytes", DOCUMENT),
        ("tools_per_server", 1000),
        ("prompts_per_server", 1000),
        ("resources_per_server", 1000),
        ("per_page", 100),
    ] {
        assert_eq!(limits[name], value, "{name}");
    }
}
