//! The first administrator's key. If the service creates it, the file is written before the database: after a crash
//! between the two writes the next start uses the key in the file, so no key is lost.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use secrecy::{ExposeSecret, SecretString};
use toolgate_domain::api_key::KeyDigest;
use toolgate_domain::audit::Actor;
use toolgate_domain::time::Timestamp;
use toolgate_storage::Storage;

use crate::private_file;
use crate::settings::{Settings, parse_api_key};

/// Where the operator finds the key.
#[derive(Clone, Debug)]
pub(crate) enum FirstKey {
    /// It is configured in the settings.
    Configured,
    /// It was created at this start, is in this file, and is shown once.
    Created { key: SecretString, file: PathBuf },
    /// It is in this file.
    InFile(PathBuf),
    /// There are keys, but the service has none of them in plain text.
    Unknown,
}

impl FirstKey {
    /// For an output that may be stored, such as a log: a new key is shown by its file only.
    pub(crate) fn without_secret(self) -> Self {
        match self {
            Self::Created { file, .. } => Self::InFile(file),
            other => other,
        }
    }
}

/// Ensures that there is a first key.
pub(crate) async fn ensure(
    settings: &Settings,
    storage: &dyn Storage,
    file: PathBuf,
    now: Timestamp,
) -> anyhow::Result<FirstKey> {
    let actor = Actor::service(now);
    if let Some(key) = &settings.api_key {
        storage.set_bootstrap_key(&actor, digest(key)).await?;
        return Ok(FirstKey::Configured);
    }
    // The file is used only while the database has no users, so that a revoked key does not become valid again.
    if storage.has_no_users().await? {
        let key = read_or_create(&file)?;
        if storage.set_first_bootstrap_key(&actor, digest(&key)).await? {
            return Ok(FirstKey::Created { key, file });
        }
    }
    find_in_file(storage, file).await
}

fn digest(key: &SecretString) -> KeyDigest {
    toolgate_auth::digest_key(key.expose_secret())
}

/// Refers to the key file if its key is in the database; otherwise the key was replaced or revoked, and is not shown.
async fn find_in_file(storage: &dyn Storage, file: PathBuf) -> anyhow::Result<FirstKey> {
    let Some(key) = read_key_file(&file)? else {
        return Ok(FirstKey::Unknown);
    };
    let stored = storage.find_api_key(toolgate_auth::hash_key(key.expose_secret())).await?;
    Ok(stored.map_or(FirstKey::Unknown, |_| FirstKey::InFile(file)))
}

fn read_or_create(file: &Path) -> anyhow::Result<SecretString> {
    if let Some(key) = read_key_file(file)? {
        return Ok(key);
    }
    let key = toolgate_auth::SecretKey::generate()?;
    let written = private_file::write(file, &format!("{}\n", key.expose()));
    written.with_context(|| format!("cannot write the key to {}", file.display()))?;
    Ok(key.expose().into())
}

fn read_key_file(file: &Path) -> anyhow::Result<Option<SecretString>> {
    let text = private_file::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let key = text.map(|text| parse_api_key(text.trim_end())).transpose();
    key.map_err(|_| anyhow!("{} does not contain a valid key; delete it to create a new one", file.display()))
}

#[cfg(test)]
mod tests;
