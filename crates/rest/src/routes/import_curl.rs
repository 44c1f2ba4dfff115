//! `POST /tools/import-curl`: a pasted command, read into the configuration of a tool. Nothing is created, fetched or
//! logged; the credentials of the command go back to whoever pasted it, and nowhere else.

use serde_json::{Value, json};
use toolgate_domain::fault::Fault;
use toolgate_import::curl::{self, Draft};

use super::destinations;
use crate::aside;
use crate::call::Call;
use crate::error::RestError;
use crate::params::Arg;
use crate::reply::Reply;
use crate::route::{ReplyDoc, Route, handler};

/// What every draft has.
const ALWAYS: [&str; 8] = [
    "endpoint_url",
    "http_method",
    "headers",
    "auth_type",
    "auth_credentials",
    "body",
    "input_schema",
    "parameter_mapping",
];

/// A text of so many bytes is read within a millisecond.
const QUICK: usize = 8 * 1024;

pub(super) fn route() -> Route {
    let text = "The full curl command as it was copied, for bash, cmd or PowerShell; at most 256 KiB.";
    let infer = "Also guess types, arguments, a name and a description, and read every command of the text.";
    Route::create(
        "/tools/import-curl",
        "importCurl",
        "Parse a curl command into the configuration of a tool; nothing is created.",
        handler!(import),
    )
    .args(vec![
        Arg::text("curl", curl::TEXT_MAX, text).required(),
        Arg::boolean("infer", infer).in_query().default(false),
    ])
    .reply(ReplyDoc::json(200, reply_schema()))
}

async fn import(call: Call) -> Result<Reply, RestError> {
    let text = call.args.text("curl").unwrap_or_default();
    if text.trim().is_empty() {
        return Err(Fault::empty("curl").into());
    }
    if text.len() > curl::TEXT_MAX {
        return Err(Fault::too_long("curl", curl::TEXT_MAX, "bytes").into());
    }
    aside::unless(text.len() <= QUICK, || {
        if call.args.flag("infer") {
            let mut inferred = curl::infer(text)?;
            inferred.drafts_mut().for_each(|draft| check_destination(draft, &call));
            return Reply::ok(&inferred);
        }
        let mut draft = curl::import(text)?;
        check_destination(&mut draft, &call);
        Reply::ok(&draft)
    })
}

/// Warns of an address that this service does not call, before its owner finds out by creating the tool.
fn check_destination(draft: &mut Draft, call: &Call) {
    let address = draft.endpoint_url().into();
    if let Err(fault) = destinations::check("endpoint_url", &address, &call.context.config.egress) {
        draft.warn(&fault.message);
    }
}

/// One tool, or with `infer` and several commands a list of them.
fn reply_schema() -> Value {
    let tool = tool_schema(&ALWAYS);
    let named: Vec<&str> = ["name", "description"].into_iter().chain(ALWAYS).collect();
    let tools = json!({
        "type": "object",
        "description": "With infer, where the text holds several commands.",
        "required": ["tools"],
        "properties": {"tools": {"type": "array", "items": tool_schema(&named)}},
    });
    json!({"oneOf": [tool, tools]})
}

fn tool_schema(required: &[&str]) -> Value {
    json!({
        "type": "object",
        "required": required,
        "properties": {
            "name": {"type": "string", "description": "With infer only."},
            "description": {"type": "string", "description": "With infer only."},
            "endpoint_url": {"type": "string"},
            "http_method": {"type": "string"},
            "headers": {"type": "object", "additionalProperties": {"type": "string"}},
            "auth_type": {"type": "string", "enum": ["none", "bearer", "basic", "api-key"]},
            "auth_credentials": {
                "type": "object",
                "description": "In clear, as pasted. bearer: token; basic: username, password; \
                    api-key: key_name, key_value, key_location; none: empty.",
                "additionalProperties": {"type": "string"},
            },
            "body": {"type": "object", "description": "What the command sends, by argument."},
            "input_schema": {"type": "object"},
            "parameter_mapping": {"type": "object", "additionalProperties": {"type": "object"}},
            "body_type": {
                "type": "string",
                "enum": ["json", "form", "multipart", "raw"],
                "description": "Only where there is a body.",
            },
            "timeout": {
                "type": "integer",
                "minimum": 1,
                "maximum": 300,
                "description": "Seconds; only where the command limits them.",
            },
            "warnings": {
                "type": "array",
                "minItems": 1,
                "items": {"type": "string"},
                "description": "What was understood but does not fit into a tool; only where there is any.",
            },
        },
    })
}
