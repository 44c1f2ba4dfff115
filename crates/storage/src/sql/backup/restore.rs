//! Verification of a backup, and its installation in place of a database.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteLockingMode};
use sqlx::{ConnectOptions as _, Connection as _};
use toolgate_domain::time::Timestamp;

use crate::backup::{BackupContents, BackupError};
use crate::error::{Result, StorageError, StorageOpenError};
use crate::sealing::KeySource;
use crate::sql::SqlStorage;
use crate::sql::database::SqlDatabase;
use crate::sql::migrations::Schema;
use crate::sql::partial_file::{PartialFile, sync_parent_folder, with_suffix};
use crate::sql::schema_version::FIRST_WITH_GRANTS;

/// First bytes of a SQLite file.
const MAGIC: &[u8] = b"SQLite format 3\0";

/// A verified backup: it is undamaged, its schema version is supported and the keyring has the keys of its secrets.
#[derive(Debug)]
pub struct Backup {
    file: PathBuf,
    /// Contents of the backup.
    pub contents: BackupContents,
}

/// A copy of a backup next to the database that it will replace.
#[derive(Debug)]
pub struct StagedBackup {
    partial_file: PartialFile,
    target: PathBuf,
}

impl Backup {
    /// Opens a backup read-only and verifies it.
    pub async fn open(file: &Path, keys: Arc<dyn KeySource>) -> std::result::Result<Self, BackupError> {
        let keyring = keys.load().map_err(StorageOpenError::from)?;
        check_file_header(file)?;
        let storage = SqlStorage::new(SqlDatabase::open_immutable(file).await?, keys, keyring);
        let contents = verify(&storage, file).await;
        storage.db.close().await;
        Ok(Self { file: file.to_owned(), contents: contents? })
    }

    /// Copies the backup next to the database `target`, unless that database is in use. Everyone has to sign in again
    /// after the restore at `now`.
    pub async fn stage(&self, target: &Path, now: Timestamp) -> std::result::Result<StagedBackup, BackupError> {
        if is_in_use(target).await {
            return Err(BackupError::InUse { path: target.display().to_string() });
        }
        let mut partial_file = PartialFile::create(target)?;
        let mut source = File::open(&self.file).map_err(|error| BackupError::read(&self.file, error))?;
        io::copy(&mut source, &mut partial_file.file).map_err(|error| BackupError::write(target, error))?;
        refuse_earlier_tokens(&partial_file.path, self.contents.schema, now)
            .await
            .map_err(|error| BackupError::write(target, io::Error::other(error)))?;
        Ok(StagedBackup { partial_file, target: target.to_owned() })
    }
}

impl StagedBackup {
    /// Replaces the database. An existing database is renamed to `previous`.
    pub fn install(self, previous: &Path) -> std::result::Result<(), BackupError> {
        preserve_previous(&self.target, previous).map_err(|error| BackupError::write(previous, error))?;
        let Self { partial_file, target } = self;
        partial_file.finish().map_err(|error| BackupError::write(&target, error))
    }
}

/// Writes the time of the restore into a copy of a backup, so that tokens that were issued before it are refused: new
/// grants may get the ids of grants that were lost. Also deletes grants, sessions and links, because some may have
/// ended after the backup was made. For an older schema, the migration writes the time.
async fn refuse_earlier_tokens(file: &Path, schema: i64, now: Timestamp) -> sqlx::Result<()> {
    if schema < FIRST_WITH_GRANTS {
        return Ok(());
    }
    // The copy must be complete without a WAL file.
    let options = SqliteConnectOptions::new().filename(file).journal_mode(SqliteJournalMode::Delete);
    let mut connection = options.connect().await?;
    for sql in ["DELETE FROM oauth_grants", "DELETE FROM browser_sessions", "DELETE FROM sign_in_links"] {
        sqlx::query(sql).execute(&mut connection).await?;
    }
    let insert = sqlx::query("INSERT INTO token_validity (valid_since) VALUES ($1)").bind(now.as_millis());
    insert.execute(&mut connection).await?;
    connection.close().await
}

/// Rejects files that are not a complete SQLite database with a clearer message than "damaged".
fn check_file_header(file: &Path) -> std::result::Result<(), BackupError> {
    let unreadable = |error| BackupError::read(file, error);
    let not_a_backup = |reason| Err(BackupError::NotABackup { path: file.display().to_string(), reason });
    if !fs::metadata(file).map_err(unreadable)?.is_file() {
        return not_a_backup("it is not a file");
    }
    let mut header = Vec::new();
    let length = u64::try_from(MAGIC.len()).unwrap_or(u64::MAX);
    File::open(file).and_then(|open| open.take(length).read_to_end(&mut header)).map_err(unreadable)?;
    if header != MAGIC {
        return not_a_backup("it is not a SQLite database");
    }
    if fs::metadata(with_suffix(file, "-wal")).is_ok_and(|wal| wal.len() > 0) {
        return not_a_backup(
            "a part of it is in the -wal file next to it; copy a live database with `toolgate backup`",
        );
    }
    Ok(())
}

async fn verify(storage: &SqlStorage, file: &Path) -> std::result::Result<BackupContents, BackupError> {
    let path = || file.display().to_string();
    let damaged = |error: StorageError| match error {
        // SQLite reports truncated and overwritten files this way.
        StorageError::Database(error) => BackupError::Damaged { path: path(), problem: error.to_string() },
        other => BackupError::Open(other.into()),
    };
    let schema = match storage.db.schema().await.map_err(damaged)? {
        Schema::Known(version) => version,
        Schema::Newer { found, .. } => return Err(BackupError::NewerSchema { path: path(), found }),
        Schema::Missing | Schema::Foreign => {
            return Err(BackupError::NotABackup { path: path(), reason: "it is a database of another program" });
        }
    };
    storage.check_keys().await.map_err(|error| match error {
        StorageOpenError::WrongKey { key_id } => BackupError::WrongKey { path: path(), key_id },
        StorageOpenError::Storage(error) => damaged(error),
        other => other.into(),
    })?;
    if let Some(problem) = storage.find_problems().await.map_err(damaged)?.into_iter().next() {
        return Err(BackupError::Damaged { path: path(), problem });
    }
    let bytes = fs::metadata(file).map_err(|error| BackupError::read(file, error))?.len();
    read_contents(storage, schema, bytes).await.map_err(damaged)
}

async fn read_contents(storage: &SqlStorage, schema: i64, bytes: u64) -> Result<BackupContents> {
    let count = async |sql: &'static str| storage.db.fetch_one(sql, vec![]).await?.count("count");
    let has_calls = count("SELECT COUNT(*) AS count FROM sqlite_master WHERE name = 'call_blocks'").await? > 0;
    let keys = storage.db.fetch_all("SELECT key_id FROM encryption_keys ORDER BY key_id", vec![]).await?;
    Ok(BackupContents {
        bytes,
        schema,
        servers: count("SELECT COUNT(*) AS count FROM servers").await?,
        tools: count("SELECT COUNT(*) AS count FROM tools").await?,
        calls: if has_calls { count("SELECT COALESCE(SUM(calls), 0) AS count FROM call_blocks").await? } else { 0 },
        secrets: count("SELECT COUNT(*) AS count FROM secrets").await?,
        keys: keys.iter().map(|row| row.text("key_id")).collect::<Result<_>>()?,
    })
}

/// Whether another process has the database open. If not, this also checkpoints a leftover WAL into the database file.
/// A database that is too damaged to be opened is not in use.
async fn is_in_use(file: &Path) -> bool {
    if !fs::metadata(file).is_ok_and(|metadata| metadata.len() > 0) {
        return false;
    }
    let options = SqliteConnectOptions::new()
        .filename(file)
        .locking_mode(SqliteLockingMode::Exclusive)
        .busy_timeout(Duration::from_secs(1));
    let lock_exclusively = async {
        let mut connection = options.connect().await?;
        let begin_result = sqlx::query("BEGIN EXCLUSIVE").execute(&mut connection).await;
        let close_result = connection.close().await;
        begin_result.and(close_result)
    };
    matches!(lock_exclusively.await.map_err(StorageError::from), Err(StorageError::Unavailable(_)))
}

/// Makes a database available under another name. The file is hard-linked, so that `target` exists until it is
/// replaced. The WAL is moved before that, because SQLite would apply a leftover WAL to the restored database.
fn preserve_previous(target: &Path, previous: &Path) -> io::Result<()> {
    if previous.exists() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    rename_if_exists(&with_suffix(target, "-wal"), &with_suffix(previous, "-wal"))?;
    // The shared-memory file is an index of the WAL; SQLite recreates it.
    let _ = fs::remove_file(with_suffix(target, "-shm"));
    match fs::hard_link(target, previous) {
        // Some file systems have no hard links.
        Err(error) if error.kind() != io::ErrorKind::NotFound => rename_if_exists(target, previous)?,
        _ => {}
    }
    sync_parent_folder(target)
}

fn rename_if_exists(from: &Path, to: &Path) -> io::Result<()> {
    match fs::rename(from, to) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}
