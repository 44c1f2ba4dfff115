//! A backup that was looked through, and how it is put in place of a database.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteLockingMode};
use sqlx::{ConnectOptions as _, Connection as _};

use super::partial_file::{PartialFile, sync_parent_folder, with_suffix};
use crate::sealing::KeySource;
use crate::sql::database::SqlDatabase;
use crate::sql::migrations::Schema;
use crate::sql::{SqlStorage, calls};
use crate::{BackupContents, BackupError, Result, StorageError, StorageOpenError};

/// How a file of SQLite begins.
const MAGIC: &[u8] = b"SQLite format 3\0";

/// A backup: whole, of a schema that is known, and its secrets can be opened.
#[derive(Debug)]
pub struct Backup {
    file: PathBuf,
    contents: BackupContents,
}

/// A copy of a backup beside the database that it is going to replace.
#[derive(Debug)]
pub struct StagedBackup {
    part: PartialFile,
    target: PathBuf,
}

impl Backup {
    /// Looks through a backup, which is left as it is.
    pub async fn open(file: &Path, keys: Arc<dyn KeySource>) -> std::result::Result<Self, BackupError> {
        let keyring = keys.load().map_err(StorageOpenError::from)?;
        check_file_header(file)?;
        let db = SqlDatabase::open_immutable(file).await?;
        let storage = SqlStorage {
            db,
            keys,
            keyring: RwLock::new(Arc::new(keyring)),
            ingest_cache: calls::IngestCache::default(),
        };
        let contents = verify(&storage, file).await;
        storage.db.close().await;
        Ok(Self { file: file.to_owned(), contents: contents? })
    }

    /// What is in it.
    pub fn contents(&self) -> &BackupContents {
        &self.contents
    }

    pub(super) fn into_contents(self) -> BackupContents {
        self.contents
    }

    /// Copies it to where it is to be put in place of a database, unless that one is in use.
    pub async fn stage(&self, target: &Path) -> std::result::Result<StagedBackup, BackupError> {
        if is_in_use(target).await {
            return Err(BackupError::InUse { path: target.display().to_string() });
        }
        let mut part = PartialFile::create(target)?;
        let mut source = File::open(&self.file).map_err(|error| BackupError::read(&self.file, error))?;
        io::copy(&mut source, part.file()).map_err(|error| BackupError::write(target, error))?;
        Ok(StagedBackup { part, target: target.to_owned() })
    }
}

impl StagedBackup {
    /// Puts it in place. A database that is there is kept under the name `previous`.
    pub fn install(self, previous: &Path) -> std::result::Result<(), BackupError> {
        keep_previous(&self.target, previous).map_err(|error| BackupError::write(previous, error))?;
        let Self { part, target } = self;
        part.finish().map_err(|error| BackupError::write(&target, error))
    }
}

/// What is cheap to tell and deserves a word of its own.
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
        return not_a_backup("a part of it is in the file -wal beside it, as it is of a running service's database");
    }
    Ok(())
}

async fn verify(storage: &SqlStorage, file: &Path) -> std::result::Result<BackupContents, BackupError> {
    let path = || file.display().to_string();
    let damaged = |error: StorageError| match error {
        // What SQLite says of a file that is cut short or overwritten.
        StorageError::Database(error) => BackupError::Damaged { path: path(), problem: error.to_string() },
        other => BackupError::Open(other.into()),
    };
    let schema = match storage.db.schema().await.map_err(damaged)? {
        Schema::Known(version) => version,
        Schema::Newer(found) => return Err(BackupError::NewerSchema { path: path(), found }),
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
    count(storage, schema, bytes).await.map_err(damaged)
}

async fn count(storage: &SqlStorage, schema: i64, bytes: u64) -> Result<BackupContents> {
    let one = async |sql: &'static str| storage.db.fetch_one(sql, vec![]).await?.count("count");
    let has_calls = one("SELECT COUNT(*) AS count FROM sqlite_master WHERE name = 'call_blocks'").await? > 0;
    let keys = storage.db.fetch_all("SELECT key_id FROM encryption_keys ORDER BY key_id", vec![]).await?;
    Ok(BackupContents {
        bytes,
        schema,
        servers: one("SELECT COUNT(*) AS count FROM servers").await?,
        tools: one("SELECT COUNT(*) AS count FROM tools").await?,
        calls: if has_calls { one("SELECT COALESCE(SUM(calls), 0) AS count FROM call_blocks").await? } else { 0 },
        secrets: one("SELECT COUNT(*) AS count FROM secrets").await?,
        keys: keys.iter().map(|row| row.text("key_id")).collect::<Result<_>>()?,
    })
}

/// Whether another process has the database open. If not, what its last process left in the file beside it is taken in
/// on the way. One that is too damaged to tell is not in use: whoever had it open would have noticed.
async fn is_in_use(file: &Path) -> bool {
    if !fs::metadata(file).is_ok_and(|found| found.len() > 0) {
        return false;
    }
    let options = SqliteConnectOptions::new()
        .filename(file)
        .locking_mode(SqliteLockingMode::Exclusive)
        .busy_timeout(Duration::from_secs(1));
    let alone = async {
        let mut connection = options.connect().await?;
        let begun = sqlx::query("BEGIN EXCLUSIVE").execute(&mut connection).await;
        let closed = connection.close().await;
        begun.and(closed)
    };
    matches!(alone.await.map_err(StorageError::from), Err(StorageError::Unavailable(_)))
}

/// Keeps a database under another name. The file itself goes when another takes its name, so that there is one at any
/// moment; what belongs to it but could not be taken in goes before, or it would be taken for the other's.
fn keep_previous(target: &Path, previous: &Path) -> io::Result<()> {
    if previous.exists() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    rename_if_exists(&with_suffix(target, "-wal"), &with_suffix(previous, "-wal"))?;
    // An index into the other one, made anew where it is missing.
    let _ = fs::remove_file(with_suffix(target, "-shm"));
    match fs::hard_link(target, previous) {
        // Not every file system has links.
        Err(error) if error.kind() != io::ErrorKind::NotFound => rename_if_exists(target, previous)?,
        _ => {}
    }
    sync_parent_folder(target)
}

fn rename_if_exists(from: &Path, to: &Path) -> io::Result<()> {
    match fs::rename(from, to) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        renamed => renamed,
    }
}
