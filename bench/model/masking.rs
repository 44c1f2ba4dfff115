//! Tools with and without a credential, for the cost of masking.

use toolgate_domain::endpoint_url::EndpointUrl;
use toolgate_domain::ids::{ServerId, ToolId};
use toolgate_domain::secrets::Secrets;
use toolgate_domain::time::Timestamp;
use toolgate_domain::tool::{Tool, ToolSpec};
use toolgate_domain::upstream_auth::Credentials;
use toolgate_execution::tool::CompiledTool;

/// The credential of the tool.
pub(crate) const SECRET: &str = "tok_5f1c09aa73be42d1";

pub(crate) fn tool_without_secrets() -> CompiledTool {
    compile(&Secrets::default())
}

pub(crate) fn tool_with_secret() -> CompiledTool {
    let credentials = Some(Credentials::Bearer { token: SECRET.into() });
    compile(&Secrets { credentials, ..Secrets::default() })
}

fn compile(secrets: &Secrets) -> CompiledTool {
    let url = EndpointUrl::parse("endpoint_url", "https://api.example/issues").expect("a valid URL");
    let epoch = Timestamp::from_millis(0);
    let tool = Tool {
        id: ToolId(1),
        server_id: ServerId(1),
        sort_order: 0,
        credential_id: None,
        credential: None,
        revision: 1,
        origin: None,
        created_at: epoch,
        updated_at: epoch,
        spec: ToolSpec::new("list_issues".to_owned(), url),
    };
    CompiledTool::compile(&tool, Ok(secrets)).expect("the schema is valid")
}
