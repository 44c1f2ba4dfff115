//! The plans SQLite makes for lists: a walk along an index, never a sort and never a look at every row.
//! Here and not in the conformance suite, so that the statements are the very ones a list runs.

use toolgate_domain::ids::UserId;

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
const OWNERS: [Visibility; 2] = [Visibility::All, Visibility::OwnedBy(UserId(1))];

/// One owner of nearly everything, statuses uneven: what misleads a planner.
const USERS: &str =
    "INSERT INTO users (name, role, created_at, updated_at) VALUES ('a', 'owner', 1, 1), ('b', 'owner', 1, 1)";
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

/// The lists whose plan is anything but a walk along an index.
async fn bad_plans(db: &SqlDatabase) -> Vec<String> {
    let mut bad = Vec::new();
    for (owner, status) in OWNERS.into_iter().flat_map(|owner| STATUSES.map(|status| (owner, status))) {
        for (sort, direction) in SORTS.into_iter().flat_map(|sort| DIRECTIONS.map(|direction| (sort, direction))) {
            for conditions in [Conditions::for_servers(owner, status), Conditions::for_search_scan(owner, status, "x")]
            {
                let plan = plan(db, &conditions, sort, direction).await;
                // By id alone the table itself is the index.
                let is_by_id_alone = owner == Visibility::All && status.is_none() && sort == ServerSort::Id;
                let is_walk = is_by_id_alone || plan.contains(" servers USING INDEX");
                if !is_walk || plan.contains("TEMP B-TREE") {
                    bad.push(format!("{owner:?} {status:?} {sort:?} {direction:?}: {plan}"));
                }
            }
        }
    }
    bad
}

#[test]
fn a_page_is_reached_from_the_nearer_end() {
    let scan =
        |number, size, total| PageScan::new(Page { number, size }, total).map(|w| (w.is_backwards, w.limit, w.offset));
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
async fn a_far_page_is_the_same_page() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("far.db").display());
    let db = SqlDatabase::open(&url, IfMissing::Create).await.unwrap();
    db.migrate().await.unwrap();
    let mut tx = db.begin().await.unwrap();
    tx.execute(USERS, vec![]).await.unwrap();
    tx.execute(SERVERS, vec![]).await.unwrap();
    tx.commit().await.unwrap();
    for (sort, direction) in SORTS.into_iter().flat_map(|sort| DIRECTIONS.map(|direction| (sort, direction))) {
        let conditions = Conditions::for_servers(Visibility::OwnedBy(UserId(1)), None);
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
async fn every_list_walks_an_index_in_the_wanted_order() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("plans.db").display());
    let db = SqlDatabase::open(&url, IfMissing::Create).await.unwrap();
    db.migrate().await.unwrap();
    assert_eq!(bad_plans(&db).await, [""; 0], "in an empty database");
    let mut tx = db.begin().await.unwrap();
    tx.execute(USERS, vec![]).await.unwrap();
    tx.execute(SERVERS, vec![]).await.unwrap();
    tx.commit().await.unwrap();
    let mut tx = db.begin().await.unwrap();
    tx.fetch_all("SELECT id FROM servers WHERE user_id = 1 AND status = 'active'", vec![]).await.unwrap();
    tx.commit().await.unwrap();
    db.close().await;
    let db = SqlDatabase::open(&url, IfMissing::Create).await.unwrap();
    assert_eq!(bad_plans(&db).await, [""; 0], "with servers");
    let statistics = "SELECT name FROM sqlite_master WHERE name LIKE 'sqlite_stat%'";
    assert!(db.fetch_all(statistics, vec![]).await.unwrap().is_empty(), "statistics would change the plans");
}
