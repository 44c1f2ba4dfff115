//! Backup of a SQLite database while the service writes to it, and restore.
//!
//! `VACUUM INTO` reads one snapshot, so the copy is consistent, and readers do not block writers. SQLite's backup API
//! restarts after each write of another connection: under load it would not finish, or would have to block writers.
//! `VACUUM INTO` also omits deleted data.

mod partial_file;
mod restore;

pub use restore::{Backup, StagedBackup};

use std::path::Path;
use std::sync::Arc;

use super::SqlStorage;
use super::database::SqlDatabase;
use super::pools::Pools;
use super::row::{params, run};
use crate::{BackupContents, BackupError, Result};
use partial_file::PartialFile;

impl SqlStorage {
    /// Writes a verified copy of a SQLite database to `target`, readable only by its owner. The file appears atomically
    /// and replaces an existing one. Other operations are not blocked.
    pub async fn back_up(&self, target: &Path) -> std::result::Result<BackupContents, BackupError> {
        let partial_file = copy_to_partial_file(&self.db, target).await?;
        let copy = Backup::open(partial_file.path(), Arc::clone(&self.keys)).await?;
        partial_file.finish().map_err(|error| BackupError::write(target, error))?;
        Ok(copy.into_contents())
    }
}

/// Copies the database to a file that appears atomically.
pub(super) async fn copy_to(db: &SqlDatabase, target: &Path) -> std::result::Result<(), BackupError> {
    let partial_file = copy_to_partial_file(db, target).await?;
    partial_file.finish().map_err(|error| BackupError::write(target, error))
}

async fn copy_to_partial_file(db: &SqlDatabase, target: &Path) -> std::result::Result<PartialFile, BackupError> {
    if !db.is_sqlite() {
        return Err(BackupError::Postgres);
    }
    let partial_file = PartialFile::create(target)?;
    let result = copy_into(db, partial_file.path()).await;
    result.map_err(|source| BackupError::Copy { path: target.display().to_string(), source })?;
    Ok(partial_file)
}

/// Copies the database into an empty file.
async fn copy_into(db: &SqlDatabase, file: &Path) -> Result<()> {
    let Pools::Sqlite { readers, .. } = db.pools() else { return Ok(()) };
    // SQLite could interpret a relative path as a URI filename.
    let file = std::path::absolute(file).map_err(sqlx::Error::from)?;
    run!(readers, "VACUUM INTO $1", params![file.to_string_lossy().into_owned()], execute);
    Ok(())
}
