//! Inference from one request.

use serde_json::json;

use super::*;

#[test]
fn all_values_of_a_single_request_are_arguments() {
    let tool = InferTestRequest::new("POST", "https://a.example/users/{user_id}?notify=true&tag=a&tag=b")
        .json(r#"{"name":"Joe","age":42,"address":{"city":"Oslo"}}"#)
        .header("X-Trace", "1")
        .timeout(7)
        .tool();
    assert_eq!(tool["endpoint_url"], "https://a.example/users/{user_id}");
    assert_eq!(tool["http_method"], "POST");
    assert_eq!(tool["headers"], json!({"X-Trace": "1"}));
    assert_eq!(tool["body_type"], "json");
    assert_eq!(tool["timeout"], 7);
    assert_eq!(
        tool["body"].to_string(),
        r#"{"user_id":"user_id","notify":true,"tag":["a","b"],"name":"Joe","age":42,"address":{"city":"Oslo"}}"#
    );
    assert_eq!(
        tool["input_schema"],
        json!({
            "type": "object",
            "properties": {
                "user_id": {"type": "string", "description": "user id"},
                "notify": {"type": "boolean", "description": "notify", "default": true},
                "tag": {"type": "array", "items": {"type": "string"}, "description": "tag"},
                "name": {"type": "string", "description": "name", "default": "Joe"},
                "age": {"type": "integer", "description": "age", "default": 42},
                "address": {
                    "type": "object",
                    "properties": {"city": {"type": "string"}},
                    "description": "address",
                },
            },
            "required": ["user_id", "notify", "tag", "name", "age", "address"],
        })
    );
    assert_eq!(
        tool["parameter_mapping"],
        json!({
            "user_id": {"location": "path"},
            "notify": {"location": "query"},
            "tag": {"location": "query"},
            "name": {"location": "body"},
            "age": {"location": "body"},
            "address": {"location": "body"},
        })
    );
}

#[test]
fn one_name_in_path_query_and_body_is_three_arguments() {
    let tool = InferTestRequest::new("PUT", "https://a.example/users/{id}?id=1").json(r#"{"id":2}"#).tool();
    assert_eq!(tool["body"].to_string(), r#"{"id":"id","id_query":1,"id_body":2}"#);
    assert_eq!(
        tool["parameter_mapping"],
        json!({
            "id": {"location": "path"},
            "id_query": {"location": "query", "name": "id"},
            "id_body": {"location": "body", "name": "id"},
        })
    );
}

#[test]
fn query_parts_that_cannot_be_arguments_stay_in_the_url() {
    let tool = InferTestRequest::new("GET", "https://a.example/x?flag&a=1&q={query}&b=%FF").tool();
    assert_eq!(tool["endpoint_url"], "https://a.example/x?flag&q={query}&b=%FF");
    assert_eq!(tool["body"].to_string(), r#"{"query":"query","a":1}"#);
    assert_eq!(tool["input_schema"]["properties"]["query"], json!({"type": "string", "description": "query"}));
    assert_eq!(tool["parameter_mapping"]["query"], json!({"location": "path"}));
}

#[test]
fn a_key_in_the_query_becomes_the_credential() {
    let request = InferTestRequest::new("GET", "https://a.example/x?access_token=s3cret&a=1");
    let tool = request.tool();
    assert_eq!(tool["endpoint_url"], "https://a.example/x");
    assert_eq!(tool["auth_type"], "api-key");
    assert_eq!(
        tool["auth_credentials"],
        json!({"key_name": "access_token", "key_value": "s3cret", "key_location": "query"})
    );
    assert_eq!(tool["body"], json!({"a": 1}));
    assert_eq!(tool.get("warnings"), None);

    let tool = request.bearer("t").tool();
    assert_eq!(tool["auth_credentials"], json!({"token": "t"}));
    assert_eq!(tool["endpoint_url"], "https://a.example/x?access_token=s3cret");
    assert_eq!(tool["body"], json!({"a": 1}));
    let warning = tool["warnings"][0].as_str().unwrap();
    assert!(warning.contains("access_token") && !warning.contains("s3cret"), "{warning}");
}

#[test]
fn long_numbers_keep_their_digits() {
    let request =
        InferTestRequest::new("POST", "https://a.example/x").json(r#"{"a":12345678901234567890123,"b":1.0,"c":-0}"#);
    let text = serde_json::to_string(&infer(vec![request.0])).unwrap();
    assert!(text.contains(r#""body":{"a":12345678901234567890123,"b":1.0,"c":-0}"#), "{text}");
    assert!(text.contains(r#"{"type":"integer","description":"a","default":12345678901234567890123}"#), "{text}");
    assert!(text.contains(r#"{"type":"number","description":"b","default":1.0}"#), "{text}");
}

#[test]
fn form_values_become_json_that_is_sent_as_the_same_text() {
    let pairs = [("n", "5"), ("zip", "007"), ("ok", "true"), ("day", "2026-01-02"), ("ids[]", "1"), ("ids[]", "2")];
    let tool = InferTestRequest::new("POST", "https://a.example/x").form(&pairs).tool();
    assert_eq!(tool["body"], json!({"n": 5, "zip": "007", "ok": true, "day": "2026-01-02", "ids": [1, 2]}));
    assert_eq!(tool["body_type"], "form");
    assert_eq!(tool["headers"], json!({}));
    let properties = &tool["input_schema"]["properties"];
    assert_eq!(properties["zip"], json!({"type": "string", "description": "zip", "default": "007"}));
    let day = json!({"type": "string", "format": "date", "description": "day", "default": "2026-01-02"});
    assert_eq!(properties["day"], day);
    assert_eq!(tool["parameter_mapping"]["ids"], json!({"location": "body", "name": "ids[]"}));
}

#[test]
fn secrets_and_placeholders_are_not_defaults() {
    let tool = InferTestRequest::new("POST", "https://a.example/x?sort=asc&session=1")
        .json(r#"{"password":"x","mail":"joe@example.com","name":"$NAME","limit":5,"none":null}"#)
        .tool();
    let properties = tool["input_schema"]["properties"].as_object().unwrap();
    let with_default: Vec<&str> = properties
        .iter()
        .filter(|(_, schema)| schema.get("default").is_some())
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(with_default, ["sort", "limit"]);
    assert_eq!(properties["none"], json!({"description": "none"}));
}

#[test]
fn files_of_a_form_become_strings_with_a_note() {
    let mut fields = fields(&[("avatar", "@me.png"), ("n", "5"), ("", "x"), ("handle", "@joe")]);
    fields["avatar"].has_file = true;
    let tool = InferTestRequest::new("POST", "https://a.example/x").body(ImportedBody::Multipart(fields)).tool();
    assert_eq!(tool["body_type"], "multipart");
    assert_eq!(tool["body"], json!({"avatar": "@me.png", "n": 5, "handle": "@joe"}));
    assert_eq!(tool["input_schema"]["properties"]["handle"]["default"], "@joe");
    let description = "avatar (a file that was not read; give its content as text)";
    assert_eq!(tool["input_schema"]["properties"]["avatar"], json!({"type": "string", "description": description}));
    assert_eq!(tool["warnings"], json!(["A form field without a name was left out."]));
}

#[test]
fn a_body_that_is_not_an_object_is_one_argument() {
    let description = "the whole body of the request";
    for (body, value, schema) in [
        (
            ImportedBody::Array(json::raw("[1,2]".to_owned())),
            json!([1, 2]),
            json!({"type": "array", "items": {"type": "integer"}, "description": description}),
        ),
        (
            ImportedBody::Text("hello".to_owned()),
            json!("hello"),
            json!({"type": "string", "description": description, "default": "hello"}),
        ),
        (
            ImportedBody::Text("x".repeat(101)),
            json!("x".repeat(101)),
            json!({"type": "string", "description": description}),
        ),
        (
            ImportedBody::Json(JsonObject::from_stored(r#"{"":1}"#.to_owned()).members()),
            json!({"": 1}),
            json!({"type": "object", "properties": {"": {"type": "integer"}}, "description": description}),
        ),
    ] {
        let expected = json!({"body": value});
        let tool = InferTestRequest::new("POST", "https://a.example/x").body(body).header("Content-Type", "a/b").tool();
        assert_eq!(tool["body"], expected);
        assert_eq!(tool["body_type"], "raw");
        assert_eq!(tool["input_schema"]["properties"]["body"], schema);
        assert_eq!(tool["input_schema"]["required"], json!(["body"]));
        assert_eq!(tool["headers"], json!({"Content-Type": "a/b"}));
    }
}

#[test]
fn an_empty_object_is_sent() {
    let tool = InferTestRequest::new("POST", "https://a.example/x")
        .json("{}")
        .header("content-type", "application/json")
        .tool();
    assert_eq!(tool["body"], json!({"body": {}}));
    assert_eq!(tool["body_type"], "raw");
    assert_eq!(
        tool["input_schema"],
        json!({
            "type": "object",
            "properties": {"body": {"type": "object", "description": "the whole body of the request", "default": {}}},
            "required": [],
        })
    );
}

#[test]
fn argument_names_are_valid_and_unique() {
    let tool = InferTestRequest::new("GET", "https://a.example/x?%24top=1&top=2&filter[name]=a&größe=3").tool();
    assert_eq!(tool["body"].to_string(), r#"{"top_2":1,"top":2,"filter_name":"a","grosse":3}"#);
    assert_eq!(tool["parameter_mapping"]["top_2"], json!({"location": "query", "name": "$top"}));
    assert_eq!(tool["parameter_mapping"]["grosse"], json!({"location": "query", "name": "größe"}));
    assert_eq!(tool["input_schema"]["properties"]["filter_name"]["description"], "filter name");
}

#[test]
fn many_fields_are_handled_in_linear_time() {
    let members: Vec<String> = (0..20_000).map(|n| format!("\"a{}{n}\":{n}", "!".repeat(n % 3))).collect();
    let tool = InferTestRequest::new("POST", "https://a.example/x").json(&format!("{{{}}}", members.join(","))).tool();
    assert_eq!(tool["body"].as_object().unwrap().len(), 20_000);
    assert!(tool["warnings"].to_string().contains("at most 1000 schemas"));
}
