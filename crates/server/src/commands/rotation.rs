//! `toolgate rotate-keys`. The new key is written to the key file before it is used, and the old keys stay in the file,
//! so an interruption at any point leaves every secret readable.

use toolgate_domain::time::{Clock, SystemClock};
use toolgate_storage::Storage;

use super::{counted, print};
use crate::data_dir::DataDir;
use crate::settings::Settings;
use crate::{database, encryption_keys};

/// Re-encrypts every stored secret; adds a new key first if the keys are in the key file.
pub(crate) async fn rotate_keys(settings: &Settings) -> anyhow::Result<()> {
    // Opens the database first, so that a wrong folder or keyring fails before a key is added.
    let storage = database::open_existing(settings).await?;
    let _lock = DataDir::new(&settings.data_dir).lock_rotation()?;
    let has_key_file = settings.encryption_keys.is_none();
    if has_key_file {
        add_new_key(settings)?;
    }
    let count = storage.reseal(SystemClock.now()).await?;
    storage.close().await;
    print(format_args!("{} re-encrypted with the first key.", counted(count, "stored secret")))?;
    let keys = if has_key_file { "the key file" } else { "TOOLGATE_ENCRYPTION_KEYS" };
    print(format_args!(
        "Restart all nodes before you remove the older keys from {keys}: nodes started before this rotation use them."
    ))
}

fn add_new_key(settings: &Settings) -> anyhow::Result<()> {
    let folder = DataDir::new(&settings.data_dir);
    let _lock = folder.lock_keys()?;
    encryption_keys::add_new_key(&folder.encryption_key_file())
}
