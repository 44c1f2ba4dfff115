//! Opens the database for the service and for commands.

use std::sync::Arc;

use secrecy::ExposeSecret;
use toolgate_domain::time::Timestamp;
use toolgate_storage::{KeySource, SqlStorage, Storage};

use crate::data_dir::DataDir;
use crate::encryption_keys;
use crate::settings::Settings;

/// Opens the database and brings its schema up to date.
pub(crate) async fn open(
    settings: &Settings,
    keys: Arc<dyn KeySource>,
    now: Timestamp,
) -> anyhow::Result<Arc<dyn Storage>> {
    let storage = SqlStorage::open(settings.effective_database_url().expose_secret(), keys, now).await?;
    Ok(Arc::new(storage))
}

/// Opens an existing database. A command creates no data folder, keys or database: if it did, a mistyped path would
/// give it an empty database, and it would report success.
pub(crate) async fn open_existing(settings: &Settings) -> anyhow::Result<Arc<SqlStorage>> {
    let keys =
        existing_keys(settings, "start the service once, or name its data folder with --data-dir (TOOLGATE_DATA_DIR)")?;
    let storage = SqlStorage::open_existing(settings.effective_database_url().expose_secret(), keys).await?;
    Ok(Arc::new(storage))
}

/// The source of the existing encryption keys; `remedy` says what to do if there are none.
pub(crate) fn existing_keys(settings: &Settings, remedy: &str) -> anyhow::Result<Arc<dyn KeySource>> {
    let key_file = DataDir::new(&settings.data_dir).encryption_key_file();
    if settings.encryption_keys.is_none() && !encryption_keys::file_exists(&key_file)? {
        anyhow::bail!("there is no key file {}; {remedy}", key_file.display());
    }
    Ok(encryption_keys::source(settings, key_file))
}
