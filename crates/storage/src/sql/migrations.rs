//! Schema versions, and how a database is brought up to the newest. Each step is a transaction, and before the first
//! one a file of SQLite is copied as it is: whatever an upgrade brings, there is a way back.

use std::path::{Path, PathBuf};

use sqlx::SqlStr;
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};

use super::backup;
use super::database::SqlDatabase;
use super::pools::Pools;
use crate::{Result, StorageError, StorageOpenError};

/// Schema versions: number, name, statements for SQLite, statements for PostgreSQL. Only ever added to.
const MIGRATIONS: [(i64, &str, &str, &str); 2] = [
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
];

/// The schema of a database, as its table of migrations tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Schema {
    /// Nobody has made one yet.
    Missing,
    /// Of this version, which may be an older one.
    Known(i64),
    /// Of a version that this program does not know.
    Newer(i64),
    /// Not one of this program's.
    Foreign,
}

impl SqlDatabase {
    /// Applies the migrations that are missing, each in a transaction of its own.
    pub(super) async fn migrate(&self) -> std::result::Result<(), StorageOpenError> {
        let applied = match self.pools() {
            Pools::Sqlite { writer, .. } => {
                self.copy_if_outdated(writer.pool().connect_options().get_filename()).await?;
                migrator(|(_, _, sql, _)| sql).run(writer.pool()).await
            }
            Pools::Postgres { pool, .. } => migrator(|(_, _, _, sql)| sql).run(pool).await,
        };
        applied.map_err(|error| match error {
            MigrateError::VersionMissing(found) => StorageOpenError::NewerSchema { found },
            other => StorageOpenError::Migrate(other),
        })
    }

    /// Copies a file with an older schema to a name that tells its version.
    async fn copy_if_outdated(&self, file: &Path) -> std::result::Result<(), StorageOpenError> {
        let Schema::Known(version) = self.schema().await? else { return Ok(()) };
        if version == newest() {
            return Ok(());
        }
        let copy = copy_name(file, version);
        backup::copy_to(self, &copy).await.map_err(|source| StorageOpenError::Copy { source: Box::new(source) })?;
        tracing::info!(copy = %copy.display(), version, newest = newest(), "copied the database before its schema changes");
        Ok(())
    }

    /// Refuses a database whose schema is not of this version.
    pub(super) async fn require_current_schema(&self) -> std::result::Result<(), StorageOpenError> {
        match self.schema().await? {
            Schema::Known(version) if version == newest() => Ok(()),
            Schema::Newer(found) => Err(StorageOpenError::NewerSchema { found }),
            Schema::Missing | Schema::Known(_) | Schema::Foreign => Err(StorageOpenError::OlderSchema),
        }
    }

    /// Which schema the database has.
    pub(super) async fn schema(&self) -> Result<Schema> {
        let sql = "SELECT version, checksum FROM _sqlx_migrations ORDER BY version";
        let rows = match self.fetch_all(sql, vec![]).await {
            Ok(rows) => rows,
            Err(StorageError::Database(error)) if is_missing_table(&error) => return Ok(Schema::Missing),
            Err(other) => return Err(other),
        };
        let migrations = if self.is_sqlite() { migrator(|(_, _, sql, _)| sql) } else { migrator(|(_, _, _, sql)| sql) };
        let mut schema = Schema::Missing;
        for row in rows {
            let (version, checksum) = (row.int("version")?, row.bytes("checksum")?);
            schema = match migrations.iter().find(|known| known.version == version) {
                Some(known) if *known.checksum == *checksum => Schema::Known(version),
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

fn newest() -> i64 {
    MIGRATIONS.iter().map(|(version, ..)| *version).max().unwrap_or_default()
}

fn copy_name(file: &Path, version: i64) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(format!(".schema-{version}"));
    name.into()
}

fn migrator(statements: fn((i64, &'static str, &'static str, &'static str)) -> &'static str) -> Migrator {
    let migrations = MIGRATIONS.map(|migration| {
        let sql = SqlStr::from_static(statements(migration));
        Migration::new(migration.0, migration.1.into(), MigrationType::Simple, sql, false)
    });
    Migrator::with_migrations(migrations.into())
}
