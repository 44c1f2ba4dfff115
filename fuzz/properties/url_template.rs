//! The URL of a tool: for any path, query and arguments, the request goes to the host that the author wrote.

use serde_json::json;
use toolgate_domain::endpoint_url::EndpointUrl;
use toolgate_domain::ids::{ServerId, ToolId};
use toolgate_domain::json::JsonObject;
use toolgate_domain::secrets::Secrets;
use toolgate_domain::time::Timestamp;
use toolgate_domain::tool::{Tool, ToolSpec};
use toolgate_execution::tool::{CompiledTool, CredentialUse};

const ORIGIN: &str = "https://api.example:8443";

/// Checks any text after the host and any values of the arguments `id` and `q`.
pub(crate) fn check(suffix: &str, id: &str, q: &str) {
    let Ok(endpoint) = EndpointUrl::parse("endpoint_url", &format!("{ORIGIN}/{suffix}")) else { return };
    let Some(tool) = tool(endpoint) else { return };
    let arguments = json!({"id": id, "q": q}).to_string();
    let Ok(arguments) = tool.validate(Some(&arguments)) else { return };
    let Ok(request) = tool.request(&arguments, CredentialUse::Stored) else { return };
    let parsed = url::Url::parse(&request.uri.to_string()).expect("a request has a valid URL");
    assert_eq!(parsed.origin().ascii_serialization(), ORIGIN, "{suffix:?} with {id:?} and {q:?}");
    assert!(parsed.username().is_empty() && parsed.password().is_none() && parsed.fragment().is_none(), "{parsed}");
    assert_eq!(parsed.query(), request.uri.query(), "{suffix:?} with {id:?} and {q:?}");
}

fn tool(endpoint: EndpointUrl) -> Option<CompiledTool> {
    let mut spec = ToolSpec::new("t".to_owned(), endpoint);
    spec.input_schema = JsonObject::from_stored(json!({"properties": {"id": {}, "q": {}}}).to_string());
    let now = Timestamp::parse("2026-01-02T03:04:05")?;
    let (id, server_id) = (ToolId(1), ServerId(1));
    let tool = Tool {
        id,
        server_id,
        sort_order: 0,
        credential_id: None,
        credential: None,
        revision: 1,
        origin: None,
        created_at: now,
        updated_at: now,
        spec,
    };
    CompiledTool::compile(&tool, Ok(&Secrets::default())).ok()
}
