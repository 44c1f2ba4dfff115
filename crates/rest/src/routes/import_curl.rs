//! `POST /tools/import-curl`: parses a pasted curl command into the configuration of a tool. Nothing is created,
//! fetched or logged; the credentials of the command are only in the reply.

use serde_json::{Value, json};
use toolgate_domain::fault::Fault;
use toolgate_import::curl;
use toolgate_import::draft::Draft;

use super::destinations;
use crate::blocking;
use crate::error::RestError;
use crate::params::{arguments, typed_arg as arg};
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Operation, ReplyDoc, Route};
use crate::schema::NamedSchema;

/// The fields of every draft.
const REQUIRED_FIELDS: [&str; 8] = [
    "endpoint_url",
    "http_method",
    "headers",
    "auth_type",
    "auth_credentials",
    "body",
    "input_schema",
    "parameter_mapping",
];

/// Longest text, in bytes, that is parsed inline: this takes less than a millisecond.
const INLINE_BYTES_MAX: usize = 8 * 1024;

pub(super) fn route() -> Route {
    Operation::new("importCurl", "Parse a curl command into the configuration of a tool; nothing is created.")
        .create("/tools/import-curl", import)
        .reply(reply_doc())
}

arguments! {
    struct ImportArgs {
        curl: String =
            arg::text(curl::TEXT_MAX, "The full curl command, for bash, cmd or PowerShell; at most 256 KiB.").required(),
        infer: bool =
            arg::boolean("Also infer types, arguments, a name and a description, and parse every command in the text.")
                .in_query()
                .default(false),
    }
}

async fn import(request: ApiRequest, args: ImportArgs) -> Result<ApiReply, RestError> {
    let text = args.curl.as_str();
    if text.trim().is_empty() {
        return Err(Fault::empty("curl").into());
    }
    if text.len() > curl::TEXT_MAX {
        return Err(Fault::too_long("curl", curl::TEXT_MAX, "bytes").into());
    }
    blocking::run_blocking_unless(text.len() <= INLINE_BYTES_MAX, || {
        if args.infer {
            let mut inferred = curl::infer(text)?;
            inferred.drafts_mut().for_each(|draft| check_destination(draft, &request));
            return ApiReply::ok(&inferred);
        }
        let mut draft = curl::import(text)?;
        check_destination(&mut draft, &request);
        ApiReply::ok(&draft)
    })
}

/// Adds a warning if the egress rule blocks the URL: the tool could not be created.
fn check_destination(draft: &mut Draft, request: &ApiRequest) {
    let url = draft.endpoint_url().into();
    if let Err(fault) = destinations::check("endpoint_url", &url, &request.context.config.egress) {
        draft.warn(&fault.message);
    }
}

/// One tool; with `infer` and several commands, a list of tools.
fn reply_doc() -> ReplyDoc {
    let tool = tool_schema(&REQUIRED_FIELDS);
    let named_tool_fields: Vec<&str> = ["name", "description"].into_iter().chain(REQUIRED_FIELDS).collect();
    let named_tool = tool_schema(&named_tool_fields);
    let tools = json!({
        "type": "object",
        "description": "With infer, if the text contains several commands.",
        "required": ["tools"],
        "properties": {"tools": {"type": "array", "items": named_tool}},
    });
    ReplyDoc::named(200, "CurlImport", json!({"oneOf": [tool, tools]}))
        .part(NamedSchema::new("ToolDraft", tool))
        .part(NamedSchema::new("NamedToolDraft", named_tool))
        .part(NamedSchema::new("ToolDrafts", tools))
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
                "description": "In plain text, as pasted. bearer: token; basic: username, password; \
                    api-key: key_name, key_value, key_location, or keys with several of them; none: empty.",
                "additionalProperties": {"anyOf": [
                    {"type": "string"},
                    {"type": "array", "items": {"type": "object", "additionalProperties": {"type": "string"}}},
                ]},
            },
            "body": {"type": "object", "description": "Values of the command, by argument."},
            "input_schema": {"type": "object"},
            "parameter_mapping": {"type": "object", "additionalProperties": {"type": "object"}},
            "body_type": {
                "type": "string",
                "enum": ["json", "form", "multipart", "raw"],
                "description": "Only if there is a body.",
            },
            "timeout": {
                "type": "integer",
                "minimum": 1,
                "maximum": 300,
                "description": "Seconds; only if the command sets a limit.",
            },
            "warnings": {
                "type": "array",
                "minItems": 1,
                "items": {"type": "string"},
                "description": "Parts of the command that a tool cannot express; only if there are any.",
            },
            "annotations": {"type": "object", "description": "With infer only."},
            "variables": {
                "type": "array",
                "minItems": 1,
                "items": {
                    "type": "object",
                    "required": ["text", "secret"],
                    "properties": {
                        "text": {"type": "string", "description": "As it occurs in the draft."},
                        "secret": {"type": "boolean", "description": "Whether it is a part of a credential."},
                    },
                },
                "description": "With infer only: shell variables in auth_credentials, headers and endpoint_url that \
                    must be replaced by their values; only if there are any.",
            },
        },
    })
}
