//! Finds the programs of `PostgreSQL` and the account they run as.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of `initdb`, `postgres` and `psql`.
///
/// Debian's `/usr/bin/psql` is a slow wrapper around these, so the search path is not used.
#[derive(Debug, Clone)]
pub(super) struct Binaries {
    folder: PathBuf,
}

/// The account that the server runs as if this process is root.
#[derive(Debug, Clone, Copy)]
pub(super) struct Account {
    pub(super) uid: u32,
    pub(super) gid: u32,
}

impl Binaries {
    pub(super) fn find() -> Option<Self> {
        let folders = folder_from_pg_config().into_iter().chain(folders_of_debian());
        folders
            .filter(|folder| folder.join("initdb").exists() && folder.join("psql").exists())
            .map(|folder| Self { folder })
            .next()
    }

    /// A command without environment variables that `PostgreSQL` reads (`PGHOST`, `LANG`, ...).
    pub(super) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.folder.join(program));
        command.env_clear();
        command.env("LC_ALL", "C");
        if let Some(path) = std::env::var_os("PATH") {
            command.env("PATH", path);
        }
        command
    }

    /// A shell command line with these programs first in the search path.
    pub(super) fn shell(&self, line: &str) -> Command {
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new("sh");
        command.env_clear().env("LC_ALL", "C").env("PATH", format!("{}:{path}", self.folder.display()));
        command.args(["-c", line]);
        command
    }

    /// Runs SQL and returns the selected rows, one per line.
    #[track_caller]
    pub(super) fn psql(&self, url: &str, sql: &str) -> String {
        let output = self
            .command("psql")
            .args(["--no-psqlrc", "--quiet", "--tuples-only", "--no-align"])
            .args(["--set", "ON_ERROR_STOP=1", "--command", sql, url])
            .output()
            .expect("psql can be run");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "psql {sql:?} failed: {errors}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

impl Account {
    /// The account of the `PostgreSQL` package if this process is root: the server refuses to run as root.
    pub(super) fn for_root() -> Option<Self> {
        if run_id(&["-u"]) != Some(0) {
            return None;
        }
        let uid = run_id(&["-u", "postgres"]).expect("root runs PostgreSQL as the account postgres");
        let gid = run_id(&["-g", "postgres"]).expect("the account postgres has a group");
        Some(Self { uid, gid })
    }
}

/// The number that the program `id` prints.
fn run_id(args: &[&str]) -> Option<u32> {
    let output = Command::new("id").args(args).output().ok()?;
    String::from_utf8(output.stdout).ok()?.trim().parse().ok()
}

fn folder_from_pg_config() -> Option<PathBuf> {
    let output = Command::new("pg_config").arg("--bindir").output().ok()?;
    let folder = String::from_utf8(output.stdout).ok()?;
    Some(PathBuf::from(folder.trim()))
}

/// Debian's folders, the newest version first.
fn folders_of_debian() -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(Path::new("/usr/lib/postgresql")) else {
        return Vec::new();
    };
    let mut versions: Vec<u32> = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).collect();
    versions.sort_unstable_by(|a, b| b.cmp(a));
    let folder = |version| PathBuf::from(format!("/usr/lib/postgresql/{version}/bin"));
    versions.into_iter().map(folder).collect()
}
