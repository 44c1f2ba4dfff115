//! Opening the database, for the service and for the commands beside it.

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
    let storage = SqlStorage::open(settings.database().expose_secret(), keys, now).await?;
    Ok(Arc::new(storage))
}

/// Opens the database of a service that was started before. A command makes no data folder, no keys and no database:
/// with a mistyped address it would work on an empty one and say that all is well.
pub(crate) async fn open_existing(settings: &Settings) -> anyhow::Result<Arc<SqlStorage>> {
    let keys = existing_keys(settings)?;
    let storage = SqlStorage::open_existing(settings.database().expose_secret(), keys).await?;
    Ok(Arc::new(storage))
}

/// The keys, where there are any.
pub(crate) fn existing_keys(settings: &Settings) -> anyhow::Result<Arc<dyn KeySource>> {
    let key_file = DataDir::new(&settings.data_dir).encryption_keys();
    if settings.encryption_keys.is_none() && !key_file.exists() {
        anyhow::bail!(
            "there is no key file {}; start the service once, or name its folder with --data-dir (TOOLGATE_DATA_DIR)",
            key_file.display()
        );
    }
    Ok(encryption_keys::source(settings, key_file))
}
