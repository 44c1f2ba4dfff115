//! Copies of a SQLite database while the service writes to it.
//!
//! `VACUUM INTO` reads one snapshot, so the copy is consistent, and readers do not block writers. SQLite's backup API
//! restarts after each write of another connection: under load it would not finish, or would have to block writers.
//! `VACUUM INTO` also omits deleted data.

use std::path::Path;

use super::database::SqlDatabase;
use super::partial_file::PartialFile;
use super::pools::Pools;
use crate::backup::BackupError;
use crate::error::Result;

/// Copies the database to a file that appears atomically.
pub(super) async fn copy_to(db: &SqlDatabase, target: &Path) -> std::result::Result<(), BackupError> {
    let partial_file = copy_to_partial_file(db, target).await?;
    partial_file.finish().map_err(|error| BackupError::write(target, error))
}

/// Copies the database to a partial file, which the caller renames to `target`.
pub(super) async fn copy_to_partial_file(
    db: &SqlDatabase,
    target: &Path,
) -> std::result::Result<PartialFile, BackupError> {
    if !db.is_sqlite() {
        return Err(BackupError::Postgres);
    }
    let partial_file = PartialFile::create(target)?;
    let result = copy_into(db, &partial_file.path).await;
    result.map_err(|source| BackupError::Copy { path: target.display().to_string(), source })?;
    Ok(partial_file)
}

/// Copies the database into an empty file.
async fn copy_into(db: &SqlDatabase, file: &Path) -> Result<()> {
    let Pools::Sqlite { readers, .. } = &db.pools else { return Ok(()) };
    // SQLite could interpret a relative path as a URI filename.
    let file = std::path::absolute(file).map_err(sqlx::Error::from)?;
    sqlx::query("VACUUM INTO $1").bind(file.to_string_lossy().into_owned()).execute(readers).await?;
    Ok(())
}
