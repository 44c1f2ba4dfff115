use super::*;
use crate::api::problem::ProblemCode;

/// The URL of the first tool, or the message of the problem. `passed` are the variables in the options of the import.
fn endpoint(collection: &Value, passed: &[(&str, &str)]) -> Result<String, String> {
    let variables = passed.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let import = read_with(collection, &ImportOptions { variables, ..ImportOptions::default() });
    match (import.candidates.first(), import.problems.first()) {
        (Some(tool), None) => Ok(tool.endpoint_url.clone()),
        (_, Some(problem)) => {
            assert_eq!(problem.code, ProblemCode::ServerVariable);
            Err(problem.message.clone())
        }
        (None, None) => panic!("neither a tool nor a problem"),
    }
}

#[test]
fn the_innermost_scope_fills_in_a_variable() {
    let variable = |value: &str| json!([{"key": "host", "value": value}]);
    let request = json!({"name": "A", "request": "https://{{host}}/x"});
    let folder = |item: Value| json!({"name": "F", "variable": variable("folder.example"), "item": [item]});
    let own = json!({"name": "A", "variable": variable("own.example"), "request": "https://{{host}}/x"});
    for (collection, expected) in [
        (json!({"variable": variable("all.example"), "item": [folder(own)]}), "https://own.example/x"),
        (json!({"variable": variable("all.example"), "item": [folder(request.clone())]}), "https://folder.example/x"),
        (json!({"variable": variable("all.example"), "item": [request]}), "https://all.example/x"),
        (json!({"variable": variable(""), "item": [request]}), "https://passed.example/x"),
        (json!({"item": [request]}), "https://passed.example/x"),
    ] {
        assert_eq!(endpoint(&collection, &[("host", "passed.example")]).as_deref(), Ok(expected), "{collection}");
    }
}

#[test]
fn a_host_with_an_unknown_or_secret_variable_is_a_problem() {
    for url in
        ["{{baseUrl}}/x", "https://{{baseUrl}}/x", "https://a.{{baseUrl}}", "{{$guid}}/x", "https://a.example{{p}}"]
    {
        let message = endpoint(&json!({"item": [{"name": "A", "request": url}]}), &[]).unwrap_err();
        assert!(message.contains("has no value"), "{url}: {message}");
    }
    let secret = json!({"variable": [{"key": "h", "value": "s3cret.example", "type": "secret"}], "item": [
        {"name": "A", "request": "https://{{h}}/x"},
    ]});
    let message = endpoint(&secret, &[]).unwrap_err();
    assert!(message.contains("is secret") && !message.contains("s3cret"), "{message}");
    assert_eq!(
        endpoint(&json!({"item": [{"name": "A", "request": "{{u}}/x"}]}), &[("u", "https://b.example/v1")]).as_deref(),
        Ok("https://b.example/v1/x")
    );
}

#[test]
fn a_base_url_replaces_the_host() {
    for (url, expected) in [
        ("{{baseUrl}}/x/:id", "https://new.example/v2/x/{id}"),
        ("https://a.example:8080/v1/x", "https://new.example/v2/v1/x"),
        ("https://{{host}}/x", "https://new.example/v2/x"),
        ("{{baseUrl}}", "https://new.example/v2/"),
    ] {
        let options =
            ImportOptions { base_url: Some("https://new.example/v2/".to_owned()), ..ImportOptions::default() };
        let import = read_with(&json!({"item": [{"name": "A", "request": url}]}), &options);
        assert_eq!(import.candidates[0].endpoint_url, expected, "{url}");
    }
}

#[test]
fn variables_of_the_path_are_arguments_unless_they_have_a_value() {
    let import = read(&json!({
        "variable": [{"key": "version", "value": "v1"}, {"key": "tenant", "value": "", "description": "The tenant"}],
        "item": [{"name": "A", "request": "https://a.example/{{version}}/{{tenant}}/x-{{$guid}}.json/{{tenant}}"}],
    }));
    let tool = &import.candidates[0];
    assert_eq!(tool.endpoint_url, "https://a.example/v1/{tenant}/x-{guid}.json/{tenant}");
    assert_eq!(
        schema(tool)["properties"],
        json!({
            "tenant": {"type": "string", "description": "The tenant"},
            "guid": {"type": "string", "description": "Postman generates this value ($guid)."},
        })
    );
    assert_eq!(schema(tool)["required"], json!(["tenant", "guid"]));
    assert_eq!(mapping(tool)["tenant"], json!({"location": "path"}));
    assert_eq!(mapping(tool)["guid"]["location"], "path");
}

#[test]
fn secret_variables_become_credentials_or_arguments_without_an_example() {
    let import = read(&json!({
        "variable": [{"key": "hidden", "value": "s3cret", "type": "secret"}],
        "item": [
            {"name": "path", "request": "https://a.example/bot{{hidden}}/x"},
            {"name": "query", "request": "https://a.example/x?zone={{hidden}}"},
            {"name": "header", "request": {"url": "https://a.example/x", "header": [{"key": "X-Zone", "value": "{{hidden}}"}]}},
            {"name": "body", "request": {"method": "POST", "url": "https://a.example/x", "body": {"mode": "raw", "raw": "{\"zone\": \"{{hidden}}\", \"n\": {{hidden}}}", "options": {"raw": {"language": "json"}}}}},
            {"name": "form", "request": {"method": "POST", "url": "https://a.example/x", "body": {"mode": "urlencoded", "urlencoded": [{"key": "zone", "value": "{{hidden}}"}]}}},
        ],
    }));
    let text = serde_json::to_string(&import).unwrap();
    assert!(!text.contains("s3cret"), "{text}");
    let stored: Vec<_> = import.credentials.iter().map(|credential| credential.auth_credentials.to_value()).collect();
    assert_eq!(
        stored,
        [
            json!({"key_name": "hidden", "key_location": "path", "key_value": "s3cret"}),
            json!({"key_name": "zone", "key_location": "query", "key_value": "s3cret"}),
            json!({"key_name": "X-Zone", "key_location": "header", "key_value": "s3cret"}),
        ]
    );
    assert_eq!(import.candidates[0].endpoint_url, "https://a.example/bot{hidden}/x");
    assert_eq!(schema(&import.candidates[0])["properties"], json!({}));
    for tool in &import.candidates[3..] {
        assert_eq!(schema(tool)["properties"]["zone"], json!({"type": "string"}), "{}", tool.name);
    }
}
