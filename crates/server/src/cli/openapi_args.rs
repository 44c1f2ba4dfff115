//! Arguments of `toolgate import openapi`.

use toolgate_import::api::options::{NamingRule, SchemaDetail};

/// What is imported from a document, and how.
#[derive(Debug, clap::Args)]
pub(crate) struct OpenApiArgs {
    /// Path of the document, JSON or YAML; - reads standard input
    pub(crate) file: String,
    /// URL of the API, instead of the servers in the document
    #[arg(long, value_name = "URL")]
    pub(crate) api_url: Option<String>,
    /// Which server of the document is used, from 0
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) server_index: usize,
    /// Value of a variable in the URL of the server; can be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable)]
    pub(crate) server_variable: Vec<(String, String)>,
    /// Only operations with this tag; can be repeated
    #[arg(long, value_name = "TAG")]
    pub(crate) tag: Vec<String>,
    /// No operations with this tag; can be repeated
    #[arg(long, value_name = "TAG")]
    pub(crate) exclude_tag: Vec<String>,
    /// Only operations with this method; can be repeated
    #[arg(long, value_name = "METHOD")]
    pub(crate) method: Vec<String>,
    /// Only paths that match this pattern, in which * is part of a segment and ** any text; can be repeated
    #[arg(long, value_name = "GLOB")]
    pub(crate) path: Vec<String>,
    /// Only operations with this text in name, path, summary or description
    #[arg(long, value_name = "TEXT")]
    pub(crate) search: Option<String>,
    /// No deprecated operations
    #[arg(long)]
    pub(crate) no_deprecated: bool,
    /// What names are made of: `operation_id`, or path for method and path
    #[arg(long, value_name = "RULE", default_value = "operation_id", value_parser = naming_rule)]
    pub(crate) names: NamingRule,
    /// How much of the schemas is kept: compact or full
    #[arg(long, value_name = "DETAIL", default_value = "compact", value_parser = schema_detail)]
    pub(crate) schema: SchemaDetail,
    /// Also import the schemas of responses
    #[arg(long)]
    pub(crate) output_schema: bool,
    /// JSON file with changes to the tools
    #[arg(long, value_name = "FILE")]
    pub(crate) overlay: Option<String>,
    /// Print everything that was read as JSON, instead of a table
    #[arg(long)]
    pub(crate) json: bool,
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
