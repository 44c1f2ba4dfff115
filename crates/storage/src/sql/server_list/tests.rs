//! Page scans, and the query plans of SQLite for lists: each is a scan of an index or of the primary key, without a
//! sort. These are unit tests and not part of the conformance suite, so that they check the exact statements that a
//! list runs.

use super::super::database::SqlDatabase;
use super::super::pools::IfMissing;
use super::*;

const SORTS: [ServerSort; 6] = [
    ServerSort::Id,
    ServerSort::Name,
    ServerSort::Slug,
    ServerSort::Status,
    ServerSort::CreatedAt,
    ServerSort::UpdatedAt,
];
const STATUSES: [Option<ServerStatus>; 2] = [None, Some(ServerStatus::Active)];
const DIRECTIONS: [Direction; 2] = [Direction::Asc, Direction::Desc];
const LISTED: [ListedServers; 2] = [ListedServers::All, ListedServers::OwnedBy(UserId(1))];

const USERS: &str =
    "INSERT INTO users (name, role, created_at, updated_at) VALUES ('a', 'owner', 1, 1), ('b', 'owner', 1, 1)";
/// The first user owns nearly all servers, and nearly all are active: such skewed data can mislead a planner.
const SERVERS: &str = "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 3000) \
     INSERT INTO servers (user_id, name, name_key, slug, public_id, status, auth_type, rate_limit_per_min, created_at, \
     updated_at) SELECT CASE n % 100 WHEN 0 THEN 2 ELSE 1 END, 'n' || n, 'n' || n, 's' || n, 'p' || n, \
     CASE n % 50 WHEN 0 THEN 'draft' ELSE 'active' END, 'none', 60, n, n FROM numbers";

async fn plan(db: &SqlDatabase, conditions: &Conditions, sort: ServerSort, direction: Direction) -> String {
    let mut params = conditions.params.clone();
    params.extend([Param::from(20), Param::from(0)]);
    let sql = format!("EXPLAIN QUERY PLAN {}", page_sql(conditions, sort, direction));
    let rows = db.fetch_all(AssertSqlSafe(sql), params).await.unwrap();
    rows.iter().map(|row| row.text("detail").unwrap()).collect::<Vec<_>>().join("; ")
}

/// The lists whose plan is not an index scan, or contains a sort.
async fn bad_plans(db: &SqlDatabase) -> Vec<String> {
    let mut bad = Vec::new();
    for (servers, status) in LISTED.into_iter().flat_map(|servers| STATUSES.map(|status| (servers, status))) {
        for (sort, direction) in SORTS.into_iter().flat_map(|sort| DIRECTIONS.map(|direction| (sort, direction))) {
            for conditions in
                [Conditions::for_servers(servers, "id", status), Conditions::for_search_scan(servers, status, "x")]
            {
                let plan = plan(db, &conditions, sort, direction).await;
                // Without filters and ordered by id, SQLite scans the table's primary key.
                let is_primary_key_scan = servers == ListedServers::All && status.is_none() && sort == ServerSort::Id;
                let is_index_scan = is_primary_key_scan || plan.contains(" servers USING INDEX");
                if !is_index_scan || plan.contains("TEMP B-TREE") {
                    bad.push(format!("{servers:?} {status:?} {sort:?} {direction:?}: {plan}"));
                }
            }
        }
    }
    bad
}

#[test]
fn a_page_is_scanned_from_the_nearer_end() {
    let scan = |number, size, total| {
        PageScan::new(Page { number, size }, total).map(|scan| (scan.is_backwards, scan.limit, scan.offset))
    };
    assert_eq!(scan(1, 20, 100), Some((false, 20, 0)));
    assert_eq!(scan(3, 20, 100), Some((false, 20, 40)));
    assert_eq!(scan(4, 20, 100), Some((true, 20, 20)));
    assert_eq!(scan(5, 20, 100), Some((true, 20, 0)));
    assert_eq!(scan(5, 20, 91), Some((true, 11, 0)));
    assert_eq!(scan(1, 20, 3), Some((false, 20, 0)));
    assert_eq!(scan(6, 20, 100), None);
    assert_eq!(scan(1, 20, 0), None);
}

#[tokio::test]
async fn far_page_sql_returns_the_same_rows_as_page_sql() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("far.db").display());
    let db = SqlDatabase::open(&url, IfMissing::Create).await.unwrap();
    db.migrate().await.unwrap();
    let mut tx = db.begin().await.unwrap();
    tx.execute(USERS, vec![]).await.unwrap();
    tx.execute(SERVERS, vec![]).await.unwrap();
    tx.commit().await.unwrap();
    for (sort, direction) in SORTS.into_iter().flat_map(|sort| DIRECTIONS.map(|direction| (sort, direction))) {
        let conditions = Conditions::for_servers(ListedServers::OwnedBy(UserId(1)), "id", None);
        let mut pages = Vec::new();
        for sql in [page_sql, far_page_sql].map(|sql| sql(&conditions, sort, direction)) {
            let mut params = conditions.params.clone();
            params.extend([Param::from(20), Param::from(1500)]);
            let rows = db.fetch_all(AssertSqlSafe(sql), params).await.unwrap();
            pages.push(rows.iter().map(|row| row.int("id").unwrap()).collect::<Vec<_>>());
        }
        assert_eq!(pages[0].len(), 20);
        assert_eq!(pages[0], pages[1], "{sort:?} {direction:?}");
    }
}

#[tokio::test]
async fn every_list_scans_an_index_in_the_requested_order() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("plans.db").display());
    let db = SqlDatabase::open(&url, IfMissing::Create).await.unwrap();
    db.migrate().await.unwrap();
    assert_eq!(bad_plans(&db).await, [""; 0], "in an empty database");
    let mut tx = db.begin().await.unwrap();
    tx.execute(USERS, vec![]).await.unwrap();
    tx.execute(SERVERS, vec![]).await.unwrap();
    tx.commit().await.unwrap();
    // With `PRAGMA optimize` on close, SQLite would analyze the tables that this connection queried.
    let mut tx = db.begin().await.unwrap();
    tx.fetch_all("SELECT id FROM servers WHERE user_id = 1 AND status = 'active'", vec![]).await.unwrap();
    tx.commit().await.unwrap();
    db.close().await;
    let db = SqlDatabase::open(&url, IfMissing::Create).await.unwrap();
    assert_eq!(bad_plans(&db).await, [""; 0], "with servers");
    let statistics = "SELECT name FROM sqlite_master WHERE name LIKE 'sqlite_stat%'";
    assert!(db.fetch_all(statistics, vec![]).await.unwrap().is_empty(), "statistics would change the plans");
}
