//! Opens the connection pools of either database.

use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Connection as _, PgConnection, PgPool, SqlitePool};

use super::connection_waiters::ConnectionWaiters;
use super::liveness::{self, LivenessProbe};
use super::pool_queue::{PoolQueue, QUEUE_TIMEOUT};
use super::sqlite_writer::SqliteWriter;
use crate::error::StorageOpenError;
use crate::pool_state::PoolState;

const SQLITE_READERS: u32 = 4;
const POSTGRES_CONNECTIONS: u32 = 20;
/// How long PostgreSQL may take to provide a connection before it is treated as unreachable.
pub(super) const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// How long a SQLite connection waits for a lock of another connection.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Turns `synchronous_commit` on where the database's default is `off`, so that an acknowledged write survives a crash
/// of PostgreSQL's machine. Other values, some of which are stricter, stay.
const ENABLE_SYNCHRONOUS_COMMIT: &str =
    "SELECT set_config('synchronous_commit', 'on', FALSE) WHERE current_setting('synchronous_commit') = 'off'";

/// The connection pools of a database.
#[derive(Debug)]
pub(super) enum Pools {
    /// One write connection, because SQLite allows one writer, and readers, which WAL mode does not block.
    Sqlite {
        writer: SqliteWriter,
        readers: SqlitePool,
        waiting_readers: ConnectionWaiters,
    },
    Postgres {
        pool: PgPool,
        queue: PoolQueue,
        liveness: Arc<LivenessProbe>,
    },
}

/// What to do if a SQLite file does not exist. A PostgreSQL database must always exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IfMissing {
    Create,
    Refuse,
}

impl Pools {
    pub(super) async fn open(url: &str, if_missing: IfMissing) -> std::result::Result<Self, StorageOpenError> {
        if let Some(path) = url.strip_prefix("sqlite://") {
            let opened = Self::open_sqlite(Path::new(path), if_missing).await;
            return opened.map_err(|source| StorageOpenError::Connect { url: url.to_owned(), source });
        }
        if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            let options = PgConnectOptions::from_str(url);
            let options =
                options.map_err(|source| StorageOpenError::Connect { url: "postgres://…".to_owned(), source })?;
            let shown_url = without_password(&options);
            let (pools, encoding) = Self::open_postgres(options)
                .await
                .map_err(|source| StorageOpenError::Connect { url: shown_url, source })?;
            // Names of clients may contain any Unicode character, and one that cannot be stored would block all ingest.
            return if encoding == "UTF8" { Ok(pools) } else { Err(StorageOpenError::Encoding { found: encoding }) };
        }
        Err(StorageOpenError::Scheme(url.split(':').next().unwrap_or_default().to_owned()))
    }

    async fn open_sqlite(path: &Path, if_missing: IfMissing) -> sqlx::Result<Self> {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(if_missing == IfMissing::Create)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full) // an acknowledged write survives a power failure
            .foreign_keys(true)
            .busy_timeout(BUSY_TIMEOUT)
            .pragma("temp_store", "memory")
            // No optimize_on_close: with statistics, SQLite prefers a table scan to the indexes for the lists.
            .pragma("secure_delete", "on"); // overwrites deleted data in the file
        let pool_options =
            || SqlitePoolOptions::new().acquire_timeout(QUEUE_TIMEOUT).idle_timeout(None).max_lifetime(None);
        // The writer comes first: it creates the file that readers open.
        let writer = SqliteWriter::open(pool_options(), options.clone()).await?;
        let readers = pool_options().max_connections(SQLITE_READERS).connect_lazy_with(options.read_only(true));
        Ok(Self::Sqlite { writer, readers, waiting_readers: ConnectionWaiters::default() })
    }

    /// Opens a file that must not change while it is open; no connection can write.
    pub(super) async fn open_immutable(path: &Path) -> sqlx::Result<Self> {
        let options = SqliteConnectOptions::new().filename(path).read_only(true).immutable(true);
        let options = options.pragma("temp_store", "memory");
        let writer = SqliteWriter::open(SqlitePoolOptions::new(), options.clone()).await?;
        let readers = SqlitePoolOptions::new().max_connections(1).connect_lazy_with(options);
        Ok(Self::Sqlite { writer, readers, waiting_readers: ConnectionWaiters::default() })
    }

    /// The state of each pool.
    pub(super) fn states(&self) -> Vec<PoolState> {
        match self {
            Self::Sqlite { writer, readers, waiting_readers } => vec![
                pool_state("writer", &writer.pool, writer.waiting.count()),
                pool_state("reader", readers, waiting_readers.count()),
            ],
            Self::Postgres { pool, queue, .. } => vec![pool_state("main", pool, queue.waiting.count())],
        }
    }

    /// Opens the pool; also returns the text encoding of the database.
    async fn open_postgres(options: PgConnectOptions) -> sqlx::Result<(Self, String)> {
        let options = options.application_name("toolgate");
        // A connection outside the pool, because the pool does not report why a connection failed.
        let connect = tokio::time::timeout(CONNECT_TIMEOUT, PgConnection::connect_with(&options));
        let mut connection = connect.await.map_err(|_| sqlx::Error::PoolTimedOut)??;
        let encoding = sqlx::query_scalar("SHOW server_encoding").fetch_one(&mut connection).await?;
        connection.close().await?;
        let pool = PgPoolOptions::new().max_connections(POSTGRES_CONNECTIONS).acquire_timeout(CONNECT_TIMEOUT);
        let pool = pool.after_connect(|connection, _| {
            Box::pin(async move { sqlx::query(ENABLE_SYNCHRONOUS_COMMIT).execute(connection).await.map(drop) })
        });
        let liveness = Arc::new(LivenessProbe::new(options.clone()));
        let probe = Arc::clone(&liveness);
        let pool = pool.after_release(move |connection, _| {
            let is_suspect = probe.is_suspect();
            Box::pin(async move { if is_suspect { liveness::check_alive(connection).await } else { Ok(true) } })
        });
        let queue = PoolQueue::new(POSTGRES_CONNECTIONS);
        Ok((Self::Postgres { pool: pool.connect_lazy_with(options), queue, liveness }, encoding))
    }
}

fn pool_state<DB: sqlx::Database>(name: &'static str, pool: &sqlx::Pool<DB>, waiting: u32) -> PoolState {
    let idle = u32::try_from(pool.num_idle()).unwrap_or(u32::MAX);
    let in_use = pool.size().saturating_sub(idle);
    PoolState { name, in_use, idle, max: pool.options().get_max_connections(), waiting }
}

/// The address for messages. It is built from the parsed parts: removing the password from the text is not reliable,
/// because a password may contain any character.
fn without_password(options: &PgConnectOptions) -> String {
    format!("postgres://{}:{}/{}", options.get_host(), options.get_port(), options.get_database().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn errors_never_show_the_password() {
        for url in [
            "postgres://u:s3cret@127.0.0.1:1/x",
            "postgres://u:p@s3cret@127.0.0.1:1/x",
            "postgres://127.0.0.1:1/x?user=u&password=s3cret@q",
            "postgres://u:p/s3cret@127.0.0.1:1/x",
            "postgres://u:s3cret@[127.0.0.1:1/x",
        ] {
            let error = Pools::open(url, IfMissing::Create).await.unwrap_err();
            let shown = format!("{error} {error:?}");
            assert!(!shown.contains("s3cret"), "{shown}");
        }
    }

    #[tokio::test]
    async fn sqlite_acknowledges_a_write_once_it_is_on_the_disk() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("t.db").display());
        let Pools::Sqlite { writer, .. } = Pools::open(&url, IfMissing::Create).await.unwrap() else { panic!() };
        let mut connection = writer.pool.acquire().await.unwrap();
        let synchronous: i64 = sqlx::query_scalar("PRAGMA synchronous").fetch_one(&mut *connection).await.unwrap();
        let mode: String = sqlx::query_scalar("PRAGMA journal_mode").fetch_one(&mut *connection).await.unwrap();
        assert_eq!((synchronous, mode.as_str()), (2, "wal"), "2 is FULL");
    }

    #[tokio::test]
    async fn postgresql_acknowledges_a_write_once_it_is_on_the_disk() {
        let Some(database) = toolgate_testkit::Postgres::fresh_database() else { return };
        for (default, expected) in [("off", "on"), ("local", "local"), ("remote_apply", "remote_apply")] {
            database.psql(&format!("ALTER DATABASE {} SET synchronous_commit = {default}", database.name()));
            let Pools::Postgres { pool, .. } = Pools::open(database.url(), IfMissing::Refuse).await.unwrap() else {
                panic!()
            };
            let actual: String = sqlx::query_scalar("SHOW synchronous_commit").fetch_one(&pool).await.unwrap();
            assert_eq!(actual, expected);
        }
    }
}
