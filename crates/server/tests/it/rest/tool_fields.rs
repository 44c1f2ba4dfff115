//! Validation of the scalar fields of a tool: name, URL, method, numbers, closed sets.

use serde_json::{Value, json};
use toolgate_testkit::ApiFixture;
use toolgate_testkit::objects::id;

use super::assertions::{assert_invalid, assert_invalid_fields};

on_both_databases!(
    names_contain_only_characters_that_mcp_allows,
    urls_must_be_absolute_http_urls_without_credentials,
    placeholders_are_allowed_only_after_the_host,
    methods_are_stored_in_upper_case,
    numbers_have_bounds,
    values_outside_of_a_closed_set_are_refused,
    whether_a_body_is_required_is_a_boolean,
    tags_are_a_list_of_short_texts,
    the_origin_of_a_tool_is_read_only,
    descriptions_have_a_maximum_length,
);

/// Creates a tool with this field.
async fn create_tool(
    service: &ApiFixture,
    server_id: i64,
    field: &str,
    value: Value,
) -> toolgate_testkit::TestResponse {
    let count = service.api.read(&format!("/servers/{server_id}")).await["tool_count"].clone();
    let mut body = json!({"name": format!("t{count}"), "endpoint_url": "https://a.example/x"});
    body[field] = value;
    service.api.post(&format!("/servers/{server_id}/tools")).json(body).send().await
}

async fn names_contain_only_characters_that_mcp_allows(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let tool_id = id(&service.api.create_tool(server_id, json!({"name": "existing"})).await);
    for good in ["a", "get_weather", "getUser", "a.b-c_D9", "0", "-", &"x".repeat(128)] {
        assert_eq!(create_tool(service, server_id, "name", json!(good)).await.expect(201).json()["name"], good);
    }
    let long = "x".repeat(129);
    for (bad, code) in [
        ("", "rest_too_short"),
        (long.as_str(), "rest_too_long"),
        (" ", "rest_invalid_pattern"),
        ("get weather", "rest_invalid_pattern"),
        (" a", "rest_invalid_pattern"),
        ("a\n", "rest_invalid_pattern"),
        ("a (copy)", "rest_invalid_pattern"),
        ("a/b", "rest_invalid_pattern"),
        ("wetter_für_heute", "rest_invalid_pattern"),
        ("天気", "rest_invalid_pattern"),
    ] {
        assert_invalid(&create_tool(service, server_id, "name", json!(bad)).await, "name", code);
        let renamed = service.api.patch(&format!("/tools/{tool_id}")).json(json!({"name": bad})).send().await;
        assert_invalid(&renamed, "name", code);
    }
    for wrong in [json!(5), json!(["a"]), json!({})] {
        assert_invalid(&create_tool(service, server_id, "name", wrong).await, "name", "rest_invalid_type");
    }
}

async fn urls_must_be_absolute_http_urls_without_credentials(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let longest = format!("https://a.example/{}", "x".repeat(2048 - "https://a.example/".len()));
    for good in [
        "https://a.example",
        "http://a.example:8080/x?y=z&w=1#part",
        "HTTPS://A.example/X",
        "https://xn--bcher-kva.example/",
        "https://a.example/%7Bliteral%7D?q=%20",
        "http://127.0.0.1:9000/local",
        &longest,
    ] {
        let tool = create_tool(service, server_id, "endpoint_url", json!(good)).await.expect(201).json();
        assert_eq!(tool["endpoint_url"], good);
    }
    let long = format!("{longest}x");
    for bad in [
        "a.example/x",
        "/x",
        "//a.example",
        "ftp://a.example",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "http://",
        "http:///x",
        "https://user:pass@a.example/",
        "https://user@a.example/",
        "https://a.example/a b",
        "https://a.example/\nx",
        "https://a.example:99999/",
        "http://[::1",
        "http://169.254.169.254/latest/meta-data",
        "http://0.0.0.0/",
        &long,
    ] {
        assert_invalid_fields(&create_tool(service, server_id, "endpoint_url", json!(bad)).await, &["endpoint_url"]);
    }
    assert_invalid(
        &create_tool(service, server_id, "endpoint_url", json!(long)).await,
        "endpoint_url",
        "rest_too_long",
    );
    let number = create_tool(service, server_id, "endpoint_url", json!(7)).await;
    assert_invalid(&number, "endpoint_url", "rest_invalid_type");
}

async fn placeholders_are_allowed_only_after_the_host(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    for good in [
        "https://a.example/users/{user_id}/posts/{post-id}",
        "https://a.example/{_x}.json",
        "https://a.example/x?q={query}&fixed=1",
        "https://a.example?q={q}",
        "https://a.example/{a}{b}",
        "https://a.example/{a}/{a}",
    ] {
        let tool = create_tool(service, server_id, "endpoint_url", json!(good)).await.expect(201).json();
        assert_eq!(tool["endpoint_url"], good);
    }
    for bad in [
        "https://{host}/x",
        "https://a.{domain}/x",
        "https://a.example:{port}/x",
        "{scheme}://a.example/",
        "{url}",
        "https://a.example/{}",
        "https://a.example/{1a}",
        "https://a.example/{a b}",
        "https://a.example/{ä}",
        "https://a.example/{{a}}",
        "https://a.example/{a",
        "https://a.example/a}",
    ] {
        assert_invalid_fields(&create_tool(service, server_id, "endpoint_url", json!(bad)).await, &["endpoint_url"]);
    }
}

async fn methods_are_stored_in_upper_case(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "QUERY"] {
        for sent in [method.to_owned(), method.to_lowercase()] {
            let tool = create_tool(service, server_id, "http_method", json!(sent)).await.expect(201).json();
            assert_eq!(tool["http_method"], method);
        }
    }
    for bad in ["TRACE", "CONNECT", "FETCH", "", "GET ", "G E T"] {
        let reply = create_tool(service, server_id, "http_method", json!(bad)).await;
        assert_invalid(&reply, "http_method", "rest_not_in_enum");
    }
    assert_invalid(&create_tool(service, server_id, "http_method", json!(1)).await, "http_method", "rest_invalid_type");
}

async fn numbers_have_bounds(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    for (field, low, high) in [("timeout", 1, 300), ("cache_ttl", 0, 2_592_000), ("retry_count", 0, 5)] {
        for good in [low, high] {
            let tool = create_tool(service, server_id, field, json!(good)).await.expect(201).json();
            assert_eq!(tool[field], good, "{field}");
        }
        let as_text = create_tool(service, server_id, field, json!(high.to_string())).await.expect(201).json();
        assert_eq!(as_text[field], high, "{field}");
        for bad in [json!(low - 1), json!(high + 1), json!(-5), json!(1e18)] {
            assert_invalid(&create_tool(service, server_id, field, bad).await, field, "rest_out_of_bounds");
        }
        for bad in [json!(1.5), json!("soon"), json!(""), json!(true), json!([]), json!({})] {
            assert_invalid(&create_tool(service, server_id, field, bad).await, field, "rest_invalid_type");
        }
    }
}

async fn values_outside_of_a_closed_set_are_refused(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    for (field, good, bad) in [
        ("status", vec!["active", "paused"], vec!["draft", "", "Paused"]),
        ("auth_type", vec!["none", "bearer", "basic", "api-key", "oauth2"], vec!["digest", "apikey", "", "oauth"]),
        ("body_type", vec!["json", "form", "multipart", "raw"], vec!["xml", ""]),
        ("response_type", vec!["text", "mcp"], vec!["json", ""]),
    ] {
        for value in good {
            let tool = create_tool(service, server_id, field, json!(value)).await.expect(201).json();
            assert_eq!(tool[field], value, "{field}");
        }
        for value in bad {
            assert_invalid(&create_tool(service, server_id, field, json!(value)).await, field, "rest_not_in_enum");
        }
        assert_invalid(&create_tool(service, server_id, field, json!(0)).await, field, "rest_invalid_type");
    }
    let alias = create_tool(service, server_id, "auth_type", json!("api_key")).await.expect(201).json();
    assert_eq!(alias["auth_type"], "api-key");
}

async fn whether_a_body_is_required_is_a_boolean(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    for (sent, stored) in [(json!(true), true), (json!(false), false), (json!("0"), false), (json!("true"), true)] {
        let tool = create_tool(service, server_id, "body_required", sent).await.expect(201).json();
        assert_eq!(tool["body_required"], stored);
    }
    for bad in [json!("maybe"), json!(2), json!([]), json!({})] {
        let reply = create_tool(service, server_id, "body_required", bad).await;
        assert_invalid(&reply, "body_required", "rest_invalid_type");
    }
}

async fn tags_are_a_list_of_short_texts(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let many: Vec<String> = (0..21).map(|number| number.to_string()).collect();
    for (sent, stored) in [
        (json!([]), json!([])),
        (json!([" a ", "Größe"]), json!(["a", "Größe"])),
        (json!("a,b"), json!(["a", "b"])),
        (json!(many[1..]), json!(many[1..])),
        (json!(["x".repeat(64)]), json!(["x".repeat(64)])),
    ] {
        assert_eq!(create_tool(service, server_id, "tags", sent).await.expect(201).json()["tags"], stored);
    }
    for (bad, path, code) in [
        (json!(many), "tags", "rest_too_many_items"),
        (json!(["a", ""]), "tags[1]", "rest_too_short"),
        (json!(["x".repeat(65)]), "tags[0]", "rest_too_long"),
        (json!(["a", "b", "a"]), "tags[2]", "rest_duplicate_items"),
        (json!(["a\nb"]), "tags[0]", "rest_invalid_pattern"),
        (json!([1]), "tags[0]", "rest_invalid_type"),
        (json!({"a": 1}), "tags", "rest_invalid_type"),
    ] {
        let reply = create_tool(service, server_id, "tags", bad).await;
        assert_invalid(&reply, "tags", code);
        let message = reply.json()["data"]["params"]["tags"].to_string();
        assert!(message.contains(&format!("{path} ")) || message.contains(&format!("{path}: ")), "{message}");
    }
}

async fn the_origin_of_a_tool_is_read_only(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let sent = json!({"document_id": 1, "operation": "GET /x", "hash": "h"});
    let reply = create_tool(service, server_id, "origin", sent.clone()).await.expect(201);
    assert_eq!((&reply.json()["origin"], reply.header("x-toolgate-ignored")), (&Value::Null, None));
    let path = format!("/tools/{}?strict=1", id(&reply.json()));
    let changed = service.api.patch(&path).json(json!({"origin": sent})).send().await.expect(200).json();
    assert_eq!(changed["origin"], Value::Null);
}

async fn descriptions_have_a_maximum_length(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    for good in ["", "Zwei\nZeilen\t→ ☃", &"ü".repeat(65_535)] {
        let tool = create_tool(service, server_id, "description", json!(good)).await.expect(201).json();
        assert_eq!(tool["description"], good);
    }
    let reply = create_tool(service, server_id, "description", json!("ü".repeat(65_536))).await;
    assert_invalid(&reply, "description", "rest_too_long");
    for hidden in ["a\u{0}", "a\u{1b}[0m", "\u{202e}", "\u{e0061}"] {
        let reply = create_tool(service, server_id, "description", json!(hidden)).await;
        assert_invalid(&reply, "description", "rest_invalid_pattern");
    }
    assert_invalid(&create_tool(service, server_id, "description", json!(7)).await, "description", "rest_invalid_type");
}
