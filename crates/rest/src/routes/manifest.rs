//! `/servers/{server_id}/tools/export` and `/import-manifest`: the tools of a server as one document without secrets.

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use toolgate_domain::fault::{Fault, Faults};
use toolgate_domain::headers::is_secret;
use toolgate_domain::ids::ToolId;
use toolgate_domain::json::Members;
use toolgate_domain::member::ServerRole;
use toolgate_domain::time::Timestamp;
use toolgate_domain::tool::{TOOLS_MAX, Tool};
use toolgate_storage::{ImportedTool, NewTool, ToolFilter, ToolImport};

use super::import_target::ImportTargetArgs;
use super::required_role::require_role;
use super::tool_body::{name_in_body, read_tool};
use super::{object_doc, partial_object_doc};
use crate::blocking;
use crate::error::RestError;
use crate::params::{BodyFormat, Items, arguments, integers, typed_arg as arg};
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Operation, ReplyDoc, Route};
use crate::wire::tool::{OMITTED_BY_EXPORT, ToolOut};
use crate::wire::tool_import::{ImportItem, ToolImportOut};

/// The format of exported manifests.
const FORMAT: &str = "toolgate/tools-v1";
/// The prefix of the other formats that are read.
const OTHER_FORMAT_PREFIX: &str = "getmcp/tools-v";
/// Most tools that are read inline: each takes less than a millisecond.
const INLINE_TOOLS_MAX: usize = 2;

pub(super) fn routes() -> Vec<Route> {
    let import = |id: &'static str, path: &'static str| {
        Operation::new(id, "Create the tools of an exported manifest, or of a list of tools.")
            .create(path, import_manifest)
            .body_format(BodyFormat::List("tools"))
            .reply(object_doc::<ToolImportOut>(200))
            .errors(&[409])
    };
    vec![
        Operation::new(
            "exportTools",
            "Export the tools of a server, without ids, times, credentials and secret headers.",
        )
        .create("/servers/{server_id}/tools/export", export)
        .reply(export_doc()),
        import("importManifest", "/servers/{server_id}/tools/import-manifest"),
        import("importGetmcp", "/servers/{server_id}/tools/import-getmcp"),
    ]
}

arguments! {
    struct ExportArgs {
        tool_ids: Option<Vec<Box<RawValue>>> =
            arg::array(Items::Integers, "Only these tools of the server; all by default."),
    }
}

arguments! {
    struct ManifestArgs {
        ..target: ImportTargetArgs,
        format: Option<String> =
            arg::text(100, "Format of the manifest: toolgate/tools-v1 or getmcp/tools-v1."),
        tools: Option<Vec<Box<RawValue>>> =
            arg::array(Items::Objects, "Tools with the fields of a request that creates a tool; at most 1000.").required(),
    }
    ignoring {
        exported_at = arg::text(100, "Time of the export; has no effect."),
        server = arg::large_object("The exported server; has no effect."),
    }
}

fn export_doc() -> ReplyDoc {
    let tool = partial_object_doc::<ToolOut<'_>>(200, "Exported", OMITTED_BY_EXPORT);
    let server = json!({
        "type": "object",
        "required": ["name", "slug"],
        "properties": {"name": {"type": "string"}, "slug": {"type": "string"}},
    });
    let schema = json!({
        "type": "object",
        "required": ["format", "exported_at", "server", "tools"],
        "properties": {
            "format": {"type": "string", "enum": [FORMAT]},
            "exported_at": {"type": "string"},
            "server": server,
            "tools": {"type": "array", "items": tool.schema},
        },
    });
    tool.named_schemas.into_iter().fold(ReplyDoc::named(200, "ToolManifest", schema), ReplyDoc::part)
}

async fn export(request: ApiRequest, args: ExportArgs) -> Result<ApiReply, RestError> {
    let (server_id, visibility) = (request.parent_server_id(), request.visibility());
    require_role(&request, server_id, ServerRole::Editor).await?;
    let server = request.storage().server(visibility, server_id).await?;
    let tools = request.storage().list_tools(visibility, server_id, &ToolFilter::default(), None).await?.items;
    let tools = match args.tool_ids {
        Some(ids) => selected_tools(tools, &integers("tool_ids", &ids)?)?,
        None => tools,
    };
    let tools = tools.iter().map(exported_tool).collect::<Result<Vec<_>, _>>()?;
    let server = json!({"name": server.spec.name, "slug": server.slug.as_str()});
    ApiReply::ok(&ToolManifest { format: FORMAT, exported_at: request.now(), server, tools })
}

/// An exported manifest.
#[derive(Serialize)]
struct ToolManifest {
    format: &'static str,
    exported_at: Timestamp,
    server: Value,
    tools: Vec<Members>,
}

fn selected_tools(tools: Vec<Tool>, ids: &[i64]) -> Result<Vec<Tool>, Faults> {
    for (index, id) in ids.iter().enumerate() {
        if !tools.iter().any(|tool| tool.id == ToolId(*id)) {
            let message = format!("tool_ids[{index}]: {id} is not a tool of this server.");
            return Err(Fault::invalid_value("tool_ids", message).into());
        }
    }
    Ok(tools.into_iter().filter(|tool| ids.contains(&tool.id.0)).collect())
}

/// The fields of a tool that another server can import.
fn exported_tool(tool: &Tool) -> Result<Members, RestError> {
    let mut tool = tool.clone();
    tool.spec.headers.retain(|name, _| !is_secret(name));
    let json = serde_json::value::to_raw_value(&ToolOut::new(&tool)).map_err(|error| RestError::internal(&error))?;
    let mut members: Members = serde_json::from_str(json.get()).map_err(|error| RestError::internal(&error))?;
    members.retain(|name, _| !OMITTED_BY_EXPORT.contains(&name.as_str()));
    Ok(members)
}

async fn import_manifest(request: ApiRequest, args: ManifestArgs) -> Result<ApiReply, RestError> {
    let server_id = request.parent_server_id();
    require_role(&request, server_id, ServerRole::Editor).await?;
    check_format(args.format.as_deref())?;
    let bodies = args.tools.unwrap_or_default();
    if i64::try_from(bodies.len()).is_ok_and(|count| count > TOOLS_MAX) {
        return Err(RestError::too_many_items("tools", TOOLS_MAX));
    }
    let (status, on_conflict) = (args.target.status(), args.target.on_conflict());
    let egress = &request.context.config.egress;
    let read = |body: &RawValue| read_tool(body, status, egress);
    let read: Vec<Result<NewTool, Faults>> = blocking::run_blocking_unless(bodies.len() <= INLINE_TOOLS_MAX, || {
        bodies.iter().map(|body| read(body)).collect()
    });
    let (mut reply, mut tools, mut items) = (ToolImportOut::new(None), Vec::new(), Vec::new());
    for (index, (body, tool)) in bodies.iter().zip(read).enumerate() {
        match tool {
            Ok(new) => {
                tools.push(ImportedTool { new, operation: String::new(), hash: String::new() });
                items.push(ImportItem::Entry(index));
            }
            Err(faults) => {
                let faults = faults.inside(&format!("tools[{index}]"));
                reply.add_failed(&ImportItem::Entry(index), name_in_body(body), &faults, None);
            }
        }
    }
    let import = ToolImport { tools, on_conflict, credentials: Vec::new(), document: None, changes: Vec::new() };
    let outcomes = request.storage().import_tools(&request.actor()?, request.visibility(), server_id, import).await?;
    for (item, outcome) in items.iter().zip(outcomes.tools) {
        reply.add(item, outcome);
    }
    ApiReply::ok(&reply)
}

fn check_format(format: Option<&str>) -> Result<(), Fault> {
    match format {
        None | Some(FORMAT) => Ok(()),
        Some(other) if other.starts_with(OTHER_FORMAT_PREFIX) => Ok(()),
        Some(_) => {
            let message = format!("format must be {FORMAT} or {OTHER_FORMAT_PREFIX}1. Export the tools again.");
            Err(Fault::invalid_value("format", message))
        }
    }
}
