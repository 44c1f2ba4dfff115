//! Prompts in the management API: fields, validation, updates, lists and deletion.

use http::Method;
use serde_json::{Value, json};
use toolgate_testkit::ServiceFixture;
use toolgate_testkit::objects::id;

use super::fixtures::{
    ABSENT_ID, assert_deletes, assert_error, assert_missing, assert_refused, assert_refused_as, assert_timestamp,
    assert_updates_advance_updated_at, create_server, without_fields,
};

on_both_databases![
    a_prompt_is_created_with_defaults_and_read_back_unchanged,
    every_field_of_a_prompt_is_stored,
    arguments_of_a_prompt_are_normalised,
    bad_arguments_of_a_prompt_are_refused,
    a_prompt_needs_a_name_and_a_template,
    prompt_names_follow_the_charset_and_are_unique_within_their_server,
    an_update_of_a_prompt_changes_only_the_given_fields,
    an_update_of_a_prompt_sets_updated_at,
    a_prompt_may_consist_of_messages,
    prompts_are_listed_by_id_and_in_full_unless_a_page_is_requested,
    deleting_a_prompt_returns_and_removes_it,
    a_prompt_is_found_only_under_its_own_server,
];

const FIELDS: [&str; 9] =
    ["id", "server_id", "name", "description", "arguments", "template_content", "messages", "created_at", "updated_at"];

async fn a_prompt_is_created_with_defaults_and_read_back_unchanged(fixture: &ServiceFixture) {
    let (app, client, server, path) = (&fixture.app, &fixture.api, fixture.server_id(), fixture.path("/prompts"));
    let body = json!({"name": "greet_user", "template_content": "Hello {{name}}"});
    let reply = client.post(&path).json(body).send().await.expect(201);
    let prompt = reply.json();
    let keys: Vec<&str> = prompt.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, FIELDS);
    let expected = json!({
        "server_id": server, "name": "greet_user", "description": "", "arguments": [],
        "template_content": "Hello {{name}}", "messages": null,
    });
    assert_eq!(without_fields(&prompt, &["id", "created_at", "updated_at"]), expected);
    assert_timestamp(&prompt["created_at"]);
    assert_eq!(prompt["created_at"], prompt["updated_at"]);
    let item_path = format!("{path}/{}", id(&prompt));
    assert_eq!(reply.header("location"), Some(format!("{}{item_path}", app.api_base()).as_str()));
    assert_eq!(client.read(&item_path).await, prompt);
    assert_eq!(client.read(&path).await, json!([prompt]));
}

async fn every_field_of_a_prompt_is_stored(fixture: &ServiceFixture) {
    let (client, path) = (&fixture.api, fixture.path("/prompts"));
    for text in ["{{a}} and {{ b }}", "  spaces  and\nlines\r\n\t", "Ünïcode 🎉 \u{202e}content\u{feff}", "{{{{}}"]
    {
        let body = json!({"name": format!("p{}", text.len()), "description": "zwei\nZeilen 🎉", "template_content": text,
            "arguments": [{"name": "a", "description": "first", "required": true}]});
        let prompt = client.create(&path, body.clone()).await;
        for field in ["name", "description", "template_content", "arguments"] {
            assert_eq!(prompt[field], body[field]);
        }
        assert_eq!(client.read(&format!("{path}/{}", id(&prompt))).await, prompt);
    }
}

async fn arguments_of_a_prompt_are_normalised(fixture: &ServiceFixture) {
    let (client, path) = (&fixture.api, fixture.path("/prompts"));
    let sent = json!([
        {"name": "a"},
        {"name": "b", "required": true, "description": "B", "values": ["x", "y"]},
        {"name": "c", "required": "true", "description": null, "values": null, "type": "string"},
        {"name": "d", "required": 0},
    ]);
    let expected = json!([
        {"name": "a", "description": "", "required": false},
        {"name": "b", "description": "B", "required": true, "values": ["x", "y"]},
        {"name": "c", "description": "", "required": true},
        {"name": "d", "description": "", "required": false},
    ]);
    let prompt = client.create(&path, json!({"name": "p", "template_content": "x", "arguments": sent})).await;
    assert_eq!(prompt["arguments"], expected);
    let item_path = format!("{path}/{}", id(&prompt));
    assert_eq!(client.read(&item_path).await["arguments"], expected);
    let emptied = client.post(&item_path).json(json!({"arguments": []})).send().await.expect(200).json();
    assert_eq!(emptied["arguments"], json!([]));
}

async fn bad_arguments_of_a_prompt_are_refused(fixture: &ServiceFixture) {
    let (client, path) = (&fixture.api, fixture.path("/prompts"));
    for arguments in [
        json!([{"name": "a"}, {"name": "a"}]),
        json!([{"description": "nameless"}]),
        json!([{"name": ""}]),
        json!([{"name": "  "}]),
        json!([{"name": 7}]),
        json!([{"name": "a", "description": {}}]),
        json!([{"name": "a", "description": "tag \u{e0041}"}]),
        json!([{"name": "a\u{202e}"}]),
        json!([{"name": "a", "required": "perhaps"}]),
        json!([{"name": "a", "values": "x"}]),
        json!([{"name": "a", "values": [1]}]),
        json!(["a"]),
        json!({"name": "a"}),
        json!("a"),
        json!(7),
    ] {
        let body = json!({"name": "p", "template_content": "x", "arguments": arguments});
        assert_refused(&client.post(&path).json(body).send().await, "arguments");
    }
    assert_eq!(client.read(&path).await, json!([]));
}

async fn a_prompt_needs_a_name_and_a_template(fixture: &ServiceFixture) {
    let (client, path) = (&fixture.api, fixture.path("/prompts"));
    let send = |body: Value| client.post(&path).json(body).send();
    assert_missing(&send(json!({"template_content": "x"})).await, &["name"]);
    assert_missing(&send(json!({"name": "p"})).await, &["template_content"]);
    assert_missing(&send(json!({"name": "p", "template_content": null})).await, &["template_content"]);
    assert_missing(&send(json!({})).await, &["name", "template_content"]);
    assert_missing(&send(json!(["name", "template_content"])).await, &["name", "template_content"]);
    assert_refused_as(&send(json!({"name": "", "template_content": "x"})).await, "name", "rest_too_short");
    for empty in ["", " \n"] {
        let reply = send(json!({"name": "p", "template_content": empty})).await;
        assert_refused_as(&reply, "template_content", "rest_too_short");
    }
    let prompt = client.create(&path, json!({"name": "p", "template_content": "x"})).await;
    let update = client.post(&format!("{path}/{}", id(&prompt))).json(json!({"template_content": " "})).send().await;
    assert_refused_as(&update, "template_content", "rest_too_short");
}

async fn prompt_names_follow_the_charset_and_are_unique_within_their_server(fixture: &ServiceFixture) {
    let (client, path) = (&fixture.api, fixture.path("/prompts"));
    let body = |name: &str| json!({"name": name, "template_content": "x"});
    for name in ["a", "snake_case", "Camel.Case-2", "_", &"x".repeat(128)] {
        client.create(&path, body(name)).await;
    }
    for name in ["with space", "naïve", "a/b", "a\u{200b}b", "a\u{202e}", "x (copy)", "a\n", "名"] {
        assert_refused_as(&client.post(&path).json(body(name)).send().await, "name", "rest_invalid_pattern");
    }
    let conflict = client.post(&path).json(body("snake_case")).send().await;
    assert_error(&conflict, 409, "rest_prompt_exists");
    assert!(conflict.json()["data"]["params"]["name"].is_string(), "{conflict:?}");
    // Names are case-sensitive, as those of tools are.
    let other = client.create(&path, body("Snake_Case")).await;
    let item_path = format!("{path}/{}", id(&other));
    let renamed = client.post(&item_path).json(json!({"name": "snake_case"})).send().await;
    assert_error(&renamed, 409, "rest_prompt_exists");
    assert_eq!(client.read(&item_path).await, other);
    client.post(&item_path).json(json!({"name": "Snake_Case"})).send().await.expect(200);
    let other_server = create_server(client, "Elsewhere").await;
    client.create(&format!("/servers/{other_server}/prompts"), body("snake_case")).await;
}

async fn an_update_of_a_prompt_changes_only_the_given_fields(fixture: &ServiceFixture) {
    let (client, path) = (&fixture.api, fixture.path("/prompts"));
    let fields = json!({"name": "p", "description": "d", "arguments": [{"name": "a"}], "template_content": "{{a}}"});
    let mut prompt = client.create(&path, fields).await;
    let item_path = format!("{path}/{}", id(&prompt));
    for (method, field, value) in [
        (Method::POST, "description", json!("other")),
        (Method::PUT, "template_content", json!("{{b}}")),
        (Method::PATCH, "arguments", json!([{"name": "b", "description": "B", "required": true}])),
        (Method::PUT, "name", json!("q")),
        (Method::POST, "description", json!("")),
    ] {
        let reply = client.request(method, &item_path).json(json!({field: value})).send().await.expect(200).json();
        prompt[field] = value;
        assert_eq!(without_fields(&reply, &["updated_at"]), without_fields(&prompt, &["updated_at"]));
        assert_eq!(client.read(&item_path).await, reply);
    }
    // Nulls, unknown fields and read-only fields are ignored.
    let ignored_fields = json!({"name": null, "description": null, "template_content": null, "id": 7, "server_id": 8,
        "created_at": "2000-01-01T00:00:00", "unknown": 1});
    let reply = client.post(&item_path).json(ignored_fields).send().await.expect(200).json();
    assert_eq!(without_fields(&reply, &["updated_at"]), without_fields(&prompt, &["updated_at"]));
    for (field, value) in [("description", json!(5)), ("template_content", json!([])), ("name", json!("a b"))] {
        let body = json!({field: value, "arguments": []});
        assert_refused(&client.post(&item_path).json(body).send().await, field);
    }
    let stored = client.read(&item_path).await;
    assert_eq!(
        without_fields(&stored, &["updated_at"]),
        without_fields(&prompt, &["updated_at"]),
        "a refused update changes nothing"
    );
}

async fn an_update_of_a_prompt_sets_updated_at(fixture: &ServiceFixture) {
    let (client, path) = (&fixture.api, fixture.path("/prompts"));
    let prompt = client.create(&path, json!({"name": "p", "template_content": "x"})).await;
    assert_updates_advance_updated_at(client, &format!("{path}/{}", id(&prompt)), &json!({})).await;
}

async fn a_prompt_may_consist_of_messages(fixture: &ServiceFixture) {
    let (client, path) = (&fixture.api, fixture.path("/prompts"));
    let messages = json!([
        {"role": "user", "content": {"type": "text", "text": "{{a}}"}},
        {"role": "assistant", "content": {"type": "text", "text": "ok"}},
    ]);
    let prompt = client.create(&path, json!({"name": "p", "messages": messages})).await;
    assert_eq!((&prompt["messages"], &prompt["template_content"]), (&messages, &json!("")));
    let item_path = format!("{path}/{}", id(&prompt));
    assert_eq!(client.read(&item_path).await, prompt);
    for bad in [
        json!([]),
        json!([{"role": "system", "content": {"type": "text"}}]),
        json!([{"role": "user"}]),
        json!([{"role": "user", "content": "x"}]),
        json!("x"),
    ] {
        assert_refused(&client.post(&item_path).json(json!({"messages": bad})).send().await, "messages");
    }
    let cleared = json!({"messages": null, "template_content": "x"});
    let prompt = client.post(&item_path).json(cleared).send().await.expect(200).json();
    assert_eq!((&prompt["messages"], &prompt["template_content"]), (&Value::Null, &json!("x")));
}

async fn prompts_are_listed_by_id_and_in_full_unless_a_page_is_requested(fixture: &ServiceFixture) {
    let (client, path) = (&fixture.api, fixture.path("/prompts"));
    let empty = client.get(&path).send().await.expect(200);
    assert_eq!((empty.header("x-wp-total"), empty.header("x-wp-totalpages")), (Some("0"), Some("0")));
    let mut ids = Vec::new();
    for number in (0..25).rev() {
        let body = json!({"name": format!("p{number:02}"), "template_content": "x"});
        ids.push(id(&client.create(&path, body).await));
    }
    let listed_ids =
        |reply: &toolgate_testkit::TestResponse| reply.json().as_array().unwrap().iter().map(id).collect::<Vec<_>>();
    let all = client.get(&path).send().await.expect(200);
    assert_eq!(listed_ids(&all), ids);
    assert_eq!((all.header("x-wp-total"), all.header("x-wp-totalpages")), (Some("25"), Some("1")));
    assert_eq!(all.header("link"), None);
    let head = client.head(&path).send().await.expect(200);
    assert_eq!((head.header("x-wp-total"), head.body.len()), (Some("25"), 0));
    let second = client.get(&path).query("per_page", 10).query("page", 2).send().await.expect(200);
    assert_eq!(listed_ids(&second), ids[10..20]);
    assert_eq!((second.header("x-wp-total"), second.header("x-wp-totalpages")), (Some("25"), Some("3")));
    let link = second.header("link").unwrap();
    assert!(link.contains("page=1>; rel=\"prev\"") && link.contains("page=3>; rel=\"next\""), "{link}");
    let beyond = client.get(&path).query("page", 4).query("per_page", 10).send().await.expect(200);
    assert_eq!((listed_ids(&beyond).len(), beyond.header("x-wp-total")), (0, Some("25")));
    for (name, value) in [("page", "0"), ("page", "x"), ("per_page", "0"), ("per_page", "101"), ("per_page", "")] {
        assert_refused(&client.get(&path).query(name, value).send().await, name);
    }
}

async fn deleting_a_prompt_returns_and_removes_it(fixture: &ServiceFixture) {
    let (client, path) = (&fixture.api, fixture.path("/prompts"));
    for force in [None, Some("true"), Some("false")] {
        let prompt = client.create(&path, json!({"name": "p", "template_content": "x"})).await;
        assert_deletes(client, &format!("{path}/{}", id(&prompt)), force, "rest_prompt_invalid_id").await;
    }
    assert_eq!(client.read(&path).await, json!([]));
}

async fn a_prompt_is_found_only_under_its_own_server(fixture: &ServiceFixture) {
    let (client, path) = (&fixture.api, fixture.path("/prompts"));
    let other = create_server(client, "Other").await;
    let prompt = id(&client.create(&path, json!({"name": "p", "template_content": "x"})).await);
    for method in [Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
        for absent_path in
            [format!("/servers/{other}/prompts/{prompt}"), format!("{path}/{ABSENT_ID}"), format!("{path}/0")]
        {
            let reply = client.request(method.clone(), &absent_path).json(json!({})).send().await;
            assert_error(&reply, 404, "rest_prompt_invalid_id");
        }
    }
    assert_error(&client.get(&format!("/servers/{ABSENT_ID}/prompts")).send().await, 404, "rest_server_invalid_id");
    let body = json!({"name": "p", "template_content": "x"});
    let absent_server = client.post(&format!("/servers/{ABSENT_ID}/prompts")).json(body).send().await;
    assert_error(&absent_server, 404, "rest_server_invalid_id");
    client.read(&format!("{path}/{prompt}")).await;
}
