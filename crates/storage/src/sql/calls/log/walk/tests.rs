//! The plans SQLite makes for pages of the log: one walk along the index of the narrowest scope, never a sort and never a
//! look at every row. Here and not in the conformance suite, so that the statements are the very ones a page runs.

use domain::call::FailureReason;
use domain::ids::{ServerId, ToolId};
use domain::user::Visibility;
use sqlx::AssertSqlSafe;

use super::*;
use crate::sql::calls::log::COLUMNS;
use crate::sql::database::Database;
use crate::sql::pools::IfMissing;

const MINE: Visibility = Visibility::OwnedBy(UserId(1));

/// What looks up rows of `calls`, as SQLite tells it.
async fn plan(db: &Database, (sql, params): Statement) -> Vec<String> {
    let rows = db.fetch_all(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}")), params).await.unwrap();
    let steps: Vec<String> = rows.iter().map(|row| row.text("detail").unwrap()).collect();
    assert!(!steps.iter().any(|step| step.contains("TEMP B-TREE") || step.starts_with("SCAN")), "{steps:?}");
    steps.into_iter().filter(|step| step.starts_with("SEARCH c ")).collect()
}

fn queries() -> Vec<CallQuery> {
    let mut queries = Vec::new();
    for visibility in [Visibility::All, MINE] {
        for (server, tool) in [(None, None), (Some(2), None), (None, Some(3)), (Some(2), Some(3))] {
            for client_type in [None, Some("zed".to_owned())] {
                let because = CallOutcome::Because(FailureReason::Timeout);
                for outcome in [None, Some(CallOutcome::Success), Some(CallOutcome::Failure), Some(because)] {
                    queries.push(CallQuery {
                        visibility,
                        server: server.map(ServerId),
                        tool: tool.map(ToolId),
                        client_type: client_type.clone(),
                        outcome,
                        from: Some(Timestamp::from_millis(5)),
                        until: Some(Timestamp::from_millis(9)),
                        before: Some(CallId(7777)),
                        limit: 50,
                    });
                }
            }
        }
    }
    queries
}

/// The walk that a query should be.
fn expected(query: &CallQuery) -> String {
    let failed = if matches!(query.outcome, None | Some(CallOutcome::Success)) { "" } else { "_failed" };
    match Walk::of(query).scope {
        Scope::All if failed.is_empty() => "USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)".to_owned(),
        Scope::All => "INDEX calls_failed (id>? AND id<?)".to_owned(),
        Scope::Owner(_) => format!("INDEX calls_user{failed} (user_id=? AND rowid>? AND rowid<?)"),
        Scope::Server(_) => format!("INDEX calls_server{failed} (server_id=? AND rowid>? AND rowid<?)"),
        Scope::Tool(_) => format!("INDEX calls_tool{failed} (tool_id=? AND rowid>? AND rowid<?)"),
    }
}

#[tokio::test]
async fn every_page_is_a_walk_along_the_index_of_the_narrowest_scope() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("toolgate.db").display());
    let db = Database::open(&url, IfMissing::Create).await.unwrap();
    db.migrate().await.unwrap();
    for query in queries() {
        let walk = Walk::of(&query);
        for statement in [walk.page(COLUMNS, &query, Some(CallId(6000)), 51), walk.end()] {
            let steps = plan(&db, statement).await;
            assert!(matches!(&steps[..], [step] if step.ends_with(&expected(&query))), "{query:?}: {steps:?}");
        }
    }
}
