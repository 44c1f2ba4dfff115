//! The origin of an imported tool in the columns of its row. They are null in the row of a tool that was made by hand.

use toolgate_domain::ids::DocumentId;
use toolgate_domain::tool::ToolOrigin;

use super::columns::{Columns, Values};
use super::row::SqlRow;
use crate::error::Result;

const DOCUMENT_ID: &str = "origin_document_id";
const OPERATION: &str = "origin_operation";
const HASH: &str = "origin_hash";

impl Columns for Option<ToolOrigin> {
    fn names() -> Vec<&'static str> {
        vec![DOCUMENT_ID, OPERATION, HASH]
    }

    fn from_columns(row: &SqlRow, prefix: &str) -> Result<Self> {
        let column = |name: &str| format!("{prefix}{name}");
        let Some(document_id) = row.opt_int(&column(DOCUMENT_ID))? else { return Ok(None) };
        Ok(Some(ToolOrigin {
            document_id: DocumentId(document_id),
            operation: row.text(&column(OPERATION))?,
            hash: row.text(&column(HASH))?,
        }))
    }

    fn values(&self) -> Values {
        vec![
            (DOCUMENT_ID, self.as_ref().map(|origin| origin.document_id.0).into()),
            (OPERATION, self.as_ref().map(|origin| origin.operation.as_str()).into()),
            (HASH, self.as_ref().map(|origin| origin.hash.as_str()).into()),
        ]
    }
}
