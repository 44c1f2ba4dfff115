//! Failures of the upstream: error statuses, failed connections, responses that cannot be read.

use serde_json::{Value, json};

use super::FailureCase;
use crate::upstream::MockResponse;

const CREDENTIAL_REFUSED: &[&str] = &["The API refused the credential", "Calling again will not help", "Tell the user"];
const LOOK_FIRST: &[&str] = &["It may have been done all the same: look before you repeat it."];
const ADDRESS_UNUSABLE: &[&str] =
    &["Calling again will not help", "Tell the user that the tool's address needs attention"];
const TELL_USER: &[&str] = &["Tell the user"];
const TRY_LATER: &[&str] = &["Try once more later; the arguments are not the cause."];

/// The response of the upstream to a path that ends with `id`; `None` if no case of this file uses `id`.
pub(super) fn respond(id: &str) -> Option<MockResponse> {
    let json = |status: u16, body: Value| MockResponse::json(body).with_status(status);
    Some(match id {
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
        "400-empty" => MockResponse::status(400),
        "500-empty" => MockResponse::status(500),
        "405" => MockResponse::status(405),
        "402" => json(402, json!({"message": "Payment required"})),
        "413" => MockResponse::status(413),
        "599" => MockResponse::status(599),
        "nowhere" => MockResponse::status(302),
        "page" => MockResponse::bytes("text/html", "<title>Sign in</title><form action=/login>"),
        "broken" => MockResponse::raw("HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 90\r\n\r\nabc"),
        _ => return None,
    })
}

fn read(name: &'static str, id: &str) -> FailureCase {
    FailureCase::new(name, "read_ticket", json!({"ticket_id": id}))
}

fn change(name: &'static str, id: &str) -> FailureCase {
    FailureCase::new(name, "change_ticket", json!({"ticket_id": id}))
}

fn call(tool: &'static str) -> FailureCase {
    FailureCase::new(tool, tool, json!({}))
}

pub(super) fn cases() -> Vec<FailureCase> {
    [refusals(), failures(), connections(), unreadable()].concat()
}

fn refusals() -> Vec<FailureCase> {
    vec![
        read("401", "401").cause(&["HTTP 401", "bad token"]).remedy(CREDENTIAL_REFUSED),
        read("403", "403").cause(&["HTTP 403", "no access"]).remedy(CREDENTIAL_REFUSED),
        read("402", "402").cause(&["HTTP 402"]).remedy(TELL_USER),
        read("404", "T-77").cause(&["HTTP 404", "no ticket T-77"]).remedy(&[
            "Nothing was found",
            r#"Check ticket_id ("T-77")"#,
            "list_tickets",
        ]),
        read("405", "405").cause(&["HTTP 405"]).remedy(TELL_USER),
        read("409", "409")
            .cause(&["HTTP 409", "already closed"])
            .remedy(&["another state", "Read it again, then decide."]),
        read("412", "412").cause(&["HTTP 412"]).remedy(&["Read it again, then decide."]),
        read("413", "413").cause(&["HTTP 413"]).remedy(&["Send less and call again."]),
        change("422", "422")
            .cause(&["HTTP 422", ": due must not be in the past"])
            .remedy(&["The API refused the arguments", "call change_ticket again"]),
        change("400", "400").cause(&["HTTP 400", ": due field required"]).remedy(&["The API refused the arguments"]),
        read("400 without a body", "400-empty")
            .cause(&["HTTP 400 Bad Request"])
            .remedy(&["The API refused the arguments"]),
        read("429", "429").cause(&["HTTP 429"]).remedy(&["allows no more calls now", "Wait 20 s, then call again."]),
        read("429 without a time", "429-bare").cause(&["HTTP 429"]).remedy(&["Wait a minute before the next try."]),
        read("503", "503").cause(&["HTTP 503"]).remedy(&["Wait 7 s, then call again."]),
    ]
}

fn failures() -> Vec<FailureCase> {
    vec![
        read("500", "500").cause(&["HTTP 500", "Oops"]).remedy(TRY_LATER),
        change("500 of a POST", "500").cause(&["HTTP 500", "Oops"]).remedy(LOOK_FIRST),
        read("500 with a stack trace", "500-text").cause(&["HTTP 500", "Oops"]).remedy(TRY_LATER),
        read("500 without a body", "500-empty").cause(&["HTTP 500 Internal Server Error"]).remedy(TRY_LATER),
        read("502 page", "502").cause(&["HTTP 502 Bad Gateway"]).remedy(TRY_LATER),
        read("504 page", "504-page").cause(&["HTTP 504", "Gone fishing"]).remedy(TRY_LATER),
        read("599", "599").cause(&["HTTP 599"]).remedy(TRY_LATER),
        read("long text", "long").cause(&["HTTP 400", "wrong wrong"]).remedy(&["The API refused the arguments"]),
    ]
}

fn connections() -> Vec<FailureCase> {
    vec![
        call("slow").cause(&["timed out after 1 s"]).remedy(&["Ask for less (per_page, state), or try once more."]),
        call("slow_post").cause(&["timed out after 1 s"]).remedy(LOOK_FIRST),
        call("refused").cause(&["cannot be reached", "refuses the connection"]).remedy(ADDRESS_UNUSABLE),
        call("unresolved").cause(&["cannot be reached", "its name does not resolve"]).remedy(ADDRESS_UNUSABLE),
        call("blocked").cause(&["cannot be reached", "not allowed"]).remedy(ADDRESS_UNUSABLE),
        call("insecure").cause(&["cannot be reached"]).remedy(ADDRESS_UNUSABLE),
        call("circle").cause(&["redirect"]).remedy(TELL_USER),
        read("redirect to nowhere", "nowhere").cause(&["redirect"]).remedy(&["Try once more", "tell the user"]),
        read("broken connection", "broken").cause(&["answer"]).remedy(&["Try once more"]),
    ]
}

fn unreadable() -> Vec<FailureCase> {
    vec![
        call("large").cause(&["The answer is larger than 8 MiB."]).remedy(&["Ask for less: per_page, state."]),
        read("cut off", "cut")
            .cause(&["not complete JSON; what came follows", r#"{"tickets":[{"id":"T-1"#])
            .remedy(&["Try once more."]),
        call("count_tickets").cause(&[r#""count" must be a number, is null"#]).remedy(TELL_USER),
        call("count_page").cause(&["not valid JSON"]).remedy(TELL_USER),
    ]
}
