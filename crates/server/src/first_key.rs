//! The first administrator's key. Where the service makes it, the file comes before the database: after a
//! crash between the two the next start finds the file and takes that key, so none is ever lost.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use secrecy::{ExposeSecret, SecretString};
use toolgate_domain::api_key::KeyDigest;
use toolgate_domain::audit::Actor;
use toolgate_domain::time::Timestamp;
use toolgate_storage::Storage;

use crate::private_file;
use crate::settings::{Settings, api_key};

/// Where the owner finds the key.
#[derive(Clone, Debug)]
pub(crate) enum FirstKey {
    /// The owner has set it.
    Configured,
    /// It was made at this start, and is shown this once.
    Created(SecretString),
    /// It was made at an earlier start and is still in its file.
    InFile(PathBuf),
    /// There are keys, but the service knows none of them in clear.
    Unknown,
}

/// Sees to it that there is a key to begin with.
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
    // A key that was revoked must not come back to life: what is in the file counts only while nobody was here yet.
    if storage.has_no_users().await? {
        let key = read_or_create(&file)?;
        if storage.set_first_bootstrap_key(&actor, digest(&key)).await? {
            return Ok(FirstKey::Created(key));
        }
    }
    find_in_file(storage, file).await
}

fn digest(key: &SecretString) -> KeyDigest {
    toolgate_auth::digest_key(key.expose_secret())
}

/// A key in the file that nobody knows was replaced or revoked since, and is not worth showing.
async fn find_in_file(storage: &dyn Storage, file: PathBuf) -> anyhow::Result<FirstKey> {
    let Some(key) = read_key_file(&file)? else {
        return Ok(FirstKey::Unknown);
    };
    let known = storage.find_api_key(toolgate_auth::hash_key(key.expose_secret())).await?;
    Ok(known.map_or(FirstKey::Unknown, |_| FirstKey::InFile(file)))
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
    let key = text.map(|text| api_key(text.trim_end())).transpose();
    key.map_err(|_| anyhow!("{} does not hold a key; delete it to have one made", file.display()))
}

#[cfg(test)]
mod tests;
