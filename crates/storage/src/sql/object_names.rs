//! Names of objects by id, or their last names if they were deleted.

use std::collections::{BTreeSet, HashMap};

use super::bulk::BulkStatement;
use super::tx::Tx;
use crate::error::Result;

pub(super) static SELECT_SERVER_NAMES: BulkStatement = BulkStatement::new(
    "WITH wanted (id) AS (VALUES ",
    1,
    ") SELECT w.id, COALESCE((SELECT s.name FROM servers s WHERE s.id = w.id), \
     (SELECT f.name FROM former_names f WHERE f.kind = 'server' AND f.id = w.id)) AS name FROM wanted w",
);

pub(super) static SELECT_TOOL_NAMES: BulkStatement = BulkStatement::new(
    "WITH wanted (id) AS (VALUES ",
    1,
    ") SELECT w.id, COALESCE((SELECT t.name FROM tools t WHERE t.id = w.id), \
     (SELECT f.name FROM former_names f WHERE f.kind = 'tool' AND f.id = w.id)) AS name FROM wanted w",
);

pub(super) static SELECT_ENDPOINT_KEY_NAMES: BulkStatement = BulkStatement::new(
    "WITH wanted (id) AS (VALUES ",
    1,
    ") SELECT w.id, COALESCE((SELECT k.name FROM endpoint_keys k WHERE k.id = w.id), \
     (SELECT f.name FROM former_names f WHERE f.kind = 'endpoint_key' AND f.id = w.id)) AS name FROM wanted w",
);

/// The names of deleted users are not stored.
pub(super) static SELECT_USER_NAMES: BulkStatement = BulkStatement::new(
    "WITH wanted (id) AS (VALUES ",
    1,
    ") SELECT w.id, (SELECT u.name FROM users u WHERE u.id = w.id) AS name FROM wanted w",
);

/// A person without a name is shown by the subject.
pub(super) static SELECT_SUBJECT_NAMES: BulkStatement = BulkStatement::new(
    "WITH wanted (id) AS (VALUES ",
    1,
    ") SELECT w.id, (SELECT COALESCE(o.name, o.subject) FROM oauth_subjects o WHERE o.id = w.id) AS name FROM wanted w",
);

impl Tx {
    /// Reads the names of some objects of one kind.
    pub(super) async fn read_names(
        &mut self,
        select: &BulkStatement,
        ids: impl Iterator<Item = i64>,
    ) -> Result<HashMap<i64, String>> {
        let ids: Vec<i64> = ids.collect::<BTreeSet<_>>().into_iter().collect();
        let mut names = HashMap::new();
        for row in self.fetch_bulk(select, &ids, |id, values| values.add(*id)).await? {
            if let Some(name) = row.opt_text("name")? {
                names.insert(row.int("id")?, name);
            }
        }
        Ok(names)
    }
}
