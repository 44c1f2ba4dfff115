//! Inference from one request.

use serde_json::json;

use super::*;

#[test]
fn all_values_of_a_single_request_are_arguments() {
    let tool = InferTestRequest::new("PUT", "https://a.example/users/{user_id}?notify=true&tag=a&tag=b")
        .json(r#"{"name":"Joe","age":42,"address":{"city":"Oslo"}}"#)
        .header("X-Trace", "1")
        .timeout(7)
        .tool();
    assert_eq!(tool["endpoint_url"], "https://a.example/users/{user_id}");
    assert_eq!(tool["http_method"], "PUT");
    assert_eq!(tool["annotations"], json!({"readOnlyHint": false, "idempotentHint": true}));
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
                "user_id": {"type": "string"},
                "notify": {"type": "boolean", "description": "Example: true"},
                "tag": {"type": "array", "items": {"type": "string"}, "description": "Example: [\"a\",\"b\"]"},
                "name": {"type": "string"},
                "age": {"type": "integer", "description": "Example: 42"},
                "address": {
                    "type": "object",
                    "properties": {"city": {"type": "string"}},
                    "description": "Postal address",
                },
            },
            "required": ["user_id", "name", "address"],
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
    assert_eq!(tool["endpoint_url"], "https://a.example/x?flag&b=%FF");
    assert_eq!(tool["body"].to_string(), r#"{"a":1,"q":"{query}"}"#);
    assert_eq!(tool["input_schema"]["properties"]["q"], json!({"type": "string", "description": "Search text"}));
    assert_eq!(tool["input_schema"]["required"], json!(["q"]));
    let tool = InferTestRequest::new("GET", "https://a.example/x?{name}=1").tool();
    assert_eq!(tool["parameter_mapping"]["name"], json!({"location": "path"}));
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
    assert!(text.contains(r#"{"type":"integer","description":"Example: 12345678901234567890123"}"#), "{text}");
    assert!(text.contains(r#"{"type":"number","description":"Example: 1.0"}"#), "{text}");
}

#[test]
fn form_values_become_json_that_is_sent_as_the_same_text() {
    let pairs = [("n", "5"), ("zip", "007"), ("ok", "true"), ("day", "2026-01-02"), ("ids[]", "1"), ("ids[]", "2")];
    let tool = InferTestRequest::new("POST", "https://a.example/x").form(&pairs).tool();
    assert_eq!(tool["body"], json!({"n": 5, "zip": "007", "ok": true, "day": "2026-01-02", "ids": [1, 2]}));
    assert_eq!(tool["body_type"], "form");
    assert_eq!(tool["headers"], json!({}));
    let properties = &tool["input_schema"]["properties"];
    assert_eq!(properties["zip"], json!({"type": "string", "description": "Postal code. Example: 007"}));
    let day = json!({"type": "string", "format": "date", "description": "Example: 2026-01-02"});
    assert_eq!(properties["day"], day);
    assert_eq!(tool["parameter_mapping"]["ids"], json!({"location": "body", "name": "ids[]"}));
}

#[test]
fn secrets_and_placeholders_are_neither_defaults_nor_examples() {
    let tool = InferTestRequest::new("GET", "https://a.example/x?sort=asc&session=1&limit=5&page=2&name=$NAME").tool();
    assert_eq!(
        tool["input_schema"]["properties"],
        json!({
            "sort": {"type": "string", "description": "Field or order to sort by", "default": "asc"},
            "session": {"type": "integer"},
            "limit": {"type": "integer", "description": "Maximum number of results", "default": 5},
            "page": {"type": "integer", "description": "Page number, from 1. Example: 2"},
            "name": {"type": "string"},
        })
    );
    let tool = InferTestRequest::new("POST", "https://a.example/x")
        .json(r#"{"password":"x","mail":"joe@example.com","none":null,"model":"m","ok":true}"#)
        .tool();
    assert_eq!(
        tool["input_schema"]["properties"],
        json!({
            "password": {"type": "string"},
            "mail": {"type": "string"},
            "none": {},
            "model": {"type": "string", "description": "Name of the model", "default": "m"},
            "ok": {"type": "boolean", "description": "Example: true"},
        })
    );
    assert_eq!(tool["input_schema"]["required"], json!(["password"]));
    let warning =
        "password in the body looks like a secret. Its value is not part of the tool, so each caller must send it.";
    assert_eq!(tool["warnings"], json!([warning]));
}

#[test]
fn the_fixed_members_of_json_rpc_are_not_arguments() {
    let tool = InferTestRequest::new("POST", "https://a.example/{id}")
        .json(r#"{"jsonrpc":"2.0","id":1,"method":"add","params":[1]}"#)
        .tool();
    assert_eq!(
        tool["parameter_mapping"],
        json!({
            "id": {"location": "path"},
            "jsonrpc": {"location": "body", "value": "2.0"},
            "id_body": {"location": "body", "name": "id", "value": 1},
            "method": {"location": "body", "value": "add"},
            "params": {"location": "body"},
        })
    );
    assert_eq!(tool["input_schema"]["required"], json!(["id", "params"]));
    assert_eq!(tool["body"], json!({"id": "id", "params": [1]}));
}

#[test]
fn the_variables_of_graphql_are_arguments() {
    let text = "query Pets($kind: String!, $first: Int = 10, $after: Cursor) { pets { id } }";
    let body = json!({"query": text, "variables": {"kind": "cat", "first": 5, "extra": 1}, "operationName": null});
    let tool = InferTestRequest::new("POST", "https://a.example/graphql").json(&body.to_string()).tool();
    let variable = json!({"location": "body", "parent": "variables"});
    assert_eq!(
        tool["parameter_mapping"],
        json!({
            "kind": variable, "first": variable, "after": variable, "extra": variable,
            "query": {"location": "body", "value": text},
        })
    );
    assert_eq!(
        tool["input_schema"],
        json!({
            "type": "object",
            "properties": {
                "kind": {"type": "string"},
                "first": {"type": "integer", "description": "Maximum number of results", "default": 10},
                "after": {},
                "extra": {"type": "integer", "description": "Example: 1"},
            },
            "required": ["kind"],
        })
    );
    assert_eq!(tool["body"], json!({"kind": "cat", "first": 5, "extra": 1}));
    assert_eq!(tool["annotations"], json!({"readOnlyHint": true}));
}

#[test]
fn keys_in_the_url_are_credentials() {
    let tool = InferTestRequest::new("GET", "https://a.example/x?key=a1&token=b2").tool();
    let key = |name: &str, value: &str, location: &str| json!({"key_name": name, "key_value": value, "key_location": location});
    assert_eq!(tool["auth_credentials"], json!({"keys": [key("key", "a1", "query"), key("token", "b2", "query")]}));
    assert_eq!((&tool["auth_type"], &tool["endpoint_url"]), (&json!("api-key"), &json!("https://a.example/x")));
    assert_eq!(tool.get("warnings"), None);

    let slack = InferTestRequest::new("POST", "https://hooks.slack.com/services/T0/B0/s3cret");
    let tool = slack.tool();
    assert_eq!(tool["name"], "send_slack_message");
    assert_eq!(tool["endpoint_url"], "https://hooks.slack.com/services/T0/B0/{webhook_token}");
    assert_eq!(tool["auth_credentials"], key("webhook_token", "s3cret", "path"));
    assert_eq!(tool["parameter_mapping"], json!({}));
    let tool = slack.bearer("t").tool();
    assert_eq!(tool["endpoint_url"], "https://hooks.slack.com/services/T0/B0/s3cret");
    assert!(tool["warnings"][0].as_str().unwrap().contains("looks like a credential"));

    let signed = "https://a.example/files/1?X-Amz-Date=2026&X-Amz-Signature=s3cret&X-Amz-Security-Token=t";
    let tool = InferTestRequest::new("GET", signed).tool();
    assert_eq!(tool["endpoint_url"], "https://a.example/files/1?X-Amz-Date=2026");
    assert_eq!(tool["auth_credentials"]["keys"].as_array().unwrap().len(), 2);
    assert!(tool["warnings"][0].as_str().unwrap().contains("signed"));
}

#[test]
fn browser_and_tracking_values_are_left_out_and_idempotency_keys_are_arguments() {
    let tool = InferTestRequest::new("POST", "https://a.example/payments?utm_source=a")
        .header("User-Agent", "Browser")
        .header("Cookie", "_ga=1; session=s")
        .header("Idempotency-Key", "k1")
        .tool();
    assert_eq!(tool["headers"], json!({"Cookie": "session=s"}));
    assert_eq!(tool["parameter_mapping"]["idempotency_key"], json!({"location": "header", "name": "Idempotency-Key"}));
    assert_eq!(tool["body"], json!({"idempotency_key": "k1"}));
    assert_eq!(tool["input_schema"]["required"], json!([]));
    assert_eq!(
        tool["warnings"],
        json!([
            "user-agent, cookie _ga, parameter utm_source were left out: they do not matter to an API.",
            "The Cookie header is a browser session: it is stored as a secret and will expire.",
        ])
    );
}

#[test]
fn placeholders_and_variables_that_stay_cause_a_warning() {
    for (name, value, warning) in [
        ("X-Token", "YOUR_TOKEN", "The credentials look like a placeholder. Replace them with the real ones."),
        ("X-Token", "$TOKEN", "$TOKEN is a shell variable and is not expanded. Replace it with its value."),
        ("X-Tenant", "<tenant>", "The X-Tenant header contains a placeholder. Replace it with the real value."),
    ] {
        let tool = InferTestRequest::new("GET", "https://a.example/x").header(name, value).tool();
        assert_eq!(tool["warnings"], json!([warning]));
    }
    let tool = InferTestRequest::new("GET", "https://your-domain.example.com/x").tool();
    let warning = "The host of the URL looks like a placeholder. Replace it with the real host.";
    assert_eq!(tool["warnings"], json!([warning]));
    assert_eq!(InferTestRequest::new("GET", "https://a.example/users/$ID?a=$A").tool().get("warnings"), None);
}

#[test]
fn files_of_a_form_become_strings_with_a_note() {
    let mut fields = fields(&[("avatar", "@me.png"), ("n", "5"), ("", "x"), ("handle", "@joe")]);
    fields["avatar"].has_file = true;
    let tool = InferTestRequest::new("POST", "https://a.example/x").body(ImportedBody::Multipart(fields)).tool();
    assert_eq!(tool["body_type"], "multipart");
    assert_eq!(tool["body"], json!({"avatar": "@me.png", "n": 5, "handle": "@joe"}));
    assert_eq!(tool["input_schema"]["properties"]["handle"]["description"], "Example: @joe");
    let description = "Content of the file";
    assert_eq!(tool["input_schema"]["properties"]["avatar"], json!({"type": "string", "description": description}));
    assert_eq!(tool["input_schema"]["required"], json!(["avatar"]));
    assert_eq!(tool["warnings"], json!(["A form field without a name was left out."]));
}

#[test]
fn a_body_that_is_not_an_object_is_one_argument() {
    let description = "The whole body of the request";
    for (body, value, schema) in [
        (
            ImportedBody::Array(json::raw("[1,2]".to_owned())),
            json!([1, 2]),
            json!({"type": "array", "items": {"type": "integer"}, "description": description}),
        ),
        (ImportedBody::Text("hello".to_owned()), json!("hello"), json!({"type": "string", "description": description})),
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
fn an_empty_object_is_the_default_of_the_body_argument() {
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
            "properties": {"body": {"type": "object", "description": "The whole body of the request", "default": {}}},
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
    assert_eq!(tool["input_schema"]["properties"]["filter_name"]["description"], "Example: a");
}

#[test]
fn many_fields_are_handled_in_linear_time() {
    let members: Vec<String> = (0..20_000).map(|n| format!("\"a{}{n}\":{n}", "!".repeat(n % 3))).collect();
    let tool = InferTestRequest::new("POST", "https://a.example/x").json(&format!("{{{}}}", members.join(","))).tool();
    assert_eq!(tool["body"].as_object().unwrap().len(), 20_000);
    assert!(tool["warnings"].to_string().contains("at most 1000 schemas"));
}

#[test]
fn the_token_of_a_webhook_is_a_key_in_the_path_unless_the_request_has_credentials() {
    let post = |url: &str| InferTestRequest::new("POST", url).json(r#"{"a":1}"#);
    let tool = post("https://chat.a.example/hooks/3pz8m6q1tbf9jyk5").tool();
    assert_eq!(tool["endpoint_url"], "https://chat.a.example/hooks/{webhook_token}");
    assert_eq!(
        tool["auth_credentials"],
        json!({"key_name": "webhook_token", "key_value": "3pz8m6q1tbf9jyk5", "key_location": "path"})
    );
    assert_eq!(tool["name"], "trigger_hook");
    assert!(!tool["description"].as_str().unwrap().contains("3pz8"), "{tool}");
    assert_eq!(tool["body"], json!({"a": 1}), "the token is not an argument");
    let message = InferTestRequest::new("POST", "https://hooks.chatter.example/t/3pz8m6q1tbf9jyk5");
    assert_eq!(message.json(r#"{"text":"Hi"}"#).tool()["name"], "send_chatter_message");
    for request in [
        post("https://a.example/hooks/3pz8m6q1tbf9jyk5").bearer("t"),
        post("https://a.example/hooks/3pz8m6q1tbf9jyk5").header("X-Auth-Token", "t"),
        post("https://a.example/hooks/12345678"),
        post("https://a.example/hooks/3pz8m6q1tbf9jyk5/deliveries"),
        post("https://a.example/users/3pz8m6q1tbf9jyk5"),
        InferTestRequest::new("GET", "https://a.example/hooks/3pz8m6q1tbf9jyk5"),
    ] {
        assert!(!request.tool()["endpoint_url"].as_str().unwrap().contains("webhook_token"));
    }
}

#[test]
fn a_known_name_with_an_unexpected_value_gets_neither_description_nor_default() {
    let get = InferTestRequest::new("GET", "https://a.example/routes?count=true&start=8.6,49.4&limit=5").tool();
    assert_eq!(get["input_schema"]["properties"]["count"], json!({"type": "boolean", "description": "Example: true"}));
    assert_eq!(get["input_schema"]["properties"]["start"]["description"], "Example: 8.6,49.4");
    assert_eq!(get["input_schema"]["properties"]["limit"]["description"], "Maximum number of results");
    let post = InferTestRequest::new("POST", "https://a.example/topics")
        .json(r#"{"body":{"type":"doc"},"messages":[{"data":"x"}],"q":"x","html":"<b>Hi</b>","signature":"x"}"#)
        .tool();
    let properties = &post["input_schema"]["properties"];
    for name in ["body", "messages", "q", "signature"] {
        assert_eq!(properties[name].get("description"), None, "{name}");
    }
    assert_eq!(properties["html"]["description"], "Content as HTML. Example: <b>Hi</b>");
    assert_eq!(post["input_schema"]["required"], json!(["body", "messages", "q", "signature"]), "secrets are required");
}
