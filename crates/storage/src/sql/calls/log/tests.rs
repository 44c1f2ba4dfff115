//! The plans SQLite makes for pages of the log: one walk along the index, never a sort and never a look at every row. Here
//! and not in the conformance suite, so that the statements are the very ones a page runs.

use sqlx::AssertSqlSafe;

use super::walk::KEYS;
use crate::sql::database::Database;
use crate::sql::pools::IfMissing;

#[tokio::test]
async fn the_blocks_of_a_page_are_a_walk_along_the_index() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("toolgate.db").display());
    let db = Database::open(&url, IfMissing::Create).await.unwrap();
    db.migrate().await.unwrap();
    let params = vec![1.into(); 8];
    let rows = db.fetch_all(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {KEYS}")), params).await.unwrap();
    let steps: Vec<String> = rows.iter().map(|row| row.text("detail").unwrap()).collect();
    let walk = "SEARCH call_index USING PRIMARY KEY (scope=? AND scope_id=? AND block>? AND block<?)";
    assert_eq!(steps, [walk]);
}
