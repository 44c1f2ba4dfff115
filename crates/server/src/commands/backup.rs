//! `toolgate backup FILE`: writes a complete copy of the database while the service runs. The copy does not
//! contain the encryption keys, so a backup alone reveals no credential.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, bail};
use toolgate_storage::{BackupContents, Storage};

use super::{counted, is_same_file, note, postgres, print, with_suffix};
use crate::cli::BackupArgs;
use crate::data_dir::DataDir;
use crate::settings::Settings;
use crate::{database, encryption_keys};

/// Writes a backup.
pub(crate) async fn backup(BackupArgs { file, force }: &BackupArgs, settings: &Settings) -> anyhow::Result<()> {
    if let Some(command) = postgres::dump_command(settings, file) {
        bail!("the database is PostgreSQL; back it up with its own command: {command}");
    }
    refuse_bad_target(file, *force, settings)?;
    let storage = database::open_existing(settings).await?;
    let result = storage.back_up(file).await;
    storage.close().await;
    let contents = result?;
    print(format_args!("{}: {}", file.display(), describe_contents(&contents)))?;
    note_missing_contents(&contents, settings);
    Ok(())
}

/// A one-line summary of a backup.
pub(super) fn describe_contents(contents: &BackupContents) -> String {
    let BackupContents { bytes, schema, servers, tools, calls, .. } = contents;
    let [servers, tools, calls] =
        [(servers, "server"), (tools, "tool"), (calls, "call")].map(|(count, noun)| counted(*count, noun));
    format!("{bytes} bytes, schema version {schema}, {servers}, {tools}, {calls}")
}

fn note_missing_contents(contents: &BackupContents, settings: &Settings) {
    let (secrets, keys) = (counted(contents.secrets, "secret"), contents.keys.join(", "));
    let location = match settings.encryption_keys {
        Some(_) => "TOOLGATE_ENCRYPTION_KEYS".to_owned(),
        None => DataDir::new(&settings.data_dir).encryption_key_file().display().to_string(),
    };
    note(format_args!(
        "The backup does not contain the keys of {location}. You need key {keys} to restore it and to decrypt its \
         {secrets}: {}.",
        encryption_keys::COPY_ADVICE
    ));
    note("The backup does not contain calls that are still in the journal of the running service.");
}

/// Fails if the target must not be replaced or cannot be written.
fn refuse_bad_target(file: &Path, force: bool, settings: &Settings) -> anyhow::Result<()> {
    let path = file.display();
    match fs::metadata(file) {
        Err(error) if error.kind() == ErrorKind::NotFound => refuse_missing_folder(file),
        Err(error) => Err(error).with_context(|| format!("cannot write {path}")),
        Ok(metadata) if metadata.is_dir() => bail!("{path} is a folder; name a file in it"),
        Ok(metadata) if !metadata.is_file() => bail!("{path} is not a regular file; name another"),
        Ok(_) if is_service_file(file, settings) => bail!("{path} is a file of the service; name another"),
        Ok(_) if !force => bail!("{path} already exists; name another file, or replace it with --force"),
        Ok(_) => Ok(()),
    }
}

fn refuse_missing_folder(file: &Path) -> anyhow::Result<()> {
    if file.file_name().is_none() {
        bail!("{} is not a file name", file.display());
    }
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder.filter(|folder| !folder.is_dir()) {
        Some(folder) => bail!("cannot write {}: there is no folder {}", file.display(), folder.display()),
        None => Ok(()),
    }
}

fn is_service_file(file: &Path, settings: &Settings) -> bool {
    let folder = DataDir::new(&settings.data_dir);
    let database = settings.database_file().unwrap_or_else(|| folder.database_file());
    let database_files = ["", "-wal", "-shm"].into_iter().map(|suffix| with_suffix(&database, suffix));
    let mut service_files = database_files.chain([folder.encryption_key_file(), folder.admin_key_file()]);
    service_files.any(|path| is_same_file(file, &path))
}
