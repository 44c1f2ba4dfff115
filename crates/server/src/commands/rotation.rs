//! `toolgate rotate-keys`. The new key is in the file before anything is sealed with it, and the old ones
//! stay, so an interruption at any point leaves every secret readable.

use toolgate_domain::time::{Clock, SystemClock};
use toolgate_storage::Storage;

use super::print;
use crate::data_dir::DataDir;
use crate::settings::Settings;
use crate::{database, encryption_keys};

/// Seals every stored secret anew, with a fresh key where the keys are ours to make.
pub(crate) async fn rotate_keys(settings: &Settings) -> anyhow::Result<()> {
    // Opening first: a wrong folder or keyring is noticed before a key is added to it.
    let storage = database::open_existing(settings).await?;
    let _lock = DataDir::new(&settings.data_dir).lock_rotation()?;
    let has_key_file = settings.encryption_keys.is_none();
    if has_key_file {
        add_new_key(settings)?;
    }
    let count = storage.reseal(SystemClock.now()).await?;
    storage.close().await;
    print(format_args!("{count} stored secrets sealed anew with the first key."))?;
    let keys = if has_key_file { "the key file" } else { "TOOLGATE_ENCRYPTION_KEYS" };
    print(format_args!(
        "The older keys may be removed from {keys} once no node runs that was started before this rotation."
    ))
}

fn add_new_key(settings: &Settings) -> anyhow::Result<()> {
    let folder = DataDir::new(&settings.data_dir);
    let _lock = folder.lock_keys()?;
    encryption_keys::add_new_key(&folder.encryption_keys())
}
