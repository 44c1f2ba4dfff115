//! The texts that a model gets when a call fails, over MCP. Each says what is wrong, which values are accepted and what
//! to do, in few tokens, without internals.

use serde_json::{Value, json};
use toolgate_domain::tokens::estimate;
use toolgate_testkit::upstream::ReceivedRequest;
use toolgate_testkit::{McpClient, MockResponse, ResponseGate, ServiceFixture, Upstream, free_address};

use super::management::{self, plain_client};

/// The most tokens of Toolgate's own words.
const OWN_TOKENS_MAX: usize = 90;
/// The most tokens of the upstream's words.
const UPSTREAM_TOKENS_MAX: usize = 120;

/// What no text contains: addresses, files, classes, statements, settings of tools that a model cannot change.
const UNCLEAN: [&str; 14] = [
    "127.0.0.1",
    "localhost",
    "http://",
    "/tickets",
    "Exception",
    "Traceback",
    ".py",
    "SELECT",
    "mapping",
    "endpoint_url",
    "jsonschema",
    "serde",
    "hyper",
    "s3cret-token",
];

/// One failing call.
struct FailingCall {
    tool: &'static str,
    arguments: Value,
    /// What the message contains.
    cause: &'static [&'static str],
    /// What the advice contains.
    remedy: &'static [&'static str],
}

fn case(
    tool: &'static str,
    arguments: Value,
    cause: &'static [&'static str],
    remedy: &'static [&'static str],
) -> FailingCall {
    FailingCall { tool, arguments, cause, remedy }
}

fn schema() -> Value {
    json!({"type": "object", "required": ["state"], "properties": {
        "state": {"type": "string", "enum": ["new", "solved", "closed"]},
        "per_page": {"type": "integer", "minimum": 1, "maximum": 50},
        "agent_id": {"type": "string", "pattern": "^agt_[a-f0-9]+$", "description": "Id of the agent, such as agt_31c0"},
        "pin": {"type": "string", "writeOnly": true, "maxLength": 4},
        "lines": {"type": "array", "items": {"type": "object", "required": ["project", "minutes"], "properties": {
            "project": {"type": "string", "description": "Name of the project"},
            "minutes": {"type": "integer", "minimum": 1}}}},
        "contact": {"oneOf": [
            {"type": "object", "required": ["type", "address"],
                "properties": {"type": {"const": "mail"}, "address": {"type": "string"}}},
            {"type": "object", "required": ["type", "number"],
                "properties": {"type": {"const": "phone"}, "number": {"type": "string"}}}]}}})
}

/// The upstream answers by the id in the path of a ticket.
fn respond(request: &ReceivedRequest) -> MockResponse {
    let json = |status: u16, body: Value| MockResponse::json(body).with_status(status);
    match request.path().trim_start_matches("/tickets/") {
        "401" => json(401, json!({"error": "bad token", "sent": "Bearer s3cret-token"})),
        "403" => json(403, json!({"message": "no access"})),
        "T-77" => json(404, json!({"message": "no ticket T-77", "documentation_url": "http://docs.example/"})),
        "409" => json(409, json!({"detail": "already closed"})),
        "412" => MockResponse::status(412),
        "422" => json(422, json!({"errors": [{"field": "due_date", "message": "must not be in the past"}]})),
        "400" => json(400, json!({"detail": [{"loc": ["body", "due_date"], "msg": "field required"}]})),
        "429" => MockResponse::status(429).header("retry-after", "20"),
        "429-bare" => MockResponse::status(429),
        "503" => MockResponse::status(503).header("retry-after", "7"),
        "500" => json(500, json!({"message": "Oops", "stack": "Traceback: /srv/app.py SELECT * FROM x"})),
        "500-text" => MockResponse::status(500).body("Oops\n  at com.acme.Boom.run(Boom.java:1)\n  at b"),
        "502" => MockResponse::bytes("text/html", "<html><title>502 Bad Gateway</title><h1>502 Bad Gateway</h1>nginx")
            .with_status(502),
        "504-page" => MockResponse::bytes("text/html", "<title>Gone fishing</title>").with_status(504),
        "long" => MockResponse::status(400).body("wrong ".repeat(2000)),
        "cut" => MockResponse::bytes("application/json", r#"{"tickets":[{"id":"T-1"#),
        "empty" => MockResponse::status(204),
        "count" => json(200, json!({"count": null})),
        "large" => MockResponse::text("x".repeat(8 * 1024 * 1024 + 1)),
        _ => MockResponse::text("ok"),
    }
}

/// A server with a list, a tool for one object, one that changes it, and broken ones.
async fn start(settings: Value) -> ServiceFixture {
    let gate = ResponseGate::new();
    let upstream = Upstream::with_handler(move |request| match request.path() {
        "/slow" => MockResponse::text("late").held_by(&gate),
        "/blocked" => MockResponse::status(302).header("location", "http://0.0.0.0:9/tickets"),
        _ => respond(request),
    });
    let endpoint =
        ServiceFixture::start(crate::toolgate(), upstream, json!({"name": "Help", "settings": settings})).await;
    let unused = free_address();
    let id = json!({"type": "object", "required": ["ticket_id"],
        "properties": {"ticket_id": {"type": "string", "description": "Id of the ticket, e.g. T-1001"}, "due": {"type": "string"}}});
    let url = |path: &str| endpoint.upstream.url(path);
    let page = json!({"type": "object", "properties": {"per_page": {"type": "integer"}, "state": {"type": "string"}, "colour": {}}});
    let mapping = json!({"due": {"location": "body", "name": "due_date"}});
    for fields in [
        json!({"name": "list_tickets", "endpoint_url": url("/tickets"), "input_schema": schema()}),
        json!({"name": "read_ticket", "endpoint_url": url("/tickets/{ticket_id}"), "input_schema": id,
            "auth_type": "bearer", "auth_credentials": {"token": "s3cret-token"}}),
        json!({"name": "change_ticket", "http_method": "POST", "endpoint_url": url("/tickets/{ticket_id}"), "input_schema": id,
            "parameter_mapping": mapping}),
        json!({"name": "count_tickets", "endpoint_url": url("/tickets/count"),
            "output_schema": {"type": "object", "properties": {"count": {"type": "number"}}}}),
        json!({"name": "slow", "endpoint_url": url("/slow"), "timeout": 1, "input_schema": page}),
        json!({"name": "slow_post", "http_method": "POST", "endpoint_url": url("/slow"), "timeout": 1}),
        json!({"name": "large", "endpoint_url": url("/tickets/large"), "input_schema": page}),
        json!({"name": "refused", "endpoint_url": format!("http://{unused}/tickets")}),
        json!({"name": "unresolved", "endpoint_url": "http://name.invalid/tickets"}),
        json!({"name": "blocked", "endpoint_url": url("/blocked")}),
        json!({"name": "insecure", "endpoint_url": url("/tickets").replace("http://", "https://")}),
        json!({"name": "closed", "endpoint_url": url("/tickets"),
            "input_schema": {"type": "object", "properties": {"per_page": {"type": "integer"}}, "additionalProperties": false}}),
    ] {
        endpoint.create("/tools", fields).await;
    }
    endpoint
}

fn argument_cases() -> Vec<FailingCall> {
    value_cases().into_iter().chain(structure_cases()).collect()
}

fn value_cases() -> Vec<FailingCall> {
    let new = |name: &str, value: Value| json!({"state": "new", name: value});
    let minutes =
        json!([{"project": "a", "minutes": 1}, {"project": "a", "minutes": 1}, {"project": "b", "minutes": "an hour"}]);
    vec![
        case(
            "list_tickets",
            json!({}),
            &[r#""state" is missing"#, r#""new", "solved" or "closed""#],
            &["Call list_tickets again with it", r#"{"state":"new"}"#],
        ),
        case(
            "list_tickets",
            new("per_page", json!("all")),
            &[r#""per_page" must be an integer from 1 to 50, not "all""#],
            &["Call list_tickets again"],
        ),
        case(
            "list_tickets",
            new("per_page", json!(500)),
            &[r#""per_page" must be from 1 to 50, not 500"#],
            &["Call list_tickets again"],
        ),
        case(
            "list_tickets",
            json!({"sate": "new"}),
            &[r#""sate" is not an argument of list_tickets: did you mean "state""#, r#""new", "solved" or "closed""#],
            &["Call list_tickets again"],
        ),
        case(
            "list_tickets",
            json!({"state": "close"}),
            &[r#""state" cannot be "close": did you mean "closed"?"#, r#"It takes "new", "solved" or "closed""#],
            &["Call list_tickets again"],
        ),
        case(
            "list_tickets",
            new("agent_id", json!("Kim")),
            &[r#""agent_id" cannot be "Kim": it looks like agt_31c0 (^agt_[a-f0-9]+$)"#],
            &["Call list_tickets again"],
        ),
        case(
            "list_tickets",
            new("lines", minutes),
            &[r#"lines[2].minutes must be an integer of at least 1, not "an hour""#],
            &["Call list_tickets again"],
        ),
        case(
            "list_tickets",
            new("lines", json!([{"minutes": 5}])),
            &["lines[0].project is missing", "text: Name of the project"],
            &["Call list_tickets again"],
        ),
    ]
}

fn structure_cases() -> Vec<FailingCall> {
    let new = |name: &str, value: Value| json!({"state": "new", name: value});
    vec![
        case(
            "list_tickets",
            new("lines", json!("a, b")),
            &[r#""lines" must be a list of objects {project, minutes}, not a string"#],
            &["Send it as JSON, not quoted."],
        ),
        case(
            "list_tickets",
            new("contact", json!({"type": "mail", "number": "1"})),
            &[r#"contact with "type":"mail" needs "address"; "number" belongs to "type":"phone""#],
            &["call list_tickets again"],
        ),
        case(
            "list_tickets",
            new("contact", json!({"type": "post"})),
            &[r#"contact.type cannot be "post""#, r#""mail" or "phone""#],
            &["Call list_tickets again"],
        ),
        case(
            "list_tickets",
            new("pin", json!("12345")),
            &[r#""pin" must be text of at most 4 characters"#],
            &["Call list_tickets again"],
        ),
        case(
            "list_tickets",
            json!({"per_page": 0, "agent_id": "Kim"}),
            &[r#""per_page" must be"#, r#""agent_id" cannot be "Kim""#, r#""state" is missing"#],
            &[r#"Example: {"state":"new"}"#],
        ),
        case(
            "read_ticket",
            json!({"ticket_id": ""}),
            &[r#""ticket_id" must not be empty: it is part of the address"#, "It looks like T-1001"],
            &["Call read_ticket again"],
        ),
        case(
            "closed",
            json!({"perpage": 5}),
            &[r#""perpage" is not an argument of closed: did you mean "per_page"?"#],
            &["Call closed again"],
        ),
    ]
}

fn upstream_cases() -> Vec<FailingCall> {
    let id = |id: &str| json!({"ticket_id": id});
    let credential = &["The API refused the credential", "Calling again will not help", "Tell the user"][..];
    let look_first: &[&str] = &["It may have been done all the same: look before you repeat it."];
    let address = &["Calling again will not help", "Tell the user that the tool's address needs attention"][..];
    vec![
        case("read_ticket", id("401"), &["HTTP 401", "bad token"], credential),
        case("read_ticket", id("403"), &["HTTP 403", "no access"], credential),
        case(
            "read_ticket",
            id("T-77"),
            &["HTTP 404", "no ticket T-77"],
            &["Nothing was found", r#"Check ticket_id ("T-77")"#, "list_tickets"],
        ),
        case(
            "read_ticket",
            id("409"),
            &["HTTP 409", "already closed"],
            &["another state", "Read it again, then decide."],
        ),
        case("read_ticket", id("412"), &["HTTP 412"], &["Read it again, then decide."]),
        case(
            "change_ticket",
            id("422"),
            &["HTTP 422", ": due must not be in the past"],
            &["The API refused the arguments", "call change_ticket again"],
        ),
        case("change_ticket", id("400"), &["HTTP 400", ": due field required"], &["The API refused the arguments"]),
        case("read_ticket", id("429"), &["HTTP 429"], &["allows no more calls now", "Wait 20 s, then call again."]),
        case("read_ticket", id("429-bare"), &["HTTP 429"], &["Wait a minute before the next try."]),
        case("read_ticket", id("503"), &["HTTP 503"], &["Wait 7 s, then call again."]),
        case(
            "read_ticket",
            id("500"),
            &["HTTP 500", "Oops"],
            &["Try once more later; the arguments are not the cause."],
        ),
        case("change_ticket", id("500"), &["HTTP 500", "Oops"], look_first),
        case("read_ticket", id("500-text"), &["HTTP 500", "Oops"], &["Try once more later"]),
        case("read_ticket", id("502"), &["HTTP 502 Bad Gateway"], &["Try once more later"]),
        case("read_ticket", id("504-page"), &["HTTP 504", "Gone fishing"], &["Try once more later"]),
        case("read_ticket", id("long"), &["HTTP 400", "wrong wrong"], &["The API refused the arguments"]),
        case("slow", json!({}), &["timed out after 1 s"], &["Ask for less (per_page, state), or try once more."]),
        case("slow_post", json!({}), &["timed out after 1 s"], look_first),
        case("refused", json!({}), &["cannot be reached", "refuses the connection"], address),
        case("unresolved", json!({}), &["cannot be reached", "its name does not resolve"], address),
        case("blocked", json!({}), &["cannot be reached", "not allowed"], address),
        case("insecure", json!({}), &["cannot be reached"], address),
        case("large", json!({}), &["The answer is larger than 8 MiB."], &["Ask for less: per_page, state."]),
        case(
            "read_ticket",
            id("cut"),
            &["not complete JSON; what came follows", r#"{"tickets":[{"id":"T-1"#],
            &["Try once more."],
        ),
        case("count_tickets", json!({}), &[r#""count" must be a number, is null"#], &["Tell the user"]),
    ]
}

/// Message and advice of a failed call.
fn texts(result: &Value) -> [String; 2] {
    assert_eq!(result["isError"], true, "{result}");
    assert_eq!(result["content"].as_array().map(Vec::len), Some(2), "{result}");
    [0, 1].map(|index| result["content"][index]["text"].as_str().unwrap().to_owned())
}

async fn assert_case(mcp: &McpClient, case: &FailingCall) {
    let [message, advice] = texts(&mcp.call(case.tool, case.arguments.clone()).await);
    let shown = format!("{} {}\n{message}\n{advice}", case.tool, case.arguments);
    for (text, parts) in [(&message, case.cause), (&advice, case.remedy)] {
        for part in parts {
            assert!(text.contains(part), "{part:?} is missing: {shown}");
        }
    }
    for word in UNCLEAN.iter().filter(|word| !shown_by_upstream(case, word)) {
        assert!(!message.contains(word) && !advice.contains(word), "{word:?}: {shown}");
    }
    let tokens = estimate(&message) + estimate(&advice);
    let limit =
        if message.contains("HTTP ") || message.contains("what came follows") { UPSTREAM_TOKENS_MAX } else { 0 };
    assert!(tokens <= OWN_TOKENS_MAX + limit, "{tokens} tokens: {shown}");
    assert!(estimate(&advice) <= OWN_TOKENS_MAX, "{shown}");
}

/// The excerpt of a broken answer is what the upstream sent.
fn shown_by_upstream(case: &FailingCall, word: &str) -> bool {
    case.arguments["ticket_id"] == "cut" && word == "/tickets"
}

#[tokio::test]
async fn every_failure_says_what_is_wrong_and_what_to_do() {
    let endpoint = start(json!({})).await;
    let legacy = plain_client(&endpoint).legacy("2025-06-18").await;
    for case in argument_cases().iter().chain(&upstream_cases()) {
        assert_case(&legacy, case).await;
    }
    let modern = plain_client(&endpoint).modern();
    for case in &argument_cases() {
        let result = modern.call(case.tool, case.arguments.clone()).await;
        let old = legacy.call(case.tool, case.arguments.clone()).await;
        assert_eq!(result["content"], old["content"], "{}", case.tool);
    }
}

#[tokio::test]
async fn a_plain_caller_gets_the_body_and_the_same_advice() {
    let endpoint = start(json!({})).await;
    let mcp = plain_client(&endpoint);
    for case in &argument_cases() {
        assert_case(&mcp, case).await;
    }
    let [message, advice] = texts(&mcp.call("read_ticket", json!({"ticket_id": "409"})).await);
    assert_eq!(message, r#"Upstream returned HTTP 409 Conflict: {"detail":"already closed"}"#);
    assert!(advice.contains("Read it again, then decide."), "{advice}");
    let [message, _] = texts(&mcp.call("read_ticket", json!({"ticket_id": "500"})).await);
    assert_eq!(message, "Upstream returned HTTP 500 Internal Server Error: Oops", "a stack trace is left out");
    for (id, text) in [("empty", ""), ("cut", r#"{"tickets":[{"id":"T-1"#)] {
        let result = mcp.call("read_ticket", json!({"ticket_id": id})).await;
        assert_eq!(result, json!({"content": [{"type": "text", "text": text}]}));
    }
    let result = mcp.call("slow_post", json!({"ticket_id": "x"})).await;
    assert_eq!(result["isError"], true, "{result}");
    let result = mcp.call("list_tickets", json!({"state": "new", "perpage": 5})).await;
    assert_eq!(result, json!({"content": [{"type": "text", "text": "ok"}]}));
}

#[tokio::test]
async fn a_note_names_arguments_that_were_not_sent() {
    let endpoint = start(json!({})).await;
    let legacy = plain_client(&endpoint).legacy("2025-06-18").await;
    let note = r#""perpage" is not an argument and was not sent: did you mean "per_page"?"#;
    let result = legacy.call("list_tickets", json!({"state": "new", "perpage": 5})).await;
    assert_eq!(result["content"], json!([{"type": "text", "text": "ok"}, {"type": "text", "text": note}]));
    assert_eq!(endpoint.upstream.last().query(), Some("state=new"));
    let [_, advice] = texts(&legacy.call("read_ticket", json!({"ticket_id": "409", "colour": 1})).await);
    assert!(advice.ends_with(r#""colour" is not an argument and was not sent."#), "{advice}");
    let done = legacy.call("read_ticket", json!({"ticket_id": "empty"})).await;
    assert_eq!(done["content"], json!([{"type": "text", "text": "Done (HTTP 204, no content)."}]));
    assert_eq!(done.get("isError"), None);
}

#[tokio::test]
async fn an_unknown_tool_is_refused_with_the_closest_name() {
    let endpoint = start(json!({})).await;
    let legacy = plain_client(&endpoint).legacy("2025-06-18").await;
    let error = |message: &str| (200, json!({"code": -32602, "message": message}));
    for (name, message) in [
        ("read_tickets", r#"Unknown tool: read_tickets; did you mean "read_ticket"?"#),
        ("delete_everything", "Unknown tool: delete_everything"),
    ] {
        assert_eq!(legacy.error("tools/call", json!({"name": name})).await, error(message));
        let plain = plain_client(&endpoint).error("tools/call", json!({"name": name})).await;
        assert_eq!(plain, error(&format!("Unknown tool: {name}")));
    }
}

#[tokio::test]
async fn lenient_servers_accept_what_was_meant() {
    let endpoint = start(json!({"coerce_arguments": "true"})).await;
    let mcp = plain_client(&endpoint);
    for (arguments, query) in [
        (json!({"state": "NEW", "per_page": "10"}), "state=new&per_page=10"),
        (json!({"state": "new", "agent_id": null}), "state=new"),
        (json!({"state": "new", "per_page": null}), "state=new"),
    ] {
        assert_eq!(mcp.text("list_tickets", arguments.clone()).await, "ok", "{arguments}");
        assert_eq!(endpoint.upstream.last().query(), Some(query), "{arguments}");
    }
    let lines = json!({"state": "new", "lines": r#"[{"project":"a","minutes":"5"}]"#});
    assert_eq!(mcp.text("list_tickets", lines).await, "ok");
    let sent = endpoint.upstream.last().query_pairs();
    assert!(sent.contains(&("lines".into(), r#"{"project":"a","minutes":5}"#.into())), "{sent:?}");
    // What cannot be read leniently has the same text as before, and plain callers get notes as well.
    assert_case(&mcp, &argument_cases()[1]).await;
    let result = mcp.call("list_tickets", json!({"state": "new", "perpage": 5})).await;
    assert!(result["content"][1]["text"].as_str().unwrap().contains("was not sent"), "{result}");
    let strict = start(json!({})).await;
    let refused = plain_client(&strict).call("list_tickets", json!({"state": "new", "per_page": "10"})).await;
    assert_eq!(refused["isError"], true, "the default is strict");
}

#[tokio::test]
async fn a_test_shows_the_text_for_the_model_and_that_for_the_owner() {
    let endpoint = start(json!({"coerce_arguments": true})).await;
    let tools = endpoint.app.client().get(&endpoint.path("/tools")).send().await.expect(200).json();
    let tool = |name: &str| tools.as_array().unwrap().iter().find(|tool| tool["name"] == name).unwrap()["id"].clone();
    let test = async |name: &str, arguments: Value| {
        management::change(&endpoint, &format!("/tools/{}/test", tool(name)), json!({"arguments": arguments})).await
    };
    let result = test("refused", json!({})).await;
    assert_eq!(result["for_owner"]["message"], "The upstream refused the connection.");
    assert!(result["for_owner"]["advice"].as_str().unwrap().contains("endpoint_url"), "{result}");
    assert_eq!(result["for_model"]["message"], "The API cannot be reached: it refuses the connection.");
    assert!(result["for_model"]["advice"].as_str().unwrap().contains("Tell the user"), "{result}");
    assert_eq!(result["advice"], result["for_owner"]["advice"]);
    let lenient = test("list_tickets", json!({"state": "Closed"})).await;
    assert_eq!((&lenient["success"], lenient.get("for_model")), (&json!(true), None), "{lenient}");
}
