//! The first administrator's key. If the service creates it, the file is written before the database: after a crash
//! between the two writes the next start uses the key in the file, so no key is lost. Of several nodes that start at
//! the same time, one creates the key; the others refer to its file.

use std::io;
use std::path::{self, Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use secrecy::{ExposeSecret, SecretString};
use toolgate_domain::api_key::KeyDigest;
use toolgate_domain::audit::Actor;
use toolgate_domain::time::Timestamp;
use toolgate_storage::{FirstKeyOutcome, Storage};

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
    /// Another node created it; the text names the file and the node.
    OnOtherNode(String),
    /// There are keys, but the service has none of them in plain text.
    Unknown,
}

impl FirstKey {
    /// Replaces a created key with the path of its file, for an output that may be stored, such as a log.
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
        configure(settings, storage, &actor, key).await?;
        return Ok(FirstKey::Configured);
    }
    // The file is used only while the database has no users, so that a revoked key does not become valid again.
    if storage.has_no_users().await?
        && let Some(key) = create(storage, &actor, &file, &settings.node_name()).await?
    {
        return Ok(FirstKey::Created { key, file });
    }
    locate(storage, file, &settings.node_name()).await
}

/// Makes the configured key the first administrator's key. A database file has one service, so a different configured
/// key replaces the stored one. A database server may have several nodes, which would replace each other's keys at
/// every start: there, only a command replaces the key.
async fn configure(
    settings: &Settings,
    storage: &dyn Storage,
    actor: &Actor,
    key: &SecretString,
) -> anyhow::Result<()> {
    if storage.ensure_bootstrap_key(actor, digest(key)).await? {
        return Ok(());
    }
    if settings.database_file().is_some() {
        tracing::warn!(
            "--api-key (TOOLGATE_API_KEY) replaces the stored key of the first administrator, which differs from it"
        );
        return Ok(storage.set_bootstrap_key(actor, digest(key)).await?);
    }
    let location = storage.bootstrap_key_location().await?.map(|location| format!(" ({location})"));
    bail!(
        "--api-key (TOOLGATE_API_KEY) differs from the stored key of the first administrator{}: set it to the stored key \
         on every node, or replace the stored key with the command `toolgate key replace` and start again",
        location.unwrap_or_default()
    )
}

/// Creates the key, or takes the one that an interrupted start left in the file. `None` if another node was first.
async fn create(storage: &dyn Storage, actor: &Actor, file: &Path, node: &str) -> anyhow::Result<Option<SecretString>> {
    let left_over = read_key_file(file)?;
    let is_new = left_over.is_none();
    let key = left_over.map_or_else(generate, Ok)?;
    let write = || if is_new { write_key_file(file, &key) } else { Ok(()) };
    match storage.set_first_bootstrap_key(actor, digest(&key), &location(file, node), &write).await? {
        FirstKeyOutcome::Stored => Ok(Some(key)),
        FirstKeyOutcome::HasUsers => Ok(None),
        FirstKeyOutcome::NotPrepared(error) => {
            Err(error).with_context(|| format!("cannot write the key to {}", file.display()))
        }
    }
}

/// The location of the key that other nodes show in their banner.
fn location(file: &Path, node: &str) -> String {
    let file = path::absolute(file).unwrap_or_else(|_| file.to_owned());
    format!("in {} on {node}", file.display())
}

fn digest(key: &SecretString) -> KeyDigest {
    toolgate_auth::digest_key(key.expose_secret())
}

/// Finds the location of the stored key: the key file of this node if its key is in the database, else the file of the
/// node that created the key. A key that was replaced or revoked has no location.
async fn locate(storage: &dyn Storage, file: PathBuf, node: &str) -> anyhow::Result<FirstKey> {
    if let Some(key) = read_key_file(&file)? {
        if storage.find_api_key(toolgate_auth::hash_secret(key.expose_secret())).await?.is_some() {
            return Ok(FirstKey::InFile(file));
        }
        tracing::warn!(file = %file.display(), "the key in this file is not valid for this database; delete the file");
    }
    // If the stored location is the file of this node, the file no longer contains the key, and the key is unknown.
    let found = storage.bootstrap_key_location().await?.filter(|found| *found != location(&file, node));
    Ok(found.map_or(FirstKey::Unknown, |found| {
        tracing::info!("another node created the first administrator's key: it is {found}");
        FirstKey::OnOtherNode(found)
    }))
}

fn generate() -> anyhow::Result<SecretString> {
    Ok(toolgate_auth::SecretKey::generate()?.expose().into())
}

fn write_key_file(file: &Path, key: &SecretString) -> io::Result<()> {
    private_file::write(file, &format!("{}\n", key.expose_secret()))
}

fn read_key_file(file: &Path) -> anyhow::Result<Option<SecretString>> {
    let text = private_file::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let key = text.map(|text| parse_api_key(text.trim_end())).transpose();
    key.map_err(|_| anyhow!("{} does not contain a valid key; delete it to create a new one", file.display()))
}

#[cfg(test)]
mod tests;
