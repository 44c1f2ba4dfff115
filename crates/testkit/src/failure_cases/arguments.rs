//! Invalid arguments of the tools `list_tickets`, `read_ticket` and `no_other_arguments`, and names of tools that do
//! not exist.

use serde_json::{Value, json};

use super::FailureCase;

const STATES: &[&str] = &[r#""new", "solved" or "closed""#];
const CALL_AGAIN: &[&str] = &["Call list_tickets again"];

fn case(name: &'static str, arguments: Value) -> FailureCase {
    FailureCase::new(name, "list_tickets", arguments).remedy(CALL_AGAIN)
}

/// Valid arguments of `list_tickets` and one more argument.
fn with_argument(name: &str, value: Value) -> Value {
    let mut arguments = json!({"state": "new"});
    arguments[name] = value;
    arguments
}

pub(super) fn cases() -> Vec<FailureCase> {
    [value_cases(), structure_cases(), combined_cases()].concat()
}

fn value_cases() -> Vec<FailureCase> {
    let minutes =
        json!([{"project": "a", "minutes": 1}, {"project": "a", "minutes": 1}, {"project": "b", "minutes": "an hour"}]);
    vec![
        case("missing", json!({}))
            .cause(&[r#""state" is missing"#])
            .values(STATES)
            .remedy(&["Call list_tickets again with it", r#"{"state":"new"}"#]),
        case("null for a required one", json!({"state": null})).cause(&[r#""state""#]).values(STATES),
        case("wrong type", with_argument("per_page", json!("all")))
            .cause(&[r#""per_page" must be an integer"#, r#"not "all""#])
            .values(&["from 1 to 50"]),
        case("fraction", with_argument("per_page", json!(2.5)))
            .cause(&[r#""per_page" must be an integer"#, "not 2.5"])
            .values(&["from 1 to 50"]),
        case("out of range", with_argument("per_page", json!(500)))
            .cause(&[r#""per_page" must be from 1 to 50, not 500"#])
            .values(&["from 1 to 50"]),
        case("misspelt name", json!({"sate": "new"}))
            .cause(&[r#""sate" is not an argument of list_tickets: did you mean "state""#])
            .values(STATES),
        case("misspelt value", json!({"state": "close"}))
            .cause(&[r#""state" cannot be "close": did you mean "closed"?"#])
            .values(STATES),
        case("long value", json!({"state": "closed, please! ".repeat(400)}))
            .cause(&[r#""state" cannot be "closed, please!"#])
            .values(STATES),
        case("pattern", with_argument("agent_id", json!("Kim")))
            .cause(&[r#""agent_id" cannot be "Kim""#])
            .values(&["it looks like agt_31c0 (^agt_[a-f0-9]+$)"]),
        case("nested type", with_argument("lines", minutes))
            .cause(&[r#"lines[2].minutes must be an integer of at least 1, not "an hour""#])
            .values(&["at least 1"]),
        case("nested missing", with_argument("lines", json!([{"minutes": 5}])))
            .cause(&["lines[0].project is missing"])
            .values(&["text: Name of the project"]),
    ]
}

fn structure_cases() -> Vec<FailureCase> {
    vec![
        case("list as a string", with_argument("lines", json!("a, b")))
            .cause(&[r#""lines" must be a list of objects"#, "not a string"])
            .values(&["{project, minutes}"])
            .remedy(&["Send it as JSON, not quoted."]),
        case("object for a list", with_argument("lines", json!({"project": "a", "minutes": 1})))
            .cause(&[r#""lines" must be a list of objects"#, "not an object"])
            .values(&["{project, minutes}"]),
        case("variant", with_argument("contact", json!({"type": "mail", "number": "1"})))
            .cause(&[r#"contact with "type":"mail" needs "address"; "number" belongs to "type":"phone""#])
            .values(&[r#""address""#])
            .remedy(&["call list_tickets again"]),
        case("no variant", with_argument("contact", json!({"type": "post"})))
            .cause(&[r#"contact.type cannot be "post""#])
            .values(&[r#""mail" or "phone""#]),
        case("missing variant", with_argument("contact", json!({"address": "kim@example.com"})))
            .cause(&["contact.type is missing"])
            .values(&[r#""mail""#]),
        case("secret", with_argument("pin", json!("12345")))
            .cause(&[r#""pin" must be text"#])
            .values(&["of at most 4 characters"])
            .secrets(&["12345"]),
        FailureCase::new("empty path value", "read_ticket", json!({"ticket_id": ""}))
            .cause(&[r#""ticket_id" must not be empty: it is part of the address"#])
            .values(&["It looks like T-1001"])
            .remedy(&["Call read_ticket again"]),
        FailureCase::new("unknown argument of a closed schema", "no_other_arguments", json!({"perpage": 5}))
            .cause(&[r#""perpage" is not an argument of no_other_arguments: did you mean "per_page"?"#])
            .remedy(&["Call no_other_arguments again"]),
        FailureCase::new("unknown argument that resembles none", "no_other_arguments", json!({"colour": "red"}))
            .cause(&[r#""colour" is not an argument of no_other_arguments"#])
            .values(&[r#"It takes "per_page""#])
            .remedy(&["Call no_other_arguments again without it"]),
    ]
}

/// Several problems in one call.
fn combined_cases() -> Vec<FailureCase> {
    vec![
        case("three problems", json!({"per_page": 0, "agent_id": "Kim"}))
            .cause(&[r#""per_page" must be"#, r#""agent_id" cannot be "Kim""#, r#""state" is missing"#])
            .values(&["from 1 to 50", "agt_31c0"])
            .remedy(&[r#"Example: {"state":"new"}"#]),
        case("unknown next to a wrong value", json!({"state": "close", "perpage": 5}))
            .cause(&[r#""state" cannot be "close""#, r#""perpage" is not an argument"#, r#"did you mean "per_page"?"#])
            .values(STATES)
            .remedy(&["call list_tickets again"]),
        case("unknown next to a missing one", json!({"colour": "red"}))
            .cause(&[r#""state" is missing"#, r#""colour" is not an argument"#])
            .values(STATES)
            .remedy(&["call list_tickets again"]),
        case("unknown next to a nested problem", json!({"state": "new", "lines": [{}], "pages": 1}))
            .cause(&["lines[0].project is missing", "lines[0].minutes", r#""pages" is not an argument"#])
            .values(&["at least 1"])
            .remedy(&["call list_tickets again"]),
    ]
}

pub(super) fn unknown_tools() -> Vec<FailureCase> {
    let case = |tool: &'static str| FailureCase::new("unknown tool", tool, json!({}));
    vec![
        case("read_tickets").cause(&["read_tickets"]).remedy(&[r#"did you mean "read_ticket"?"#]),
        case("listTickets").cause(&["listTickets"]).remedy(&[r#"did you mean "list_tickets"?"#]),
        case("slow_pots").cause(&["slow_pots"]).remedy(&[r#"did you mean "slow_post"?"#]),
        case("get_ticket").cause(&["get_ticket"]).remedy(&[r#""read_ticket""#]),
        case("tickets").cause(&["tickets"]).remedy(&[r#""list_tickets""#, r#""count_tickets""#]),
        case("ticket_list").cause(&["ticket_list"]).remedy(&[r#""list_tickets""#]),
        case("delete_everything").cause(&["delete_everything"]).remedy(&["use a tool of the list"]),
    ]
}
