//! Encryption of secrets at rest: XChaCha20-Poly1305 with a keyring. The first key seals, every key opens.

mod keyring;

pub use keyring::{EncryptionKey, Keyring, KeyringError, SealError};

/// Source of the keyring. It is read again when a stored secret was sealed with a key that the loaded keyring lacks, so
/// that keys can be rotated while the service runs.
pub trait KeySource: Send + Sync + std::fmt::Debug {
    /// Reads the current keyring.
    fn load(&self) -> Result<Keyring, KeyringError>;
}
