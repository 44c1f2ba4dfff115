//! Names and descriptions of tools.

use super::*;

fn tool_name(method: &str, url: &str) -> String {
    InferTestRequest::new(method, url).tool()["name"].as_str().unwrap().to_owned()
}

#[test]
fn a_name_consists_of_a_verb_and_nouns() {
    for (method, path, name) in [
        ("GET", "/v1/users", "list_users"),
        ("GET", "/users/123", "get_user"),
        ("GET", "/users/{id}", "get_user"),
        ("GET", "/users/{name}", "get_user"),
        ("GET", "/repos/{owner}/{repo}", "get_repo"),
        ("GET", "/v1/users/{user_id}/posts", "list_user_posts"),
        ("GET", "/users/1/posts/2", "get_user_post"),
        ("GET", "/users/6f9619ff-8b86-d011-b42d-00cf4fc964ff", "get_user"),
        ("GET", "/projects/5/issues/7", "get_issue"),
        ("GET", "/dashboards/uid/abc", "get_dashboard_by_uid"),
        ("POST", "/v1/chat/completions", "create_chat_completion"),
        ("POST", "/users/5", "update_user"),
        ("POST", "/channels/5/messages", "send_message"),
        ("PUT", "/categories/5", "update_category"),
        ("PATCH", "/api/v2.1/blogPosts/5", "update_blog_post"),
        ("DELETE", "/users/42", "delete_user"),
        ("DELETE", "/addresses/5", "delete_address"),
        ("HEAD", "/files", "head_files"),
        ("OPTIONS", "/files", "options_files"),
        ("PURGE", "/cache", "purge_cache"),
        ("M-1", "/cache", "m_1_cache"),
        ("1", "/cache", "call_cache"),
        ("POST", "/orders/5/cancel", "cancel_order"),
        ("POST", "/orders/{id}/cancel", "cancel_order"),
        ("POST", "/servers/5/actions/reboot", "reboot_server"),
        ("POST", "/users/search", "search_users"),
        ("GET", "/search", "search_example"),
        ("GET", "/search/repositories", "search_repositories"),
        ("GET", "/orders/open", "get_order_open"),
        ("POST", "/projects/5/trigger/pipeline", "trigger_pipeline"),
        ("POST", "/import/jobs", "create_import_job"),
        ("GET", "/projects/5/merge_requests", "list_merge_requests"),
        ("POST", "/projects/5/merge_requests", "create_merge_request"),
        ("POST", "/volumes/5/actions/defragment", "defragment_volume"),
        ("POST", "/rpc/match_documents", "match_documents"),
        ("GET", "/acme/shop/_apis/build/builds", "list_builds"),
        ("GET", "/containers/json", "list_containers"),
        ("POST", "/auth/login/", "login_auth"),
        ("POST", "/bot12:abcdefgh12345678/sendMessage", "send_message"),
        ("POST", "/api/chat.postMessage", "post_message"),
        ("GET", "/api/users.info", "get_user"),
        ("GET", "/pet/findByStatus", "find_pet_by_status"),
        ("POST", "/users/5/reset-password", "reset_password"),
        ("POST", "/import-jobs", "create_import_job"),
        ("GET", "/users.json", "list_users"),
        ("GET", "/%C3%BCber%20mich", "get_uber_mich"),
        ("GET", "/{a}.json", "get_example"),
        ("GET", "/a/b/c/d/e/f", "get_d_e_f"),
    ] {
        assert_eq!(tool_name(method, &format!("https://api.example.com{path}")), name, "{method} {path}");
    }
}

#[test]
fn without_a_path_the_name_contains_the_host() {
    for (url, name) in [
        ("https://api.example.com", "get_example"),
        ("https://api.example.com/", "get_example"),
        ("https://www.example.co.uk/v1", "get_example"),
        ("http://localhost:8080/", "get_data"),
        ("http://127.0.0.1:8080/", "get_data"),
        ("http://[::1]/", "get_data"),
    ] {
        assert_eq!(tool_name("GET", url), name, "{url}");
    }
    let records = InferTestRequest::new("POST", "https://a.example/v1/5").json(r#"{"records":[]}"#);
    assert_eq!(records.tool()["name"], "create_record");
}

#[test]
fn operations_outside_the_path_name_the_tool() {
    let get = |query: &str| InferTestRequest::new("GET", &format!("https://a.example/query?{query}"));
    assert_eq!(get("function=GLOBAL_QUOTE&symbol=X").tool()["name"], "get_global_quote");
    assert_eq!(get("action=listUsers").tool()["name"], "list_users");
    assert_eq!(get("action=query").tool()["name"], "query_a");
    let post = || InferTestRequest::new("POST", "https://a.example/");
    assert_eq!(post().json(r#"{"jsonrpc":"2.0","id":1,"method":"eth_getBalance"}"#).tool()["name"], "eth_get_balance");
    assert_eq!(post().header("x-amz-target", "Db_2012.GetItem").tool()["name"], "get_item");
    assert_eq!(post().header("SOAPAction", "\"http://a/b#AddUser\"").tool()["name"], "add_user");
}

#[test]
fn names_are_short_and_start_with_a_letter() {
    let long = tool_name("GET", &format!("https://a.example/{}", "abcdefg/".repeat(50)));
    assert_eq!(tool_name("GET", &format!("https://a.example/users/{}", "x".repeat(201))), "get_user");
    assert_eq!(long, "get_abcdefg");
    let names = [
        long.as_str(),
        &tool_name("GET", "https://a.example/1st/x"),
        &tool_name("\u{e000}", "https://a.example/\u{e000}"),
    ];
    for name in names {
        assert!(name.len() <= 64 && name.starts_with(|c: char| c.is_ascii_lowercase()), "{name}");
        assert!(name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_'), "{name}");
    }
}

#[test]
fn a_graphql_tool_is_named_after_its_operation() {
    let post = |object: &str| InferTestRequest::new("POST", "https://a.example/api/graphql").json(object);
    for (object, name) in [
        (r#"{"query":"{a}","operationName":"GetUserById"}"#, "get_user_by_id"),
        (r#"{"query":"{a}","operationName":null}"#, "get_a"),
        (r#"{"query":"{a}","operationName":"_1"}"#, "get_a"),
        (r#"{"query":""}"#, "graphql"),
        (r#"{"mutation":"{a}"}"#, "create_graphql"),
    ] {
        assert_eq!(post(object).tool()["name"], name, "{object}");
    }
    let persisted = post(r#"{"operationName":"GetCart","variables":{"id":"c_81"},"extensions":{"version":1}}"#).tool();
    assert_eq!(persisted["name"], "get_cart");
    assert_eq!(persisted["parameter_mapping"]["id"]["parent"], "variables");
    assert_eq!(persisted["annotations"]["readOnlyHint"], false);
    let at_other_path = |text: &str| {
        InferTestRequest::new("POST", "https://a.example/v2").json(&format!(r#"{{"query":"{text}"}}"#)).tool()
    };
    assert_eq!(at_other_path("query { boards { id } }")["name"], "list_boards");
    for text in ["query the boards", "{ boards }", "query {"] {
        assert_eq!(at_other_path(text)["name"], "create_a", "{text}");
    }
    let tools = tools(&[post(r#"{"query":"{a}"}"#), post(r#"{"query":"{b}"}"#), post(r#"{"query":"{a}"}"#)]);
    assert_eq!(tools.len(), 2, "each query becomes a tool");
    assert_eq!(tools[0]["description"], "Runs the operation get_a at a.example (POST /api/graphql).");
}

#[test]
fn a_description_names_the_action_the_host_and_the_path() {
    for (method, path, sentence) in [
        ("GET", "/v1/users/{user_id}", "Gets a user from api.example.com (GET /v1/users/{user_id})."),
        ("GET", "/v1/users?key=s3cret&a=b", "Lists users from api.example.com (GET /v1/users)."),
        ("POST", "/v1/chat/completions", "Creates a chat completion at api.example.com (POST /v1/chat/completions)."),
        ("PUT", "/orders/5", "Updates an order at api.example.com (PUT /orders/{order_id})."),
        ("DELETE", "/orders/5", "Deletes an order from api.example.com (DELETE /orders/{order_id})."),
        ("POST", "/orders/5/cancel", "Cancels an order at api.example.com (POST /orders/{order_id}/cancel)."),
        ("GET", "/users/search", "Searches users at api.example.com (GET /users/search)."),
        ("POST", "/login", "Runs login for an example at api.example.com (POST /login)."),
        ("POST", "/users/login", "Runs login for a user at api.example.com (POST /users/login)."),
        ("POST", "/bot1:abcdefgh12345678/sendMessage", "Sends message at api.example.com (POST /{id}/sendMessage)."),
        ("POST", "/addresses/verify", "Verifies an address at api.example.com (POST /addresses/verify)."),
        ("HEAD", "/files", "Gets the headers of files from api.example.com (HEAD /files)."),
        ("OPTIONS", "/files", "Requests the options of files at api.example.com (OPTIONS /files)."),
        ("PURGE", "/cache", "Calls purge of cache at api.example.com (PURGE /cache)."),
        ("GET", "", "Gets example from api.example.com (GET /)."),
        ("GET", "/dashboards/uid/abc", "Gets a dashboard by uid from api.example.com (GET /dashboards/uid/{uid})."),
        ("GET", "/a\u{202E}b", "Gets a b from api.example.com."),
    ] {
        let tool = InferTestRequest::new(method, &format!("https://api.example.com:8443{path}")).tool();
        assert_eq!(tool["description"], sentence);
    }
    let tool = InferTestRequest::new("GET", &format!("https://a.example/{}", "word/".repeat(200))).tool();
    let description = tool["description"].as_str().unwrap();
    assert!(description.ends_with("word…).") && description.len() < 300, "{description}");
}
