//! Resources with stored content: listing, and matching a URI to a resource.

use serde_json::{Value, json};
use toolgate_testkit::McpClient;
use toolgate_testkit::mcp::NEWEST_LEGACY;

use super::management::{self, bare_client, change};

fn templated_resource(uri: &str, template: &str, content: &str) -> Value {
    json!({"uri": uri, "name": uri, "template_uri": template, "data_source_config": {"content": content}})
}

async fn text(mcp: &McpClient, uri: &str) -> String {
    let result = mcp.result("resources/read", json!({"uri": uri})).await;
    assert_eq!(result["contents"][0]["uri"], uri, "a result has the requested URI");
    result["contents"][0]["text"].as_str().unwrap().to_owned()
}

async fn assert_not_found(mcp: &McpClient, uri: &str) {
    assert_eq!(mcp.error("resources/read", json!({"uri": uri})).await.1["code"], -32002, "{uri}");
}

#[tokio::test]
async fn resources_and_templates_are_listed() {
    let fixture = management::start_server(json!({})).await;
    let fields = json!({"uri": "docs://a", "name": "A", "description": "First", "mime_type": "text/markdown"});
    fixture.create("/resources", fields).await;
    fixture.create("/resources", templated_resource("docs://b", "docs://b/{id}{?q}", "")).await;
    let plain = json!({"uri": "docs://a", "name": "A", "description": "First", "mimeType": "text/markdown"});
    // A resource with a template is also listed under its own URI.
    let with_template = json!({"uri": "docs://b", "name": "docs://b", "mimeType": "text/plain"});
    let template = json!({"uriTemplate": "docs://b/{id}{?q}", "name": "docs://b", "mimeType": "text/plain"});
    for mcp in [bare_client(&fixture), bare_client(&fixture).legacy(NEWEST_LEGACY).await] {
        assert_eq!(mcp.result("resources/list", json!({})).await, json!({"resources": [plain, with_template]}));
        let templates = mcp.result("resources/templates/list", json!({})).await;
        assert_eq!(templates, json!({"resourceTemplates": [template]}));
    }
}

#[tokio::test]
async fn static_content_is_returned_unchanged() {
    let fixture = management::start_server(json!({})).await;
    let content = "# Title\n{{not_a_variable}} \"é\" \u{1F600}";
    let fields = json!({"uri": "docs://a", "name": "A", "mime_type": "text/markdown",
        "data_source_config": {"content": content}});
    fixture.create("/resources", fields).await;
    fixture.create("/resources", json!({"uri": "docs://empty", "name": "E"})).await;
    let mcp = bare_client(&fixture);
    let expected = json!({"contents": [{"uri": "docs://a", "mimeType": "text/markdown", "text": content}]});
    assert_eq!(mcp.result("resources/read", json!({"uri": "docs://a"})).await, expected);
    assert_eq!(text(&mcp, "docs://empty").await, "");
    for unknown in ["docs://A", "docs://a/", "docs://", "docs:a", ""] {
        assert_not_found(&mcp, unknown).await;
    }
}

#[tokio::test]
async fn uri_variables_fill_static_content_once() {
    let fixture = management::start_server(json!({})).await;
    fixture
        .create("/resources", templated_resource("docs://u", "docs://u/{user}/{doc}", "{{user}}:{{ doc }}:{{other}}"))
        .await;
    let mcp = bare_client(&fixture);
    assert_eq!(text(&mcp, "docs://u/ada/notes").await, "ada:notes:{{other}}");
    assert_eq!(text(&mcp, "docs://u/a%20b/%C3%A9").await, "a b:é:{{other}}");
    assert_eq!(text(&mcp, "docs://u/%7B%7Bdoc%7D%7D/x").await, "{{doc}}:x:{{other}}");
    // A variable is one segment and not empty.
    for unknown in ["docs://u/ada", "docs://u/ada/", "docs://u//x", "docs://u/a/b/c"] {
        assert_not_found(&mcp, unknown).await;
    }
}

#[tokio::test]
async fn query_variables_come_in_any_order_and_reserved_ones_span_segments() {
    let fixture = management::start_server(json!({})).await;
    fixture.create("/resources", templated_resource("docs://f", "docs://f{?a,b}", "a={{a}} b={{b}}")).await;
    fixture.create("/resources", templated_resource("docs://p", "docs://p/{+path}", "{{path}}")).await;
    let mcp = bare_client(&fixture);
    assert_eq!(text(&mcp, "docs://f?a=1&b=2").await, "a=1 b=2");
    assert_eq!(text(&mcp, "docs://f?b=2&a=1").await, "a=1 b=2");
    assert_not_found(&mcp, "docs://f?a=1&c=3").await;
    assert_eq!(text(&mcp, "docs://p/a/b/c.txt").await, "a/b/c.txt");
}

#[tokio::test]
async fn an_exact_uri_takes_precedence_over_templates() {
    let fixture = management::start_server(json!({})).await;
    fixture.create("/resources", templated_resource("docs://t", "docs://{id}", "template {{id}}")).await;
    let fields = json!({"uri": "docs://special", "name": "S", "data_source_config": {"content": "own"}});
    let exact = fixture.create("/resources", fields).await;
    let mcp = bare_client(&fixture);
    assert_eq!(text(&mcp, "docs://special").await, "own");
    assert_eq!(text(&mcp, "docs://other").await, "template other");
    management::delete(&fixture, &fixture.path(&format!("/resources/{}", exact["id"]))).await;
    assert_eq!(text(&mcp, "docs://special").await, "template special");
}

#[tokio::test]
async fn the_most_specific_template_is_read() {
    let fixture = management::start_server(json!({})).await;
    let templates = ["docs://{+any}", "docs://users/{id}", "docs://users/{id}/notes", "docs://users/me-{id}"];
    for (number, template) in templates.iter().enumerate() {
        fixture.create("/resources", templated_resource(&format!("x://{number}"), template, &number.to_string())).await;
    }
    let mcp = bare_client(&fixture);
    for (uri, number) in [
        ("docs://users/7/notes", "2"),
        ("docs://users/me-7", "3"),
        ("docs://users/7", "1"),
        ("docs://users/7/other", "0"),
        ("docs://x", "0"),
    ] {
        assert_eq!(text(&mcp, uri).await, number, "{uri}");
    }
    // The order of creation does not matter.
    let reversed = management::start_server(json!({})).await;
    for (number, template) in templates.iter().enumerate().rev() {
        reversed
            .create("/resources", templated_resource(&format!("x://{number}"), template, &number.to_string()))
            .await;
    }
    assert_eq!(text(&bare_client(&reversed), "docs://users/me-7").await, "3");
}

#[tokio::test]
async fn a_changed_resource_is_read_with_its_changes() {
    let fixture = management::start_server(json!({})).await;
    let resource = fixture.create("/resources", json!({"uri": "docs://r", "name": "r"})).await;
    let (mcp, path) = (bare_client(&fixture), fixture.path(&format!("/resources/{}", resource["id"])));
    for round in 0..20 {
        change(&fixture, &path, json!({"data_source_config": {"content": format!("round {round}")}})).await;
        assert_eq!(text(&mcp, "docs://r").await, format!("round {round}"));
    }
    change(&fixture, &path, json!({"uri": "docs://moved"})).await;
    assert_not_found(&mcp, "docs://r").await;
    assert_eq!(text(&mcp, "docs://moved").await, "round 19");
}
