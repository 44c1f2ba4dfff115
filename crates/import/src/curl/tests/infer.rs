//! Inference from the text of commands.

use serde_json::{Value, json};

fn infer(text: &str) -> Value {
    serde_json::to_value(crate::curl::infer(text).unwrap()).unwrap()
}

#[test]
fn a_query_becomes_arguments_and_credentials() {
    let tool = infer("curl 'https://api.example.com/v1/forecast?lat=52.5&lon=-0.1278&days=3&appid=abc123'");
    assert_eq!(
        tool,
        json!({
            "name": "get_forecast",
            "description": "Gets forecast from api.example.com (GET /v1/forecast).",
            "endpoint_url": "https://api.example.com/v1/forecast",
            "http_method": "GET",
            "headers": {},
            "auth_type": "api-key",
            "auth_credentials": {"key_name": "appid", "key_value": "abc123", "key_location": "query"},
            // The arguments with which a call sends this request, at every location.
            "body": {"lat": 52.5, "lon": -0.1278, "days": 3},
            "input_schema": {
                "type": "object",
                "properties": {
                    "lat": {"type": "number", "description": "Latitude in degrees"},
                    "lon": {"type": "number", "description": "Longitude in degrees"},
                    "days": {"type": "integer", "description": "Number of days. Example: 3"},
                },
                "required": ["lat", "lon"],
            },
            "parameter_mapping": {
                "lat": {"location": "query"},
                "lon": {"location": "query"},
                "days": {"location": "query"},
            },
            "annotations": {"readOnlyHint": true},
        })
    );
}

#[test]
fn a_json_body_becomes_arguments_with_types() {
    let tool = infer(
        r#"curl https://api.example.com/v1/chat/completions \
            -H "Content-Type: application/json" -H "Authorization: Bearer $API_KEY" \
            -d '{"model": "m-4", "messages": [{"role": "user", "content": "Hi"}], "temperature": 0.70}'"#,
    );
    assert_eq!(tool["name"], "create_chat_completion");
    assert_eq!(tool["auth_credentials"], json!({"token": "$API_KEY"}));
    let item = json!({"type": "object", "properties": {"role": {"type": "string"}, "content": {"type": "string"}}});
    assert_eq!(
        tool["input_schema"]["properties"],
        json!({
            "model": {"type": "string", "description": "Name of the model", "default": "m-4"},
            "messages": {"type": "array", "items": item, "description": "Messages of the conversation, oldest first"},
            "temperature": {"type": "number", "description": "Randomness of the output; 0 is the least", "default": 0.7},
        })
    );
}

#[test]
fn placeholders_of_every_syntax_become_arguments() {
    let tool = infer("curl -X DELETE 'https://api.example.com/users/{{userId}}?force={force}'");
    assert_eq!(tool["endpoint_url"], "https://api.example.com/users/{userId}");
    assert_eq!(tool["body"], json!({"userId": "userId", "force": "{force}"}));
    assert_eq!(tool["name"], "delete_user");
    let tool = infer("curl https://api.example.com/users/$USER_ID/posts/${POST_ID}.json?tag=$TAG");
    assert_eq!(tool["endpoint_url"], "https://api.example.com/users/{user_id}/posts/{post_id}.json");
    assert_eq!(tool["body"], json!({"user_id": "user_id", "post_id": "post_id", "tag": "$TAG"}));
    assert_eq!(tool.get("warnings"), None);
}

#[test]
fn data_of_a_get_request_becomes_query_arguments() {
    let tool = infer("curl -G https://api.example.com/search --data-urlencode 'q=a b&c' -d limit=5");
    assert_eq!(tool["endpoint_url"], "https://api.example.com/search");
    assert_eq!(tool["body"], json!({"q": "a b&c", "limit": 5}));
    assert_eq!(tool.get("body_type"), None);
}

#[test]
fn a_file_in_a_form_becomes_an_argument_with_a_note() {
    let tool = infer("curl https://api.example.com/users/5/avatar -F 'image=@me.png;type=image/png' -F crop=true");
    assert_eq!(tool["name"], "create_user_avatar");
    assert_eq!(tool["body"], json!({"user_id": 5, "image": "@me.png", "crop": true}));
    assert_eq!(tool["input_schema"]["properties"]["image"]["description"], "Content of the file");
}

#[test]
fn a_field_that_is_a_file_has_no_default() {
    for option in ["--data-urlencode", "-F"] {
        let separator = if option == "-F" { "=@" } else { "@" };
        let tool = infer(&format!("curl e.example/x {option} text{separator}a.txt {option} kind=b"));
        assert_eq!(tool["body"], json!({"text": "@a.txt", "kind": "b"}));
        assert_eq!(
            tool["input_schema"]["properties"],
            json!({
                "text": {"type": "string", "description": "Content of the file"},
                "kind": {"type": "string", "description": "Example: b"},
            })
        );
        assert_eq!(tool["input_schema"]["required"], json!(["text"]));
        let repeated = infer(&format!("curl e.example/x {option} text{separator}a.txt {option} kind=b\n").repeat(2));
        assert_eq!(
            repeated["tools"][0]["input_schema"]["required"],
            json!(["text"]),
            "a file name does not become a constant"
        );
    }
}

#[test]
fn the_content_type_of_curl_is_added_if_a_tool_would_send_a_different_one() {
    let form_type = json!({"Content-Type": "application/x-www-form-urlencoded"});
    let warning = "curl sends this JSON as application/x-www-form-urlencoded, because no Content-Type is given; \
                   set the Content-Type header to application/json if the API expects JSON.";
    let multipart = r#"-d $'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--'"#;
    for (options, headers, has_warning) in [
        (r#"-d '{"a":1}'"#, form_type.clone(), true),
        ("-d '{}'", form_type.clone(), true),
        ("-d '[]'", form_type.clone(), true),
        ("-d x", form_type.clone(), false),
        ("-d @file", form_type.clone(), false),
        ("-d ''", form_type, false),
        ("-d a=1", json!({}), false),
        ("-F a=1", json!({}), false),
        (multipart, json!({}), false),
        (r#"-d '{"a":1}' -H 'content-type: a/b'"#, json!({"content-type": "a/b"}), false),
        (r#"-d '{"a":1}' -H 'Content-Type:'"#, json!({}), false),
    ] {
        let tool = infer(&format!("curl e.example/x {options}"));
        assert_eq!(tool["headers"], headers, "{options}");
        assert_eq!(tool["warnings"][0] == warning, has_warning, "{options}");
    }
}

#[test]
fn commands_of_one_endpoint_are_merged_among_other_commands() {
    let inferred = infer(
        "curl -X PUT https://api.example.com/users/1 --json '{\"name\":\"A\",\"kind\":\"x\"}'\n\
         curl https://api.example.com/users/1\n\
         curl -X PUT https://api.example.com/users/2 --json '{\"name\":\"B\",\"kind\":\"x\"}'\n",
    );
    let tools = inferred["tools"].as_array().unwrap();
    assert_eq!(tools.len(), 2);
    assert_eq!(tools[0]["name"], "update_user");
    assert_eq!(tools[0]["body"], json!({"user_id": 1, "name": "A"}));
    assert_eq!(tools[0]["parameter_mapping"]["kind"], json!({"location": "body", "value": "x"}));
    assert_eq!(tools[0]["input_schema"]["required"], json!(["user_id", "name"]));
    assert_eq!(tools[1]["endpoint_url"], "https://api.example.com/users/{user_id}");
}

#[test]
fn variables_in_credentials_headers_and_host_are_listed() {
    let variables = |text: &str| infer(text).get("variables").cloned().unwrap_or_default();
    assert_eq!(
        variables(
            r#"curl "https://$TENANT.example.com/v1/users/$USER_ID" -H "Authorization: Bearer ${API_KEY}" \
                -H "X-Region: $REGION" -H "X-Auth-Token: a-$(cat token)" -d "name=$NAME""#
        ),
        json!([
            {"text": "${API_KEY}", "secret": true},
            {"text": "$REGION", "secret": false},
            {"text": "$(cat token)", "secret": true},
            {"text": "$TENANT", "secret": false},
        ])
    );
    let keys = r#"curl "https://api.example.com/v1/recipes?app_id=$APP_ID&app_key=%APP_KEY%" -H 'X-A: $5'"#;
    assert_eq!(variables(keys), json!([{"text": "$APP_ID", "secret": true}, {"text": "%APP_KEY%", "secret": true}]));
    assert_eq!(variables("curl https://api.example.com/v1/users/$USER_ID -u 'ann:pa$word'"), Value::Null);
}

#[test]
fn an_argument_is_renamed_if_a_key_in_the_path_has_its_name() {
    let tool = infer(r#"curl https://api.telegram.org/bot1:a/sendMessage -d '{"text": "Hi", "bot_token": "x"}'"#);
    assert_eq!(tool["auth_credentials"]["key_name"], "bot_token");
    assert_eq!(tool["parameter_mapping"]["bot_token_body"], json!({"location": "body", "name": "bot_token"}));
}
