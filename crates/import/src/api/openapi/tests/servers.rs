//! Servers: which one is used, variables, relative URLs.

use serde_json::{Value, json};

use super::{import, import_with, problems, swagger};
use crate::api::options::ImportOptions;
use crate::api::report::ApiImport;

fn with_servers(servers: &Value) -> Value {
    json!({"openapi": "3.0.0", "info": {}, "servers": servers, "paths": {"/x": {"get": {}}}})
}

fn url(document: &Value, options: &ImportOptions) -> String {
    import_with(document, options).unwrap().candidates[0].endpoint_url.clone()
}

#[test]
fn the_server_of_the_operation_takes_precedence_over_path_and_document() {
    let server = |host: &str| json!([{"url": format!("https://{host}/")}]);
    let document = json!({
        "openapi": "3.0.0", "info": {}, "servers": server("root.example"),
        "paths": {
            "/a": {"get": {"servers": server("operation.example")}, "servers": server("path.example")},
            "/b": {"get": {}, "servers": server("path.example")},
            "/c": {"get": {"servers": []}},
        },
    });
    let urls = |options: &ImportOptions| -> Vec<String> {
        import_with(&document, options).unwrap().candidates.into_iter().map(|one| one.endpoint_url).collect()
    };
    assert_eq!(
        urls(&ImportOptions::default()),
        ["https://operation.example/a", "https://path.example/b", "https://root.example/c"]
    );
    let base_url = Some("http://localhost:8080/api/".to_owned());
    let expected = ["a", "b", "c"].map(|path| format!("http://localhost:8080/api/{path}"));
    assert_eq!(urls(&ImportOptions { base_url, ..ImportOptions::default() }), expected);
}

#[test]
fn an_index_chooses_the_server() {
    let document =
        with_servers(&json!([{"url": "https://a.example"}, {"url": "https://b.example", "description": "B"}]));
    let chosen = |server_index| url(&document, &ImportOptions { server_index, ..ImportOptions::default() });
    assert_eq!(chosen(0), "https://a.example/x");
    assert_eq!(chosen(1), "https://b.example/x");
    assert_eq!(chosen(2), "https://a.example/x");
    let import = import(&document);
    assert_eq!(import.server_url.as_deref(), Some("https://a.example"));
    assert_eq!(json!(import.servers[1]), json!({"url": "https://b.example", "description": "B", "variables": {}}));
}

#[test]
fn server_variables_have_the_passed_value_or_their_default() {
    let document = with_servers(&json!([{
        "url": "https://{region}.example/{version}/{n}",
        "variables": {"region": {"default": "eu", "enum": ["eu", "us"]}, "version": {"enum": ["v2"]}, "n": {"default": 1}},
    }]));
    assert_eq!(url(&document, &ImportOptions::default()), "https://eu.example/v2/1/x");
    let server_variables = [("region".to_owned(), "us".to_owned())].into_iter().collect();
    let options = ImportOptions { server_variables, ..ImportOptions::default() };
    assert_eq!(url(&document, &options), "https://us.example/v2/1/x");
    let import = import(&with_servers(&json!([{"url": "https://{tenant}.example"}])));
    assert_eq!(problems(&import), [(json!("server_variable"), Some("GET /x"))]);
    assert_eq!(import.problems[0].pointer.to_string(), "#/servers/0");
}

#[test]
fn a_relative_server_needs_the_url_of_the_document_or_a_base_url() {
    let with_url = |url: &str| ImportOptions { document_url: Some(url.to_owned()), ..ImportOptions::default() };
    for (servers, from_url, relative) in [
        (json!([{"url": "/v1"}]), "https://a.example/v1/x", "/v1/x"),
        (json!([{"url": "v1/"}]), "https://a.example/docs/v1/x", "v1/x"),
        (json!([{"url": "//b.example/v1"}]), "https://b.example/v1/x", "//b.example/v1/x"),
        (json!([]), "https://a.example/x", "/x"),
    ] {
        let document = with_servers(&servers);
        assert_eq!(url(&document, &with_url("https://a.example/docs/openapi.json")), from_url);
        let import: ApiImport = import(&document);
        assert_eq!(import.candidates[0].endpoint_url, relative);
        assert_eq!((problems(&import), import.server_url.as_ref()), (vec![(json!("no_server"), None)], None));
    }
}

#[test]
fn a_server_url_that_is_invalid_in_a_tool_is_a_problem() {
    let import = import(&with_servers(&json!([{"url": "https://user:pass@a.example"}])));
    assert_eq!(problems(&import), [(json!("tool_invalid"), Some("GET /x"))]);
    assert!(import.problems[0].message.contains("endpoint_url"), "{}", import.problems[0].message);
}

#[test]
fn the_url_of_a_swagger_document_uses_https_unless_only_http_is_listed() {
    for (change, expected) in [
        (json!({}), "https://api.example.com/v2/x"),
        (json!({"schemes": ["http", "https"]}), "https://api.example.com/v2/x"),
        (json!({"schemes": ["http"]}), "http://api.example.com/v2/x"),
        (json!({"basePath": "/"}), "https://api.example.com/x"),
        (json!({"host": null}), "/v2/x"),
    ] {
        let mut document = swagger(&json!({"/x": {"get": {}}}));
        document.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        assert_eq!(url(&document, &ImportOptions::default()), expected, "{change}");
    }
    let document = swagger(&json!({"/x": {"get": {"schemes": ["http"]}}}));
    assert_eq!(url(&document, &ImportOptions::default()), "http://api.example.com/v2/x");
}
