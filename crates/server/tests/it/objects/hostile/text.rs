//! Characters and names that deceive a reader, split a header or upset a database: rows 9, 12, 13 and 22 of the
//! security requirements.

use serde_json::json;

use super::super::backend::{Backend, on_both_databases};
use super::super::make::{ObjectScene, OwnedObjects, assert_refused, created, get, tool};
use super::{assert_orderly, assert_well};

on_both_databases![
    characters_that_deceive_are_kept_out_of_what_models_read,
    nul_and_odd_characters_survive_or_are_refused_but_break_nothing,
    headers_that_arguments_must_not_set_are_refused,
];

async fn characters_that_deceive_are_kept_out_of_what_models_read(backend: &Backend) {
    let ObjectScene { app, client, server, path } = ObjectScene::with_server(backend.start(), "tools").await;
    let at = OwnedObjects::create(&client, "Target").await;
    let own = format!("/servers/{}", at.server);
    for hidden in
        ['\u{202a}', '\u{202e}', '\u{2066}', '\u{2069}', '\u{e0001}', '\u{e0041}', '\u{e007f}', '\u{7}', '\u{1b}']
    {
        let text = format!("Weather{hidden}report");
        let schema = json!({"type": "object", "properties": {"city": {"type": "string", "description": text}}});
        for (path, param, value) in [
            (format!("/tools/{}", at.tool), "name", json!(text)),
            (format!("/tools/{}", at.tool), "description", json!(text)),
            (format!("{own}/prompts/{}", at.prompt), "name", json!(text)),
            (format!("{own}/prompts/{}", at.prompt), "description", json!(text)),
            (format!("{own}/prompts/{}", at.prompt), "arguments", json!([{"name": "a", "description": text}])),
            (format!("{own}/resources/{}", at.resource), "name", json!(text)),
            (format!("{own}/resources/{}", at.resource), "description", json!(text)),
            (own.clone(), "name", json!(text)),
            (own.clone(), "settings", json!({"description": text})),
            (format!("/tools/{}", at.tool), "input_schema", schema.clone()),
            (format!("/tools/{}", at.tool), "output_schema", schema),
            (format!("/tools/{}", at.tool), "annotations", json!({"title": text})),
        ] {
            let is_plain_control = hidden.is_ascii_control();
            if is_plain_control && matches!(param, "input_schema" | "output_schema" | "annotations") {
                continue;
            }
            assert_refused(&client.post(&path).json(json!({param: value})).send().await, param);
        }
    }
    // Scripts that are written from right to left need no such characters, and are welcome.
    let body = json!({"name": "t", "endpoint_url": "https://a.example/", "description": "الطقس \u{5de}\u{5d6}\u{5d2}"});
    assert_eq!(created(&client, &path, body.clone()).await["description"], body["description"]);
    assert_eq!(get(&client, &format!("/servers/{server}")).await["tool_count"], 1);
    assert_well(&app).await;
}

async fn nul_and_odd_characters_survive_or_are_refused_but_break_nothing(backend: &Backend) {
    let app = backend.start();
    let client = app.client();
    let at = OwnedObjects::create(&client, "Target").await;
    let own = format!("/servers/{}", at.server);
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
            (own.clone(), json!({"name": odd})),
            (own.clone(), json!({"settings": {"description": odd, odd: odd, "list": [odd]}})),
            (own.clone(), json!({"settings": {"instructions": odd, "allowed_origins": [odd]}})),
            (format!("/tools/{}", at.tool), json!({"description": odd})),
            (
                format!("/tools/{}", at.tool),
                json!({"input_schema": {"title": odd, "properties": {odd: {"const": odd}}}}),
            ),
            (format!("/tools/{}", at.tool), json!({"parameter_mapping": {odd: {"location": "query", "name": odd}}})),
            (format!("/tools/{}", at.tool), json!({"headers": {"X-Odd": odd, "X-Token": odd}})),
            (format!("/tools/{}", at.tool), json!({"auth_type": "bearer", "auth_credentials": {"token": odd}})),
            (format!("/tools/{}", at.tool), json!({"annotations": {odd: odd}})),
            (format!("{own}/prompts/{}", at.prompt), json!({"template_content": odd})),
            (format!("{own}/prompts/{}", at.prompt), json!({"arguments": [{"name": odd, "values": [odd]}]})),
            (
                format!("{own}/prompts/{}", at.prompt),
                json!({"messages": [{"role": "user", "content": {"type": "text", "text": odd}}]}),
            ),
            (format!("{own}/resources/{}", at.resource), json!({"uri": format!("docs://{odd}")})),
            (format!("{own}/resources/{}", at.resource), json!({"data_source_config": {"content": odd, odd: odd}})),
            (format!("{own}/resources/{}", at.resource), json!({"template_uri": format!("docs://{odd}")})),
            ("/users".to_owned(), json!({"name": odd})),
            ("/api-keys".to_owned(), json!({"name": odd, "scopes": [odd]})),
        ] {
            let reply = client.post(&path).json(body.clone()).send().await;
            assert_orderly(&reply, &body);
            if reply.status == 200 {
                let again = get(&client, &path).await;
                assert_eq!(reply.json(), again, "what is answered is what is stored");
            }
        }
        let found = client.get("/servers").query("search", odd).send().await;
        assert_orderly(&found, &odd);
    }
    assert_well(&app).await;
}

async fn headers_that_arguments_must_not_set_are_refused(backend: &Backend) {
    let ObjectScene { app, client, server, .. } = ObjectScene::with_server(backend.start(), "tools").await;
    let tool = format!("/tools/{}", tool(&client, server, "t").await);
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
    let fine = json!({"parameter_mapping": {"arg": {"location": "header", "name": "X-Tenant"}}});
    client.post(&tool).json(fine).send().await.expect(200);
    assert_well(&app).await;
}
