//! Creates the tools of a document in a running service.

use std::process::ExitCode;

use serde_json::{Map, Value, json};
use toolgate_domain::tool::ToolStatus;
use toolgate_import::api::options::SchemaDetail;

use super::document::{ImportDocument, exit_code};
use super::form::DocumentForm;
use super::refusal::import_result;
use super::service_client::ServiceClient;
use super::{indent, table};
use crate::cli::DocumentArgs;
use crate::commands::{counted, note, print};
use crate::settings::Settings;

/// Sends the document to the service and prints the result for each tool.
pub(super) fn commit(
    document: &ImportDocument,
    server: i64,
    args: &DocumentArgs,
    settings: &Settings,
) -> anyhow::Result<ExitCode> {
    let client = ServiceClient::new(&args.target.service_url, settings)?;
    let route = document.format.unwrap_or("openapi");
    let reply = client.post(&format!("/servers/{server}/tools/import-{route}"), form(document, args))?;
    let result = import_result(reply, server, &client)?;
    if args.json {
        print(indent::indent(&result.to_string()))?;
    } else {
        print_table(&result, server)?;
        print_next_steps(document, &result, server, args);
    }
    document.print_problems();
    Ok(exit_code(list(&result, "failed").is_empty() && document.import.problems.is_empty()))
}

/// The document and the arguments of its import as a form.
fn form(document: &ImportDocument, args: &DocumentArgs) -> DocumentForm {
    let mut form = DocumentForm::new(&document.import.document_sha256);
    form.document(&document.bytes);
    form.text("commit", "true");
    form.text("selected_temp_ids", r#"["*"]"#);
    form.text("on_conflict", args.target.on_conflict.as_str());
    form.text("imported_status", args.target.imported_status.as_str());
    form.text("names", args.names.as_str());
    form.text("schema", if args.schema == SchemaDetail::Full { "full" } else { "compact" });
    form.text("server_index", &args.server_index.to_string());
    form.text("output_schema", if args.output_schema { "true" } else { "false" });
    form.text("deprecated", if args.no_deprecated { "exclude" } else { "include" });
    let texts = [("base_url", document.api_url.as_deref()), ("search", args.search.as_deref())];
    for (name, value) in texts.into_iter().filter_map(|(name, value)| Some((name, value?))) {
        form.text(name, value);
    }
    let lists = [
        ("include_tags", &args.tag),
        ("exclude_tags", &args.exclude_tag),
        ("methods", &args.method),
        ("paths", &args.path),
    ];
    for (name, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
        form.text(name, &json!(list).to_string());
    }
    let objects = [
        ("server_variables", object(&args.server_variable)),
        ("variables", object(&args.variable)),
        ("overlay", document.overlay.clone()),
    ];
    for (name, members) in objects.into_iter().filter(|(_, members)| !members.is_empty()) {
        form.text(name, &Value::Object(members).to_string());
    }
    form
}

fn object(pairs: &[(String, String)]) -> Map<String, Value> {
    pairs.iter().map(|(name, value)| (name.clone(), value.as_str().into())).collect()
}

/// Prints a line for each tool to standard output, and the totals to standard error.
fn print_table(result: &Value, server: i64) -> anyhow::Result<()> {
    let mut rows = vec![["RESULT", "NAME", "DETAIL"].map(str::to_owned)];
    let detail_keys = [("created", "tool_id"), ("updated", "tool_id"), ("skipped", "reason"), ("failed", "error")];
    for (key, detail_key) in detail_keys {
        rows.extend(list(result, key).iter().map(|tool| row(key, tool, detail_key)));
    }
    if rows.len() > 1 {
        print(table::columns(rows))?;
    }
    let count = |key: &str| u64::try_from(list(result, key).len()).unwrap_or(u64::MAX);
    note(format!(
        "{} created in server {server}, {} updated, {} skipped, {} failed",
        counted(count("created"), "tool"),
        count("updated"),
        count("skipped"),
        count("failed"),
    ));
    Ok(())
}

/// Prints to standard error what the user has to do before clients can call the created tools.
fn print_next_steps(document: &ImportDocument, result: &Value, server: i64, args: &DocumentArgs) {
    if list(result, "created").is_empty() {
        return;
    }
    let candidates = &document.import.candidates;
    let is_used = |name: &str| candidates.iter().any(|candidate| candidate.credential.as_deref() == Some(name));
    for scheme in document.import.security_schemes.iter().filter(|scheme| scheme.supported && is_used(&scheme.name)) {
        if !scheme.needs.is_empty() {
            note(format!(
                "the credential {} needs {}: set it in the console, or with PATCH /servers/{server}/credentials/ID",
                table::printable(&scheme.name),
                scheme.needs.join(", "),
            ));
        }
    }
    if args.target.imported_status == ToolStatus::Paused {
        note(
            "the new tools are paused: activate them in the console, or with PATCH /tools/ID and {\"status\": \"active\"}",
        );
    }
}

fn row(result: &str, tool: &Value, detail_key: &str) -> [String; 3] {
    let text = |key: &str| match tool.get(key) {
        Some(Value::String(text)) => table::printable(text),
        Some(value) => value.to_string(),
        None => String::new(),
    };
    let detail = text(detail_key);
    let detail = if detail_key == "tool_id" { format!("tool {detail}") } else { detail };
    [result.to_owned(), text("name"), detail]
}

fn list<'a>(result: &'a Value, key: &str) -> &'a [Value] {
    result.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}
