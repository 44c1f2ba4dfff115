//! The service with the tools that the failure cases call, and the upstream of these tools.

use serde_json::{Value, json};

use super::{bodies, order_arguments, upstream};
use crate::ports::free_address;
use crate::running_service::ServiceBuilder;
use crate::service_fixture::ServiceFixture;
use crate::upstream::{MockResponse, ReceivedRequest, ResponseGate, Upstream};

/// Starts a service with a server that has these settings and all tools of the failure cases: tools for tickets,
/// one with a large schema (`place_order`), and tools whose upstream fails.
pub async fn start(builder: ServiceBuilder, settings: Value) -> ServiceFixture {
    let gate = ResponseGate::new();
    let upstream = Upstream::with_handler(move |request| match request.path() {
        "/slow" => MockResponse::text("late").held_by(&gate),
        "/blocked" => MockResponse::status(302).header("location", "http://0.0.0.0:9/tickets"),
        "/circle" => MockResponse::status(302).header("location", "/circle"),
        _ => respond(request),
    });
    let fixture = ServiceFixture::start(builder, upstream, json!({"name": "Help", "settings": settings})).await;
    for fields in ticket_tools(&fixture.upstream).into_iter().chain(failing_tools(&fixture.upstream)) {
        fixture.create("/tools", fields).await;
    }
    fixture
}

/// The response depends on the id in the path of a ticket.
fn respond(request: &ReceivedRequest) -> MockResponse {
    let id = request.path().trim_start_matches("/tickets/");
    upstream::respond(id).or_else(|| bodies::respond(id)).unwrap_or_else(|| MockResponse::text("ok"))
}

fn list_schema() -> Value {
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

fn ticket_tools(upstream: &Upstream) -> Vec<Value> {
    let id = json!({"type": "object", "required": ["ticket_id"],
        "properties": {"ticket_id": {"type": "string", "description": "Id of the ticket, e.g. T-1001"}, "due": {"type": "string"}}});
    let mapping = json!({"due": {"location": "body", "name": "due_date"}});
    let url = |path: &str| upstream.url(path);
    vec![
        json!({"name": "list_tickets", "endpoint_url": url("/tickets"), "input_schema": list_schema()}),
        json!({"name": "read_ticket", "endpoint_url": url("/tickets/{ticket_id}"), "input_schema": id,
            "auth_type": "bearer", "auth_credentials": {"token": "s3cret-token"}}),
        json!({"name": "change_ticket", "http_method": "POST", "endpoint_url": url("/tickets/{ticket_id}"), "input_schema": id,
            "parameter_mapping": mapping}),
        json!({"name": "place_order", "http_method": "POST", "endpoint_url": url("/orders"),
            "input_schema": order_arguments::schema()}),
        json!({"name": "no_other_arguments", "endpoint_url": url("/tickets"),
            "input_schema": {"type": "object", "properties": {"per_page": {"type": "integer"}}, "additionalProperties": false}}),
    ]
}

fn failing_tools(upstream: &Upstream) -> Vec<Value> {
    let page = json!({"type": "object", "properties": {"per_page": {"type": "integer"}, "state": {"type": "string"}, "colour": {}}});
    let count = json!({"type": "object", "properties": {"count": {"type": "number"}}});
    let url = |path: &str| upstream.url(path);
    vec![
        json!({"name": "count_tickets", "endpoint_url": url("/tickets/count"), "output_schema": count}),
        json!({"name": "count_page", "endpoint_url": url("/tickets/page"), "output_schema": count}),
        json!({"name": "slow", "endpoint_url": url("/slow"), "timeout": 1, "input_schema": page}),
        json!({"name": "slow_post", "http_method": "POST", "endpoint_url": url("/slow"), "timeout": 1}),
        json!({"name": "large", "endpoint_url": url("/tickets/large"), "input_schema": page}),
        json!({"name": "refused", "endpoint_url": format!("http://{}/tickets", free_address())}),
        json!({"name": "unresolved", "endpoint_url": "http://name.invalid/tickets"}),
        json!({"name": "blocked", "endpoint_url": url("/blocked")}),
        json!({"name": "circle", "endpoint_url": url("/circle")}),
        json!({"name": "insecure", "endpoint_url": url("/tickets").replace("http://", "https://")}),
    ]
}
