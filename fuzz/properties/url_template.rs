//! The address of a tool: whatever stands in its path and query and whatever the arguments are, the request goes to
//! the host that the author wrote.

use serde_json::json;
use toolgate_domain::endpoint_url::EndpointUrl;
use toolgate_domain::ids::{ServerId, ToolId};
use toolgate_domain::json::JsonObject;
use toolgate_domain::secrets::Secrets;
use toolgate_domain::time::Timestamp;
use toolgate_domain::tool::{Tool, ToolSpec};
use toolgate_execution::tool::{CompiledTool, Injected};

const ORIGIN: &str = "https://api.example:8443";

/// Holds for any text behind the host and any value of the arguments `id` and `q`.
pub(crate) fn holds(behind: &str, id: &str, q: &str) {
    let Ok(endpoint) = EndpointUrl::parse("endpoint_url", &format!("{ORIGIN}/{behind}")) else { return };
    let Some(tool) = tool(endpoint) else { return };
    let arguments = json!({"id": id, "q": q}).to_string();
    let Ok(arguments) = tool.validate(Some(&arguments)) else { return };
    let Ok(request) = tool.request(&arguments, Injected::Own) else { return };
    let read = url::Url::parse(&request.uri.to_string()).expect("a request has an address");
    assert_eq!(read.origin().ascii_serialization(), ORIGIN, "{behind:?} with {id:?} and {q:?}");
    assert!(read.username().is_empty() && read.password().is_none() && read.fragment().is_none(), "{read}");
    assert_eq!(read.query(), request.uri.query(), "{behind:?} with {id:?} and {q:?}");
}

fn tool(endpoint: EndpointUrl) -> Option<CompiledTool> {
    let mut spec = ToolSpec::new("t".to_owned(), endpoint);
    spec.input_schema = JsonObject::from_stored(json!({"properties": {"id": {}, "q": {}}}).to_string());
    let moment = Timestamp::parse("2026-01-02T03:04:05")?;
    let (id, server_id) = (ToolId(1), ServerId(1));
    let tool = Tool { id, server_id, sort_order: 0, revision: 1, created_at: moment, updated_at: moment, spec };
    CompiledTool::compile(&tool, Ok(&Secrets::default())).ok()
}
