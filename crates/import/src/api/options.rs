//! What an import takes from a document, and how.

use std::time::Duration;

use indexmap::IndexMap;
use serde_json::{Map, Value};
use toolgate_domain::closed_set;

use crate::api::filter::OperationFilter;
use crate::api::known_operations::KnownOperations;
pub use crate::api::schema::SchemaDetail;

/// The CPU time that an import may take.
pub const IMPORT_TIMEOUT: Duration = Duration::from_secs(20);

closed_set! {
    /// What the name of a tool is made of.
    pub enum NamingRule {
        /// The `operationId`; method and path if it is missing.
        OperationId = "operation_id",
        /// Method and path.
        Path = "path",
    }
}

/// The arguments of an import that concern the document.
#[derive(Debug)]
pub struct ImportOptions {
    /// The URL that the document was fetched from: relative servers are resolved against it.
    pub document_url: Option<String>,
    /// Replaces the servers of the document.
    pub base_url: Option<String>,
    /// Which of the servers is used.
    pub server_index: usize,
    /// Values of the variables in the URLs of servers.
    pub server_variables: IndexMap<String, String>,
    /// Values of the variables of a collection that have none there.
    pub variables: IndexMap<String, String>,
    /// Which operations become candidates.
    pub filter: OperationFilter,
    /// What names are made of.
    pub names: NamingRule,
    /// Operations that are tools already.
    pub known: KnownOperations,
    /// How much of the schemas is kept.
    pub schema: SchemaDetail,
    /// Whether the schema of the response is imported as well.
    pub output_schema: bool,
    /// Names of the security schemes that credentials are given for.
    pub credentials: Vec<String>,
    /// Changes to the candidates, by operation.
    pub overlay: Map<String, Value>,
    /// The time after which the import is given up.
    pub time_limit: Duration,
}

impl Default for ImportOptions {
    fn default() -> Self {
        Self {
            document_url: None,
            base_url: None,
            server_index: 0,
            server_variables: IndexMap::new(),
            variables: IndexMap::new(),
            filter: OperationFilter::default(),
            names: NamingRule::OperationId,
            known: KnownOperations::default(),
            schema: SchemaDetail::default(),
            output_schema: false,
            credentials: Vec::new(),
            overlay: Map::new(),
            time_limit: IMPORT_TIMEOUT,
        }
    }
}
