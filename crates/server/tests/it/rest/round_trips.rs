//! An object that was read can be sent back as it is: nothing is reported as unknown, and nothing changes.

use serde_json::{Value, json};
use toolgate_testkit::{ApiFixture, MockResponse, Upstream};

on_both_databases!(
    every_object_can_be_sent_back_as_it_was_read,
    an_object_can_be_copied_to_another_server,
    credentials_are_kept_when_the_object_is_sent_back,
);

fn without_update_time(mut object: Value) -> Value {
    object["updated_at"] = Value::Null;
    object
}

/// Reads the object and sends it back with each method.
async fn send_back(service: &ApiFixture, path: &str) {
    let read = service.api.read(path).await;
    for method in ["PUT", "PATCH", "POST"] {
        let request = service.api.request(method.parse().unwrap(), &format!("{path}?strict=1"));
        let reply = request.json(read.clone()).send().await.expect(200);
        assert_eq!(reply.header("x-toolgate-ignored"), None, "{method} {path}");
        assert_eq!(without_update_time(reply.json()), without_update_time(read.clone()), "{method} {path}");
    }
    assert_eq!(without_update_time(service.api.read(path).await), without_update_time(read), "{path}");
}

fn bearer(token: &str) -> Value {
    json!({"auth_type": "bearer", "auth_credentials": {"token": token}})
}

fn merged(one: &Value, other: &Value) -> Value {
    toolgate_testkit::objects::with_defaults(one.clone(), other)
}

async fn every_object_can_be_sent_back_as_it_was_read(service: &ApiFixture) {
    let plain = service.api.create_server(json!({})).await;
    let settings = json!({"description": "d", "own": {"a": [null]}, "capture": "all", "test_credentials": bearer("t")});
    let full = json!({"name": "B", "slug": "b", "status": "draft", "auth_type": "api-key", "rate_limit_per_min": 7, "settings": settings});
    let full = service.api.create_server(full).await;
    for server in [&plain, &full] {
        send_back(service, &format!("/servers/{}", server["id"])).await;
    }
    let server = format!("/servers/{}", plain["id"]);
    let tool = json!({"name": "a", "endpoint_url": "https://a.example/{x}"});
    let rich_tool = json!({"name": "b", "endpoint_url": "https://a.example/{x}", "headers": {"Cookie": "c", "X-A": "1"},
        "http_method": "POST", "annotations": {"title": "T"}, "output_schema": {"type": "object"}, "timeout": 5,
        "input_schema": {"properties": {"x": {"type": "string"}}}, "parameter_mapping": {"x": {"location": "path"}}});
    for fields in [tool, merged(&rich_tool, &bearer("t"))] {
        let tool = service.api.create(&format!("{server}/tools"), fields).await;
        send_back(service, &format!("/tools/{}", tool["id"])).await;
        let copy = service.api.post(&format!("/tools/{}/duplicate", tool["id"])).send().await.expect(201).json();
        send_back(service, &format!("/tools/{}", copy["id"])).await;
    }
    let message = json!([{"role": "user", "content": {"type": "text", "text": "{{a}}"}}]);
    for fields in [
        json!({"name": "text", "template_content": "{{a}}", "arguments": [{"name": "a", "values": ["1"]}, {"name": "b"}]}),
        json!({"name": "messages", "messages": message}),
    ] {
        let prompt = service.api.create(&format!("{server}/prompts"), fields).await;
        send_back(service, &format!("{server}/prompts/{}", prompt["id"])).await;
    }
    let url = merged(&json!({"url": "https://a.example/{x}", "headers": {"X-Token": "h"}}), &bearer("t"));
    let site = merged(&json!({"site_url": "https://a.example", "query": {"per_page": 1}}), &bearer("t"));
    for (kind, config, template) in [
        ("static", json!({"content": "c"}), Value::Null),
        ("url", url, json!("up://url/{x}")),
        ("wp_query", site, Value::Null),
        ("dynamic", json!({"tool": "a", "arguments": {"x": "1"}}), Value::Null),
    ] {
        let fields = json!({"uri": format!("up://{kind}"), "name": kind, "data_source_type": kind,
            "data_source_config": config, "template_uri": template});
        let resource = service.api.create(&format!("{server}/resources"), fields).await;
        send_back(service, &format!("{server}/resources/{}", resource["id"])).await;
    }
}

async fn an_object_can_be_copied_to_another_server(service: &ApiFixture) {
    let (from, to) = (service.api.create_default_server().await, service.api.create_default_server().await);
    let prompt = json!({"name": "p", "template_content": "x"});
    let resource = json!({"uri": "up://r", "name": "r", "data_source_config": {"content": "c"}});
    let tool = json!({"name": "t", "endpoint_url": "https://a.example/"});
    for (kind, fields) in [("tools", tool), ("prompts", prompt), ("resources", resource)] {
        let original = service.api.create(&format!("/servers/{from}/{kind}"), fields).await;
        let copy = service.api.post(&format!("/servers/{to}/{kind}?strict=1")).json(original).send().await.expect(201);
        assert_eq!((copy.header("x-toolgate-ignored"), &copy.json()["server_id"]), (None, &json!(to)), "{kind}");
    }
}

/// The Authorization header of the last request after the tool was called and after it was tested.
async fn sent_credentials(
    service: &ApiFixture,
    upstream: &Upstream,
    server: &Value,
    tool: &str,
) -> [Option<String>; 2] {
    let caller = toolgate_testkit::McpClient::new(server["endpoint_url"].as_str().unwrap());
    caller.call("tool", json!({})).await;
    let sent = upstream.last().header("authorization").map(str::to_owned);
    service.api.post(&format!("{tool}/test")).json(json!({})).send().await.expect(200);
    [sent, upstream.last().header("authorization").map(str::to_owned)]
}

async fn credentials_are_kept_when_the_object_is_sent_back(service: &ApiFixture) {
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let server = service.api.create_server(json!({"settings": {"test_credentials": bearer("for-tests")}})).await;
    let server_path = format!("/servers/{}", server["id"]);
    let fields = merged(&json!({"name": "tool", "endpoint_url": upstream.url("/")}), &bearer("own"));
    let tool = service.api.create(&format!("{server_path}/tools"), fields).await;
    let tool_path = format!("/tools/{}", tool["id"]);
    let config = merged(&json!({"url": upstream.url("/r")}), &bearer("of-resource"));
    let fields = json!({"uri": "up://r", "name": "r", "data_source_type": "url", "data_source_config": config});
    let resource = service.api.create(&format!("{server_path}/resources"), fields).await;
    let resource_path = format!("{server_path}/resources/{}", resource["id"]);
    for path in [&server_path, &tool_path, &resource_path] {
        send_back(service, path).await;
    }
    let expected = [Some("Bearer own".to_owned()), Some("Bearer for-tests".to_owned())];
    assert_eq!(sent_credentials(service, &upstream, &server, &tool_path).await, expected);
    let caller = toolgate_testkit::McpClient::new(server["endpoint_url"].as_str().unwrap());
    let read_resource = async || caller.send("resources/read", json!({"uri": "up://r"})).await;
    read_resource().await;
    assert_eq!(upstream.last().header("authorization"), Some("Bearer of-resource"));
    // An empty object clears the credentials.
    for (path, patch) in [
        (&server_path, json!({"settings": {"test_credentials": {"auth_type": "bearer", "auth_credentials": {}}}})),
        (&tool_path, json!({"auth_credentials": {}})),
        (
            &resource_path,
            json!({"data_source_config": merged(&json!({"auth_credentials": {}}), &resource["data_source_config"])}),
        ),
    ] {
        service.api.patch(&format!("{path}?strict=1")).json(patch).send().await.expect(200);
    }
    let requests = upstream.request_count();
    sent_credentials(service, &upstream, &server, &tool_path).await;
    read_resource().await;
    assert_eq!(upstream.request_count(), requests, "nothing is sent without the credentials");
}
