//! Secrets at rest: XChaCha20-Poly1305 under a keyring whose first key seals and whose keys all open.

mod keyring;

pub use keyring::{EncryptionKey, Keyring, KeyringError, SealError};

/// Where the keyring comes from. Asked again when a secret turns up that was sealed with a key the
/// service has not seen, so that keys can be rotated while it runs.
pub trait KeySource: Send + Sync + std::fmt::Debug {
    /// Reads the keyring as it is now.
    fn load(&self) -> Result<Keyring, KeyringError>;
}
