use super::*;

#[test]
fn urls_are_read_from_text_or_parts() {
    for (url, expected) in [
        (json!("https://a.example/x/y?b=1#f"), "https://a.example/x/y"),
        (json!("a.example/x"), "http://a.example/x"),
        (json!("https://a.example"), "https://a.example/"),
        (json!({"raw": "https://a.example/raw"}), "https://a.example/raw"),
        (
            json!({"protocol": "https", "host": ["a", "example"], "port": "81", "path": ["x", ":id", ""]}),
            "https://a.example:81/x/{id}/",
        ),
        (json!({"protocol": "https", "host": "a.example", "path": "/x/{y}/a b"}), "https://a.example/x/%7By%7D/a%20b"),
        (json!({"host": ["a.example"], "path": [{"type": "string", "value": "x"}]}), "http://a.example/x"),
        (json!({"protocol": "https", "host": ["a", "example"]}), "https://a.example/"),
        (json!("https://user:pass@a.example/x"), "https://a.example/x"),
    ] {
        assert_eq!(tool(json!({ "url": url })).endpoint_url, expected, "{url}");
    }
}

#[test]
fn path_variables_have_their_description_and_an_example() {
    let tool = tool(json!({"url": {
        "raw": "https://a.example/users/:user.id/files/:name",
        "variable": [
            {"key": "user.id", "value": "42", "description": "Id of **the** user"},
            {"key": "name", "value": "<string>", "description": {"content": "(Required) Name"}},
            {"key": "unused", "value": "1"},
        ],
    }}));
    assert_eq!(tool.endpoint_url, "https://a.example/users/{user_id}/files/{name}");
    assert_eq!(tool.operation, "GET /users/{user_id}/files/{name}");
    assert_eq!(schema(&tool)["required"], json!(["user.id", "name"]));
    assert_eq!(schema(&tool)["properties"]["user.id"]["examples"], json!([42]));
    assert_eq!(schema(&tool)["properties"]["user.id"]["type"], "integer");
    assert_eq!(schema(&tool)["properties"]["name"], json!({"type": "string", "description": "Name"}));
    assert_eq!(mapping(&tool)["user.id"], json!({"location": "path", "name": "user_id"}));
}

#[test]
fn query_parameters_are_arguments_whose_values_are_examples() {
    let tool = tool(json!({"url": {"raw": "https://a.example/x", "query": [
        {"key": "page", "value": "2"},
        {"key": "sort", "value": "", "description": "Order"},
        {"key": "flag", "value": null},
        {"key": "state", "value": "open", "disabled": true},
        {"key": "empty", "value": "", "disabled": true},
        {"key": "ids", "value": "1"}, {"key": "ids", "value": "2"},
        {"key": "kind", "value": "<integer>"},
        {"key": "must", "value": "<boolean>", "description": "(Required) Must be given"},
        {"key": "filter[name]", "value": "{{unknown}}"},
        {"key": "stamp", "value": "{{$randomInt}}"},
        {"key": "email", "value": "joe@example.com"},
    ]}}));
    assert_eq!(tool.endpoint_url, "https://a.example/x");
    let schema = schema(&tool);
    let mut required: Vec<&str> =
        schema["required"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    required.sort_unstable();
    assert_eq!(required, ["filter_name", "flag", "must", "sort", "stamp"]);
    for (name, expected) in [
        ("page", json!({"type": "integer", "description": "Page number, from 1", "examples": [2]})),
        ("sort", json!({"type": "string", "description": "Order"})),
        ("flag", json!({"type": "string"})),
        ("empty", json!({"type": "string"})),
        ("kind", json!({"type": "integer"})),
        ("must", json!({"type": "boolean", "description": "Must be given"})),
        ("filter_name", json!({"type": "string"})),
        ("stamp", json!({"type": "string", "description": "Postman generates this value ($randomInt)."})),
    ] {
        assert_eq!(schema["properties"][name], expected, "{name}");
    }
    assert_eq!(schema["properties"]["ids"]["examples"], json!([[1, 2]]));
    assert_eq!(schema["properties"]["state"]["examples"], json!(["open"]));
    assert!(schema["properties"]["email"].get("examples").is_none());
    assert!(!schema.to_string().contains("default"));
    assert_eq!(mapping(&tool)["ids"], json!({"location": "query", "style": "form", "explode": true}));
    assert_eq!(mapping(&tool)["filter_name"], json!({"location": "query", "name": "filter[name]"}));
}

#[test]
fn a_parameter_whose_name_is_an_unknown_variable_is_left_out_with_a_warning() {
    let tool = tool(json!({"url": "https://a.example/x?{{name}}=1&b=2"}));
    assert_eq!(codes(&tool), ["parameter_without_name"]);
    assert_eq!(mapping(&tool), json!({"b": {"location": "query"}}));
}

#[test]
fn keys_in_the_query_are_credentials() {
    let tool = tool(json!({"url": "https://a.example/x?api_key=s3cret&q=1"}));
    assert_eq!((tool.auth_type.as_str(), tool.credential.as_deref()), ("api-key", Some("api_key")));
    assert_eq!(mapping(&tool), json!({"q": {"location": "query"}}));
}

#[test]
fn headers_are_fixed_unless_their_value_is_secret_or_unknown() {
    let import = read(&json!({"variable": [{"key": "lang", "value": "de"}], "item": [{"name": "A", "request": {
        "url": "https://a.example/x",
        "header": [
            {"key": "Accept", "value": "application/json"},
            {"key": "X-Lang", "value": "{{lang}}"},
            {"key": "x-lang", "value": "en"},
            {"key": "X-Off", "value": "1", "disabled": true},
            {"key": "X-Api-Key", "value": "s3cret"},
            {"key": "X-Session-Token", "value": "{{unknown}}"},
            {"key": "X-Tenant", "value": "{{tenant}}", "description": "The tenant"},
            {"key": "Host", "value": "b.example"},
            {"key": "bad name", "value": "1"},
            {"key": "X-Bad", "value": "a\nb"},
        ],
    }}]}));
    let tool = &import.candidates[0];
    let headers: Vec<_> = tool.headers.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    assert_eq!(headers, ["Accept: application/json", "X-Lang: de, en"]);
    assert_eq!(codes(tool), ["header_reserved", "header_invalid", "header_invalid"]);
    assert_eq!(mapping(tool), json!({"X-Tenant": {"location": "header"}}));
    assert_eq!(schema(tool)["required"], json!(["X-Tenant"]));
    assert_eq!(schema(tool)["properties"]["X-Tenant"]["description"], "The tenant");
    let credential = &import.credentials[0];
    assert_eq!(credential.needs, ["keys"]);
    assert_eq!(
        Value::Object(credential.open_members.clone()),
        json!({"keys": [
            {"key_name": "X-Api-Key", "key_location": "header"},
            {"key_name": "X-Session-Token", "key_location": "header"},
        ]})
    );
    assert!(!serde_json::to_string(&import).unwrap().contains("s3cret"));
}

#[test]
fn headers_that_look_secret_are_credentials() {
    for (name, value) in [
        ("X-Session-Id", "s3cret"),
        ("X-Auth", "s3cret"),
        ("Sid", "s3cret"),
        ("X-Any", "ghp_s3cret"),
        ("X-Any", "Bearer eyJs3cret"),
    ] {
        let header = json!([{"key": name, "value": value}]);
        let request = json!({"url": "https://a.example/x?code=s3cret", "header": header});
        let import = read(&json!({"item": [{"name": "A", "request": request}]}));
        assert!(!serde_json::to_string(&import).unwrap().contains("s3cret"), "{name}");
        assert_eq!(
            import.credentials[0].auth_credentials.to_value(),
            json!({"key_name": name, "key_location": "header", "key_value": value})
        );
        assert!(import.candidates[0].headers.is_empty());
    }
}

#[test]
fn headers_may_be_lines_of_one_text() {
    let tool = tool(json!({"url": "https://a.example/x", "header": "Accept: a/b\nX-A:1\n\nbroken"}));
    let headers: Vec<_> = tool.headers.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    assert_eq!(headers, ["Accept: a/b", "X-A: 1"]);
}

#[test]
fn an_encoded_query_is_decoded() {
    let tool = tool(json!({"url": "https://a.example/x?filter%5Bname%5D=a%20b+c&bad=%FF"}));
    assert_eq!(mapping(&tool)["filter_name"], json!({"location": "query", "name": "filter[name]"}));
    assert_eq!(schema(&tool)["properties"]["filter_name"]["examples"], json!(["a b c"]));
    assert_eq!(schema(&tool)["properties"]["bad"]["examples"], json!(["%FF"]));
}

#[test]
fn a_parameter_that_the_authentication_sets_is_not_an_argument() {
    let auth = json!({"type": "apikey", "apikey": [
        {"key": "key", "value": "zone"}, {"key": "value", "value": "s"}, {"key": "in", "value": "query"},
    ]});
    let tool = tool(json!({"url": "https://a.example/x?zone=1&q=2", "auth": auth}));
    assert_eq!(mapping(&tool), json!({"q": {"location": "query"}}));
}

#[test]
fn a_request_with_too_many_arguments_is_a_problem() {
    let query: Vec<Value> = (0..1000).map(|n| json!({"key": format!("p{n}"), "value": "x"})).collect();
    let import = read(&json!({"item": [{"request": {"url": {"raw": "https://a.example/x", "query": query}}}]}));
    assert_eq!(import.problems[0].code, crate::api::problem::ProblemCode::SchemaTooLarge);
}
