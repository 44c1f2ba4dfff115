//! Invalid and hostile requests to every route: the service replies to each of them, never with a 5xx status, and every
//! refusal names what is wrong. The generator has a fixed seed, so failures are reproducible.

mod generator;
mod text;
mod volume;

use std::time::Duration;

use http::Method;
use serde_json::{Value, json};
use toolgate_testkit::raw::exchange;
use toolgate_testkit::{ApiFixture, Client, RunningService, TestResponse};

use super::fixtures::{OwnedObjects, assert_error, assert_missing, create_server};
use super::routes::{self, ApiRoute, id_of};
use generator::{HostileCase, HostileRng, cases};

on_both_databases![
    wrong_values_in_every_field_are_accepted_or_refused_with_the_field_named,
    wrong_query_values_are_accepted_or_refused_with_the_parameter_named,
    bodies_that_are_not_json_are_refused,
    invalid_ids_are_not_found,
    unsupported_methods_and_content_types_get_a_reply,
    member_names_are_case_sensitive,
];

/// The seed of the generator, an arbitrary number.
const SEED: u64 = 20_261_115;

/// Checks a reply: it is JSON without a 5xx status, and an error has a code, a message and the parameter.
#[track_caller]
fn assert_well_formed(reply: &TestResponse, case: &dyn std::fmt::Debug) {
    assert!(reply.status < 500, "{case:?}: {reply:?}");
    assert!(reply.header("content-type").is_some_and(|kind| kind.starts_with("application/json")), "{reply:?}");
    if reply.status < 400 {
        return;
    }
    let body = reply.json();
    assert_eq!(body["data"]["status"], reply.status, "{case:?}: {reply:?}");
    assert!(body["code"].is_string() && body["message"].is_string(), "{case:?}: {reply:?}");
    if reply.status == 400 && body["code"] != "rest_invalid_json" {
        let params = &body["data"]["params"];
        let has_params =
            params.as_object().is_some_and(|map| !map.is_empty() && map.keys().all(|name| !name.is_empty()))
                || params.as_array().is_some_and(|list| !list.is_empty());
        assert!(has_params, "no parameter is named, {case:?}: {reply:?}");
    }
}

/// Checks that the service still works and has logged neither a panic nor an error.
async fn assert_healthy(app: &RunningService) {
    app.client().read("/servers").await;
    let logs = app.logs();
    assert!(!logs.contains("panicked") && !logs.contains("ERROR"), "{logs}");
}

async fn send(client: &Client, case: &HostileCase) -> TestResponse {
    let request = client.request(case.method.clone(), &case.address).header("content-type", case.content_type);
    request.body(case.body.clone()).send().await
}

async fn wrong_values_in_every_field_are_accepted_or_refused_with_the_field_named(service: &ApiFixture) {
    let ApiFixture { app, api: client } = service;
    let objects = OwnedObjects::create(client, "Target").await;
    let all = routes::all(app).await;
    let cases = cases(&all, &objects, &mut HostileRng::new(SEED));
    assert!(cases.len() > 1_500, "there are only {} cases", cases.len());
    for case in &cases {
        assert_well_formed(&send(client, case).await, case);
    }
    assert_healthy(app).await;
}

async fn wrong_query_values_are_accepted_or_refused_with_the_parameter_named(service: &ApiFixture) {
    let ApiFixture { app, api: client } = service;
    let objects = OwnedObjects::create(client, "Target").await;
    let values = [
        "",
        "-1",
        "0",
        "1.5",
        "99999999999999999999",
        "1e400",
        "NaN",
        "true",
        "[]",
        "{}",
        "null",
        "%00",
        "%ff",
        "%E2%80%AE",
        "%",
        "%zz",
        "a&b",
        "'",
        "%22",
        "%27%20OR%201=1--",
        "%25",
        "_",
        "%5B%5D=1",
    ];
    for route in routes::all(app).await.iter().filter(|route| route.is_read() && !route.is_stream()) {
        let address = route.address(&|kind| id_of(&objects, kind, 1));
        // Parameters that all routes or no routes have are tried on one route only.
        let common = ["context", "_fields", "_envelope", "_method", "unknown"];
        let is_first = route.path == "/servers";
        let mut names: Vec<String> = route.query_names();
        names.retain(|name| !common.contains(&name.as_str()));
        names.extend(common.iter().filter(|_| is_first).map(|name| (*name).to_owned()));
        for name in names.iter().map(String::as_str) {
            for value in values.iter().copied().chain(["x".repeat(20_000).as_str()]) {
                let reply = client.get(&format!("{address}?{name}={value}")).send().await;
                assert_well_formed(&reply, &(name, value.chars().take(40).collect::<String>()));
                if reply.status == 400 {
                    let shown = reply.json()["data"]["params"].clone();
                    assert!(shown.get(name).is_some(), "{name}={value}: {reply:?}");
                }
            }
        }
    }
    assert_healthy(app).await;
}

async fn bodies_that_are_not_json_are_refused(service: &ApiFixture) {
    let ApiFixture { app, api: client } = service;
    let objects = OwnedObjects::create(client, "Target").await;
    let mut broken: Vec<Vec<u8>> = [
        "{",
        "}",
        "[",
        "{\"name\"",
        "{\"name\":",
        "{\"name\":}",
        "{\"name\":\"x\"",
        "{\"name\":\"x\",}",
        "{name:\"x\"}",
        "{'name':'x'}",
        "{\"name\":\"x\"}}",
        "{\"name\":\"x\"} {}",
        "{\"name\":NaN}",
        "{\"name\":Infinity}",
        "{\"name\":01}",
        "{\"name\":+1}",
        "{\"name\":1.}",
        "{\"name\":.5}",
        "{\"name\":1e999}",
        "{\"name\":tru}",
        "{\"name\":\"\\x\"}",
        "{\"name\":\"\\ud800\"}",
        "{\"name\":\"\\udc00\\ud800\"}",
        "{\"name\":\"a\nb\"}",
        "{\"name\":\"a\u{0}b\"}",
        "{\"name\":\"a\",\"name\":\"b\"}",
        "{\"name\":\"a\",\"n\\u0061me\":\"b\"}",
        "{\"settings\":{\"a\":1,\"a\":2}}",
        "{\"settings\":[{\"a\":1,\"a\":2}]}",
        "/* */ {}",
        "{}//",
        "\u{feff}{}x",
        "{\"a\":1}\u{0}",
        "<xml/>",
        "name=x",
        "undefined",
    ]
    .iter()
    .map(|text| text.as_bytes().to_vec())
    .collect();
    for bytes in [&b"\xff"[..], b"\xc0\x80", b"\xed\xa0\x80", b"\xf8\x88\x80\x80\x80", b"\xe2\x80"] {
        broken.push([b"{\"name\":\"", bytes, b"\"}"].concat());
        broken.push([b"{\"", bytes, b"\":1}"].concat());
    }
    let takes_json_object =
        |route: &&ApiRoute| !route.is_read() && !route.body_fields().is_empty() && !route.reads_document();
    for route in routes::all(app).await.iter().filter(takes_json_object) {
        let address = route.address(&|kind| id_of(&objects, kind, 1));
        for body in &broken {
            let request = client.request(route.method.clone(), &address).header("content-type", "application/json");
            let reply = request.body(body.clone()).send().await;
            assert_error(&reply, 400, "rest_invalid_json");
            let data = &reply.json()["data"];
            assert!(data["json_error_code"].is_i64() && data["json_error_message"].is_string(), "{reply:?}");
        }
    }
    // Every proper prefix of a valid body is invalid.
    let valid_body =
        json!({"name": "Gr\u{fc}n", "settings": {"description": "x", "list": [1, true, null]}}).to_string();
    for end in 1..valid_body.len() {
        let request = client.post("/servers").header("content-type", "application/json");
        let reply = request.body(valid_body.as_bytes()[..end].to_vec()).send().await;
        assert_error(&reply, 400, "rest_invalid_json");
    }
    assert_healthy(app).await;
}

async fn invalid_ids_are_not_found(service: &ApiFixture) {
    let ApiFixture { app, api: client } = service;
    let objects = OwnedObjects::create(client, "Target").await;
    let invalid = [
        "-1",
        "+1",
        "1.5",
        "1e1",
        "0x1",
        "abc",
        "%31x",
        "1%20",
        "%20",
        "%00",
        "1%00",
        "%EF%BC%91",
        "1;x",
        "*",
        "{id}",
        "null",
        "1%2F2",
        "..",
        "%2e%2e",
        "-",
        "1,2",
    ];
    let out_of_range = ["0", "00", "9223372036854775808", "18446744073709551616", &"9".repeat(500)];
    for route in
        routes::all(app).await.iter().filter(|route| route.has_ids() && !route.path.starts_with("/servers/{server_id}"))
    {
        let (prefix, suffix) = route.path.split_once('{').unwrap();
        let suffix = suffix.split_once('}').unwrap().1;
        let suffix = suffix.replace("{key_id}", &objects.key.to_string());
        let suffix = suffix.replace("{user_id}", "1").replace("{grant_id}", "1").replace("{identity_id}", "1");
        for id in invalid {
            let reply = route.request(client, &format!("{prefix}{id}{suffix}"), objects.tool).send().await;
            assert_eq!(reply.status, 404, "{reply:?}");
            assert!(matches!(reply.json()["code"].as_str(), Some("rest_no_route" | "not_found")), "{reply:?}");
        }
        for id in out_of_range {
            let reply = route.request(client, &format!("{prefix}{id}{suffix}"), objects.tool).send().await;
            assert_eq!(reply.status, 404, "{reply:?}");
            assert!(reply.json()["code"].as_str().unwrap().ends_with("_invalid_id"), "{reply:?}");
        }
    }
    assert_healthy(app).await;
}

async fn unsupported_methods_and_content_types_get_a_reply(service: &ApiFixture) {
    let ApiFixture { app, api: client } = service;
    let objects = OwnedObjects::create(client, "Target").await;
    let all = routes::all(app).await;
    for route in &all {
        let address = route.address(&|kind| id_of(&objects, kind, 1));
        let supported: Vec<&Method> =
            all.iter().filter(|other| other.path == route.path).map(|other| &other.method).collect();
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "BREW", "get"] {
            let method = Method::from_bytes(method.as_bytes()).unwrap();
            if supported.contains(&&method) {
                continue;
            }
            let reply = client.request(method, &address).send().await;
            assert_error(&reply, 404, "rest_no_route");
            let allow = reply.header("allow").unwrap();
            assert!(supported.iter().all(|method| allow.contains(method.as_str())), "{allow}");
        }
    }
    let body = json!({"name": "By any type"}).to_string();
    for kind in [
        "",
        "text/plain",
        "application/xml",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "x",
        ";",
        "application/json; charset=latin1",
        "application/vnd.api+json",
        "APPLICATION/JSON",
        "\u{fc}",
    ] {
        let reply = client.post("/servers").header("content-type", kind).body(body.clone()).send().await;
        assert_eq!(
            reply.expect(201).json()["name"],
            "By any type",
            "a body that starts with a brace is read as a JSON object"
        );
    }
    for (kind, body) in [("text/plain", "name=x"), ("application/xml", "<name/>"), ("multipart/form-data", "--x--")] {
        assert_missing(&client.post("/servers").header("content-type", kind).body(body).send().await, &["name"]);
    }
    let form = client.post("/servers").header("content-type", "application/x-www-form-urlencoded");
    assert_eq!(form.body("name=By+form%21&rate_limit_per_min=5").send().await.expect(201).json()["name"], "By form!");
    for encoding in ["gzip", "br", "x"] {
        let reply = client.post("/servers").header("content-encoding", encoding).body("\u{1f}\u{8b}").send().await;
        assert_well_formed(&reply, &encoding);
    }
    // Invalid request targets, which an HTTP client would not send.
    for target in [
        "/wp-json/toolgate/v1/servers/\u{7f}",
        "/wp-json//toolgate/v1/servers",
        "//wp-json/toolgate/v1",
        "*",
        "http://x/",
    ] {
        let text = format!("GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        let reply = exchange(app.address(), text.as_bytes(), Duration::from_secs(10)).await;
        assert!(reply.status().is_some_and(|status| status < 500), "{target}: {}", reply.text());
    }
    assert_healthy(app).await;
}

async fn member_names_are_case_sensitive(service: &ApiFixture) {
    let client = &service.api;
    for body in [json!({"Name": "x"}), json!({"NAME": "x"}), json!({"name ": "x"}), json!({"n\u{430}me": "x"})] {
        assert_missing(&client.post("/servers").json(body).send().await, &["name"]);
    }
    let reply = client.post("/servers").json(json!({"NAME": "upper", "name": "lower", "Status": "draft"})).send().await;
    let created: Value = reply.expect(201).json();
    assert_eq!((&created["name"], &created["status"]), (&json!("lower"), &json!("active")));
    let other = create_server(client, "Other").await;
    // The id in the path takes precedence over ids in the query and the body.
    let path = format!("/servers/{other}?id={}&server_id=7", created["id"]);
    let renamed = client.post(&path).json(json!({"id": created["id"], "name": "New"})).send().await.expect(200).json();
    assert_eq!((&renamed["id"], &renamed["name"]), (&json!(other), &json!("New")));
}
