//! The folder that holds what the service must not forget.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};

/// Held by every service that runs in the folder, as long as it lives.
const SERVICE_LOCK: &str = "service.lock";

/// The data folder, whether it is there or not.
#[derive(Clone, Debug)]
pub(crate) struct DataDir(PathBuf);

impl DataDir {
    pub(crate) fn new(path: &Path) -> Self {
        Self(path.to_owned())
    }

    /// Makes the folder where it is missing, for its owner only, and tries to write to it.
    pub(crate) fn prepare(&self) -> anyhow::Result<()> {
        let created = DirBuilder::new().recursive(true).mode(0o700).create(&self.0);
        created.and_then(|()| probe_write(&self.0)).map_err(|error| self.write_error(&error))
    }

    /// The first administrator's key, where the service made it.
    pub(crate) fn admin_key(&self) -> PathBuf {
        self.0.join("admin-key")
    }

    /// The keys that seal stored secrets.
    pub(crate) fn encryption_keys(&self) -> PathBuf {
        self.0.join("encryption-keys")
    }

    /// The database file, unless a setting names another database.
    pub(crate) fn database(&self) -> PathBuf {
        self.0.join("toolgate.db")
    }

    /// Which server is the demo, where it was added.
    pub(crate) fn demo(&self) -> PathBuf {
        self.0.join("demo-server")
    }

    /// Calls that are not in the database yet.
    pub(crate) fn journal(&self) -> PathBuf {
        self.0.join("journal")
    }

    /// Makes the database file where it is missing, for its owner only; SQLite would let others read it.
    pub(crate) fn ensure_database(&self) -> anyhow::Result<()> {
        let opened = OpenOptions::new().create(true).append(true).mode(0o600).open(self.database());
        opened.map(drop).map_err(|error| self.write_error(&error))
    }

    /// Keeps other processes from making keys until the file is dropped.
    pub(crate) fn lock_keys(&self) -> anyhow::Result<File> {
        self.lock_file("keys.lock")
    }

    /// Keeps another rotation waiting until the file is dropped: two at once would seal each other's work anew.
    pub(crate) fn lock_rotation(&self) -> anyhow::Result<File> {
        self.lock_file("rotation.lock")
    }

    /// Says that a service runs in this folder until the file is dropped; there may be several.
    pub(crate) fn lock_for_service(&self) -> anyhow::Result<File> {
        let lock = self.open_lock(SERVICE_LOCK)?;
        match lock.try_lock_shared() {
            Err(TryLockError::WouldBlock) => {
                bail!("a backup is being restored into {}; try again when that is done", self.0.display())
            }
            other => self.check_lock(lock, other),
        }
    }

    /// Keeps services from running in this folder until the file is dropped; none if there is one.
    pub(crate) fn lock_exclusively(&self) -> anyhow::Result<File> {
        let lock = self.open_lock(SERVICE_LOCK)?;
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => {
                bail!("a service runs in the data folder {}; stop it first", self.0.display())
            }
            other => self.check_lock(lock, other),
        }
    }

    fn check_lock(&self, lock: File, outcome: Result<(), TryLockError>) -> anyhow::Result<File> {
        match outcome {
            // Some network file systems have no locks; there one at a time is the owner's care.
            Err(TryLockError::Error(error)) if error.kind() != io::ErrorKind::Unsupported => {
                Err(self.write_error(&error))
            }
            _ => Ok(lock),
        }
    }

    fn open_lock(&self, name: &str) -> anyhow::Result<File> {
        let opened = OpenOptions::new().create(true).append(true).mode(0o600).open(self.0.join(name));
        opened.map_err(|error| self.write_error(&error))
    }

    fn lock_file(&self, name: &str) -> anyhow::Result<File> {
        let lock = self.open_lock(name)?;
        let outcome = lock.lock().map_err(TryLockError::Error);
        self.check_lock(lock, outcome)
    }

    fn write_error(&self, error: &io::Error) -> anyhow::Error {
        let folder = self.0.display();
        anyhow!("cannot write to the data folder {folder}: {error}; name another with --data-dir (TOOLGATE_DATA_DIR)")
    }
}

/// Root may write to what says otherwise, and a disk may be read-only: only trying tells.
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
    fn a_missing_folder_is_made_for_its_owner_only() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("a/b");
        DataDir::new(&path).prepare().unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o700);
        assert_eq!(fs::read_dir(&path).unwrap().count(), 0, "the trial leaves nothing behind");
        DataDir::new(&path).prepare().unwrap();
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_named_with_the_remedy() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let path = file.path().join("below");
        let error = DataDir::new(&path).prepare().unwrap_err().to_string();
        assert!(error.contains(&path.display().to_string()) && error.contains("TOOLGATE_DATA_DIR"), "{error}");
    }
}
