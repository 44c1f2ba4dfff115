//! Backups and restores: under load, over an existing database, and with invalid input.

mod postgresql;
mod refusals;
mod restoring;
mod under_load;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::json;
use tempfile::TempDir;
use toolgate_testkit::running_service::ServiceBuilder;
use toolgate_testkit::{MockResponse, RunningService, ServiceFixture, Upstream};

use crate::toolgate;

const TOKEN: &str = "upstream-secret-4711";

/// The newest schema version: the highest number of a migration.
fn schema_version() -> usize {
    let files = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../storage/migrations/sqlite")).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    names.map(|name| name.split('_').next().unwrap().parse().unwrap()).max().unwrap()
}

/// A service with one tool, which sends a secret to its upstream.
struct BackupFixture {
    service: ServiceFixture,
    folder: TempDir,
}

impl BackupFixture {
    async fn open() -> Self {
        Self::open_with(toolgate()).await
    }

    async fn open_with(builder: ServiceBuilder) -> Self {
        let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
        let service = ServiceFixture::start(builder, upstream, json!({"name": "Shop"})).await;
        service.create_tool(json!({"auth_type": "bearer", "auth_credentials": {"token": TOKEN}})).await;
        Self { service, folder: tempfile::tempdir().unwrap() }
    }

    /// The path of a file in the folder for backups.
    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Takes a backup, which must succeed; returns stdout and stderr.
    fn back_up(&self, file: &Path) -> (String, String) {
        assert_success(&run(&self.service.app, &["backup"], file))
    }

    /// Creates a data folder that contains only the encryption keys of this service.
    fn new_data_dir(&self, name: &str) -> PathBuf {
        let data_dir = self.file(name);
        fs::create_dir(&data_dir).unwrap();
        fs::copy(self.service.app.data_dir().join("encryption-keys"), data_dir.join("encryption-keys")).unwrap();
        data_dir
    }

    /// Asserts that a call of the tool at a service with the same objects sends the secret to the upstream.
    async fn assert_works_at(&self, app: &RunningService) {
        let hits = self.service.upstream.request_count();
        self.service.caller_at(app).text("tool", json!({})).await;
        assert!(self.service.upstream.request_count() > hits);
        let sent = self.service.upstream.last();
        assert_eq!(sent.header("authorization"), Some(format!("Bearer {TOKEN}").as_str()));
    }
}

/// Runs a command on a file with the settings of a service.
fn run(app: &RunningService, args: &[&str], file: &Path) -> Output {
    app.command().args(args).arg(file).output().unwrap()
}

/// Restores a backup into a data folder.
fn restore(data_dir: &Path, file: &Path, args: &[&str]) -> Output {
    toolgate().data_dir(data_dir).command().arg("restore").args(args).arg(file).output().unwrap()
}

#[track_caller]
fn assert_success(output: &Output) -> (String, String) {
    let [stdout, stderr] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
    assert!(output.status.success(), "{stderr}");
    (stdout, stderr)
}

/// The error line of a command that failed.
#[track_caller]
fn error_line(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "", "{errors}");
    let line = errors.lines().last().and_then(|line| line.strip_prefix("toolgate: "));
    line.unwrap_or_else(|| panic!("there is no error line in {errors}")).to_owned()
}

/// The paths and contents of all files below a folder, except lock files.
fn read_files_below(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files: Vec<_> = toolgate_testkit::secrets::files_below(folder)
        .into_iter()
        .filter(|path| path.extension().is_none_or(|extension| extension != "lock"))
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect();
    files.sort();
    files
}
