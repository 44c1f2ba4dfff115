//! Arguments of `toolgate import openapi`, `import postman` and `import har`.

use toolgate_domain::tool::ToolStatus;
use toolgate_domain::tool_import::ConflictRule;
use toolgate_import::api::options::{NamingRule, SchemaDetail};

/// Which operations of a document are imported, and how.
#[derive(Debug, clap::Args)]
pub(crate) struct DocumentArgs {
    /// Path of the document, JSON or YAML; - reads standard input
    pub(crate) file: String,
    /// URL of the API, instead of the servers in the document; --base-url means the same here
    #[arg(long, value_name = "URL")]
    pub(crate) api_url: Option<String>,
    /// Index of the server in the document whose URL is used, starting at 0
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) server_index: usize,
    /// Value of a variable in the URL of the server; can be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable)]
    pub(crate) server_variable: Vec<(String, String)>,
    /// Value of a Postman variable that has no value in the collection; can be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable)]
    pub(crate) variable: Vec<(String, String)>,
    /// Only operations with this tag; can be repeated
    #[arg(long, value_name = "TAG")]
    pub(crate) tag: Vec<String>,
    /// Leave out operations with this tag; can be repeated
    #[arg(long, value_name = "TAG")]
    pub(crate) exclude_tag: Vec<String>,
    /// Only operations with this method; can be repeated
    #[arg(long, value_name = "METHOD")]
    pub(crate) method: Vec<String>,
    /// Only paths that match this pattern: * matches within a segment, ** matches any text; can be repeated
    #[arg(long, value_name = "GLOB")]
    pub(crate) path: Vec<String>,
    /// Only operations with this text in name, path, summary or description
    #[arg(long, value_name = "TEXT")]
    pub(crate) search: Option<String>,
    /// Leave out deprecated operations
    #[arg(long)]
    pub(crate) no_deprecated: bool,
    /// Source of the tool names: `operation_id`, or path for method and path
    #[arg(long, value_name = "RULE", default_value = "operation_id", value_parser = naming_rule)]
    pub(crate) names: NamingRule,
    /// Detail of the imported schemas: compact or full
    #[arg(long, value_name = "DETAIL", default_value = "compact", value_parser = schema_detail)]
    pub(crate) schema: SchemaDetail,
    /// Also import the schemas of responses
    #[arg(long)]
    pub(crate) output_schema: bool,
    /// JSON file with changes to the tools
    #[arg(long, value_name = "FILE")]
    pub(crate) overlay: Option<String>,
    /// Print the whole result as JSON instead of a table
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) target: ImportTarget,
}

/// The service in which the tools are created.
#[derive(Debug, clap::Args)]
pub(crate) struct ImportTarget {
    /// Create the tools in this server of a running service; needs a key in `TOOLGATE_API_KEY`
    #[arg(long, value_name = "ID", value_parser = server_id)]
    pub(crate) server: Option<i64>,
    /// Only list the tools, even with --server
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Address of the running service
    #[arg(long, env = "TOOLGATE_URL", value_name = "URL", default_value = "http://127.0.0.1:8080")]
    pub(crate) service_url: String,
    /// What happens to a tool whose name is taken: skip, duplicate or update
    #[arg(long, value_name = "RULE", default_value = "skip", value_parser = conflict_rule)]
    pub(crate) on_conflict: ConflictRule,
    /// Status of the new tools: paused or active
    #[arg(long, value_name = "STATUS", default_value = "paused", value_parser = tool_status)]
    pub(crate) imported_status: ToolStatus,
}

fn server_id(text: &str) -> Result<i64, String> {
    let id = text.parse().ok().filter(|id| *id > 0);
    id.ok_or_else(|| format!("{text:?} is not a server id; ids are numbers from 1"))
}

fn variable(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or_else(|| format!("{text:?} is not of the form NAME=VALUE"))?;
    Ok((name.to_owned(), value.to_owned()))
}

fn naming_rule(text: &str) -> Result<NamingRule, String> {
    NamingRule::parse(text).ok_or_else(|| format!("{text:?} is not one of {}", NamingRule::NAMES.join(", ")))
}

fn schema_detail(text: &str) -> Result<SchemaDetail, String> {
    match text {
        "compact" => Ok(SchemaDetail::Compact),
        "full" => Ok(SchemaDetail::Full),
        _ => Err(format!("{text:?} is not one of compact, full")),
    }
}

fn conflict_rule(text: &str) -> Result<ConflictRule, String> {
    ConflictRule::parse(text).ok_or_else(|| format!("{text:?} is not one of {}", ConflictRule::NAMES.join(", ")))
}

fn tool_status(text: &str) -> Result<ToolStatus, String> {
    ToolStatus::parse(text).ok_or_else(|| format!("{text:?} is not one of {}", ToolStatus::NAMES.join(", ")))
}
