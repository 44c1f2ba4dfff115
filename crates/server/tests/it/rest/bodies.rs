//! Request bodies: formats, precedence, and invalid bodies.

use serde_json::json;
use toolgate_testkit::ApiFixture;
use toolgate_testkit::http::TestRequest;
use toolgate_testkit::objects::id;

use super::assertions::{assert_error, assert_invalid, assert_invalid_fields, assert_missing, keys};

on_both_databases!(
    json_is_read_with_any_json_content_type_and_without_a_content_type,
    scalars_are_read_from_forms_and_queries,
    objects_in_php_notation_are_read_from_forms_and_queries,
    json_and_forms_override_the_query,
    path_ids_override_all_other_ids,
    invalid_json_is_refused_with_its_position,
    deep_nesting_and_duplicate_keys_are_refused,
    json_other_than_an_object_has_no_parameters,
    an_oversized_body_is_refused,
    empty_objects_stay_objects_and_empty_lists_become_objects,
    long_numbers_and_key_order_are_preserved,
);

const FORM: &str = "application/x-www-form-urlencoded";

fn create_request(service: &ApiFixture, content_type: &str, body: impl Into<Vec<u8>>) -> TestRequest {
    service.api.post("/servers").header("content-type", content_type).body(body.into())
}

async fn json_is_read_with_any_json_content_type_and_without_a_content_type(service: &ApiFixture) {
    let body = r#" {"name":"A","settings":{"description":"ünïcode ☃"}} "#;
    for content_type in [
        "application/json",
        "application/json; charset=utf-8",
        "APPLICATION/JSON",
        "application/vnd.api+json",
        "text/plain",
        FORM,
    ] {
        let server = create_request(service, content_type, body).send().await.expect(201).json();
        assert_eq!(server["settings"]["description"], "ünïcode ☃", "{content_type}");
    }
    service.api.post("/servers").body(body).send().await.expect(201);
}

async fn scalars_are_read_from_forms_and_queries(service: &ApiFixture) {
    let form = create_request(service, FORM, "name=My+%C3%9Cber+server&status=draft&rate_limit_per_min=30");
    let server = form.send().await.expect(201).json();
    assert_eq!((&server["name"], &server["status"]), (&json!("My Über server"), &json!("draft")));
    assert_eq!(server["rate_limit_per_min"], 30);
    let query = service.api.post("/servers?name=By%20query&rate_limit_per_min=5").send().await.expect(201).json();
    assert_eq!((&query["name"], &query["rate_limit_per_min"]), (&json!("By query"), &json!(5)));
    assert_invalid(&create_request(service, FORM, "name=A&settings=x").send().await, "settings", "rest_invalid_type");
    assert_missing(&create_request(service, "text/plain", "name=A").send().await, &["name"]);
}

async fn objects_in_php_notation_are_read_from_forms_and_queries(service: &ApiFixture) {
    let form =
        "name=A&settings[capture]=all&settings[capture_max_bytes]=100&settings[allowed_origins][]=https://a.example";
    let server = create_request(service, FORM, form).send().await.expect(201).json();
    let expected = json!({"capture": "all", "capture_max_bytes": 100, "allowed_origins": ["https://a.example"]});
    assert_eq!(server["settings"], expected);
    let path = format!("/servers/{}", id(&server));
    let by_form = service.api.post(&path).header("content-type", FORM).body("settings%5Bcapture%5D=off");
    assert_eq!(by_form.send().await.expect(200).json()["settings"]["capture"], "off");
    let by_query = service.api.post(&format!("{path}?settings[capture]=failures")).send().await.expect(200).json();
    assert_eq!(by_query["settings"]["capture"], "failures");
    let wrong = service.api.post(&path).header("content-type", FORM).body("name[first]=A&rate_limit_per_min[x]=1");
    assert_invalid_fields(&wrong.send().await, &["name", "rate_limit_per_min"]);
    let argument = "name=p&template_content=x&arguments[0][name]=city&arguments[0][description]=where";
    let prompt = service.api.post(&format!("{path}/prompts")).header("content-type", FORM).body(argument);
    assert_eq!(prompt.send().await.expect(201).json()["arguments"][0]["name"], "city");
}

async fn json_and_forms_override_the_query(service: &ApiFixture) {
    let by_json = service.api.post("/servers?name=query&status=draft").json(json!({"name": "json"}));
    let server = by_json.send().await.expect(201).json();
    assert_eq!((&server["name"], &server["status"]), (&json!("json"), &json!("draft")));
    let form = service.api.post("/servers?name=query").header("content-type", FORM).body("name=form");
    assert_eq!(form.send().await.expect(201).json()["name"], "form");
}

async fn path_ids_override_all_other_ids(service: &ApiFixture) {
    let (first, second) = (service.api.create_default_server().await, service.api.create_default_server().await);
    let read = service.api.read(&format!("/servers/{first}?id={second}&server_id={second}")).await;
    assert_eq!(id(&read), first);
    let sent = json!({"id": second, "server_id": second, "name": "Renamed"});
    let changed = service.api.post(&format!("/servers/{first}?id={second}")).json(sent).send().await.expect(200).json();
    assert_eq!((id(&changed), &changed["name"]), (first, &json!("Renamed")));
    assert_eq!(service.api.read(&format!("/servers/{second}")).await["name"], "Weather");
    let tool = service.api.create_tool(first, json!({"server_id": second, "id": 77})).await;
    assert_eq!(tool["server_id"], first);
    let moved = service.api.patch(&format!("/tools/{}", id(&tool))).json(json!({"server_id": second}));
    assert_eq!(moved.send().await.expect(200).json()["server_id"], first);
}

async fn invalid_json_is_refused_with_its_position(service: &ApiFixture) {
    let invalid_utf8 = b"{\"name\":\"\xff\xfe\"}".to_vec();
    for body in [
        b"{".to_vec(),
        b"{\"name\":}".to_vec(),
        b"{'name':'A'}".to_vec(),
        b"{\"name\":\"A\",}".to_vec(),
        b"{\"name\":\"A\"} x".to_vec(),
        b"{\"name\":\"A\"}{}".to_vec(),
        b"name=A".to_vec(),
        b"{\"name\":\"\\ud800\"}".to_vec(),
        b"{\"name\":NaN}".to_vec(),
        b"{\"name\":01}".to_vec(),
        invalid_utf8,
    ] {
        let reply = create_request(service, "application/json", body.clone()).send().await;
        assert_error(&reply, 400, "rest_invalid_json");
        let error = reply.json();
        assert_eq!(error["message"], "Invalid JSON body passed.");
        assert_eq!(keys(&error["data"]), ["status", "json_error_code", "json_error_message"]);
        assert!(error["data"]["json_error_code"].is_i64() && error["data"]["json_error_message"].is_string());
    }
    assert_eq!(service.api.read("/servers").await, json!([]), "nothing was created");
}

async fn deep_nesting_and_duplicate_keys_are_refused(service: &ApiFixture) {
    let nested = |levels: usize| {
        let (open, close) = ("[".repeat(levels - 2), "]".repeat(levels - 2));
        format!(r#"{{"name":"A","settings":{{"x":{open}{close}}}}}"#)
    };
    create_request(service, "application/json", nested(64)).send().await.expect(201);
    for body in [
        nested(65),
        nested(50_000),
        r#"{"name":"A","name":"B"}"#.to_owned(),
        r#"{"name":"A","settings":{"a":1,"a":2}}"#.to_owned(),
        r#"{"name":"A","n\u0061me":"B"}"#.to_owned(),
    ] {
        assert_error(&create_request(service, "application/json", body).send().await, 400, "rest_invalid_json");
    }
    assert_eq!(service.api.read("/servers?_fields=name").await, json!([{"name": "A"}]));
}

async fn json_other_than_an_object_has_no_parameters(service: &ApiFixture) {
    for body in ["[]", r#"["name"]"#, r#"[{"name":"A"}]"#, r#""name""#, "5", "true", "null", "", "  \n"] {
        assert_missing(&create_request(service, "application/json", body).send().await, &["name"]);
    }
    let server_id = service.api.create_default_server().await;
    service.api.post(&format!("/servers/{server_id}/toggle")).json(json!([1])).send().await.expect(200);
}

async fn an_oversized_body_is_refused(service: &ApiFixture) {
    let padded_body = |bytes: usize| {
        let frame = r#"{"name":"A","pad":""}"#;
        format!(r#"{{"name":"A","pad":"{}"}}"#, "x".repeat(bytes - frame.len()))
    };
    let limit = 2 * 1024 * 1024;
    create_request(service, "application/json", padded_body(limit)).send().await.expect(201);
    let reply = create_request(service, "application/json", padded_body(limit + 1)).send().await;
    assert_error(&reply, 413, "rest_request_too_large");
    let (host, key) = (service.app.address(), service.app.key());
    let chunk = format!("{:x}\r\n{}\r\n0\r\n\r\n", limit + 1, padded_body(limit + 1));
    let without_length = format!(
        "POST /wp-json/toolgate/v1/servers HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {key}\r\n\
         transfer-encoding: chunked\r\nconnection: close\r\n\r\n{chunk}"
    );
    let timeout = std::time::Duration::from_secs(30);
    let reply = toolgate_testkit::raw::exchange(host, without_length.as_bytes(), timeout).await;
    assert_eq!(reply.status(), Some(413), "{reply:?}");
    assert!(reply.text().contains("rest_request_too_large"), "{reply:?}");
    let anonymous = service.anonymous().post("/servers").body(padded_body(limit + 1)).send().await;
    assert_error(&anonymous, 401, "rest_forbidden");
    assert_eq!(service.api.read("/servers").await.as_array().unwrap().len(), 1);
}

async fn empty_objects_stay_objects_and_empty_lists_become_objects(service: &ApiFixture) {
    let server = service.api.create_server(json!({"settings": []})).await;
    assert_eq!(server["settings"], json!({}));
    let reply = service.api.get(&format!("/servers/{}", id(&server))).send().await;
    assert!(reply.text().contains(r#""settings":{}"#), "{reply:?}");
    let empty = json!({"parameter_mapping": [], "headers": [], "input_schema": [], "annotations": []});
    let tool = service.api.create_tool(id(&server), empty).await;
    let read = service.api.read(&format!("/tools/{}", id(&tool))).await;
    for tool in [&tool, &read] {
        assert_eq!((&tool["parameter_mapping"], &tool["headers"]), (&json!({}), &json!({})));
        assert_eq!(tool["input_schema"], json!({"type": "object", "properties": {}, "required": []}));
        assert_eq!(tool["annotations"], json!({}));
    }
    for wrong in [json!([1]), json!("{}"), json!(5), json!(true)] {
        let reply = service.api.post("/servers").json(json!({"name": "A", "settings": wrong})).send().await;
        assert_invalid(&reply, "settings", "rest_invalid_type");
    }
}

async fn long_numbers_and_key_order_are_preserved(service: &ApiFixture) {
    let settings = r#"{"z":123456789012345678901234567890,"a":1.10,"m":{"y":1e300,"x":-0}}"#;
    let body = format!(r#"{{"name":"A","settings":{settings}}}"#);
    let server = create_request(service, "application/json", body).send().await.expect(201);
    assert!(server.text().contains(settings), "{server:?}");
    let read = service.api.get(&format!("/servers/{}?_fields=settings", server.json()["id"])).send().await;
    assert_eq!(read.text(), format!(r#"{{"settings":{settings}}}"#));
}
