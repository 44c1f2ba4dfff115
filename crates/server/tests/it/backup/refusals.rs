//! Backups and restores that cannot succeed print one line with the reason and change nothing.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use super::{BackupFixture, assert_success, error_line, read_files_below, restore, run};
use crate::toolgate;

#[tokio::test]
async fn a_backup_refuses_bad_targets() {
    let fixture = BackupFixture::open().await;
    let (existing, link) = (fixture.file("existing"), fixture.file("link"));
    fs::write(&existing, "unrelated notes").unwrap();
    let service_file = |name: &str| fixture.service.app.data_dir().join(name);
    symlink(service_file("toolgate.db"), &link).unwrap();
    for (file, args, expected) in [
        (existing.clone(), &["backup"][..], "already exists; name another file, or replace it with --force"),
        (fixture.folder.path().to_owned(), &["backup", "--force"], "is a folder; name a file in it"),
        (fixture.file("missing/backup"), &["backup"], "there is no folder"),
        (existing.join("below"), &["backup"], "cannot write"),
        ("/dev/null".into(), &["backup", "--force"], "is not a regular file; name another"),
        (service_file("toolgate.db"), &["backup", "--force"], "is a file of the service; name another"),
        (service_file("toolgate.db-wal"), &["backup", "--force"], "is a file of the service; name another"),
        (service_file("encryption-keys"), &["backup", "--force"], "is a file of the service; name another"),
        (link, &["backup", "--force"], "is a file of the service; name another"),
    ] {
        let error = error_line(&run(&fixture.service.app, args, &file));
        assert!(error.contains(expected) && error.contains(&file.display().to_string()), "{error}");
    }
    assert_eq!(fs::read_to_string(existing).unwrap(), "unrelated notes");
    assert_eq!(fs::read_dir(fixture.folder.path()).unwrap().count(), 2, "no file was created");
    fixture.assert_works_at(&fixture.service.app).await;
}

#[tokio::test]
async fn a_concurrent_second_backup_to_the_same_file_is_refused() {
    let fixture = BackupFixture::open().await;
    let part_file = fs::File::create(fixture.file("backup.part")).unwrap();
    part_file.lock().unwrap();
    let error = error_line(&run(&fixture.service.app, &["backup"], &fixture.file("backup")));
    let (start, end) = ("another backup or restore is writing ", "; wait until it has finished");
    assert!(error.starts_with(start) && error.ends_with(end), "{error}");
    drop(part_file);
    fixture.back_up(&fixture.file("backup"));
}

#[test]
fn a_backup_from_a_missing_data_folder_creates_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("mistyped");
    let output =
        toolgate().data_dir(&data_dir).command().arg("backup").arg(folder.path().join("backup")).output().unwrap();
    assert!(error_line(&output).starts_with("there is no key file "));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// Asserts that a restore of this file fails and changes nothing, over an existing database and into an empty folder.
#[track_caller]
fn assert_not_restored(fixture: &BackupFixture, data_dir: &Path, file: &Path, expected: &str) {
    let existing_before = read_files_below(fixture.service.app.data_dir());
    let empty_before = read_files_below(data_dir);
    for output in [run(&fixture.service.app, &["restore", "--force"], file), restore(data_dir, file, &[])] {
        let line = error_line(&output);
        assert!(
            line.contains(expected) && line.contains(&file.display().to_string()),
            "{line:?} must contain {expected:?} and the path"
        );
    }
    assert_eq!(read_files_below(fixture.service.app.data_dir()), existing_before);
    assert_eq!(read_files_below(data_dir), empty_before);
}

#[tokio::test]
async fn a_restore_refuses_a_file_that_is_not_a_complete_backup() {
    let mut fixture = BackupFixture::open().await;
    let (backup, data_dir) = (fixture.file("backup"), fixture.new_data_dir("data_dir"));
    fixture.back_up(&backup);
    fixture.service.app.terminate();
    let complete = fs::read(&backup).unwrap();
    let write_file = |name: &str, bytes: &[u8]| {
        let file = fixture.file(name);
        fs::write(&file, bytes).unwrap();
        file
    };
    assert_not_restored(&fixture, &data_dir, &fixture.file("missing"), "cannot read ");
    assert_not_restored(&fixture, &data_dir, &fixture.file("data_dir"), "is not a file");
    assert_not_restored(&fixture, &data_dir, &write_file("empty", b""), "is not a SQLite database");
    assert_not_restored(
        &fixture,
        &data_dir,
        &write_file("garbage", &b"garbage ".repeat(9000)),
        "is not a SQLite database",
    );
    // Truncated at a page boundary, within a page, after the first page, and within the first page. SQLite pages have
    // 4096 bytes.
    for length in [complete.len() - 4096, complete.len() / 2 + 100, 4096, 100] {
        assert_not_restored(&fixture, &data_dir, &write_file("truncated", &complete[..length]), "is damaged: ");
    }
    // One page in the middle, which belongs to some table or index, is overwritten.
    let mut overwritten = complete.clone();
    let middle = overwritten.len() / 8192 * 4096;
    overwritten[middle..middle + 4096].fill(0xa5);
    assert_not_restored(&fixture, &data_dir, &write_file("overwritten", &overwritten), "is damaged: ");
    fs::write(fixture.file("copied-wal"), "pages").unwrap();
    assert_not_restored(&fixture, &data_dir, &write_file("copied", &complete), "a part of it is in the -wal file ");
    assert_success(&restore(&data_dir, &backup, &[]));
}

#[tokio::test]
async fn a_restore_refuses_a_wrong_keyring() {
    let mut fixture = BackupFixture::open().await;
    let (backup, data_dir) = (fixture.file("backup"), fixture.new_data_dir("data_dir"));
    fixture.back_up(&backup);
    fixture.service.app.terminate();
    let key_files = [data_dir.join("encryption-keys"), fixture.service.app.data_dir().join("encryption-keys")];
    let correct_keys = fs::read(&key_files[0]).unwrap();
    for file in &key_files {
        fs::write(file, "d".repeat(64)).unwrap();
    }
    assert_not_restored(&fixture, &data_dir, &backup, "wrong encryption key: ");
    fs::write(&key_files[0], correct_keys).unwrap();
    assert_success(&restore(&data_dir, &backup, &[]));
    let missing = fixture.file("missing");
    let line = error_line(&restore(&missing, &backup, &[]));
    assert!(line.starts_with("there is no key file ") && !line.contains("start the service"), "{line}");
    assert!(line.contains("put a copy of that service's key file there"), "{line}");
    assert!(!missing.exists());
}

#[tokio::test]
async fn a_restore_refuses_a_database_that_is_in_use() {
    let fixture = BackupFixture::open().await;
    let backup = fixture.file("backup");
    fixture.back_up(&backup);
    let line = error_line(&run(&fixture.service.app, &["restore", "--force"], &backup));
    assert!(line.starts_with("a service runs in the data folder "), "{line}");
    // The same database from another data folder, where the service holds no lock. `postgres` sets any database URL.
    let data_dir = fixture.new_data_dir("data_dir");
    let database = fixture.service.app.data_dir().join("toolgate.db");
    let other_service = toolgate().data_dir(&data_dir).postgres(&format!("sqlite://{}", database.display()));
    let output = other_service.command().args(["restore", "--force"]).arg(&backup).output().unwrap();
    let line = error_line(&output);
    assert!(line.starts_with(&format!("the database {} is in use", database.display())), "{line}");
    let line = error_line(&run(&fixture.service.app, &["restore", "--force"], &database));
    assert!(line.ends_with("is the database itself; name a backup of it"), "{line}");
    fixture.assert_works_at(&fixture.service.app).await;
}
