//! Whole copies of a SQLite database, taken while others write to it, and put in place of one.
//!
//! `VACUUM INTO` reads one state of the database, so the copy is whole; writers go on meanwhile, for readers do not block
//! them. SQLite's other way, its backup interface, begins again whenever somebody else has written: under load it
//! would not come to an end, or would have to keep everybody from writing. What was deleted is not in the copy either.

mod part;
mod restoring;

pub use restoring::{Backup, Staged};

use std::path::Path;
use std::sync::Arc;

use super::SqlStorage;
use super::database::Database;
use super::pools::Pools;
use super::row::{params, run};
use crate::{BackupContents, BackupError, Result};
use part::Part;

impl SqlStorage {
    /// Writes a whole copy of the database, which is in SQLite, to a file: looked through, readable by its owner only, and
    /// there at once or not at all. A file of this name is replaced. Nobody has to wait for it.
    pub async fn back_up(&self, target: &Path) -> std::result::Result<BackupContents, BackupError> {
        let part = copy_part(&self.db, target).await?;
        let copy = Backup::open(part.path(), Arc::clone(&self.keys)).await?;
        part.finish().map_err(|error| BackupError::write(target, error))?;
        Ok(copy.into_contents())
    }
}

/// Copies the database to a file, which is there at once or not at all.
pub(super) async fn copy_to(db: &Database, target: &Path) -> std::result::Result<(), BackupError> {
    let part = copy_part(db, target).await?;
    part.finish().map_err(|error| BackupError::write(target, error))
}

async fn copy_part(db: &Database, target: &Path) -> std::result::Result<Part, BackupError> {
    if !db.is_sqlite() {
        return Err(BackupError::Postgres);
    }
    let part = Part::begin(target)?;
    let copied = copy_into(db, part.path()).await;
    copied.map_err(|source| BackupError::Copy { path: target.display().to_string(), source })?;
    Ok(part)
}

/// Copies the database into a file that is empty.
async fn copy_into(db: &Database, file: &Path) -> Result<()> {
    let Pools::Sqlite { readers, .. } = db.pools() else { return Ok(()) };
    // A relative name could be taken for an address of SQLite's own kind.
    let file = std::path::absolute(file).map_err(sqlx::Error::from)?;
    run!(readers, "VACUUM INTO $1", params![file.to_string_lossy().into_owned()], execute);
    Ok(())
}
