//! Schema versions and migrations. Each migration is a transaction. Before the first one, a SQLite file is copied, so
//! that an upgrade can be undone.

use std::path::Path;

use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::{AssertSqlSafe, SqlStr};

use super::database::SqlDatabase;
use super::database_copy;
use super::nodes::LOST_AFTER_MS;
use super::partial_file::with_suffix;
use super::pools::Pools;
use super::row::params;
use super::schema_version::{FIRST_WITH_NODES, NEWEST, OLDEST_PROGRAM};
use crate::error::{Result, StorageError, StorageOpenError};

/// Schema versions: number, name, statements for SQLite, statements for PostgreSQL. Released versions never change.
const MIGRATIONS: [(i64, &str, &str, &str); 17] = [
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
    (
        14,
        "rolling_upgrades",
        include_str!("../../migrations/sqlite/0014_rolling_upgrades.sql"),
        include_str!("../../migrations/postgres/0014_rolling_upgrades.sql"),
    ),
    (
        15,
        "oauth",
        include_str!("../../migrations/sqlite/0015_oauth.sql"),
        include_str!("../../migrations/postgres/0015_oauth.sql"),
    ),
    (
        16,
        "oauth_subjects",
        include_str!("../../migrations/sqlite/0016_oauth_subjects.sql"),
        include_str!("../../migrations/postgres/0016_oauth_subjects.sql"),
    ),
    (
        17,
        "identities",
        include_str!("../../migrations/sqlite/0017_identities.sql"),
        include_str!("../../migrations/postgres/0017_identities.sql"),
    ),
];

const _: () = assert!(MIGRATIONS[MIGRATIONS.len() - 1].0 == NEWEST, "the newest version is that of the last migration");

/// The schema of a database, according to its table of migrations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Schema {
    /// The database has no schema yet.
    Missing,
    /// This version, which may be older than the newest.
    Known(i64),
    /// A version that only a newer program knows.
    Newer {
        found: i64,
        /// The oldest schema version whose programs can use the database.
        oldest_program: i64,
    },
    /// A schema that this program did not create.
    Foreign,
}

impl SqlDatabase {
    /// Applies the missing migrations, each in a separate transaction. A newer schema that this program can use stays
    /// as it is: during a rolling upgrade, nodes of two versions share the database.
    pub(super) async fn migrate(&self) -> std::result::Result<(), StorageOpenError> {
        if let newer @ Schema::Newer { found, .. } = self.schema().await? {
            newer.require_usable()?;
            tracing::info!(found, newest = NEWEST, "the schema is that of a newer version, which this version can use");
            return Ok(());
        }
        self.refuse_older_nodes().await?;
        let applied = match &self.pools {
            Pools::Sqlite { writer, .. } => {
                self.copy_if_outdated(writer.pool.connect_options().get_filename()).await?;
                migrator(self.is_sqlite()).run(&writer.pool).await
            }
            Pools::Postgres { pool, .. } => migrator(self.is_sqlite()).run(pool).await,
        };
        applied.map_err(|error| match error {
            // Another node has migrated the database since the check.
            MigrateError::VersionMissing(found) => StorageOpenError::NewerSchema { found },
            other => StorageOpenError::Migrate(other),
        })
    }

    /// Fails if a node is running whose program cannot use the newest schema.
    async fn refuse_older_nodes(&self) -> std::result::Result<(), StorageOpenError> {
        let Schema::Known(FIRST_WITH_NODES..) = self.schema().await? else { return Ok(()) };
        let sql = format!(
            "SELECT name, version FROM nodes WHERE schema_version < $1 AND last_seen_at >= {} - {LOST_AFTER_MS}",
            self.now_sql()
        );
        match self.fetch_optional(AssertSqlSafe(sql), params![OLDEST_PROGRAM]).await? {
            Some(node) => Err(StorageOpenError::OlderNode { name: node.text("name")?, version: node.text("version")? }),
            None => Ok(()),
        }
    }

    /// Copies a file with an older schema; the name of the copy contains the version.
    async fn copy_if_outdated(&self, file: &Path) -> std::result::Result<(), StorageOpenError> {
        let Schema::Known(version) = self.schema().await? else { return Ok(()) };
        if version == NEWEST {
            return Ok(());
        }
        let copy = with_suffix(file, &format!(".schema-{version}"));
        database_copy::copy_to(self, &copy)
            .await
            .map_err(|source| StorageOpenError::Copy { source: Box::new(source) })?;
        tracing::info!(copy = %copy.display(), version, newest = NEWEST, "copied the database before its schema changes");
        Ok(())
    }

    /// Fails unless the schema is the newest version, or one of a newer program that this program can use.
    pub(super) async fn require_current_schema(&self) -> std::result::Result<(), StorageOpenError> {
        self.schema().await?.require_usable()
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
                None => {
                    return Ok(Schema::Newer { found: version, oldest_program: self.oldest_program(version).await? });
                }
            };
        }
        let Schema::Known(NEWEST) = schema else { return Ok(schema) };
        // A newer program can refuse this one without a migration, for example because it writes rows differently.
        let oldest_program = self.oldest_program(NEWEST).await?;
        if oldest_program > NEWEST {
            return Ok(Schema::Newer { found: oldest_program, oldest_program });
        }
        Ok(schema)
    }

    /// The oldest schema version whose programs can use the database, which has schema `version`.
    async fn oldest_program(&self, version: i64) -> Result<i64> {
        match self.fetch_one("SELECT oldest_program FROM schema_compatibility", vec![]).await {
            Ok(row) => row.int("oldest_program"),
            Err(StorageError::Database(error)) if is_missing_table(&error) => Ok(version),
            Err(other) => Err(other),
        }
    }
}

impl Schema {
    /// Fails if this program must not use a database with this schema.
    fn require_usable(self) -> std::result::Result<(), StorageOpenError> {
        match self {
            Self::Known(version) if version == NEWEST => Ok(()),
            Self::Newer { oldest_program, .. } if oldest_program <= NEWEST => Ok(()),
            Self::Newer { found, .. } => Err(StorageOpenError::NewerSchema { found }),
            Self::Missing | Self::Known(_) | Self::Foreign => Err(StorageOpenError::OlderSchema),
        }
    }
}

fn is_missing_table(error: &sqlx::Error) -> bool {
    const UNDEFINED_TABLE: &str = "42P01";
    let Some(error) = error.as_database_error() else { return false };
    error.code().as_deref() == Some(UNDEFINED_TABLE) || error.message().starts_with("no such table")
}

fn migrator(is_sqlite: bool) -> Migrator {
    let migrations = MIGRATIONS.map(|(version, name, sqlite, postgres)| {
        let sql = SqlStr::from_static(if is_sqlite { sqlite } else { postgres });
        Migration::new(version, name.into(), MigrationType::Simple, sql, false)
    });
    Migrator::with_migrations(migrations.into())
}
