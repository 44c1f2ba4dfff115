//! `toolgate restore FILE`: a backup in place of the database. All that can be wrong with the backup is found before
//! anything is touched, and what was there is kept.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use toolgate_domain::time::{Clock, SystemClock};
use toolgate_storage::Backup;

use super::backup::describe_contents;
use super::{is_same_file, note, postgres, print, with_suffix};
use crate::cli::BackupFile;
use crate::data_dir::DataDir;
use crate::database;
use crate::settings::Settings;

/// Puts a backup in place.
pub(crate) async fn restore(BackupFile { file, force }: &BackupFile, settings: &Settings) -> anyhow::Result<()> {
    if let Some(command) = postgres::restore_command(settings, file) {
        bail!("the database is PostgreSQL, which restores its own backups, into an empty database: {command}");
    }
    let target = settings.database_file().context("the database has no file")?;
    refuse_to_replace(&target, *force)?;
    if is_same_file(file, &target) {
        bail!("{} is the database itself; name a backup of it", file.display());
    }
    let backup = Backup::open(file, database::existing_keys(settings)?).await?;
    let folder = DataDir::new(&settings.data_dir);
    folder.prepare()?;
    let _alone = folder.lock_exclusively()?;
    // There may be a database since the first look.
    refuse_to_replace(&target, *force)?;
    let staged = backup.stage(&target).await?;
    let suffix = free_suffix(&target);
    let renamed = with_suffix(&target, &suffix);
    let journal = rename_journal(&folder.journal(), &suffix)?;
    staged.install(&renamed)?;
    print(format_args!("{}: {}", target.display(), describe_contents(backup.contents())))?;
    note_renamed_files(&renamed, journal.as_deref());
    Ok(())
}

/// Names what is kept by the moment; two restores within a second get two names.
fn free_suffix(target: &Path) -> String {
    let moment = SystemClock.now().to_string().replace([':', '-'], "");
    let first = format!(".before-restore-{moment}");
    let others = (2..100).map(|number| format!("{first}-{number}"));
    let free = std::iter::once(first.clone()).chain(others).find(|suffix| !with_suffix(target, suffix).exists());
    free.unwrap_or(first)
}

fn refuse_to_replace(target: &Path, force: bool) -> anyhow::Result<()> {
    if !force && fs::metadata(target).is_ok_and(|found| found.len() > 0) {
        bail!(
            "there is a database already, {}; with --force it is replaced, and kept under another name",
            target.display()
        );
    }
    Ok(())
}

/// Calls that wait in the journal were made after the backup. The servers and users that they name by number may be others
/// in it, or none, so they stay with the database that knew them.
fn rename_journal(journal: &Path, suffix: &str) -> anyhow::Result<Option<PathBuf>> {
    let renamed = with_suffix(journal, suffix);
    if fs::read_dir(journal).is_ok_and(|mut found| found.next().is_none()) {
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
    let kept = [Some(database), journal].into_iter().flatten().filter(|path| path.exists());
    for path in kept {
        note(format_args!("Kept what was there: {}", path.display()));
    }
    note("Keys that were revoked after the backup was made are valid again; see `toolgate key list`.");
}
