//! Backup of a SQLite database while the service writes to it, and restore.

mod restore;

pub use restore::{Backup, StagedBackup};

use std::path::Path;
use std::sync::Arc;

use super::SqlStorage;
use super::database_copy::copy_to_partial_file;
use crate::backup::{BackupContents, BackupError};

impl SqlStorage {
    /// Writes a verified copy of a SQLite database to `target`, readable only by its owner. The file appears atomically
    /// and replaces an existing one. Other operations are not blocked.
    pub async fn back_up(&self, target: &Path) -> std::result::Result<BackupContents, BackupError> {
        let partial_file = copy_to_partial_file(&self.db, target).await?;
        let copy = Backup::open(&partial_file.path, Arc::clone(&self.keys)).await?;
        partial_file.finish().map_err(|error| BackupError::write(target, error))?;
        Ok(copy.contents)
    }
}
