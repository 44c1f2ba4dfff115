use super::*;
use crate::api::problem::ProblemCode;

fn get(name: &str, path: &str) -> Value {
    json!({"name": name, "request": {"method": "GET", "url": format!("https://a.example{path}")}})
}

#[test]
fn folders_become_tags_and_tools_are_in_the_order_of_the_collection() {
    let import = read(&json!({"item": [
        get("First one", "/v1/a"),
        {"name": "Orders", "item": [
            get("List", "/v1/orders"),
            {"name": "Lines\u{202E}", "item": [get("List", "/v1/orders/:id/lines")]},
        ]},
        get("", "/v1/users/:user_id"),
    ]}));
    let listed: Vec<_> = import
        .candidates
        .iter()
        .map(|tool| (tool.name.as_str(), tool.operation.as_str(), tool.tags.join(",")))
        .collect();
    assert_eq!(
        listed,
        [
            ("first_one", "GET /v1/a", String::new()),
            ("list", "GET /v1/orders", "Orders".to_owned()),
            ("list_lines", "GET /v1/orders/{id}/lines", "Orders / Lines".to_owned()),
            ("get_users_by_user_id", "GET /v1/users/{user_id}", String::new()),
        ]
    );
    assert_eq!((import.format, import.version.as_str(), import.info.title.as_str()), ("postman", "2.1", "Shop"));
    assert_eq!((import.totals.operations, import.totals.candidates), (4, 4));
    assert_eq!(import.servers.iter().map(|server| server.url.as_str()).collect::<Vec<_>>(), ["https://a.example"]);
    assert_eq!(import.candidates[1].pointer.to_string(), "#/item/1/item/0");
}

#[test]
fn a_tool_is_described_by_the_request() {
    let import = read(&json!({"item": [
        {"name": "Get user", "request": {"url": "https://a.example/u", "description": {"content": "Reads [one](x)."}}},
        {"name": "", "request": "https://a.example/u"},
    ]}));
    assert_eq!(import.candidates[0].description, "Get user\n\nReads one.");
    assert_eq!(import.candidates[0].title.as_deref(), Some("Get user"));
    assert_eq!(
        import.candidates[0].annotations.to_value(),
        json!({"title": "Get user", "readOnlyHint": true, "openWorldHint": true})
    );
    assert_eq!(import.candidates[1].description, "GET /u of Shop");
}

#[test]
fn temporary_ids_do_not_depend_on_the_order() {
    let (one, other) = (get("A", "/x"), get("B", "/x"));
    let ids = |items: Value| -> Vec<String> {
        read(&json!({ "item": items })).candidates.into_iter().map(|tool| tool.temp_id).collect()
    };
    let both = ids(json!([one, other]));
    assert_eq!(ids(json!([other, one])), [both[1].clone(), both[0].clone()]);
    assert_ne!(both[0], both[1]);
    assert_eq!(ids(json!([one, one])), [both[0].clone(), format!("{}-2", both[0])]);
}

#[test]
fn scripts_and_saved_responses_are_counted() {
    let script = json!({"listen": "test", "script": {"exec": ["pm.test()"]}});
    let empty = json!({"listen": "test", "script": {"exec": ["", " "]}});
    let import = read(&json!({
        "event": [script, empty],
        "item": [{"name": "F", "event": [script], "item": [
            {"name": "A", "event": [script], "response": [{"name": "ok"}, {}], "request": "https://a.example/"},
        ]}],
    }));
    let left_out = serde_json::to_value(&import.totals.left_out).unwrap();
    assert_eq!(left_out, json!({"collection_script": 3, "saved_response": 2}));
}

#[test]
fn items_that_cannot_be_tools_are_problems() {
    let import = read(&json!({"item": [
        {"name": "no request"},
        {"name": "no url", "request": {"method": "GET"}},
        {"name": "empty url", "request": {"method": "GET", "url": {"raw": ""}}},
        {"name": "method", "request": {"method": "PURGE", "url": "https://a.example/"}},
        {"name": "scheme", "request": "ws://a.example/"},
        {"name": "too long", "request": format!("https://a.example/{}", "x".repeat(3000))},
        7,
    ]}));
    let problems: Vec<_> = import.problems.iter().map(|problem| (problem.pointer.to_string(), problem.code)).collect();
    let expected = [
        ("#/item/0", ProblemCode::Malformed),
        ("#/item/1/request", ProblemCode::NoServer),
        ("#/item/2/request/url", ProblemCode::NoServer),
        ("#/item/3/request", ProblemCode::MethodUnsupported),
        ("#/item/4/request", ProblemCode::Malformed),
        ("#/item/6", ProblemCode::Malformed),
        ("#/item/5", ProblemCode::ToolInvalid),
    ];
    assert_eq!(problems, expected.map(|(pointer, code)| (pointer.to_owned(), code)));
    assert_eq!(import.problems[3].operation.as_deref(), Some("method"));
}

#[test]
fn filters_and_overlays_apply() {
    let overlay = json!({
        "GET /a": {"name": "chosen", "arguments": {"query:q": {"rename": "text", "description": "D"}}},
        "GET /b": {"hidden": true},
    });
    let mut options = ImportOptions { overlay: overlay.as_object().unwrap().clone(), ..ImportOptions::default() };
    options.filter.include_tags = vec!["keep".to_owned()];
    let item = json!([{"name": "Keep", "item": [get("A", "/a?q=1"), get("B", "/b")]}, get("C", "/c")]);
    let import = read_with(&json!({ "item": item }), &options);
    assert_eq!((import.candidates.len(), import.totals.filtered), (1, 2));
    assert_eq!(import.candidates[0].name, "chosen");
    assert_eq!(mapping(&import.candidates[0]), json!({"text": {"location": "query", "name": "q"}}));
}
