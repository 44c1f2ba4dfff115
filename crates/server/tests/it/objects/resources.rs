//! Resources in the management API: fields, validation, updates, lists and deletion.

use http::Method;
use serde_json::{Value, json};
use toolgate_testkit::ServiceFixture;
use toolgate_testkit::objects::id;

use super::fixtures::{
    ABSENT_ID, assert_deletes, assert_error, assert_missing, assert_refused, assert_refused_as, assert_timestamp,
    assert_updates_advance_updated_at, create_server, without_fields,
};

on_both_databases![
    a_resource_is_created_with_defaults_and_read_back_unchanged,
    every_field_of_a_resource_is_stored,
    a_resource_needs_a_uri_with_a_scheme_and_a_name,
    resource_uris_are_unique_within_their_server,
    values_outside_their_set_or_format_are_refused,
    each_source_names_its_missing_configuration,
    configurations_of_a_url_source_are_checked_field_by_field,
    a_template_must_follow_rfc_6570_and_null_removes_it,
    an_update_of_a_resource_changes_only_the_given_fields,
    an_update_of_a_resource_sets_updated_at,
    resources_are_listed_by_id_and_in_full_unless_a_page_is_requested,
    deleting_a_resource_returns_and_removes_it,
    a_resource_is_found_only_under_its_own_server,
];

const FIELDS: [&str; 11] = [
    "id",
    "server_id",
    "uri",
    "name",
    "description",
    "mime_type",
    "data_source_type",
    "data_source_config",
    "template_uri",
    "created_at",
    "updated_at",
];

fn minimal_resource() -> Value {
    json!({"uri": "docs://guide", "name": "Guide"})
}

/// The smallest valid resource with one field set.
fn with_field(field: &str, value: Value) -> Value {
    let mut body = minimal_resource();
    body[field] = value;
    body
}

async fn a_resource_is_created_with_defaults_and_read_back_unchanged(fixture: &ServiceFixture) {
    let (app, client, server, path) = (&fixture.app, &fixture.api, fixture.server_id(), fixture.path("/resources"));
    let reply = client.post(&path).json(minimal_resource()).send().await.expect(201);
    let resource = reply.json();
    let keys: Vec<&str> = resource.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, FIELDS);
    let expected = json!({
        "server_id": server, "uri": "docs://guide", "name": "Guide", "description": "", "mime_type": "text/plain",
        "data_source_type": "static", "data_source_config": {}, "template_uri": null,
    });
    assert_eq!(without_fields(&resource, &["id", "created_at", "updated_at"]), expected);
    assert_timestamp(&resource["created_at"]);
    assert_eq!(resource["created_at"], resource["updated_at"]);
    let item_path = format!("{path}/{}", id(&resource));
    assert_eq!(reply.header("location"), Some(format!("{}{item_path}", app.api_base()).as_str()));
    assert_eq!(client.read(&item_path).await, resource);
    assert_eq!(client.read(&path).await, json!([resource]));
}

async fn every_field_of_a_resource_is_stored(fixture: &ServiceFixture) {
    let (client, path) = (&fixture.api, fixture.path("/resources"));
    for (number, (source, config)) in [
        ("static", json!({"content": "# Ünïcode 🎉\n{{id}}\u{202e}"})),
        ("static", json!([])),
        (
            "url",
            json!({"url": "https://api.example.com/{id}{?q}", "method": "POST", "headers": {"Accept": "a/b"},
            "timeout": 300, "cache_ttl": 0}),
        ),
        (
            "wp_query",
            json!({"site_url": "https://blog.example.com", "query": {"post_type": "posts", "per_page": 5},
            "fields": ["id", "title"]}),
        ),
        ("dynamic", json!({"tool": "not_there_yet", "arguments": {"b": 1, "a": 12_345_678_901_234_567_890_u64}})),
    ]
    .into_iter()
    .enumerate()
    {
        let body = json!({"uri": format!("x+y.z-1:{number}"), "name": "Name 🎉", "description": "zwei\nZeilen",
            "mime_type": "text/markdown; charset=utf-8", "data_source_type": source, "data_source_config": config,
            "template_uri": "docs://{+path}/{id}{?q*}"});
        let resource = client.create(&path, body.clone()).await;
        let stored = if config == json!([]) { json!({}) } else { config };
        assert_eq!(resource["data_source_config"], stored);
        for field in ["uri", "name", "description", "mime_type", "data_source_type", "template_uri"] {
            assert_eq!(resource[field], body[field]);
        }
        assert_eq!(client.read(&format!("{path}/{}", id(&resource))).await, resource);
    }
}

async fn a_resource_needs_a_uri_with_a_scheme_and_a_name(fixture: &ServiceFixture) {
    let (client, path) = (&fixture.api, fixture.path("/resources"));
    let send = |body: Value| client.post(&path).json(body).send();
    assert_missing(&send(json!({})).await, &["uri", "name"]);
    assert_missing(&send(json!({"name": "x"})).await, &["uri"]);
    assert_missing(&send(json!({"uri": "docs://x", "name": null})).await, &["name"]);
    assert_refused_as(&send(with_field("uri", json!(" "))).await, "uri", "rest_too_short");
    assert_refused_as(&send(with_field("name", json!(" "))).await, "name", "rest_too_short");
    for uri in ["guide", "/guide", "1a:x", ":x", "a b:x", "ü:x", "a\u{0}:x", "docs://a\nb"] {
        assert_refused_as(&send(with_field("uri", json!(uri))).await, "uri", "rest_invalid_pattern");
    }
    for uri in ["a:", "urn:isbn:1", "FILE:///x", "a+b.c-d:x", "https://example.com/ü?q#f"] {
        assert_eq!(send(with_field("uri", json!(uri))).await.expect(201).json()["uri"], uri);
    }
    for name in [json!("a\u{202e}b"), json!("a\u{7}b"), json!(7), json!(["x"])] {
        assert_refused(&send(with_field("name", name)).await, "name");
    }
}

async fn resource_uris_are_unique_within_their_server(fixture: &ServiceFixture) {
    let (client, path) = (&fixture.api, fixture.path("/resources"));
    client.create(&path, minimal_resource()).await;
    let conflict = client.post(&path).json(minimal_resource()).send().await;
    assert_error(&conflict, 409, "rest_resource_exists");
    assert!(conflict.json()["data"]["params"]["uri"].is_string(), "{conflict:?}");
    let other = client.create(&path, with_field("uri", json!("docs://other"))).await;
    let item_path = format!("{path}/{}", id(&other));
    let renamed = client.patch(&item_path).json(json!({"uri": "docs://guide", "name": "New"})).send().await;
    assert_error(&renamed, 409, "rest_resource_exists");
    assert_eq!(client.read(&item_path).await, other);
    let other_server = create_server(client, "Elsewhere").await;
    client.create(&format!("/servers/{other_server}/resources"), minimal_resource()).await;
}

async fn values_outside_their_set_or_format_are_refused(fixture: &ServiceFixture) {
    let (client, path) = (&fixture.api, fixture.path("/resources"));
    for (field, kind, values) in [
        ("data_source_type", "rest_not_in_enum", json!(["file", "STATIC", ""])),
        ("data_source_type", "rest_invalid_type", json!([1, {}])),
        ("mime_type", "rest_invalid_pattern", json!(["text", "text/", "/x", "te xt/a", "", "text/ü", "a/b\nc"])),
        ("mime_type", "rest_invalid_type", json!([5])),
        ("data_source_config", "rest_invalid_type", json!(["x", 1, [1], true])),
        ("description", "rest_invalid_type", json!([1, {}])),
        ("description", "rest_invalid_pattern", json!(["tag \u{e0041}", "bidi \u{2066}", "\u{1b}[2J"])),
    ] {
        for value in values.as_array().unwrap() {
            let reply = client.post(&path).json(with_field(field, value.clone())).send().await;
            assert_refused_as(&reply, field, kind);
        }
    }
    let reply = client.post(&path).json(with_field("data_source_type", json!("x"))).send().await;
    let sentence = "data_source_type is not one of static, url, wp_query, and dynamic.";
    assert_eq!(reply.json()["data"]["params"]["data_source_type"], sentence);
}

async fn each_source_names_its_missing_configuration(fixture: &ServiceFixture) {
    let (client, path) = (&fixture.api, fixture.path("/resources"));
    for (source, key) in [("url", "url"), ("wp_query", "site_url"), ("dynamic", "tool")] {
        for config in [json!({}), json!({key: null}), json!({key: ""}), json!({key: 7})] {
            let body = json!({"uri": "a:b", "name": "x", "data_source_type": source, "data_source_config": config});
            let reply = client.post(&path).json(body).send().await;
            assert_refused(&reply, "data_source_config");
            let sentence = reply.json()["data"]["params"]["data_source_config"].to_string();
            assert!(sentence.contains(&format!("[{key}]")), "{sentence}");
        }
        let mut body = with_field("data_source_type", json!(source));
        assert_refused(&client.post(&path).json(body.clone()).send().await, "data_source_config");
        // An update cannot set a source type whose configuration is missing either.
        body = with_field("uri", json!(format!("docs://{key}")));
        let item_path = format!("{path}/{}", id(&client.create(&path, body).await));
        let update = client.post(&item_path).json(json!({"data_source_type": source})).send().await;
        assert_refused(&update, "data_source_config");
        assert_eq!(client.read(&item_path).await["data_source_type"], "static");
    }
    assert_refused(
        &client.post(&path).json(with_field("data_source_config", json!({"content": 7}))).send().await,
        "data_source_config",
    );
}

async fn configurations_of_a_url_source_are_checked_field_by_field(fixture: &ServiceFixture) {
    let (client, path) = (&fixture.api, fixture.path("/resources"));
    for (key, values) in [
        (
            "url",
            json!([
                "x",
                "ftp://a.example/",
                "https://{host}/",
                "https://a.example:{port}/",
                "https://a.example/{",
                "https://u:p@a.example/",
                "https://",
                "https://a.example/ b",
                "javascript:alert(1)"
            ]),
        ),
        ("method", json!(["BREW", "", 7])),
        ("timeout", json!([0, 301, -1, "x", 1.5])),
        ("cache_ttl", json!([-1, 2_592_001, {}])),
        ("headers", json!(["x", {"a b": "x"}, {"A": "x\ny"}, {"A": {}}, {"A": "1", "a": "2"}])),
        ("auth_type", json!(["digest", 7])),
        ("auth_credentials", json!(["x", {"token": "without auth_type"}])),
    ] {
        for value in values.as_array().unwrap() {
            let config = json!({"url": "https://a.example/", key: value});
            let body = json!({"uri": "a:b", "name": "x", "data_source_type": "url", "data_source_config": config});
            assert_refused(&client.post(&path).json(body).send().await, "data_source_config");
        }
    }
    assert_eq!(client.read(&path).await, json!([]));
}

async fn a_template_must_follow_rfc_6570_and_null_removes_it(fixture: &ServiceFixture) {
    let (client, path) = (&fixture.api, fixture.path("/resources"));
    for bad in ["docs://{", "docs://}", "docs://{}", "docs://{a", "docs://{a b}", "docs://{a:0}", "docs://{!a}", ""] {
        assert_refused(&client.post(&path).json(with_field("template_uri", json!(bad))).send().await, "template_uri");
    }
    for bad in [json!(7), json!({})] {
        let reply = client.post(&path).json(with_field("template_uri", bad)).send().await;
        assert_refused_as(&reply, "template_uri", "rest_invalid_type");
    }
    let resource = client.create(&path, with_field("template_uri", json!("docs://{a}/{b:3}{&c*}"))).await;
    let item_path = format!("{path}/{}", id(&resource));
    let untouched = client.post(&item_path).json(json!({"name": "x"})).send().await.expect(200).json();
    assert_eq!(untouched["template_uri"], "docs://{a}/{b:3}{&c*}");
    let cleared = client.post(&item_path).json(json!({"template_uri": null})).send().await.expect(200).json();
    assert_eq!(cleared["template_uri"], Value::Null);
    assert_eq!(client.read(&item_path).await, cleared);
}

async fn an_update_of_a_resource_changes_only_the_given_fields(fixture: &ServiceFixture) {
    let (client, path) = (&fixture.api, fixture.path("/resources"));
    let mut resource = client.create(&path, with_field("data_source_config", json!({"content": "one"}))).await;
    let item_path = format!("{path}/{}", id(&resource));
    for (method, field, value) in [
        (Method::POST, "name", json!("Other")),
        (Method::PUT, "uri", json!("docs://other")),
        (Method::PATCH, "description", json!("d")),
        (Method::POST, "mime_type", json!("application/json")),
        (Method::PUT, "data_source_config", json!({"content": "two"})),
        (Method::PATCH, "template_uri", json!("docs://{x}")),
    ] {
        let reply = client.request(method, &item_path).json(json!({field: value})).send().await.expect(200).json();
        resource[field] = value;
        assert_eq!(without_fields(&reply, &["updated_at"]), without_fields(&resource, &["updated_at"]));
        assert_eq!(client.read(&item_path).await, reply);
    }
    let ignored_fields = json!({"name": null, "uri": null, "mime_type": null, "data_source_config": null, "id": 7});
    let reply = client.post(&item_path).json(ignored_fields).send().await.expect(200).json();
    assert_eq!(without_fields(&reply, &["updated_at"]), without_fields(&resource, &["updated_at"]));
    let source = json!({"data_source_type": "url", "data_source_config": {"url": "https://a.example/{x}"}});
    let reply = client.post(&item_path).json(source).send().await.expect(200).json();
    assert_eq!(reply["data_source_config"], json!({"url": "https://a.example/{x}"}));
    let refused = client.post(&item_path).json(json!({"name": "New", "mime_type": "x"})).send().await;
    assert_refused(&refused, "mime_type");
    assert_eq!(client.read(&item_path).await, reply, "a refused update changes nothing");
}

async fn an_update_of_a_resource_sets_updated_at(fixture: &ServiceFixture) {
    let (client, path) = (&fixture.api, fixture.path("/resources"));
    let resource = client.create(&path, minimal_resource()).await;
    assert_updates_advance_updated_at(client, &format!("{path}/{}", id(&resource)), &json!({})).await;
}

async fn resources_are_listed_by_id_and_in_full_unless_a_page_is_requested(fixture: &ServiceFixture) {
    let (client, path) = (&fixture.api, fixture.path("/resources"));
    let mut ids = Vec::new();
    for number in (0..25).rev() {
        ids.push(id(&client.create(&path, with_field("uri", json!(format!("docs://{number:02}")))).await));
    }
    let listed_ids =
        |reply: &toolgate_testkit::TestResponse| reply.json().as_array().unwrap().iter().map(id).collect::<Vec<_>>();
    let all = client.get(&path).send().await.expect(200);
    assert_eq!(listed_ids(&all), ids);
    assert_eq!((all.header("x-wp-total"), all.header("x-wp-totalpages")), (Some("25"), Some("1")));
    let third = client.get(&path).query("page", 3).query("per_page", 12).send().await.expect(200);
    assert_eq!(listed_ids(&third), ids[24..]);
    assert_eq!((third.header("x-wp-total"), third.header("x-wp-totalpages")), (Some("25"), Some("3")));
    let default_size = client.get(&path).query("page", 1).send().await.expect(200);
    assert_eq!(listed_ids(&default_size), ids[..20]);
    let other_server = create_server(client, "Elsewhere").await;
    let empty = client.get(&format!("/servers/{other_server}/resources")).send().await.expect(200);
    assert_eq!((empty.json(), empty.header("x-wp-total")), (json!([]), Some("0")));
}

async fn deleting_a_resource_returns_and_removes_it(fixture: &ServiceFixture) {
    let (client, path) = (&fixture.api, fixture.path("/resources"));
    for force in [None, Some("true"), Some("false")] {
        let resource = client.create(&path, minimal_resource()).await;
        assert_deletes(client, &format!("{path}/{}", id(&resource)), force, "rest_resource_invalid_id").await;
    }
    assert_eq!(client.read(&path).await, json!([]));
}

async fn a_resource_is_found_only_under_its_own_server(fixture: &ServiceFixture) {
    let (client, path) = (&fixture.api, fixture.path("/resources"));
    let other = create_server(client, "Other").await;
    let resource = id(&client.create(&path, minimal_resource()).await);
    for method in [Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
        for absent_path in [format!("/servers/{other}/resources/{resource}"), format!("{path}/{ABSENT_ID}")] {
            let reply = client.request(method.clone(), &absent_path).json(json!({})).send().await;
            assert_error(&reply, 404, "rest_resource_invalid_id");
        }
    }
    let absent_server = format!("/servers/{ABSENT_ID}/resources");
    assert_error(&client.get(&absent_server).send().await, 404, "rest_server_invalid_id");
    assert_error(&client.post(&absent_server).json(minimal_resource()).send().await, 404, "rest_server_invalid_id");
}
