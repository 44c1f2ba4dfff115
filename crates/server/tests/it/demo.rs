//! Black-box tests of the demo: off by default, added once, persistent, and usable by an AI client.

mod hostile;

use std::fs;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolgate_testkit::{McpClient, RunningService};

use crate::toolgate;

const TOOLS: [&str; 6] =
    ["search_books", "get_book", "place_order", "get_order", "estimate_delivery", "get_loyalty_points"];

async fn add_demo(app: &RunningService) -> Value {
    app.client().post("/demo").send().await.expect(201).json()
}

fn mcp_client(server: &Value) -> McpClient {
    McpClient::new(server["endpoint_url"].as_str().unwrap())
}

async fn call_json(mcp: &McpClient, tool: &str, arguments: Value) -> Value {
    serde_json::from_str(&mcp.text(tool, arguments).await).unwrap()
}

async fn demo_server_id(app: &RunningService) -> Value {
    app.client().get("/settings").send().await.expect(200).json()["demo_server_id"].clone()
}

/// The status of a request to the API of the book shop.
async fn books_status(app: &RunningService) -> u16 {
    app.client_with_key(None).get(&format!("{}/demo/books", app.origin())).send().await.status
}

#[tokio::test]
async fn the_demo_is_off_by_default() {
    let app = toolgate().start();
    for path in ["/demo/books", "/demo/orders", "/demo", "/demo/"] {
        let reply = app.client_with_key(None).get(&format!("{}{path}", app.origin())).send().await.expect(404);
        assert_eq!(reply.json()["code"], "not_found", "{path}");
    }
    assert_eq!(demo_server_id(&app).await, Value::Null);
    assert!(!app.data_dir().join("demo-server").exists());
}

#[tokio::test]
async fn the_demo_is_added_once_and_is_a_server_like_any_other() {
    let app = toolgate().start();
    let reply = app.client().post("/demo").send().await.expect(201);
    let server = reply.json();
    assert_eq!(reply.header("location"), Some(format!("{}/servers/{}", app.api_base(), server["id"]).as_str()));
    assert_eq!((&server["name"], &server["tool_count"]), (&json!("Demo"), &json!(6)));
    assert_eq!(app.client().post("/demo").send().await.expect(200).json(), server);
    assert_eq!(app.client().get("/servers").send().await.expect(200).json(), json!([server]));
    assert_eq!(demo_server_id(&app).await, server["id"]);
}

#[tokio::test]
async fn two_simultaneous_requests_add_the_demo_once() {
    let app = toolgate().start();
    let (api, request) = (app.client(), app.client().post("/demo"));
    let (one, other) = tokio::join!(api.post("/demo").send(), request.send());
    // One request adds the demo and gets 201, the other gets 200.
    assert_eq!(one.status + other.status, 201 + 200, "{one:?} {other:?}");
    assert_eq!(one.json()["id"], other.json()["id"]);
}

#[tokio::test]
async fn an_mcp_client_can_use_the_tools_prompts_and_resources_of_the_demo() {
    let app = toolgate().start();
    let mcp = mcp_client(&add_demo(&app).await);
    let tools = mcp.result("tools/list", json!({})).await;
    let names: Vec<&str> = tools["tools"].as_array().unwrap().iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(names, TOOLS);
    let search = call_json(&mcp, "search_books", json!({"subject": "mystery", "max_price": 15})).await;
    assert_eq!((&search["total"], &search["books"][0]["title"]), (&json!(1), &json!("The Lighthouse Ledger")));
    assert_eq!(call_json(&mcp, "get_book", json!({"id": 5})).await["publisher"], "Green Terminal");
    let order = call_json(&mcp, "place_order", json!({"book_id": 5, "quantity": 2, "customer": "a customer"})).await;
    assert_eq!(order["total"], 78.0);
    assert_eq!(call_json(&mcp, "get_order", json!({"id": order["id"]})).await, order);
    let prompt =
        mcp.result("prompts/get", json!({"name": "recommend_a_book", "arguments": {"reader": "a customer"}})).await;
    assert!(prompt.to_string().contains("for this reader: a customer."), "{prompt}");
    for (uri, expected) in [("shop://about", "Second Chapter"), ("shop://mysteries", "Tide Tables")] {
        let read = mcp.result("resources/read", json!({"uri": uri})).await;
        assert!(read["contents"][0]["text"].as_str().unwrap().contains(expected), "{read}");
    }
}

#[tokio::test]
async fn the_demo_has_failing_and_slow_tools() {
    let app = toolgate().start();
    let mcp = mcp_client(&add_demo(&app).await);
    for (tool, arguments, status) in
        [("get_book", json!({"id": 99}), "404"), ("get_loyalty_points", json!({"customer": "a customer"}), "500")]
    {
        let result = mcp.call(tool, arguments).await;
        assert_eq!(result["isError"], true, "{result}");
        assert!(result.to_string().contains(status), "{result}");
    }
    let started = Instant::now();
    assert_eq!(call_json(&mcp, "estimate_delivery", json!({"country": "de"})).await["working_days"]["max"], 2);
    assert!(started.elapsed() >= Duration::from_secs(2));
    let calls = app.client().get("/calls?status=failed").send().await.expect(200).json();
    let reasons: Vec<&str> = calls.as_array().unwrap().iter().filter_map(|call| call["reason"].as_str()).collect();
    assert_eq!(reasons, ["upstream_5xx", "upstream_4xx"]);
}

#[tokio::test]
async fn the_demo_works_after_a_restart_on_another_port() {
    let folder = tempfile::tempdir().unwrap();
    let app = toolgate().data_dir(folder.path()).start();
    let (server, origin) = (add_demo(&app).await, app.origin());
    drop(app);
    let app = toolgate().data_dir(folder.path()).start();
    assert_ne!(app.origin(), origin);
    assert_eq!(app.client().post("/demo").send().await.expect(200).json()["id"], server["id"]);
    let server = app.client().get(&format!("/servers/{}", server["id"])).send().await.expect(200).json();
    assert_eq!(call_json(&mcp_client(&server), "get_book", json!({"id": 7})).await["subject"], "children");
}

#[tokio::test]
async fn a_deleted_demo_stays_deleted_and_can_be_added_again() {
    let folder = tempfile::tempdir().unwrap();
    let app = toolgate().data_dir(folder.path()).start();
    let server = add_demo(&app).await;
    app.client().delete(&format!("/servers/{}", server["id"])).send().await.expect(200);
    assert_eq!(demo_server_id(&app).await, Value::Null);
    drop(app);
    let app = toolgate().data_dir(folder.path()).start();
    assert_eq!(books_status(&app).await, 404);
    assert!(!folder.path().join("demo-server").exists());
    assert_ne!(add_demo(&app).await["id"], server["id"]);
    assert_eq!(books_status(&app).await, 200);
}

#[tokio::test]
async fn a_start_with_the_setting_adds_the_demo_and_prints_its_endpoint() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("toolgate.toml");
    fs::write(&config, "demo = true\n").unwrap();
    let builder = || toolgate().data_dir(folder.path().join("data"));
    for builder in [
        builder().arg("serve").arg("--demo"),
        builder().env("TOOLGATE_DEMO", "true"),
        builder().arg("--config").arg(&config),
    ] {
        let app = builder.start();
        let servers = app.client().get("/servers").send().await.expect(200).json();
        assert_eq!(servers.as_array().unwrap().len(), 1, "{servers}");
        let line = format!("\n  demo      {}\n", servers[0]["endpoint_url"].as_str().unwrap());
        assert!(app.stdout().contains(&line), "{}", app.stdout());
        assert!(mcp_client(&servers[0]).text("get_book", json!({"id": 1})).await.contains("Breakwater"));
    }
    let app = builder().env("TOOLGATE_DEMO", "false").start();
    assert!(!app.stdout().contains("demo"), "{}", app.stdout());
    assert_eq!(books_status(&app).await, 200, "the demo stays on until its server is deleted");
}

#[tokio::test]
async fn if_tools_may_not_call_this_machine_the_error_says_what_to_allow() {
    let app = toolgate().env("TOOLGATE_UPSTREAM_ALLOW", "private").start();
    let reply = app.client().post("/demo").send().await.expect(409).json();
    assert_eq!(reply["code"], "rest_demo_blocked");
    let advice = format!("add {} to TOOLGATE_UPSTREAM_ALLOW.", app.address());
    assert!(reply["message"].as_str().unwrap().ends_with(&advice), "{reply}");
    assert_eq!(app.client().get("/servers").send().await.json(), json!([]));
    let refused = toolgate().env("TOOLGATE_UPSTREAM_ALLOW", "").arg("--demo").try_start().unwrap_err().to_string();
    assert!(refused.contains("cannot add the demo (--demo, TOOLGATE_DEMO): The demo calls this service"), "{refused}");
}
