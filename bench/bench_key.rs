//! The encryption key of databases that benches open without a service.

use toolgate_storage::{EncryptionKey, KeySource, Keyring, KeyringError};

/// A constant key.
#[derive(Debug)]
pub(crate) struct BenchKey;

impl KeySource for BenchKey {
    fn load(&self) -> Result<Keyring, KeyringError> {
        Keyring::parse(&EncryptionKey::new([7; 32]).to_text())
    }
}
