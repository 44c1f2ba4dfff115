//! A file that is written under a temporary name next to its target and renamed once its data is on disk.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use crate::backup::BackupError;

/// A file under its temporary name; dropping it unfinished removes it.
#[derive(Debug)]
pub(super) struct PartialFile {
    pub(super) file: File,
    /// The temporary path.
    pub(super) path: PathBuf,
    target: PathBuf,
    is_finished: bool,
}

impl PartialFile {
    /// Creates an empty file that only its owner can read. Replaces the leftover of a killed process.
    pub(super) fn create(target: &Path) -> Result<Self, BackupError> {
        let path = with_suffix(target, ".part");
        let failed = |error| BackupError::write(target, error);
        if is_locked(&path) {
            return Err(BackupError::InProgress { path: target.display().to_string() });
        }
        remove_if_exists(&path).map_err(failed)?;
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path).map_err(failed)?;
        match file.try_lock() {
            Err(TryLockError::Error(error)) if error.kind() != io::ErrorKind::Unsupported => Err(failed(error)),
            // Some network file systems have no locks; there the operator must not run two backups at the same time.
            _ => Ok(Self { file, path, target: target.to_owned(), is_finished: false }),
        }
    }

    /// Syncs the file and renames it to its target. After a power failure the target is either complete or unchanged.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.file.sync_all()?;
        fs::rename(&self.path, &self.target)?;
        self.is_finished = true;
        sync_parent_folder(&self.target)
    }
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        if !self.is_finished {
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn is_locked(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
}

fn remove_if_exists(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Makes a rename or a new name durable, which needs a sync of the folder.
pub(super) fn sync_parent_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}

pub(super) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
