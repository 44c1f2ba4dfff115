//! Options of an import.

use std::time::Duration;

use indexmap::IndexMap;
use serde_json::{Map, Value};
use toolgate_domain::closed_set;

use crate::api::filter::OperationFilter;
use crate::api::known_operations::KnownOperations;
pub use crate::api::schema::SchemaDetail;

/// Default time limit of an import. Builds without optimisation are about ten times slower.
pub const IMPORT_TIMEOUT: Duration = Duration::from_secs(if cfg!(debug_assertions) { 20 } else { 4 });

/// An import may exceed its time limit up to this factor if its pace shows that it will finish by then.
const STEADY_FACTOR: u32 = 4;

closed_set! {
    /// What the name of a tool is derived from.
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
    /// The index of the server to use, in each list of servers.
    pub server_index: usize,
    /// Values of the variables in the URLs of servers.
    pub server_variables: IndexMap<String, String>,
    /// Values for variables that the collection leaves empty.
    pub variables: IndexMap<String, String>,
    /// Which operations become candidates.
    pub filter: OperationFilter,
    /// What the names of tools are derived from.
    pub names: NamingRule,
    /// Operations that are already tools.
    pub known: KnownOperations,
    /// How detailed the schemas of the candidates are.
    pub schema: SchemaDetail,
    /// Whether the schema of the response is imported as well.
    pub output_schema: bool,
    /// Names of the security schemes for which the owner has credentials.
    pub credentials: Vec<String>,
    /// Changes to the candidates, by operation.
    pub overlay: Map<String, Value>,
    /// The time after which the import fails, unless it is about to finish.
    pub time_limit: Duration,
}

impl ImportOptions {
    /// Whether an import takes too long. After the time limit it continues if its pace shows that it will finish soon:
    /// a busy machine can finish a large document, and a document that would take minutes is refused early.
    pub(crate) fn is_too_slow(&self, elapsed: Duration, read: usize, operations: usize) -> bool {
        let [read, operations] = [read, operations].map(|number| u32::try_from(number).unwrap_or(u32::MAX));
        let expected = elapsed.saturating_mul(operations).checked_div(read).unwrap_or(Duration::MAX);
        elapsed > self.time_limit && expected > self.time_limit.saturating_mul(STEADY_FACTOR)
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_import_that_is_about_to_end_may_take_longer() {
        let options = ImportOptions { time_limit: Duration::from_secs(4), ..ImportOptions::default() };
        for (seconds, read, is_too_slow) in
            [(4, 0, false), (5, 0, true), (5, 300, true), (5, 400, false), (15, 1000, false), (17, 1000, true)]
        {
            assert_eq!(
                options.is_too_slow(Duration::from_secs(seconds), read, 1000),
                is_too_slow,
                "{seconds} s, {read}"
            );
        }
    }
}
