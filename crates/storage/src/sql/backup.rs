//! Whole copies of a SQLite database, taken while others write to it, and put in place of one.
//!
//! `VACUUM INTO` reads one state of the database, so the copy is whole; writers go on meanwhile, for readers do not block
//! them. SQLite's other way, its backup interface, begins again whenever somebody else has written: under load it
//! would not come to an end, or would have to keep everybody from writing. What was deleted is not in the copy either.

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
    /// Writes a whole copy of the database, which is in SQLite, to a file: looked through, readable by its owner only, and
    /// there at once or not at all. A file of this name is replaced. Nobody has to wait for it.
    pub async fn back_up(&self, target: &Path) -> std::result::Result<BackupContents, BackupError> {
        let partial_file = copy_to_partial_file(&self.db, target).await?;
        let copy = Backup::open(partial_file.path(), Arc::clone(&self.keys)).await?;
        partial_file.finish().map_err(|error| BackupError::write(target, error))?;
        Ok(copy.into_contents())
    }
}

/// Copies the database to a file, which is there at once or not at all.
pub(super) async fn copy_to(db: &SqlDatabase, target: &Path) -> std::result::Result<(), BackupError> {
    let partial_file = copy_to_partial_file(db, target).await?;
    partial_file.finish().map_err(|error| BackupError::write(target, error))
}

async fn copy_to_partial_file(db: &SqlDatabase, target: &Path) -> std::result::Result<PartialFile, BackupError> {
    if !db.is_sqlite() {
        return Err(BackupError::Postgres);
    }
    let partial_file = PartialFile::create(target)?;
    let copied = copy_into(db, partial_file.path()).await;
    copied.map_err(|source| BackupError::Copy { path: target.display().to_string(), source })?;
    Ok(partial_file)
}

/// Copies the database into a file that is empty.
async fn copy_into(db: &SqlDatabase, file: &Path) -> Result<()> {
    let Pools::Sqlite { readers, .. } = db.pools() else { return Ok(()) };
    // A relative name could be taken for an address of SQLite's own kind.
    let file = std::path::absolute(file).map_err(sqlx::Error::from)?;
    run!(readers, "VACUUM INTO $1", params![file.to_string_lossy().into_owned()], execute);
    Ok(())
}
