//! Restores over an existing database: the old files are kept, and later calls are not mixed into the restored data.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use serde_json::json;

use super::{BackupFixture, assert_success, error_line, read_files_below, restore, run, schema_version};
use crate::toolgate;

/// The file or folder that a restore renamed, found by its original name.
fn renamed_by_restore(fixture: &BackupFixture, name: &str) -> PathBuf {
    let entries = fs::read_dir(fixture.service.app.data_dir()).unwrap().map(|entry| entry.unwrap().path());
    let is_match =
        |path: &PathBuf| path.file_name().unwrap().to_string_lossy().starts_with(&format!("{name}.before-restore-"));
    let renamed: Vec<_> = entries.filter(is_match).collect();
    assert_eq!(renamed.len(), 1, "{renamed:?}");
    renamed[0].clone()
}

#[tokio::test]
async fn a_backup_is_private_and_reports_its_contents_and_the_missing_keys() {
    let fixture = BackupFixture::open().await;
    let file = fixture.file("backup");
    let (stdout, stderr) = fixture.back_up(&file);
    let bytes = fs::metadata(&file).unwrap().len();
    let (file_path, version) = (file.display(), schema_version());
    let expected = format!("{file_path}: {bytes} bytes, schema version {version}, 1 server, 1 tool, 0 calls\n");
    assert_eq!(stdout, expected);
    let keys = fixture.service.app.data_dir().join("encryption-keys");
    assert!(stderr.contains(&format!("The backup does not contain the keys of {}", keys.display())), "{stderr}");
    assert!(stderr.contains("to decrypt its 1 secret: "), "{stderr}");
    let advice = "keep a copy of the key in a safe place, apart from the backups";
    assert!(stderr.contains(advice), "{stderr}");
    assert!(fixture.service.app.logs().contains(advice), "the log of the first start contains the same advice");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::read_dir(fixture.folder.path()).unwrap().count(), 1, "no other file is left");
    let keys = fs::read_to_string(keys).unwrap();
    assert_eq!(toolgate_testkit::secrets::find_secret(&fs::read(&file).unwrap(), keys.trim_end()), None);
}

#[tokio::test]
async fn a_restore_replaces_a_database_only_with_force_and_keeps_the_old_files() {
    let mut fixture = BackupFixture::open().await;
    let file = fixture.file("backup");
    fixture.back_up(&file);
    let later_server = fixture.service.app.client().create("/servers", json!({"name": "Later"})).await;
    // After a kill, a part of the database is in its -wal file, and calls may be in the journal.
    fixture.assert_works_at(&fixture.service.app).await;
    fixture.service.app.kill();
    let files_before = read_files_below(fixture.service.app.data_dir());
    let line = error_line(&run(&fixture.service.app, &["restore"], &file));
    assert!(line.starts_with("there is already a database at ") && line.contains("--force"), "{line}");
    assert_eq!(read_files_below(fixture.service.app.data_dir()), files_before);

    let (_, stderr) = assert_success(&run(&fixture.service.app, &["restore", "--force"], &file));
    let (database, journal) = (renamed_by_restore(&fixture, "toolgate.db"), renamed_by_restore(&fixture, "journal"));
    for path in [&database, &journal] {
        assert!(stderr.contains(&format!("Renamed previous data to: {}", path.display())), "{stderr}");
    }
    fixture.service.app.restart();
    fixture.service.app.client().get(&format!("/servers/{}", later_server["id"])).send().await.expect(404);
    fixture.assert_works_at(&fixture.service.app).await;

    // The renamed file is a database that can be restored.
    fixture.service.app.kill();
    assert_success(&run(&fixture.service.app, &["restore", "--force"], &database));
    fixture.service.app.restart();
    fixture.service.app.client().get(&format!("/servers/{}", later_server["id"])).send().await.expect(200);
}

#[tokio::test]
async fn calls_after_the_backup_are_not_attributed_to_new_objects_with_the_same_ids() {
    let mut fixture = BackupFixture::open().await;
    let file = fixture.file("backup");
    fixture.back_up(&file);
    // Calls of a server that is not in the backup. They are still in the journal when the service is killed.
    let upstream = fixture.service.upstream.url("/");
    let create_server = async |name: &str| {
        let api = fixture.service.app.client();
        let server = api.create("/servers", json!({"name": name})).await;
        let tool = json!({"name": "tool", "endpoint_url": upstream});
        api.post(&format!("/servers/{}/tools", server["id"])).json(tool).send().await.expect(201);
        server
    };
    let later_server = create_server("Later").await;
    for _ in 0..20 {
        let mcp = toolgate_testkit::McpClient::new(later_server["endpoint_url"].as_str().unwrap());
        mcp.request("tools/call", json!({"name": "tool", "arguments": {}})).send().await.expect(200);
    }
    fixture.service.app.kill();
    assert_success(&run(&fixture.service.app, &["restore", "--force"], &file));
    fixture.service.app.restart();
    let other_server = fixture.service.app.client().create("/servers", json!({"name": "Other"})).await;
    assert_eq!(other_server["id"], later_server["id"], "ids continue from those in the backup");
    assert_eq!(fixture.service.app.call_count().await, 0);
    assert!(!fixture.service.app.logs().contains("journal"), "no journal is left over: {}", fixture.service.app.logs());
}

#[tokio::test]
async fn a_killed_backup_leaves_the_file_unchanged_and_the_next_one_cleans_up() {
    let fixture = BackupFixture::open().await;
    let file = fixture.file("backup");
    fixture.back_up(&file);
    let first = fs::read(&file).unwrap();
    // A killed backup leaves this file behind.
    fs::write(fixture.file("backup.part"), "incomplete").unwrap();
    assert_eq!(fs::read(&file).unwrap(), first);
    assert_success(&run(&fixture.service.app, &["backup", "--force"], &file));
    assert_eq!(fs::read_dir(fixture.folder.path()).unwrap().count(), 1);
    assert_success(&restore(&fixture.new_data_dir("data_dir"), &file, &[]));
}

#[tokio::test]
async fn a_restore_with_keys_from_the_environment_creates_a_missing_data_folder() {
    let keys = "c".repeat(64);
    let builder_with_keys = || toolgate().env("TOOLGATE_ENCRYPTION_KEYS", &keys);
    let fixture = BackupFixture::open_with(builder_with_keys()).await;
    let file = fixture.file("backup");
    let (_, stderr) = fixture.back_up(&file);
    assert!(stderr.contains("The backup does not contain the keys of TOOLGATE_ENCRYPTION_KEYS"), "{stderr}");
    let builder = builder_with_keys().data_dir(fixture.file("not/there"));
    assert_success(&builder.command().arg("restore").arg(&file).output().unwrap());
    fixture.assert_works_at(&builder.start()).await;
}
