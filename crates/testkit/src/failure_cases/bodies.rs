//! Error bodies in the formats of common APIs and frameworks. Only their messages may reach a model.

use serde_json::{Value, json};

use super::FailureCase;
use crate::upstream::MockResponse;

const ARGUMENTS_REFUSED: &[&str] = &["The API refused the arguments"];
const CREDENTIAL_REFUSED: &[&str] = &["The API refused the credential", "Tell the user"];
const API_FAILED: &[&str] = &["The API failed"];

const XML: &str = "<?xml version=\"1.0\"?>\n<Error><Code>InvalidRange</Code><Message>The range is not satisfiable &amp; \
    was ignored</Message><RequestId>4442587FB7D0A2F9</RequestId><HostId>fe80.internal</HostId></Error>";
const SOAP: &str = "<soap:Envelope xmlns:soap=\"http://schemas.xmlsoap.org/soap/envelope/\"><soap:Body><soap:Fault>\
    <faultcode>soap:Server</faultcode><faultstring>Order 17 is locked</faultstring><detail><stackTrace>at \
    com.acme.Orders.lock(Orders.java:17)</stackTrace></detail></soap:Fault></soap:Body></soap:Envelope>";
const DJANGO: &str = "<!DOCTYPE html><html><head><title>OperationalError at /tickets/7</title></head><body>\
    <h1>OperationalError at /tickets/7</h1><pre>no such table: tickets</pre><p>/srv/app/views.py in get, line 7</p>";
const PYTHON: &str = "Traceback (most recent call last):\n  File \"/srv/app.py\", line 7, in get\n    raise \
    ValueError(\"x\")\nValueError: The id has no number";
const NODE: &str =
    "TypeError: Cannot read the name of the ticket\n    at /srv/app/index.js:10:5\n    at run (/srv/a.js:3:9)";
const PHP: &str =
    "PHP Fatal error: Uncaught PDOException: No connection in /srv/index.php:12\nStack trace:\n#0 /srv/b.php(3)";
const DOTNET: &str = "System.InvalidOperationException: The ticket has no owner\r\n   at Acme.Tickets.Get(Int32 id) in \
    C:\\app\\Tickets.cs:line 12";
const SPRING: &str = "could not execute statement; SQL [n/a]; nested exception is \
    org.hibernate.exception.ConstraintViolationException: could not execute statement";

/// The response of the upstream to a path that ends with `id`; `None` if no case of this file uses `id`.
pub(super) fn respond(id: &str) -> Option<MockResponse> {
    other_body(id).or_else(|| json_body(id).map(|(status, body)| MockResponse::json(body).with_status(status)))
}

/// Bodies other than JSON, and JSON with another content type.
fn other_body(id: &str) -> Option<MockResponse> {
    let bytes = |status: u16, content_type: &str, body: &str| {
        MockResponse::bytes(content_type, body.to_owned()).with_status(status)
    };
    let padding = "x".repeat(3_000_000);
    Some(match id {
        "xml" => bytes(400, "application/xml", XML),
        "soap" => bytes(500, "text/xml; charset=utf-8", SOAP),
        "django" => bytes(500, "text/html", DJANGO),
        "node" => bytes(500, "text/plain", NODE),
        "php" => bytes(500, "text/plain", PHP),
        "dotnet" => bytes(500, "text/plain", DOTNET),
        "python" => bytes(500, "text/plain", PYTHON),
        "named-text" => bytes(400, "text/plain", r#"{"message":"due_date is not a day"}"#),
        "named-json" => bytes(503, "application/json", "<html><head><title>Maintenance until 9</title></head></html>"),
        "problem" => bytes(
            422,
            "application/problem+json",
            r#"{"type":"https://example.com/probs/due","title":"Not valid","status":422,"detail":"due_date is before today","instance":"/account/12345/msgs/abc"}"#,
        ),
        "image" => bytes(500, "image/png", "\u{89}PNG\r\n"),
        "huge-first" => {
            bytes(400, "application/json", &format!(r#"{{"message":"Too many tickets","data":"{padding}"}}"#))
        }
        "huge-last" => bytes(
            400,
            "application/json",
            &format!(r#"{{"data":"{padding}","error":{{"message":"Too many tickets"}}}}"#),
        ),
        "huge-text" => bytes(500, "text/plain", &format!("Disk full\n{padding}")),
        "unicode" => bytes(400, "application/json; charset=utf-8", r#"{"message":"Ungültiges Datum: 明日"}"#),
        _ => return None,
    })
}

/// The status and the JSON body.
fn json_body(id: &str) -> Option<(u16, Value)> {
    Some(match id {
        "graphql" => (
            400,
            json!({"errors": [{"message": "Cannot query field \"nme\" on type \"Ticket\".", "locations": [{"line": 1}],
                "extensions": {"code": "GRAPHQL_VALIDATION_FAILED", "exception": {"stacktrace": ["at f (/srv/a.js:3:9)"]}}}],
                "data": null}),
        ),
        "google" => (
            400,
            json!({"error": {"code": 400, "message": "Request contains an invalid argument.", "status": "INVALID_ARGUMENT",
                "details": [{"@type": "type.googleapis.com/google.rpc.BadRequest",
                    "fieldViolations": [{"field": "due_date", "description": "must be in the future"}]}]}}),
        ),
        "stripe" => (
            400,
            json!({"error": {"type": "invalid_request_error", "code": "parameter_missing", "param": "due_date",
                "message": "Missing required param: due_date.", "doc_url": "https://docs.example.com/errors"}}),
        ),
        "amazon" => (
            400,
            json!({"__type": "com.amazonaws.orders#ValidationException", "message": "1 validation error: due_date is too early"}),
        ),
        "spring" => (
            500,
            json!({"timestamp": "2026-11-17T09:00:00Z", "status": 500, "error": "Internal Server Error", "message": SPRING,
                "path": "/tickets/7"}),
        ),
        "aspnet" => (
            400,
            json!({"type": "https://tools.ietf.org/html/rfc9110#section-15.5.1", "title": "One or more validation errors occurred.",
                "status": 400, "errors": {"due_date": ["The value 'x' is not valid."]}, "traceId": "00-84c1fd-01"}),
        ),
        "rails" => (422, json!({"errors": {"due_date": ["can't be blank", "is too short"]}})),
        "jsonapi" => (
            422,
            json!({"errors": [{"status": "422", "source": {"pointer": "/data/attributes/due_date"}, "title": "Invalid",
                "detail": "must be a day of work"}]}),
        ),
        "oauth" => (401, json!({"error": "invalid_token", "error_description": "The token expired"})),
        "slack" => (400, json!({"ok": false, "error": "channel_not_found"})),
        "text" => (400, json!("due_date is unknown")),
        "list" => (400, json!([{"message": "due_date is unknown"}, {"message": "state is unknown"}])),
        "echo" => (
            400,
            json!({"message": "bad header", "headers": {"authorization": "Bearer s3cret-token"}, "request": {"body": "token=s3cret-token"}}),
        ),
        "database" => (500, json!({"error": "SQLSTATE[42S02]: SELECT id, pin FROM tickets WHERE id = 7"})),
        "laravel" => (
            500,
            json!({"message": "The ticket has no owner", "exception": "ErrorException", "file": "/srv/app/Tickets.php", "line": 12,
                "trace": [{"file": "/srv/app/Kernel.php", "class": "App\\Http\\Kernel"}]}),
        ),
        "inner" => (500, json!({"error": "connect ECONNREFUSED db.internal:5432 from 10.0.0.7"})),
        "nested" => (
            500,
            json!({"fault": {"faultstring": "Quota of plan exceeded", "detail": {"errorcode": "policies.quota"}}}),
        ),
        _ => return None,
    })
}

fn read(id: &'static str) -> FailureCase {
    FailureCase::new(id, "read_ticket", json!({"ticket_id": id}))
}

fn change(id: &'static str) -> FailureCase {
    FailureCase::new(id, "change_ticket", json!({"ticket_id": id})).remedy(ARGUMENTS_REFUSED)
}

pub(super) fn cases() -> Vec<FailureCase> {
    [other_body_cases(), json_cases()].concat()
}

fn other_body_cases() -> Vec<FailureCase> {
    vec![
        read("xml")
            .cause(&["HTTP 400", "The range is not satisfiable & was ignored", "InvalidRange"])
            .remedy(ARGUMENTS_REFUSED)
            .absent(&["<", "4442587FB7D0A2F9", "fe80"]),
        read("soap").cause(&["HTTP 500", "Order 17 is locked"]).remedy(API_FAILED).absent(&["<", "acme", "xmlsoap"]),
        read("django").cause(&["HTTP 500"]).remedy(API_FAILED).absent(&["OperationalError", "views"]),
        read("python").cause(&["HTTP 500", "The id has no number"]).remedy(API_FAILED).absent(&["ValueError", "raise"]),
        read("node").cause(&["HTTP 500", "Cannot read the name of the ticket"]).remedy(API_FAILED).absent(&[
            "TypeError",
            ".js",
            " at",
        ]),
        read("php").cause(&["HTTP 500", "No connection"]).remedy(API_FAILED).absent(&["PDOException", ".php", "#0"]),
        read("dotnet").cause(&["HTTP 500", "The ticket has no owner"]).remedy(API_FAILED).absent(&[
            "InvalidOperation",
            "Acme",
            ".cs",
        ]),
        change("named-text").cause(&["HTTP 400", "due is not a day"]).absent(&["{"]),
        read("named-json").cause(&["HTTP 503", "Maintenance until 9"]).remedy(&["Wait a minute"]).absent(&["<"]),
        change("problem").cause(&["HTTP 422", "due is before today"]).absent(&["example.com", "/account"]),
        read("image").cause(&["HTTP 500"]).remedy(API_FAILED).absent(&["PNG"]),
        read("huge-first").cause(&["HTTP 400", "Too many tickets"]).remedy(ARGUMENTS_REFUSED).absent(&["{", "xxxx"]),
        read("huge-last").cause(&["HTTP 400", "Too many tickets"]).remedy(ARGUMENTS_REFUSED).absent(&["{", "xxxx"]),
        read("huge-text").cause(&["HTTP 500", "Disk full"]).remedy(API_FAILED),
        read("unicode").cause(&["HTTP 400", "Ungültiges Datum: 明日"]).remedy(ARGUMENTS_REFUSED),
    ]
}

fn json_cases() -> Vec<FailureCase> {
    vec![
        read("graphql")
            .cause(&["HTTP 400", "Cannot query field \"nme\" on type \"Ticket\""])
            .remedy(ARGUMENTS_REFUSED)
            .absent(&["srv", "locations"]),
        change("google")
            .cause(&["HTTP 400", "Request contains an invalid argument", "due must be in the future"])
            .absent(&["googleapis"]),
        change("stripe").cause(&["HTTP 400", "Missing required param: due"]).absent(&["docs.example"]),
        change("amazon").cause(&["HTTP 400", "due is too early"]).absent(&["amazonaws"]),
        read("spring").cause(&["HTTP 500"]).remedy(API_FAILED).absent(&["hibernate", "SQL"]),
        change("aspnet").cause(&["HTTP 400", "due", "is not valid"]).absent(&["ietf.org", "84c1fd"]),
        change("rails").cause(&["HTTP 422", "due can't be blank", "due is too short"]),
        change("jsonapi").cause(&["HTTP 422", "due must be a day of work"]).absent(&["/data"]),
        read("oauth").cause(&["HTTP 401", "The token expired"]).remedy(CREDENTIAL_REFUSED),
        read("slack").cause(&["HTTP 400", "channel_not_found"]).remedy(ARGUMENTS_REFUSED),
        change("text").cause(&["HTTP 400", "due is unknown"]),
        change("list").cause(&["HTTP 400", "due is unknown", "state is unknown"]),
        read("echo").cause(&["HTTP 400", "bad header"]).remedy(ARGUMENTS_REFUSED).absent(&["token=", "Bearer"]),
        read("database").cause(&["HTTP 500"]).remedy(API_FAILED).absent(&["pin", "SQLSTATE"]),
        read("laravel")
            .cause(&["HTTP 500", "The ticket has no owner"])
            .remedy(API_FAILED)
            .absent(&["Tickets.php", "Kernel"]),
        read("inner").cause(&["HTTP 500", "ECONNREFUSED"]).remedy(API_FAILED).absent(&["db.internal", "10.0.0.7"]),
        read("nested").cause(&["HTTP 500", "Quota of plan exceeded"]).remedy(API_FAILED),
    ]
}
