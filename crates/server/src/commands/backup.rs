//! `toolgate backup FILE`: a whole copy of the database, while the service goes on. The keys that open the secrets in it
//! are not in it: whoever finds a backup finds no credential.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, bail};
use toolgate_storage::{BackupContents, Storage};

use super::{is_same_file, note, postgres, print, with_suffix};
use crate::cli::BackupFile;
use crate::data_dir::DataDir;
use crate::database;
use crate::settings::Settings;

/// Writes a backup.
pub(crate) async fn backup(BackupFile { file, force }: &BackupFile, settings: &Settings) -> anyhow::Result<()> {
    if let Some(command) = postgres::dump_command(settings, file) {
        bail!("the database is PostgreSQL, which makes its own backups: {command}");
    }
    refuse_bad_target(file, *force, settings)?;
    let storage = database::open_existing(settings).await?;
    let written = storage.back_up(file).await;
    storage.close().await;
    let contents = written?;
    print(format_args!("{}: {}", file.display(), describe_contents(&contents)))?;
    note_what_is_missing(&contents, settings);
    Ok(())
}

/// What is in a backup, in one line.
pub(super) fn describe_contents(contents: &BackupContents) -> String {
    let BackupContents { bytes, schema, servers, tools, calls, .. } = contents;
    format!("{bytes} bytes, schema version {schema}, {servers} servers, {tools} tools, {calls} calls")
}

fn note_what_is_missing(contents: &BackupContents, settings: &Settings) {
    let (count, keys) = (contents.secrets, contents.keys.join(", "));
    let place = match settings.encryption_keys {
        Some(_) => "TOOLGATE_ENCRYPTION_KEYS".to_owned(),
        None => DataDir::new(&settings.data_dir).encryption_keys().display().to_string(),
    };
    note(format_args!(
        "Not in it: the keys of {place}. It cannot be restored, nor its {count} secrets opened, without key {keys}: keep a \
         copy of that in another place."
    ));
    note("Nor calls that the running service has not stored yet; they are in its journal.");
}

/// What should not be replaced, or cannot be written.
fn refuse_bad_target(file: &Path, force: bool, settings: &Settings) -> anyhow::Result<()> {
    let shown = file.display();
    match fs::metadata(file) {
        Err(error) if error.kind() == ErrorKind::NotFound => refuse_missing_folder(file),
        Err(error) => Err(error).with_context(|| format!("cannot write {shown}")),
        Ok(found) if found.is_dir() => bail!("{shown} is a folder; name a file in it"),
        Ok(found) if !found.is_file() => bail!("{shown} is not a file; a backup is written to one, and renamed"),
        Ok(_) if is_service_file(file, settings) => bail!("{shown} is a file of the service itself; name another"),
        Ok(_) if !force => bail!("{shown} exists already; name another file, or have it replaced with --force"),
        Ok(_) => Ok(()),
    }
}

fn refuse_missing_folder(file: &Path) -> anyhow::Result<()> {
    if file.file_name().is_none() {
        bail!("{} is not the name of a file", file.display());
    }
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder.filter(|folder| !folder.is_dir()) {
        Some(folder) => bail!("cannot write {}: there is no folder {}", file.display(), folder.display()),
        None => Ok(()),
    }
}

fn is_service_file(file: &Path, settings: &Settings) -> bool {
    let folder = DataDir::new(&settings.data_dir);
    let database = settings.database_file().unwrap_or_else(|| folder.database());
    let databases = ["", "-wal", "-shm"].into_iter().map(|suffix| with_suffix(&database, suffix));
    let mut ours = databases.chain([folder.encryption_keys(), folder.admin_key()]);
    ours.any(|path| is_same_file(file, &path))
}
