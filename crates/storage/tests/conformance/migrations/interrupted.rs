//! Interrupted migrations: a statement fails, the process is killed, or the connection is lost.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use sqlx::Connection as _;
use tokio::task::JoinSet;
use toolgate_storage::{Storage as _, StorageOpenError};

use super::{OldDatabase, assert_contents, open};
use crate::raw::RawDatabase;

/// The header of a SQLite WAL file. Frames follow, each with a header and a page.
const WAL_HEADER_BYTES: usize = 32;
const FRAME_HEADER_BYTES: usize = 24;
const PAGE_BYTES: usize = 4096;

/// The names of the tables and indexes that the next migration creates, in order.
fn objects_created_next(old: &OldDatabase) -> Vec<String> {
    let name = |line: &str| {
        let words: Vec<_> = line.split_whitespace().take(3).collect();
        let is_create = matches!(words[..], ["CREATE", "TABLE" | "INDEX", _]);
        is_create.then(|| words[2].to_owned())
    };
    old.migrations()[old.version].sql.as_str().lines().filter_map(name).collect()
}

#[tokio::test]
async fn a_migration_that_fails_at_any_statement_leaves_the_schema_unchanged() {
    let mut failures = 0;
    for old in OldDatabase::all().await {
        let (before, names) = (old.schema().await, objects_created_next(&old));
        failures += names.len();
        for name in names {
            old.raw.execute(&format!("CREATE TABLE {name} (in_the_way BIGINT)")).await;
            let opened = old.open().await;
            assert!(matches!(opened, Err(StorageOpenError::Migrate(_))), "{name}: {opened:?}");
            old.raw.execute(&format!("DROP TABLE {name}")).await;
            assert_eq!(old.schema().await, before, "{name}");
        }
        assert_contents(&old.open().await.unwrap()).await;
    }
    assert!(failures > 1, "the migrations create only {failures} objects");
}

/// Migrates the database. Returns the file as it was before, and the WAL that the migration wrote.
async fn record_migration(old: &OldDatabase) -> (Vec<u8>, Vec<u8>) {
    let RawDatabase::Sqlite(pool) = &old.raw else { panic!("only SQLite has a file to record") };
    let mut reader = pool.acquire().await.unwrap();
    sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&mut *reader).await.unwrap();
    let file = fs::read(&old.file).unwrap();
    // While a reader uses the old state, SQLite cannot move pages from the WAL into the file.
    let mut read_tx = reader.begin().await.unwrap();
    sqlx::query("SELECT COUNT(*) FROM users").execute(&mut *read_tx).await.unwrap();
    let storage = old.open().await.unwrap();
    let wal = fs::read(format!("{}-wal", old.file.display())).unwrap();
    assert_eq!(fs::read(&old.file).unwrap(), file);
    drop(read_tx);
    storage.close().await;
    (file, wal)
}

/// The number of frames up to the end of the next migration. Later migrations are tested with the later versions, so
/// that the duration of the test does not grow with the square of their number.
fn frames_of_next_migration(wal: &[u8]) -> usize {
    /// The next migration is among these commits.
    const COMMITS: usize = 3;
    let frames = wal.get(WAL_HEADER_BYTES..).unwrap_or_default().chunks_exact(FRAME_HEADER_BYTES + PAGE_BYTES);
    let count = frames.len();
    // The size of the database is in the header of a frame that commits, and zero in others.
    let commits = frames.enumerate().filter(|(_, frame)| frame.get(4..8).is_some_and(|size| size != [0; 4]));
    commits.map(|(index, _)| index + 1).nth(COMMITS - 1).unwrap_or(count)
}

/// A killed process leaves a truncated WAL. The test truncates it at the end and in the middle of every frame.
#[tokio::test]
async fn a_migration_killed_after_any_write_is_completed_by_the_next_start() {
    for version in 1..super::migrations("sqlite").len() {
        let old = OldDatabase::sqlite(version).await;
        let (file, wal) = record_migration(&old).await;
        let frame_bytes = FRAME_HEADER_BYTES + PAGE_BYTES;
        let frames = frames_of_next_migration(&wal);
        assert!(frames > 3, "the WAL has only {} bytes", wal.len());
        let mut unfinished = 0;
        for frame in 0..=frames {
            let frame_start = WAL_HEADER_BYTES + frame * frame_bytes;
            for end in [frame_start, frame_start + frame_bytes / 2] {
                let folder = tempfile::tempdir().unwrap();
                let path: PathBuf = folder.path().join("toolgate.db");
                fs::write(&path, &file).unwrap();
                fs::write(folder.path().join("toolgate.db-wal"), &wal[..end.min(wal.len())]).unwrap();
                let storage = open(&format!("sqlite://{}", path.display())).await.unwrap();
                assert_contents(&storage).await;
                storage.close().await;
                // One of the migrations was not complete, so the file was copied before it was repeated.
                let is_copy = |entry: fs::DirEntry| entry.file_name().to_string_lossy().contains(".schema-");
                let has_copy = fs::read_dir(folder.path()).unwrap().any(|entry| is_copy(entry.unwrap()));
                unfinished += usize::from(has_copy);
            }
        }
        // Many frames are of writes after a small migration, so only some of the truncated WALs end before its end.
        assert!(unfinished > 3, "only {unfinished} truncated WALs of {frames} frames ended before the migration did");
    }
}

#[tokio::test]
async fn a_migration_whose_connection_is_lost_is_completed_by_the_next_start() {
    let Some(old) = OldDatabase::postgres(1).await else { return };
    let RawDatabase::Postgres(pool) = &old.raw else { return };
    let before = old.schema().await;
    // The last statement of the migration waits for this lock, after all statements before it have run.
    let mut holder = pool.begin().await.unwrap();
    sqlx::query("LOCK TABLE tools IN ACCESS EXCLUSIVE MODE").execute(&mut *holder).await.unwrap();
    let mut opening = JoinSet::new();
    let url = old.url.clone();
    opening.spawn(async move { open(&url).await.map(drop) });
    let waiting = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() \
                   AND application_name = 'toolgate' AND wait_event_type = 'Lock'";
    let started = Instant::now();
    while old.raw.int(waiting).await == 0 {
        assert!(started.elapsed() < Duration::from_secs(30), "the migration does not wait for the lock");
        assert!(opening.try_join_next().is_none(), "the migration ended without waiting for the lock");
    }
    let terminate = "SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity \
               WHERE datname = current_database() AND application_name = 'toolgate'";
    assert!(old.raw.int(terminate).await > 0);
    opening.join_next().await.unwrap().unwrap().unwrap_err();
    holder.rollback().await.unwrap();
    assert_eq!(old.schema().await, before);
    assert_contents(&old.open().await.unwrap()).await;
}
