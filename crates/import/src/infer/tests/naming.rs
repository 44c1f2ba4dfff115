//! Names and descriptions of tools.

use super::*;

fn tool_name(method: &str, url: &str) -> String {
    InferTestRequest::new(method, url).tool()["name"].as_str().unwrap().to_owned()
}

#[test]
fn a_name_consists_of_a_verb_and_nouns() {
    for (method, path, name) in [
        ("GET", "/v1/users", "get_users"),
        ("GET", "/users/123", "get_user"),
        ("GET", "/users/{id}", "get_user_by_id"),
        ("GET", "/users/{user_id}", "get_user_by_id"),
        ("GET", "/users/{name}", "get_user_by_name"),
        ("GET", "/repos/{owner}/{repo}", "get_repo"),
        ("GET", "/v1/users/{user_id}/posts", "get_user_posts"),
        ("GET", "/users/1/posts/2", "get_user_post"),
        ("GET", "/users/6f9619ff-8b86-d011-b42d-00cf4fc964ff", "get_user"),
        ("POST", "/v1/chat/completions", "create_chat_completion"),
        ("PUT", "/categories/5", "update_category"),
        ("PATCH", "/api/v2.1/blogPosts/5", "update_blog_post"),
        ("DELETE", "/addresses/5", "delete_address"),
        ("HEAD", "/files", "head_files"),
        ("OPTIONS", "/files", "options_files"),
        ("PURGE", "/cache", "purge_cache"),
        ("M-1", "/cache", "m_1_cache"),
        ("1", "/cache", "call_cache"),
        ("POST", "/orders/5/cancel", "cancel_order"),
        ("POST", "/orders/{id}/cancel", "cancel_order"),
        ("POST", "/users/search", "search_users"),
        ("GET", "/search", "search"),
        ("GET", "/orders/open", "get_orders_open"),
        ("DELETE", "/orders/cancel", "delete_orders_cancel"),
        ("POST", "/auth/login/", "login_auth"),
        ("POST", "/bot12:abcdefgh12345678/sendMessage", "send_message"),
        ("POST", "/users/5/reset-password", "reset_password_user"),
        ("POST", "/import-jobs", "create_import_job"),
        ("GET", "/users.json", "get_users"),
        ("GET", "/%C3%BCber%20uns", "get_uber_uns"),
        ("GET", "/{a}.json", "get_example"),
        ("GET", "/search/{q}", "get_search_by_q"),
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
        ("http://localhost:8080/", "get_localhost"),
        ("http://127.0.0.1:8080/", "get_127_0_0_1"),
        ("http://[::1]/", "get_1"),
    ] {
        assert_eq!(tool_name("GET", url), name, "{url}");
    }
}

#[test]
fn names_are_short_and_start_with_a_letter() {
    let long = tool_name("GET", &format!("https://a.example/{}", "abcdefg/".repeat(50)));
    assert_eq!(tool_name("GET", &format!("https://a.example/users/{}", "x".repeat(201))), "get_user");
    assert_eq!(long, "get_abcdefg_abcdefg_abcdefg_abcdefg_abcdefg_abcdefg_abcdefg_abcd");
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
        (r#"{"query":"{a}","operationName":null}"#, "graphql"),
        (r#"{"query":"{a}","operationName":"_1"}"#, "graphql"),
        (r#"{"query":"{a}"}"#, "graphql"),
        (r#"{"mutation":"{a}"}"#, "create_graphql"),
    ] {
        assert_eq!(post(object).tool()["name"], name, "{object}");
    }
    let different_operations =
        [post(r#"{"query":"{a}","operationName":"A"}"#), post(r#"{"query":"{b}","operationName":"B"}"#)];
    assert_eq!(merged_tool(&different_operations)["name"], "graphql");
    assert_eq!(
        merged_tool(&different_operations)["description"],
        "Runs a GraphQL query or mutation at a.example (POST /api/graphql)."
    );
}

#[test]
fn a_description_names_the_action_the_host_and_the_path() {
    for (method, path, sentence) in [
        ("GET", "/v1/users/{user_id}", "Gets a user by id from api.example.com (GET /v1/users/{user_id})."),
        ("GET", "/v1/users?key=s3cret&a=b", "Gets users from api.example.com (GET /v1/users)."),
        ("POST", "/v1/chat/completions", "Creates a chat completion at api.example.com (POST /v1/chat/completions)."),
        ("PUT", "/orders/5", "Updates an order at api.example.com (PUT /orders/5)."),
        ("DELETE", "/orders/5", "Deletes an order from api.example.com (DELETE /orders/5)."),
        ("POST", "/orders/5/cancel", "Cancels an order at api.example.com (POST /orders/5/cancel)."),
        ("GET", "/users/search", "Searches users at api.example.com (GET /users/search)."),
        ("POST", "/login", "Runs login at api.example.com (POST /login)."),
        ("POST", "/users/login", "Runs login for users at api.example.com (POST /users/login)."),
        ("POST", "/bot1:abcdefgh12345678/sendMessage", "Sends message at api.example.com (POST /…/sendMessage)."),
        ("POST", "/addresses/verify", "Verifies addresses at api.example.com (POST /addresses/verify)."),
        ("HEAD", "/files", "Gets the headers of files from api.example.com (HEAD /files)."),
        ("OPTIONS", "/files", "Requests the options of files at api.example.com (OPTIONS /files)."),
        ("PURGE", "/cache", "Calls purge of cache at api.example.com (PURGE /cache)."),
        ("GET", "", "Calls api.example.com (GET /)."),
        ("GET", "/a\u{202E}b", "Gets a b from api.example.com."),
    ] {
        let tool = InferTestRequest::new(method, &format!("https://api.example.com:8443{path}")).tool();
        assert_eq!(tool["description"], sentence);
    }
    let tool = InferTestRequest::new("GET", &format!("https://a.example/{}", "x".repeat(999))).tool();
    let description = tool["description"].as_str().unwrap();
    assert!(description.ends_with("x…).") && description.len() < 1500, "{description}");
}
