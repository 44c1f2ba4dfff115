//! Backups and restores that cannot succeed: one line that says why, and nothing is changed.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use super::{BackupFixture, assert_success, everything_in, refusal, restore, run, toolgate};

#[tokio::test]
async fn a_backup_refuses_bad_targets() {
    let fixture = BackupFixture::open().await;
    let (there, symbolic) = (fixture.file("there"), fixture.file("link"));
    fs::write(&there, "somebody's notes").unwrap();
    let own = |name: &str| fixture.app.data_dir().join(name);
    symlink(own("toolgate.db"), &symbolic).unwrap();
    for (file, args, expected) in [
        (there.clone(), &["backup"][..], "exists already; name another file, or have it replaced with --force"),
        (fixture.folder.path().to_owned(), &["backup", "--force"], "is a folder; name a file in it"),
        (fixture.file("missing/backup"), &["backup"], "there is no folder"),
        (there.join("below"), &["backup"], "cannot write"),
        ("/dev/null".into(), &["backup", "--force"], "is not a file"),
        (own("toolgate.db"), &["backup", "--force"], "is a file of the service itself; name another"),
        (own("toolgate.db-wal"), &["backup", "--force"], "is a file of the service itself; name another"),
        (own("encryption-keys"), &["backup", "--force"], "is a file of the service itself; name another"),
        (symbolic, &["backup", "--force"], "is a file of the service itself; name another"),
    ] {
        let line = refusal(&run(&fixture.app, args, &file));
        assert!(line.contains(expected) && line.contains(&file.display().to_string()), "{line}");
    }
    assert_eq!(fs::read_to_string(there).unwrap(), "somebody's notes");
    assert_eq!(fs::read_dir(fixture.folder.path()).unwrap().count(), 2, "nothing was made");
    fixture.assert_works_at(&fixture.app).await;
}

#[tokio::test]
async fn a_second_backup_to_the_same_file_at_the_same_time_is_refused() {
    let fixture = BackupFixture::open().await;
    let part = fs::File::create(fixture.file("backup.part")).unwrap();
    part.lock().unwrap();
    let line = refusal(&run(&fixture.app, &["backup"], &fixture.file("backup")));
    assert!(line.starts_with("another backup to ") && line.ends_with(" is under way"), "{line}");
    drop(part);
    fixture.back_up(&fixture.file("backup"));
}

#[test]
fn a_backup_of_nothing_makes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("mistyped");
    let output = toolgate().data_dir(&home).command().arg("backup").arg(folder.path().join("backup")).output().unwrap();
    assert!(refusal(&output).starts_with("there is no key file "));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// A restore of this file is refused, here and over a database, and changes nothing.
#[track_caller]
fn assert_not_restored(fixture: &BackupFixture, home: &Path, file: &Path, expected: &str) {
    let (there, here) = (everything_in(fixture.app.data_dir()), everything_in(home));
    for output in [run(&fixture.app, &["restore", "--force"], file), restore(home, file, &[])] {
        let line = refusal(&output);
        assert!(line.contains(expected) && line.contains(&file.display().to_string()), "{line}, not {expected}");
    }
    assert_eq!(everything_in(fixture.app.data_dir()), there);
    assert_eq!(everything_in(home), here);
}

#[tokio::test]
async fn a_restore_refuses_what_is_not_a_whole_backup() {
    let mut fixture = BackupFixture::open().await;
    let (backup, home) = (fixture.file("backup"), fixture.empty_home("home"));
    fixture.back_up(&backup);
    fixture.app.terminate();
    let whole = fs::read(&backup).unwrap();
    let bad = |name: &str, bytes: &[u8]| {
        let file = fixture.file(name);
        fs::write(&file, bytes).unwrap();
        file
    };
    assert_not_restored(&fixture, &home, &fixture.file("missing"), "cannot read ");
    assert_not_restored(&fixture, &home, &fixture.file("home"), "is not a file");
    assert_not_restored(&fixture, &home, &bad("empty", b""), "is not a SQLite database");
    assert_not_restored(&fixture, &home, &bad("garbage", &b"garbage ".repeat(9000)), "is not a SQLite database");
    // Cut at a page, within one, and after the first one.
    for length in [whole.len() - 4096, whole.len() / 2 + 100, 4096, 100] {
        assert_not_restored(&fixture, &home, &bad("truncated", &whole[..length]), "is damaged: ");
    }
    // Overwritten somewhere in the middle, where the rows of some table or index are.
    let mut overwritten = whole.clone();
    let middle = overwritten.len() / 8192 * 4096;
    overwritten[middle..middle + 4096].fill(0xa5);
    assert_not_restored(&fixture, &home, &bad("overwritten", &overwritten), "is damaged: ");
    fs::write(fixture.file("copied-wal"), "pages").unwrap();
    assert_not_restored(&fixture, &home, &bad("copied", &whole), "in the file -wal beside it");
    assert_success(&restore(&home, &backup, &[]));
}

#[tokio::test]
async fn a_restore_refuses_a_wrong_keyring() {
    let mut fixture = BackupFixture::open().await;
    let (backup, home) = (fixture.file("backup"), fixture.empty_home("home"));
    fixture.back_up(&backup);
    fixture.app.terminate();
    let keys = [home.join("encryption-keys"), fixture.app.data_dir().join("encryption-keys")];
    let right = fs::read(&keys[0]).unwrap();
    for file in &keys {
        fs::write(file, "d".repeat(64)).unwrap();
    }
    assert_not_restored(&fixture, &home, &backup, "wrong encryption key: ");
    fs::write(&keys[0], right).unwrap();
    assert_success(&restore(&home, &backup, &[]));
    let bare = fixture.file("bare");
    assert!(refusal(&restore(&bare, &backup, &[])).starts_with("there is no key file "));
    assert!(!bare.exists());
}

#[tokio::test]
async fn a_restore_refuses_a_database_that_is_in_use() {
    let fixture = BackupFixture::open().await;
    let backup = fixture.file("backup");
    fixture.back_up(&backup);
    let line = refusal(&run(&fixture.app, &["restore", "--force"], &backup));
    assert!(line.starts_with("a service runs in the data folder "), "{line}");
    // The same database from another data folder: no lock there tells of the service.
    let home = fixture.empty_home("home");
    let database = fixture.app.data_dir().join("toolgate.db");
    let elsewhere = toolgate().data_dir(&home).postgres(&format!("sqlite://{}", database.display()));
    let output = elsewhere.command().args(["restore", "--force"]).arg(&backup).output().unwrap();
    let line = refusal(&output);
    assert!(line.starts_with(&format!("the database {} is in use", database.display())), "{line}");
    let line = refusal(&run(&fixture.app, &["restore", "--force"], &database));
    assert!(line.ends_with("is the database itself; name a backup of it"), "{line}");
    fixture.assert_works_at(&fixture.app).await;
}
