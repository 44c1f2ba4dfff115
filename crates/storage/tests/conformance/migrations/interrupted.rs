//! Migrations that do not come to their end: a statement that fails, a process that is killed, a connection that is lost.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use sqlx::Connection as _;
use tokio::task::JoinSet;
use toolgate_storage::{Storage as _, StorageOpenError};

use super::{OldDatabase, assert_holds_everything, open};
use crate::raw::RawDatabase;

/// What a log of SQLite begins with, and what comes before each page in it.
const WAL_HEADER: usize = 32;
const FRAME_HEAD: usize = 24;
const PAGE: usize = 4096;

/// Names of the tables and indexes that the migrations after the old version make, in their order.
fn objects_created_after(old: &OldDatabase) -> Vec<String> {
    let later = old.migrations().split_off(old.version);
    let lines: Vec<_> = later.iter().flat_map(|migration| migration.sql.as_str().lines()).collect();
    let name = |line: &&str| {
        let words: Vec<_> = line.split_whitespace().take(3).collect();
        let is_one = matches!(words[..], ["CREATE", "TABLE" | "INDEX", _]);
        is_one.then(|| words[2].to_owned())
    };
    lines.iter().filter_map(name).collect()
}

#[tokio::test]
async fn a_migration_that_fails_at_any_statement_leaves_the_database_as_it_was() {
    for old in OldDatabase::all().await {
        let (before, names) = (old.schema().await, objects_created_after(&old));
        assert!(names.len() > 1, "{names:?}");
        for name in names {
            old.raw.execute(&format!("CREATE TABLE {name} (in_the_way BIGINT)")).await;
            let opened = old.open().await;
            assert!(matches!(opened, Err(StorageOpenError::Migrate(_))), "{name}: {opened:?}");
            old.raw.execute(&format!("DROP TABLE {name}")).await;
            assert_eq!(old.schema().await, before, "{name}");
        }
        assert_holds_everything(&old.open().await.unwrap()).await;
    }
}

/// A file of an older schema, and all that a start wrote to bring it up to date, in the order in which it was written.
async fn recorded(old: &OldDatabase) -> (Vec<u8>, Vec<u8>) {
    let RawDatabase::Sqlite(pool) = &old.raw else { panic!("a file is what is recorded") };
    let mut reader = pool.acquire().await.unwrap();
    sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&mut *reader).await.unwrap();
    let file = fs::read(&old.file).unwrap();
    // As long as somebody reads the old state, nothing of the log can be taken into the file.
    let mut reading = reader.begin().await.unwrap();
    sqlx::query("SELECT COUNT(*) FROM users").execute(&mut *reading).await.unwrap();
    let storage = old.open().await.unwrap();
    let log = fs::read(format!("{}-wal", old.file.display())).unwrap();
    assert_eq!(fs::read(&old.file).unwrap(), file);
    drop(reading);
    storage.close().await;
    (file, log)
}

/// A process that is killed leaves the log as far as it came, whatever the moment: each of them is tried.
#[tokio::test]
async fn a_migration_killed_after_any_write_to_the_disk_is_made_up_for_by_the_next_start() {
    for version in 1..super::migrations("sqlite").len() {
        let old = OldDatabase::sqlite(version).await;
        let (file, log) = recorded(&old).await;
        let frame = FRAME_HEAD + PAGE;
        let pages = (log.len() - WAL_HEADER) / frame;
        assert!(pages > 10, "{} bytes", log.len());
        let mut unfinished = 0;
        for page in 0..=pages {
            for end in [WAL_HEADER + page * frame, WAL_HEADER + page * frame + frame / 2] {
                let folder = tempfile::tempdir().unwrap();
                let path: PathBuf = folder.path().join("toolgate.db");
                fs::write(&path, &file).unwrap();
                fs::write(folder.path().join("toolgate.db-wal"), &log[..end.min(log.len())]).unwrap();
                let storage = open(&format!("sqlite://{}", path.display())).await.unwrap();
                assert_holds_everything(&storage).await;
                storage.close().await;
                unfinished += usize::from(path.with_extension(format!("db.schema-{version}")).exists());
            }
        }
        assert!(unfinished > pages / 2, "{unfinished} of {pages} ends came before the migration's");
    }
}

#[tokio::test]
async fn a_migration_whose_connection_is_lost_is_made_up_for_by_the_next_start() {
    let Some(old) = OldDatabase::postgres(1).await else { return };
    let RawDatabase::Postgres(pool) = &old.raw else { return };
    let before = old.schema().await;
    // The last of its statements needs this table, and waits; all before them were carried out.
    let mut holder = pool.begin().await.unwrap();
    sqlx::query("LOCK TABLE tools IN ACCESS EXCLUSIVE MODE").execute(&mut *holder).await.unwrap();
    let mut opening = JoinSet::new();
    let url = old.url.clone();
    opening.spawn(async move { open(&url).await.map(drop) });
    let waiting = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() \
                   AND application_name = 'toolgate' AND wait_event_type = 'Lock'";
    let began = Instant::now();
    while old.raw.int(waiting).await == 0 {
        assert!(began.elapsed() < Duration::from_secs(30), "the migration does not wait");
        assert!(opening.try_join_next().is_none(), "the migration is over");
    }
    let end = "SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity \
               WHERE datname = current_database() AND application_name = 'toolgate'";
    assert!(old.raw.int(end).await > 0);
    opening.join_next().await.unwrap().unwrap().unwrap_err();
    holder.rollback().await.unwrap();
    assert_eq!(old.schema().await, before);
    assert_holds_everything(&old.open().await.unwrap()).await;
}
