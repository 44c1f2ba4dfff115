//! The origin of an imported tool in the columns of its row. They are null in the row of a tool that was made by hand.

use toolgate_domain::ids::DocumentId;
use toolgate_domain::tool::ToolOrigin;

use super::columns::{Columns, Values};
use super::row::SqlRow;
use crate::error::Result;

const DOCUMENT_ID: &str = "origin_document_id";
const OPERATION: &str = "origin_operation";
const HASH: &str = "origin_hash";
const BASE_REVISION: &str = "origin_base_revision";
const REMOVED: &str = "origin_removed";

impl Columns for Option<ToolOrigin> {
    fn names() -> Vec<&'static str> {
        vec![DOCUMENT_ID, OPERATION, HASH, BASE_REVISION, REMOVED]
    }

    fn from_columns(row: &SqlRow, prefix: &str) -> Result<Self> {
        let column = |name: &str| format!("{prefix}{name}");
        let Some(document_id) = row.opt_int(&column(DOCUMENT_ID))? else { return Ok(None) };
        Ok(Some(ToolOrigin {
            document_id: DocumentId(document_id),
            operation: row.text(&column(OPERATION))?,
            hash: row.text(&column(HASH))?,
            base_revision: row.opt_int(&column(BASE_REVISION))?,
            is_removed: row.opt_int(&column(REMOVED))? == Some(1),
        }))
    }

    fn values(&self) -> Values {
        vec![
            (DOCUMENT_ID, self.as_ref().map(|origin| origin.document_id.0).into()),
            (OPERATION, self.as_ref().map(|origin| origin.operation.as_str()).into()),
            (HASH, self.as_ref().map(|origin| origin.hash.as_str()).into()),
            (BASE_REVISION, self.as_ref().and_then(|origin| origin.base_revision).into()),
            (REMOVED, self.as_ref().map(|origin| i64::from(origin.is_removed)).into()),
        ]
    }
}
