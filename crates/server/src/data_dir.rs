//! The data folder: database file, keys, journal and locks.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};

/// Held by every service that runs in the folder.
const SERVICE_LOCK: &str = "service.lock";
/// Held by the only service that may run in the folder with SQLite.
const SINGLE_SERVICE_LOCK: &str = "single-service.lock";

/// The path of the data folder, which may not exist yet.
#[derive(Clone, Debug)]
pub(crate) struct DataDir(PathBuf);

impl DataDir {
    pub(crate) fn new(path: &Path) -> Self {
        Self(path.to_owned())
    }

    /// Creates the folder if it is missing, with access for its owner only, and checks that it is writable.
    pub(crate) fn prepare(&self) -> anyhow::Result<()> {
        let created = DirBuilder::new().recursive(true).mode(0o700).create(&self.0);
        created.and_then(|()| probe_write(&self.0)).map_err(|error| self.write_error(&error))
    }

    /// The file of the first administrator's key, if the service created it.
    pub(crate) fn admin_key_file(&self) -> PathBuf {
        self.0.join("admin-key")
    }

    /// The file of the keys that encrypt stored secrets.
    pub(crate) fn encryption_key_file(&self) -> PathBuf {
        self.0.join("encryption-keys")
    }

    /// The database file, unless a setting names another database.
    pub(crate) fn database_file(&self) -> PathBuf {
        self.0.join("toolgate.db")
    }

    /// The file with the id of the demo server, if it was added.
    pub(crate) fn demo_marker_file(&self) -> PathBuf {
        self.0.join("demo-server")
    }

    /// The folder of the calls that are not in the database yet.
    pub(crate) fn journal_dir(&self) -> PathBuf {
        self.0.join("journal")
    }

    /// Creates the database file if it is missing, with access for its owner only. SQLite itself would create a file
    /// that others can read.
    pub(crate) fn ensure_database(&self) -> anyhow::Result<()> {
        self.open_private(&self.database_file()).map(drop)
    }

    /// Keeps other processes from creating keys until the returned file is dropped.
    pub(crate) fn lock_keys(&self) -> anyhow::Result<File> {
        self.wait_for_lock("keys.lock")
    }

    /// Makes another rotation wait until the returned file is dropped: two at the same time would re-encrypt each
    /// other's secrets.
    pub(crate) fn lock_rotation(&self) -> anyhow::Result<File> {
        self.wait_for_lock("rotation.lock")
    }

    /// Takes the shared lock of a running service until the returned file is dropped; several services may hold it.
    pub(crate) fn lock_for_service(&self) -> anyhow::Result<File> {
        let lock = self.open_private(&self.0.join(SERVICE_LOCK))?;
        match lock.try_lock_shared() {
            Err(TryLockError::WouldBlock) => {
                bail!("a backup is being restored into {}; try again when it is done", self.0.display())
            }
            other => self.check_lock(lock, other),
        }
    }

    /// Takes the lock of the only service in the folder, until the returned file is dropped or the process ends. With
    /// SQLite a second service would write to the same database, which has no change notifications between processes.
    pub(crate) fn lock_for_single_service(&self) -> anyhow::Result<File> {
        let lock = self.open_private(&self.0.join(SINGLE_SERVICE_LOCK))?;
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => bail!(
                "another service runs in the data folder {}, or is still stopping; stop it first, or name another folder \
                 with --data-dir (TOOLGATE_DATA_DIR)",
                self.0.display()
            ),
            other => self.check_lock(lock, other),
        }
    }

    /// Takes the exclusive lock, so that no service can start until the returned file is dropped; fails if a service
    /// runs.
    pub(crate) fn lock_exclusively(&self) -> anyhow::Result<File> {
        let lock = self.open_private(&self.0.join(SERVICE_LOCK))?;
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => {
                bail!("a service runs in the data folder {}; stop it first", self.0.display())
            }
            other => self.check_lock(lock, other),
        }
    }

    fn check_lock(&self, lock: File, outcome: Result<(), TryLockError>) -> anyhow::Result<File> {
        match outcome {
            // Some network file systems do not support locks. There the operator must avoid concurrent use.
            Err(TryLockError::Error(error)) if error.kind() != io::ErrorKind::Unsupported => {
                Err(self.write_error(&error))
            }
            _ => Ok(lock),
        }
    }

    /// Opens a file with access for its owner only; creates it if it is missing.
    fn open_private(&self, path: &Path) -> anyhow::Result<File> {
        let opened = OpenOptions::new().create(true).append(true).mode(0o600).open(path);
        opened.map_err(|error| self.write_error(&error))
    }

    fn wait_for_lock(&self, name: &str) -> anyhow::Result<File> {
        let lock = self.open_private(&self.0.join(name))?;
        let outcome = lock.lock().map_err(TryLockError::Error);
        self.check_lock(lock, outcome)
    }

    fn write_error(&self, error: &io::Error) -> anyhow::Error {
        let folder = self.0.display();
        anyhow!("cannot write to the data folder {folder}: {error}; name another with --data-dir (TOOLGATE_DATA_DIR)")
    }
}

/// Writes a file, because permissions do not show whether a write works (root ignores them, a disk may be read-only).
fn probe_write(folder: &Path) -> io::Result<()> {
    let probe = folder.join(format!(".writable-{}", std::process::id()));
    fs::write(&probe, "")?;
    fs::remove_file(&probe)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_missing_folder_is_created_for_its_owner_only() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("a/b");
        DataDir::new(&path).prepare().unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o700);
        assert_eq!(fs::read_dir(&path).unwrap().count(), 0, "the write check leaves no file behind");
        DataDir::new(&path).prepare().unwrap();
    }

    #[test]
    fn only_one_service_gets_the_lock_of_a_single_service() {
        let folder = tempfile::tempdir().unwrap();
        let data_dir = DataDir::new(folder.path());
        let lock = data_dir.lock_for_single_service().unwrap();
        let error = data_dir.lock_for_single_service().unwrap_err().to_string();
        assert!(error.contains(&folder.path().display().to_string()), "{error}");
        drop(lock);
        data_dir.lock_for_single_service().unwrap();
    }

    #[test]
    fn a_folder_that_cannot_be_created_is_reported_with_the_setting_to_change() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let path = file.path().join("below");
        let error = DataDir::new(&path).prepare().unwrap_err().to_string();
        assert!(error.contains(&path.display().to_string()) && error.contains("TOOLGATE_DATA_DIR"), "{error}");
    }
}
