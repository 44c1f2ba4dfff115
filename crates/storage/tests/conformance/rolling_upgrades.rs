//! During a rolling upgrade, nodes of the previous release use a database that a node of this release has migrated.
//! Only PostgreSQL can have several nodes.

use std::collections::BTreeMap;

use sqlx::migrate::Migrator;
use sqlx::{AssertSqlSafe, Executor as _, PgPool, SqlSafeStr as _};
use toolgate_storage::{Storage as _, StorageOpenError};
use toolgate_testkit::postgres::TestDatabase;

use crate::migrations::{OldDatabase, migrations};
use crate::raw::RawDatabase;

/// The newest schema version of the previous release.
const PREVIOUS_VERSION: i64 = 11;

/// The statements that the previous release sends, one a line (`scripts/record-statements`).
const PREVIOUS_STATEMENTS: &str = include_str!("statements.sql");

/// A database with all migrations up to a version. `None` if no PostgreSQL is available.
async fn database_of(version: i64) -> Option<(PgPool, TestDatabase)> {
    let database = toolgate_testkit::Postgres::fresh_database()?;
    let RawDatabase::Postgres(pool) = RawDatabase::connect(database.url()).await else { unreachable!() };
    let applied = migrations("postgres").into_iter().filter(|migration| migration.version <= version).collect();
    Migrator::with_migrations(applied).run(&pool).await.unwrap();
    Some((pool, database))
}

/// The descriptions that [`COLUMNS`] or [`CONSTRAINTS`] selects, by the name of the column or constraint.
async fn descriptions(pool: &PgPool, sql: &'static str) -> BTreeMap<String, String> {
    sqlx::query_as::<_, (String, String)>(sql).fetch_all(pool).await.unwrap().into_iter().collect()
}

/// The type of each column, and whether an insert must set it.
const COLUMNS: &str = "SELECT CAST(table_name || '.' || column_name AS TEXT), \
    data_type || CASE WHEN is_nullable = 'YES' OR column_default IS NOT NULL OR is_identity = 'YES' THEN '' ELSE ', required' END \
    FROM information_schema.columns WHERE table_schema = 'public'";

/// Constraints that reject rows. Foreign keys of added tables are listed as well: one without an action would prevent
/// the previous release from deleting rows.
const CONSTRAINTS: &str = "SELECT CAST(conrelid::regclass AS TEXT) || ': ' || conname, \
    CASE WHEN contype = 'f' THEN CAST(confrelid::regclass AS TEXT) || ' ' || CAST(confdeltype AS TEXT) ELSE pg_get_constraintdef(oid) END \
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype IN ('c', 'u', 'f', 'x')";

#[tokio::test]
async fn statements_of_the_previous_release_fit_the_newest_schema() {
    let Some((pool, _database)) = database_of(i64::MAX).await else { return };
    for statement in PREVIOUS_STATEMENTS.lines() {
        let mut connection = pool.acquire().await.unwrap();
        let prepared = connection.prepare(AssertSqlSafe(statement).into_sql_str()).await;
        assert!(prepared.is_ok(), "{statement}\n{:?}", prepared.err());
    }
}

#[tokio::test]
async fn the_previous_release_can_write_rows_of_the_newest_schema() {
    let Some((previous, _previous_database)) = database_of(PREVIOUS_VERSION).await else { return };
    let Some((newest, _newest_database)) = database_of(i64::MAX).await else { return };
    let (old_columns, new_columns) = (descriptions(&previous, COLUMNS).await, descriptions(&newest, COLUMNS).await);
    for (column, description) in &old_columns {
        assert_eq!(new_columns.get(column), Some(description), "{column} must stay as it is");
    }
    let is_old_table = |name: &str| {
        let table = name.split(['.', ':']).next().unwrap_or_default();
        old_columns.keys().any(|column| column.split('.').next() == Some(table))
    };
    for (column, description) in new_columns.iter().filter(|(column, _)| !old_columns.contains_key(*column)) {
        let may_be_omitted = !is_old_table(column) || !description.ends_with("required");
        assert!(may_be_omitted, "{column} must have a default or accept NULL: the previous release does not write it");
    }
    let (old_rules, new_rules) = (descriptions(&previous, CONSTRAINTS).await, descriptions(&newest, CONSTRAINTS).await);
    for (rule, definition) in new_rules.iter().filter(|(rule, _)| !old_rules.contains_key(*rule)) {
        // `a` is NO ACTION and `r` is RESTRICT.
        let blocks_deletes = definition.ends_with(" a") || definition.ends_with(" r");
        assert!(!is_old_table(rule) && !blocks_deletes, "{rule} ({definition}): the previous release may violate it");
    }
}

#[tokio::test]
async fn the_newest_schema_admits_the_previous_release() {
    let Some((pool, _database)) = database_of(i64::MAX).await else { return };
    let oldest: i64 =
        sqlx::query_scalar("SELECT oldest_program FROM schema_compatibility").fetch_one(&pool).await.unwrap();
    assert!(oldest <= PREVIOUS_VERSION, "two successive releases must work with one database");
}

#[tokio::test]
async fn a_schema_that_a_running_node_cannot_use_is_not_applied() {
    let Some(old) = OldDatabase::postgres(12).await else { return };
    let now = "CAST(EXTRACT(EPOCH FROM now()) * 1000 AS BIGINT)";
    let insert = format!(
        "INSERT INTO nodes (id, name, version, started_at, last_seen_at, status, schema_version) \
         VALUES ('a', 'first', '0.0.9', 1, {now}, 'ready', 10), ('b', 'second', '0.1.0', 1, {now}, 'ready', 11)"
    );
    old.raw.execute(&insert).await;
    let schema = old.schema().await;
    let error = old.open().await.unwrap_err();
    assert!(matches!(&error, StorageOpenError::OlderNode { name, version } if name == "first" && version == "0.0.9"));
    assert_eq!(old.schema().await, schema, "nothing was migrated");
    old.raw.execute(&format!("UPDATE nodes SET last_seen_at = {now} - 60000 WHERE id = 'a'")).await;
    old.open().await.unwrap().close().await;
}
