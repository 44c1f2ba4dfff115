//! `toolgate restore FILE`: replaces the database with a backup. The backup is verified before any file is changed, and
//! the previous database is renamed, not deleted.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use toolgate_domain::time::{Clock, SystemClock};
use toolgate_storage::Backup;

use super::backup::describe_contents;
use super::{is_same_file, note, postgres, print, with_suffix};
use crate::cli::BackupArgs;
use crate::data_dir::DataDir;
use crate::database;
use crate::settings::Settings;

/// What to do without the encryption keys. It does not suggest to start the service, which would create a key that
/// cannot decrypt the backup.
const MISSING_KEYS_REMEDY: &str = "the backup opens only with the keys of the service that it was made from: put a copy of \
     that service's key file there (mode 0600), or set TOOLGATE_ENCRYPTION_KEYS to its keys";

/// Restores a backup.
pub(crate) async fn restore(BackupArgs { file, force }: &BackupArgs, settings: &Settings) -> anyhow::Result<()> {
    if let Some(command) = postgres::restore_command(settings, file) {
        bail!("the database is PostgreSQL; restore the backup with this command into an empty database: {command}");
    }
    let target = settings.database_file().context("the database has no file")?;
    refuse_to_replace_unless_forced(&target, *force)?;
    if is_same_file(file, &target) {
        bail!("{} is the database itself; name a backup of it", file.display());
    }
    let backup = Backup::open(file, database::existing_keys(settings, MISSING_KEYS_REMEDY)?).await?;
    let folder = DataDir::new(&settings.data_dir);
    folder.prepare()?;
    let _lock = folder.lock_exclusively()?;
    // A database may have been created since the first check.
    refuse_to_replace_unless_forced(&target, *force)?;
    let staged = backup.stage(&target, SystemClock.now()).await?;
    let suffix = unused_suffix(&target);
    let renamed = with_suffix(&target, &suffix);
    let journal = rename_journal(&folder.journal_dir(), &suffix)?;
    staged.install(&renamed)?;
    print(format_args!("{}: {}", target.display(), describe_contents(&backup.contents)))?;
    note_renamed_files(&renamed, journal.as_deref());
    Ok(())
}

/// A suffix with the current time that no renamed database has; two restores within a second get different suffixes.
fn unused_suffix(target: &Path) -> String {
    let time = SystemClock.now().to_string().replace([':', '-'], "");
    let first = format!(".before-restore-{time}");
    // The last suffix is never reached: a hundred restores do not fit into one second.
    let others = (2..100).map(|number| format!("{first}-{number}"));
    let unused = std::iter::once(first.clone()).chain(others).find(|suffix| !with_suffix(target, suffix).exists());
    unused.unwrap_or(first)
}

fn refuse_to_replace_unless_forced(target: &Path, force: bool) -> anyhow::Result<()> {
    if !force && fs::metadata(target).is_ok_and(|metadata| metadata.len() > 0) {
        bail!(
            "there is already a database at {}; use --force to replace it (it is renamed, not deleted)",
            target.display()
        );
    }
    Ok(())
}

/// Renames the journal, so that its calls are not ingested into the restored database: there, the ids of their servers
/// and users may not exist or may belong to others.
fn rename_journal(journal: &Path, suffix: &str) -> anyhow::Result<Option<PathBuf>> {
    let renamed = with_suffix(journal, suffix);
    if fs::read_dir(journal).is_ok_and(|mut entries| entries.next().is_none()) {
        return Ok(None);
    }
    match fs::rename(journal, &renamed) {
        Ok(()) => Ok(Some(renamed)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => {
            Err(error).with_context(|| format!("cannot rename {} to {}", journal.display(), renamed.display()))
        }
    }
}

fn note_renamed_files(database: &Path, journal: Option<&Path>) {
    let renamed = [Some(database), journal].into_iter().flatten().filter(|path| path.exists());
    for path in renamed {
        note(format_args!("Renamed previous data to: {}", path.display()));
    }
    note("People and programs have to sign in again: access that ended after the backup must not come back.");
    note("Keys that were revoked after the backup are valid again; check them with `toolgate key list`.");
}
