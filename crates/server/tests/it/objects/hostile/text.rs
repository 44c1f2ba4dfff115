//! Characters and names that mislead a reader, split a header or break a database (guarantees 9, 12, 13 and
//! 22 in SECURITY.md).

use serde_json::json;
use toolgate_testkit::{ApiFixture, ServiceFixture};

use super::super::fixtures::{OwnedObjects, assert_refused, create_tool};
use super::{assert_healthy, assert_well_formed};

on_both_databases![
    hidden_characters_are_refused_in_text_that_models_read,
    nul_and_unusual_characters_are_stored_unchanged_or_refused,
    headers_that_arguments_must_not_set_are_refused,
];

async fn hidden_characters_are_refused_in_text_that_models_read(fixture: &ServiceFixture) {
    let (app, client, server, path) = (&fixture.app, &fixture.api, fixture.server_id(), fixture.path("/tools"));
    let objects = OwnedObjects::create(client, "Target").await;
    let server_path = format!("/servers/{}", objects.server);
    for hidden in
        ['\u{202a}', '\u{202e}', '\u{2066}', '\u{2069}', '\u{e0001}', '\u{e0041}', '\u{e007f}', '\u{7}', '\u{1b}']
    {
        let text = format!("Weather{hidden}report");
        let schema = json!({"type": "object", "properties": {"city": {"type": "string", "description": text}}});
        for (path, param, value) in [
            (format!("/tools/{}", objects.tool), "name", json!(text)),
            (format!("/tools/{}", objects.tool), "description", json!(text)),
            (format!("{server_path}/prompts/{}", objects.prompt), "name", json!(text)),
            (format!("{server_path}/prompts/{}", objects.prompt), "description", json!(text)),
            (
                format!("{server_path}/prompts/{}", objects.prompt),
                "arguments",
                json!([{"name": "a", "description": text}]),
            ),
            (format!("{server_path}/resources/{}", objects.resource), "name", json!(text)),
            (format!("{server_path}/resources/{}", objects.resource), "description", json!(text)),
            (server_path.clone(), "name", json!(text)),
            (server_path.clone(), "settings", json!({"description": text})),
            (format!("/tools/{}", objects.tool), "input_schema", schema.clone()),
            (format!("/tools/{}", objects.tool), "output_schema", schema),
            (format!("/tools/{}", objects.tool), "annotations", json!({"title": text})),
        ] {
            // Schemas and annotations may contain ASCII control characters.
            if hidden.is_ascii_control() && matches!(param, "input_schema" | "output_schema" | "annotations") {
                continue;
            }
            assert_refused(&client.post(&path).json(json!({param: value})).send().await, param);
        }
    }
    // Right-to-left scripts need none of these characters and are accepted.
    let body = json!({"name": "t", "endpoint_url": "https://a.example/", "description": "الطقس \u{5de}\u{5d6}\u{5d2}"});
    assert_eq!(client.create(&path, body.clone()).await["description"], body["description"]);
    assert_eq!(client.read(&format!("/servers/{server}")).await["tool_count"], 1);
    assert_healthy(app).await;
}

async fn nul_and_unusual_characters_are_stored_unchanged_or_refused(service: &ApiFixture) {
    let ApiFixture { app, api: client } = service;
    let objects = OwnedObjects::create(client, "Target").await;
    let server_path = format!("/servers/{}", objects.server);
    for odd in [
        "\u{0}",
        "a\u{0}b",
        "\u{fffe}",
        "\u{ffff}",
        "\u{10ffff}",
        "\u{feff}",
        "\u{200b}",
        "e\u{301}",
        "🏳️‍🌈",
        "\\",
        "'; DROP TABLE tools; --",
    ] {
        for (path, body) in [
            (server_path.clone(), json!({"name": odd})),
            (server_path.clone(), json!({"settings": {"description": odd, odd: odd, "list": [odd]}})),
            (server_path.clone(), json!({"settings": {"instructions": odd, "allowed_origins": [odd]}})),
            (format!("/tools/{}", objects.tool), json!({"description": odd})),
            (
                format!("/tools/{}", objects.tool),
                json!({"input_schema": {"title": odd, "properties": {odd: {"const": odd}}}}),
            ),
            (
                format!("/tools/{}", objects.tool),
                json!({"parameter_mapping": {odd: {"location": "query", "name": odd}}}),
            ),
            (format!("/tools/{}", objects.tool), json!({"headers": {"X-Odd": odd, "X-Token": odd}})),
            (format!("/tools/{}", objects.tool), json!({"auth_type": "bearer", "auth_credentials": {"token": odd}})),
            (format!("/tools/{}", objects.tool), json!({"annotations": {odd: odd}})),
            (format!("{server_path}/prompts/{}", objects.prompt), json!({"template_content": odd})),
            (
                format!("{server_path}/prompts/{}", objects.prompt),
                json!({"arguments": [{"name": odd, "values": [odd]}]}),
            ),
            (
                format!("{server_path}/prompts/{}", objects.prompt),
                json!({"messages": [{"role": "user", "content": {"type": "text", "text": odd}}]}),
            ),
            (format!("{server_path}/resources/{}", objects.resource), json!({"uri": format!("docs://{odd}")})),
            (
                format!("{server_path}/resources/{}", objects.resource),
                json!({"data_source_config": {"content": odd, odd: odd}}),
            ),
            (format!("{server_path}/resources/{}", objects.resource), json!({"template_uri": format!("docs://{odd}")})),
            ("/users".to_owned(), json!({"name": odd})),
            ("/api-keys".to_owned(), json!({"name": odd, "scopes": [odd]})),
        ] {
            let reply = client.post(&path).json(body.clone()).send().await;
            assert_well_formed(&reply, &body);
            if reply.status == 200 {
                let stored = client.read(&path).await;
                assert_eq!(reply.json(), stored, "the reply shows what is stored");
            }
        }
        let found = client.get("/servers").query("search", odd).send().await;
        assert_well_formed(&found, &odd);
    }
    assert_healthy(app).await;
}

async fn headers_that_arguments_must_not_set_are_refused(fixture: &ServiceFixture) {
    let (app, client, server) = (&fixture.app, &fixture.api, fixture.server_id());
    let tool = format!("/tools/{}", create_tool(client, server, "t").await);
    for name in [
        "Host",
        "content-length",
        "Transfer-Encoding",
        "CONNECTION",
        "Upgrade",
        "TE",
        "Trailer",
        "Cookie",
        "Authorization",
        "Proxy-Authorization",
        "a b",
        "a:b",
        "a\nb",
        "\u{fc}",
        "",
    ] {
        for location in ["header", "headers"] {
            let mapping = json!({"parameter_mapping": {"arg": {"location": location, "name": name}}});
            assert_refused(&client.post(&tool).json(mapping).send().await, "parameter_mapping");
        }
        let by_argument = json!({"parameter_mapping": {name: {"location": "header"}}});
        assert_refused(&client.post(&tool).json(by_argument).send().await, "parameter_mapping");
    }
    let valid_mapping = json!({"parameter_mapping": {"arg": {"location": "header", "name": "X-Tenant"}}});
    client.post(&tool).json(valid_mapping).send().await.expect(200);
    assert_healthy(app).await;
}
