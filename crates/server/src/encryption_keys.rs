//! The keys that encrypt stored secrets: from the settings, or from a file that the service creates.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use secrecy::{ExposeSecret, SecretString};
use toolgate_storage::{EncryptionKey, KeySource, Keyring, KeyringError};

use crate::private_file;
use crate::settings::Settings;

/// The source of the keys: the setting, else the file.
pub(crate) fn source(settings: &Settings, file: PathBuf) -> Arc<dyn KeySource> {
    match &settings.encryption_keys {
        Some(keys) => Arc::new(ConfiguredKeys(keys.clone())),
        None => Arc::new(EncryptionKeyFile(file)),
    }
}

/// Creates the key file at the first start. The caller holds the folder's lock: if two processes created a key at the
/// same time, one key would be lost with all secrets encrypted with it.
pub(crate) fn ensure_file(path: &Path) -> anyhow::Result<()> {
    if path.exists() {
        warn_if_readable_by_others(path);
        return Ok(());
    }
    private_file::write(path, &new_key_line()?).with_context(|| write_error(path))?;
    tracing::info!(file = %path.display(), "created the key that encrypts stored secrets; keep a copy of it in a safe place");
    Ok(())
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
        fs::read_to_string(&self.0).map_err(|source| self.file_error(source))
    }

    fn file_error(&self, source: io::Error) -> KeyringError {
        KeyringError::File { path: self.0.display().to_string(), source }
    }
}

impl KeySource for EncryptionKeyFile {
    /// Reports malformed keys with the name of the file, not of the setting.
    fn load(&self) -> Result<Keyring, KeyringError> {
        let malformed = |error: KeyringError| self.file_error(io::Error::new(io::ErrorKind::InvalidData, error));
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
        ensure_file(&path).unwrap();
        let first = fs::read_to_string(&path).unwrap();
        ensure_file(&path).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), first);
        add_new_key(&path).unwrap();
        let both_keys = fs::read_to_string(&path).unwrap();
        assert!(both_keys.ends_with(&first) && both_keys.lines().count() == 2, "the new key comes first");
        EncryptionKeyFile(path).load().unwrap();
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
