//! The keys that encrypt stored secrets: from the settings, or from a file that the service creates.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use secrecy::{ExposeSecret, SecretString};
use toolgate_storage::{EncryptionKey, KeySource, Keyring, KeyringError};

use crate::private_file;
use crate::settings::Settings;

/// Where to keep a copy of the keys. The first start logs it, and every backup prints it.
pub(crate) const COPY_ADVICE: &str = "keep a copy of the key in a safe place, apart from the backups";

/// The source of the keys: the setting, else the file.
pub(crate) fn source(settings: &Settings, file: PathBuf) -> Arc<dyn KeySource> {
    match &settings.encryption_keys {
        Some(keys) => Arc::new(ConfiguredKeys(keys.clone())),
        None => Arc::new(EncryptionKeyFile(file)),
    }
}

/// Creates the key file at the first start. The caller holds the folder's lock: if two processes created a key at the
/// same time, one key would be lost with all secrets encrypted with it. Fails if `database` exists, because a new key
/// cannot decrypt it.
pub(crate) fn ensure_file(path: &Path, database: Option<&Path>) -> anyhow::Result<()> {
    if file_exists(path)? {
        warn_if_readable_by_others(path);
        return Ok(());
    }
    if let Some(database) = database.filter(|file| fs::metadata(file).is_ok_and(|metadata| metadata.len() > 0)) {
        bail!(
            "there is no key file {}, which the database {} needs; put your copy of the key file there (mode 0600), or \
             set TOOLGATE_ENCRYPTION_KEYS",
            path.display(),
            database.display()
        );
    }
    private_file::write(path, &new_key_line()?).with_context(|| write_error(path))?;
    tracing::info!(file = %path.display(), "created the key that encrypts stored secrets; {COPY_ADVICE}");
    Ok(())
}

/// Whether the key file exists. A file that cannot be accessed is an error, not a missing file.
pub(crate) fn file_exists(path: &Path) -> Result<bool, KeyringError> {
    path.try_exists().map_err(|error| file_error(path, error))
}

fn file_error(path: &Path, source: io::Error) -> KeyringError {
    let source = match source.kind() {
        io::ErrorKind::PermissionDenied => {
            io::Error::new(source.kind(), format!("{source}; run the command as the user of the service"))
        }
        _ => source,
    };
    KeyringError::File { path: path.display().to_string(), source }
}

/// Adds a new key before those in the file. The caller holds the folder's lock.
pub(crate) fn add_new_key(path: &Path) -> anyhow::Result<()> {
    let old = EncryptionKeyFile(path.to_owned()).text()?;
    private_file::write(path, &format!("{}{old}", new_key_line()?)).with_context(|| write_error(path))
}

fn new_key_line() -> anyhow::Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).context("the operating system provided no random bytes")?;
    Ok(format!("{}\n", EncryptionKey::new(bytes).to_text().as_str()))
}

fn write_error(path: &Path) -> String {
    format!("cannot write the key file {}", path.display())
}

fn warn_if_readable_by_others(path: &Path) {
    let mode = fs::metadata(path).map_or(0, |file| file.permissions().mode());
    if mode & 0o077 != 0 {
        tracing::warn!(file = %path.display(), "other users may read the key file; restrict it with chmod 600");
    }
}

/// Keys from the environment, a flag or the settings file.
#[derive(Debug)]
struct ConfiguredKeys(SecretString);

impl KeySource for ConfiguredKeys {
    fn load(&self) -> Result<Keyring, KeyringError> {
        Keyring::parse(self.0.expose_secret())
    }
}

/// Keys in a file, one per line. Reads the file at every load, so that a running service sees a rotation.
#[derive(Debug)]
struct EncryptionKeyFile(PathBuf);

impl EncryptionKeyFile {
    fn text(&self) -> Result<String, KeyringError> {
        fs::read_to_string(&self.0).map_err(|source| file_error(&self.0, source))
    }
}

impl KeySource for EncryptionKeyFile {
    /// Reports malformed keys with the name of the file, not of the setting.
    fn load(&self) -> Result<Keyring, KeyringError> {
        let malformed = |error: KeyringError| file_error(&self.0, io::Error::new(io::ErrorKind::InvalidData, error));
        Keyring::parse(&self.text()?).map_err(malformed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_created_once_and_new_keys_come_first() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("encryption-keys");
        ensure_file(&path, None).unwrap();
        let first = fs::read_to_string(&path).unwrap();
        ensure_file(&path, None).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), first);
        add_new_key(&path).unwrap();
        let both_keys = fs::read_to_string(&path).unwrap();
        assert!(both_keys.ends_with(&first) && both_keys.lines().count() == 2, "the new key comes first");
        EncryptionKeyFile(path).load().unwrap();
    }

    #[test]
    fn no_key_is_created_for_an_existing_database() {
        let folder = tempfile::tempdir().unwrap();
        let (path, database) = (folder.path().join("encryption-keys"), folder.path().join("toolgate.db"));
        fs::write(&database, "pages").unwrap();
        let error = ensure_file(&path, Some(&database)).unwrap_err().to_string();
        assert!(error.contains("there is no key file") && error.contains("copy of the key file"), "{error}");
        assert!(!path.exists());
        // An interrupted first start may leave an empty database.
        fs::write(&database, "").unwrap();
        ensure_file(&path, Some(&database)).unwrap();
    }

    #[test]
    fn a_file_that_cannot_be_accessed_is_not_reported_as_missing() {
        let denied = file_error(Path::new("keys"), io::ErrorKind::PermissionDenied.into()).to_string();
        assert!(denied.starts_with("cannot use the key file keys: permission denied; run the command as"), "{denied}");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("encryption-keys");
        assert!(!file_exists(&path).unwrap());
        std::os::unix::fs::symlink(&path, &path).unwrap();
        let error = file_exists(&path).unwrap_err().to_string();
        assert!(error.starts_with(&format!("cannot use the key file {}: ", path.display())), "{error}");
        assert!(ensure_file(&path, None).is_err());
    }

    #[test]
    fn the_error_for_a_malformed_file_has_its_path_but_not_its_text() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("encryption-keys");
        fs::write(&path, "not-a-key").unwrap();
        let error = EncryptionKeyFile(path.clone()).load().unwrap_err().to_string();
        assert!(error.contains(&path.display().to_string()) && !error.contains("not-a-key"), "{error}");
    }
}
