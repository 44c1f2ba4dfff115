//! Schema versions and migrations. Each migration is a transaction. Before the first one, a SQLite file is copied, so
//! that an upgrade can be undone.

use std::path::Path;

use sqlx::SqlStr;
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};

use super::database::SqlDatabase;
use super::database_copy;
use super::partial_file::with_suffix;
use super::pools::Pools;
use crate::error::{Result, StorageError, StorageOpenError};

/// Schema versions: number, name, statements for SQLite, statements for PostgreSQL. Released versions never change.
const MIGRATIONS: [(i64, &str, &str, &str); 13] = [
    (
        1,
        "foundation",
        include_str!("../../migrations/sqlite/0001_foundation.sql"),
        include_str!("../../migrations/postgres/0001_foundation.sql"),
    ),
    (
        2,
        "calls",
        include_str!("../../migrations/sqlite/0002_calls.sql"),
        include_str!("../../migrations/postgres/0002_calls.sql"),
    ),
    (
        3,
        "call_origin",
        include_str!("../../migrations/sqlite/0003_call_origin.sql"),
        include_str!("../../migrations/postgres/0003_call_origin.sql"),
    ),
    (
        4,
        "endpoint_key_limits",
        include_str!("../../migrations/sqlite/0004_endpoint_key_limits.sql"),
        include_str!("../../migrations/postgres/0004_endpoint_key_limits.sql"),
    ),
    (
        5,
        "teams",
        include_str!("../../migrations/sqlite/0005_teams.sql"),
        include_str!("../../migrations/postgres/0005_teams.sql"),
    ),
    (
        6,
        "tool_model",
        include_str!("../../migrations/sqlite/0006_tool_model.sql"),
        include_str!("../../migrations/postgres/0006_tool_model.sql"),
    ),
    (
        7,
        "server_credentials",
        include_str!("../../migrations/sqlite/0007_server_credentials.sql"),
        include_str!("../../migrations/postgres/0007_server_credentials.sql"),
    ),
    (
        8,
        "documents",
        include_str!("../../migrations/sqlite/0008_documents.sql"),
        include_str!("../../migrations/postgres/0008_documents.sql"),
    ),
    (
        9,
        "sealed_documents",
        include_str!("../../migrations/sqlite/0009_sealed_documents.sql"),
        include_str!("../../migrations/postgres/0009_sealed_documents.sql"),
    ),
    (
        10,
        "document_refresh",
        include_str!("../../migrations/sqlite/0010_document_refresh.sql"),
        include_str!("../../migrations/postgres/0010_document_refresh.sql"),
    ),
    (
        11,
        "model_experience",
        include_str!("../../migrations/sqlite/0011_model_experience.sql"),
        include_str!("../../migrations/postgres/0011_model_experience.sql"),
    ),
    (
        12,
        "nodes",
        include_str!("../../migrations/sqlite/0012_nodes.sql"),
        include_str!("../../migrations/postgres/0012_nodes.sql"),
    ),
    (
        13,
        "node_state",
        include_str!("../../migrations/sqlite/0013_node_state.sql"),
        include_str!("../../migrations/postgres/0013_node_state.sql"),
    ),
];

/// The schema of a database, according to its table of migrations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Schema {
    /// The database has no schema yet.
    Missing,
    /// This version, which may be older than the newest.
    Known(i64),
    /// This version, which only a newer program knows.
    Newer(i64),
    /// A schema that this program did not create.
    Foreign,
}

impl SqlDatabase {
    /// Applies the missing migrations, each in a separate transaction.
    pub(super) async fn migrate(&self) -> std::result::Result<(), StorageOpenError> {
        let applied = match &self.pools {
            Pools::Sqlite { writer, .. } => {
                self.copy_if_outdated(writer.pool.connect_options().get_filename()).await?;
                migrator(self.is_sqlite()).run(&writer.pool).await
            }
            Pools::Postgres { pool, .. } => migrator(self.is_sqlite()).run(pool).await,
        };
        applied.map_err(|error| match error {
            MigrateError::VersionMissing(found) => StorageOpenError::NewerSchema { found },
            other => StorageOpenError::Migrate(other),
        })
    }

    /// Copies a file with an older schema; the name of the copy contains the version.
    async fn copy_if_outdated(&self, file: &Path) -> std::result::Result<(), StorageOpenError> {
        let Schema::Known(version) = self.schema().await? else { return Ok(()) };
        if version == newest_version() {
            return Ok(());
        }
        let copy = with_suffix(file, &format!(".schema-{version}"));
        database_copy::copy_to(self, &copy)
            .await
            .map_err(|source| StorageOpenError::Copy { source: Box::new(source) })?;
        tracing::info!(copy = %copy.display(), version, newest = newest_version(), "copied the database before its schema changes");
        Ok(())
    }

    /// Fails if the schema is not the newest version.
    pub(super) async fn require_current_schema(&self) -> std::result::Result<(), StorageOpenError> {
        match self.schema().await? {
            Schema::Known(version) if version == newest_version() => Ok(()),
            Schema::Newer(found) => Err(StorageOpenError::NewerSchema { found }),
            Schema::Missing | Schema::Known(_) | Schema::Foreign => Err(StorageOpenError::OlderSchema),
        }
    }

    /// Reads the schema of the database.
    pub(super) async fn schema(&self) -> Result<Schema> {
        let sql = "SELECT version, checksum FROM _sqlx_migrations ORDER BY version";
        let rows = match self.fetch_all(sql, vec![]).await {
            Ok(rows) => rows,
            Err(StorageError::Database(error)) if is_missing_table(&error) => return Ok(Schema::Missing),
            Err(other) => return Err(other),
        };
        let migrations = migrator(self.is_sqlite());
        let mut schema = Schema::Missing;
        for row in rows {
            let (version, checksum) = (row.int("version")?, row.bytes("checksum")?);
            schema = match migrations.iter().find(|migration| migration.version == version) {
                Some(migration) if *migration.checksum == *checksum => Schema::Known(version),
                Some(_) => return Ok(Schema::Foreign),
                None => return Ok(Schema::Newer(version)),
            };
        }
        Ok(schema)
    }
}

fn is_missing_table(error: &sqlx::Error) -> bool {
    const UNDEFINED_TABLE: &str = "42P01";
    let Some(error) = error.as_database_error() else { return false };
    error.code().as_deref() == Some(UNDEFINED_TABLE) || error.message().starts_with("no such table")
}

fn newest_version() -> i64 {
    MIGRATIONS.iter().map(|(version, ..)| *version).max().unwrap_or_default()
}

fn migrator(is_sqlite: bool) -> Migrator {
    let migrations = MIGRATIONS.map(|(version, name, sqlite, postgres)| {
        let sql = SqlStr::from_static(if is_sqlite { sqlite } else { postgres });
        Migration::new(version, name.into(), MigrationType::Simple, sql, false)
    });
    Migrator::with_migrations(migrations.into())
}
