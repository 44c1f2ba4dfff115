//! Inference from several requests.

use serde_json::json;

use super::*;

fn get(path: &str) -> InferTestRequest {
    InferTestRequest::new("GET", &format!("https://a.example{path}"))
}

fn post(object: &str) -> InferTestRequest {
    InferTestRequest::new("POST", "https://a.example/x").json(object)
}

#[test]
fn requests_of_different_endpoints_become_tools_with_different_names() {
    let requests = [
        get("/users"),
        get("/orders"),
        InferTestRequest::new("POST", "https://a.example/users"),
        InferTestRequest::new("GET", "https://b.example/users"),
        InferTestRequest::new("GET", "http://a.example/users"),
        get("/users/"),
        InferTestRequest::new("POST", "https://a.example/users").form(&[("a", "1")]),
        get("/users/all"),
    ];
    let tools = tools(&requests);
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "list_users",
            "list_orders",
            "create_user",
            "list_users_2",
            "list_users_3",
            "list_users_4",
            "create_user_2",
            "get_user_all"
        ]
    );
}

#[test]
fn ids_that_differ_become_a_placeholder() {
    let tool = merged_tool(&[
        get("/v1/users/7/posts"),
        InferTestRequest::new("GET", "https://A.example:443/v1/users/8/posts"),
    ]);
    assert_eq!(tool["endpoint_url"], "https://a.example/v1/users/{user_id}/posts");
    assert_eq!(tool["body"], json!({"user_id": 7}));
    assert_eq!(
        tool["input_schema"],
        json!({
            "type": "object",
            "properties": {"user_id": {"type": "integer"}},
            "required": ["user_id"],
        })
    );
    assert_eq!(tool["parameter_mapping"], json!({"user_id": {"location": "path"}}));
    assert_eq!(tool["name"], "list_user_posts");
}

#[test]
fn an_id_is_named_after_the_preceding_segment() {
    let uuid = "6f9619ff-8b86-d011-b42d-00cf4fc964ff";
    for (first, second, path, body) in [
        (
            "/categories/1/2".to_owned(),
            "/categories/3/4",
            "/categories/{category_id}/{id}",
            json!({"category_id": 1, "id": 2}),
        ),
        ("/v1/1".to_owned(), "/v1/2", "/v1/{id}", json!({"id": 1})),
        ("/1".to_owned(), "/2", "/{id}", json!({"id": 1})),
        (format!("/users/{uuid}"), "/users/1", "/users/{user_id}", json!({"user_id": uuid})),
        ("/users/12345678ab".to_owned(), "/users/1", "/users/{user_id}", json!({"user_id": "12345678ab"})),
        ("/users/1".to_owned(), "/users/{name}", "/users/{name}", json!({"name": "1"})),
        ("/users/{name}".to_owned(), "/users/1", "/users/{name}", json!({"name": "name"})),
        ("/users/1/x/2".to_owned(), "/users/1/x/3", "/users/{user_id}/x/{x_id}", json!({"user_id": 1, "x_id": 2})),
        (
            "/{user_id}/users/1".to_owned(),
            "/{user_id}/users/2",
            "/{user_id}/users/{user_id_2}",
            json!({"user_id": "user_id", "user_id_2": 1}),
        ),
    ] {
        let tool = merged_tool(&[get(&first), get(second)]);
        assert_eq!(tool["endpoint_url"], format!("https://a.example{path}"));
        assert_eq!(tool["body"], body, "{path}");
    }
}

#[test]
fn equal_query_parameters_stay_in_the_url() {
    let tool = merged_tool(&[get("/x?b=2&sort=asc&page=1&flag"), get("/x?sort=asc&page=2&flag")]);
    assert_eq!(tool["endpoint_url"], "https://a.example/x?sort=asc&flag");
    assert_eq!(tool["body"], json!({"b": 2, "page": 1}));
    assert_eq!(
        tool["input_schema"],
        json!({
            "type": "object",
            "properties": {
                "b": {"type": "integer", "description": "Example: 2"},
                "page": {"type": "integer", "description": "Page number, from 1. Example: 1"},
            },
            "required": [],
        })
    );
    assert_eq!(tool.get("warnings"), None);
    let tool = merged_tool(&[get("/x?session=1"), get("/x?session=1")]);
    assert_eq!(tool["endpoint_url"], "https://a.example/x", "a secret does not stay in the URL");
    assert_eq!(tool["input_schema"]["properties"]["session"], json!({"type": "integer"}));
}

#[test]
fn query_parts_that_cannot_be_arguments_come_from_the_first_request() {
    for (first, second) in [("/x?a", "/x?a=2"), ("/x?a=%FF", "/x"), ("/x", "/x?a")] {
        let tool = merged_tool(&[get(first), get(second)]);
        assert_eq!(tool["endpoint_url"], format!("https://a.example{first}"));
        assert_eq!(tool["body"], json!({}));
        assert!(tool["warnings"][0].as_str().unwrap().contains("part of the query"));
    }
    let tool = merged_tool(&[get("/x?a=1&b=1"), get("/x?a&b=2")]);
    assert_eq!(tool["endpoint_url"], "https://a.example/x?a=1");
    assert_eq!(tool["body"], json!({"b": 1}));
}

#[test]
fn equal_fields_become_constants_unless_null_or_secret() {
    let tool = merged_tool(&[
        post(r#"{"kind":"a","n":1,"none":null,"password":"x","more":[1]}"#),
        post(r#"{"kind":"a","n":2.5,"none":null,"password":"x","other":true}"#),
    ]);
    assert_eq!(
        tool["input_schema"],
        json!({
            "type": "object",
            "properties": {
                "n": {"type": "number", "description": "Number of results", "default": 1},
                "none": {},
                "password": {"type": "string"},
                "more": {"type": "array", "items": {"type": "integer"}, "description": "Example: [1]"},
                "other": {"type": "boolean", "description": "Example: true"},
            },
            "required": ["password"],
        })
    );
    assert_eq!(tool["parameter_mapping"]["kind"], json!({"location": "body", "value": "a"}));
    assert_eq!(tool["body"], json!({"n": 1, "none": null, "password": "x", "more": [1]}));
}

#[test]
fn fields_have_the_common_type_of_their_values() {
    let tool = merged_tool(&[post(r#"{"a":1,"b":"2026-01-02"}"#), post(r#"{"a":"x","b":"y"}"#)]);
    assert_eq!(tool["input_schema"]["properties"]["a"], json!({"description": "Example: 1"}));
    let b = json!({"type": "string", "description": "Example: 2026-01-02"});
    assert_eq!(tool["input_schema"]["properties"]["b"], b);

    let form = |pairs| InferTestRequest::new("POST", "https://a.example/x").form(pairs);
    let tool = merged_tool(&[
        form(&[("a", "1"), ("b", "1"), ("c", "1"), ("d", "1")]),
        form(&[("a", "x"), ("b", "2"), ("b", "3"), ("c", "2.5"), ("d", "1")]),
    ]);
    assert_eq!(tool["body"], json!({"a": "1", "b": [1], "c": 1}));
    let properties = &tool["input_schema"]["properties"];
    assert_eq!(properties["a"]["type"], "string");
    assert_eq!(properties["b"], json!({"type": "array", "items": {"type": "integer"}, "description": "Example: [1]"}));
    assert_eq!(properties["c"]["type"], "number");
    assert_eq!(tool["parameter_mapping"]["d"], json!({"location": "body", "value": 1}));
}

#[test]
fn a_body_without_fields_becomes_one_argument() {
    let text =
        |text: &str| InferTestRequest::new("POST", "https://a.example/x").body(ImportedBody::Text(text.to_owned()));
    let tool = merged_tool(&[text("a"), text("b")]);
    assert_eq!(tool["body"], json!({"body": "a"}));
    assert_eq!(tool["input_schema"]["required"], json!(["body"]));
    let tool = merged_tool(&[text("a"), text("a")]);
    assert_eq!(tool["parameter_mapping"]["body"], json!({"location": "body", "value": "a"}));
    let tool = merged_tool(&[post("{}"), post("{}")]);
    assert_eq!(tool["input_schema"]["properties"]["body"]["default"], json!({}));
    assert_eq!(tools(&[post("{}"), post(r#"{"a":1}"#)]).len(), 2);
}

#[test]
fn different_headers_become_arguments_unless_secret_or_reserved() {
    let tool = merged_tool(&[
        get("/x").header("Accept", "a/b").header("X-Page", "1").header("Cookie", "a").header("Expect", "1"),
        get("/x").header("accept", "a/b").header("x-page", "2").header("Cookie", "b").header("X-More", "c"),
    ]);
    assert_eq!(tool["headers"], json!({"Accept": "a/b", "Cookie": "a", "Expect": "1"}));
    assert_eq!(tool["parameter_mapping"], json!({"X-Page": {"location": "header"}, "X-More": {"location": "header"}}));
    assert_eq!(tool["body"], json!({"X-Page": 1}));
    assert_eq!(tool["input_schema"]["required"], json!(["X-Page"]));
    assert_eq!(tool["input_schema"]["properties"]["X-More"], json!({"type": "string", "description": "Example: c"}));
    assert_eq!(
        tool["warnings"],
        json!([
            "The Cookie header is a browser session: it is stored as a secret and will expire.",
            "The requests differ in the Cookie header, which is a secret. The value of the first request was imported.",
            "The requests differ in the Expect header, which cannot be an argument. The value of the first request was \
             imported.",
        ])
    );
    let tool = merged_tool(&[get("/x"), get("/x").header("X-Api-Token", "t").header("X-Tab", "a\tb")]);
    assert_eq!(tool["headers"], json!({}));
    assert_eq!(tool["parameter_mapping"], json!({}));
    assert_eq!(tool["warnings"].as_array().unwrap().len(), 2);
}

#[test]
fn the_credentials_come_from_the_first_request() {
    let tool = merged_tool(&[get("/x").bearer("one"), get("/x").bearer("two"), get("/x")]);
    assert_eq!(tool["auth_credentials"], json!({"token": "one"}));
    let warnings = json!(["The requests have different credentials. Those of the first request were imported."]);
    assert_eq!(tool["warnings"], warnings);
    let tool = merged_tool(&[get("/x?token=one&a=1"), get("/x?token=two&a=2")]);
    assert_eq!(tool["auth_credentials"]["key_value"], "one");
    assert_eq!((&tool["warnings"], &tool["body"]), (&warnings, &json!({"a": 1})));
    let tool = merged_tool(&[get("/x").bearer("one"), get("/x").bearer("one")]);
    assert_eq!(tool.get("warnings"), None);
}

#[test]
fn a_merged_tool_has_the_longest_timeout_and_all_warnings() {
    let tool =
        merged_tool(&[get("/x").warning("A.").timeout(5), get("/x").warning("B.").timeout(9), get("/x").warning("A.")]);
    assert_eq!(tool["timeout"], 9);
    assert_eq!(tool["warnings"], json!(["A.", "B."]));
}

#[test]
fn the_only_request_of_an_endpoint_is_inferred_like_a_single_request() {
    let single = get("/users?sort=asc").tool();
    let mut tools = tools(&[get("/users?sort=asc"), get("/orders")]);
    assert_eq!(tools.remove(0), single);
}

#[test]
fn many_requests_are_handled_in_linear_time() {
    let one_endpoint: Vec<InferTestRequest> =
        (0..20_000).map(|n| get(&format!("/users/{n}?page={n}&sort=asc"))).collect();
    assert_eq!(merged_tool(&one_endpoint)["body"], json!({"user_id": 0, "page": 0}));
    let many_endpoints: Vec<InferTestRequest> =
        (0..20_000).map(|n| get(&format!("/users{}/", "/".repeat(n % 100)))).collect();
    assert_eq!(tools(&many_endpoints).len(), 100);
}
