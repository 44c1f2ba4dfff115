//! Sealing and opening of secrets. A blob is `version | key id | nonce | ciphertext and tag`; the row is part of the
//! authenticated data, so a blob that is copied to another row does not open.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use hmac::{Hmac, Mac};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

/// First byte of a blob.
const VERSION: u8 = 1;
/// Length of a key id: 4 bytes in hexadecimal.
const KEY_ID_LEN: usize = 8;
/// Length of a nonce in bytes.
const NONCE_LEN: usize = 24;

/// Why a keyring cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeyringError {
    /// It contains no key.
    #[error("the keyring is empty; TOOLGATE_ENCRYPTION_KEYS needs at least one key")]
    Empty,
    /// An entry is not 32 bytes of base64 or hex.
    #[error(
        "encryption key number {position} is not 32 bytes in base64 or hexadecimal; create one with: head -c 32 /dev/urandom | base64"
    )]
    Malformed {
        /// Position in the list, from 1.
        position: usize,
    },
    /// The key file cannot be read or written.
    #[error("cannot use the key file {path}: {source}")]
    File {
        /// The file.
        path: String,
        /// The error of the operating system.
        source: std::io::Error,
    },
}

/// Why a blob cannot be sealed or opened.
#[derive(Clone, Debug, thiserror::Error)]
pub enum SealError {
    /// The blob was sealed with a key that is not in the keyring.
    #[error("it was sealed with key {0}, which is not in the keyring")]
    UnknownKey(String),
    /// The blob is damaged, or belongs to another row.
    #[error("it is damaged or belongs to another row")]
    Damaged,
    /// The operating system provides no random numbers.
    #[error("the system provides no random numbers: {0}")]
    Random(getrandom::Error),
}

/// A key and its id in the database.
#[derive(Clone)]
pub struct EncryptionKey {
    id: String,
    bytes: Zeroizing<[u8; 32]>,
}

impl EncryptionKey {
    /// Creates a key from 32 random bytes. Its id is the start of its SHA-256 hash.
    pub fn new(bytes: [u8; 32]) -> Self {
        let [a, b, c, d, ..] = <[u8; 32]>::from(Sha256::digest(bytes));
        let id = format!("{:08x}", u32::from_be_bytes([a, b, c, d]));
        Self { id, bytes: Zeroizing::new(bytes) }
    }

    /// Reads base64 (standard or URL-safe alphabet) or hexadecimal, which has 64 digits.
    fn parse(text: &str) -> Option<Self> {
        let decoded = Zeroizing::new(match text.len() {
            64 => (0..32).map(|i| u8::from_str_radix(text.get(2 * i..2 * i + 2)?, 16).ok()).collect::<Option<_>>()?,
            _ => STANDARD.decode(text).or_else(|_| URL_SAFE_NO_PAD.decode(text)).ok()?,
        });
        Some(Self::new(decoded.as_slice().try_into().ok()?))
    }

    /// The id by which the database refers to this key.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The text that [`Keyring::parse`] reads.
    pub fn to_text(&self) -> Zeroizing<String> {
        Zeroizing::new(STANDARD.encode(self.bytes.as_slice()))
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new((&*self.bytes).into())
    }

    /// Derives a key for another purpose than sealing. A derived key reveals neither this key nor other derived keys.
    fn derive(&self, purpose: &str) -> Zeroizing<[u8; 32]> {
        // HMAC pads short keys with zeros to the block size. A key of exactly that size makes `new` infallible.
        let mut block = Zeroizing::new([0; 64]);
        block.iter_mut().zip(self.bytes.iter()).for_each(|(to, from)| *to = *from);
        let mac = <Hmac<Sha256> as KeyInit>::new((&*block).into());
        Zeroizing::new(mac.chain_update("toolgate:derived:").chain_update(purpose).finalize().into_bytes().into())
    }
}

impl std::fmt::Debug for EncryptionKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Key({})", self.id)
    }
}

/// An ordered list of keys: the first key seals, every key opens.
#[derive(Clone, Debug)]
pub struct Keyring(Vec<EncryptionKey>);

impl Keyring {
    /// Reads keys separated by commas or white space.
    pub fn parse(text: &str) -> Result<Self, KeyringError> {
        let words = text.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty());
        let keys: Vec<EncryptionKey> = words
            .enumerate()
            .map(|(index, word)| EncryptionKey::parse(word).ok_or(KeyringError::Malformed { position: index + 1 }))
            .collect::<Result<_, _>>()?;
        if keys.is_empty() { Err(KeyringError::Empty) } else { Ok(Self(keys)) }
    }

    /// Id of the key that seals.
    pub(crate) fn first_id(&self) -> &str {
        self.0.first().map_or("", |key| key.id())
    }

    /// Whether the keyring has a key with this id.
    pub(crate) fn contains(&self, key_id: &str) -> bool {
        self.0.iter().any(|key| key.id == key_id)
    }

    /// The keyring that seals with the first of its keys that has one of these ids; `None` if none has.
    pub(crate) fn sealing_with_one_of(&self, key_ids: &[String]) -> Option<Self> {
        let mut keys = self.0.clone();
        let position = keys.iter().position(|key| key_ids.contains(&key.id))?;
        // The keys before it move behind it, in their order.
        keys[..=position].rotate_right(1);
        Some(Self(keys))
    }

    /// Derives a key for `purpose` from each key, in the order of the keyring.
    pub(crate) fn derive(&self, purpose: &str) -> Vec<Zeroizing<[u8; 32]>> {
        self.0.iter().map(|key| key.derive(purpose)).collect()
    }

    /// Seals `plain` for the row `row`.
    pub(crate) fn seal(&self, row: &str, plain: &[u8]) -> Result<Vec<u8>, SealError> {
        let key = self.0.first().ok_or(SealError::Damaged)?;
        let mut nonce = [0; NONCE_LEN];
        getrandom::fill(&mut nonce).map_err(SealError::Random)?;
        let sealed = key
            .cipher()
            .encrypt(&XNonce::from(nonce), Payload { msg: plain, aad: row.as_bytes() })
            .map_err(|_| SealError::Damaged)?;
        Ok([&[VERSION], key.id.as_bytes(), &nonce, &sealed].concat())
    }

    /// Opens a blob that [`Keyring::seal`] created for the same row.
    pub(crate) fn open(&self, row: &str, blob: &[u8]) -> Result<Zeroizing<Vec<u8>>, SealError> {
        let (version, rest) = blob.split_first().ok_or(SealError::Damaged)?;
        let (key_id, rest) = rest.split_at_checked(KEY_ID_LEN).ok_or(SealError::Damaged)?;
        let (nonce, sealed) = rest.split_at_checked(NONCE_LEN).ok_or(SealError::Damaged)?;
        let nonce: [u8; NONCE_LEN] = nonce.try_into().map_err(|_| SealError::Damaged)?;
        if *version != VERSION {
            return Err(SealError::Damaged);
        }
        let key = self
            .0
            .iter()
            .find(|key| key.id.as_bytes() == key_id)
            .ok_or_else(|| SealError::UnknownKey(String::from_utf8_lossy(key_id).into_owned()))?;
        key.cipher()
            .decrypt(&XNonce::from(nonce), Payload { msg: sealed, aad: row.as_bytes() })
            .map(Zeroizing::new)
            .map_err(|_| SealError::Damaged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keyring(keys: &[u8]) -> Keyring {
        Keyring(keys.iter().map(|byte| EncryptionKey::new([*byte; 32])).collect())
    }

    #[test]
    fn a_blob_opens_only_in_its_own_row() {
        let blob = keyring(&[1]).seal("tool:1", b"secret").unwrap();
        assert_eq!(keyring(&[1]).open("tool:1", &blob).unwrap().as_slice(), b"secret");
        assert!(matches!(keyring(&[1]).open("tool:2", &blob), Err(SealError::Damaged)));
        assert!(matches!(keyring(&[2]).open("tool:1", &blob), Err(SealError::UnknownKey(_))));
        assert_eq!(keyring(&[2, 1]).open("tool:1", &blob).unwrap().as_slice(), b"secret");
    }

    #[test]
    fn the_first_key_with_one_of_the_ids_seals_and_all_keys_still_open() {
        let ids = [1, 2].map(|byte| EncryptionKey::new([byte; 32]).id().to_owned());
        let all = keyring(&[4, 3, 2, 1]);
        let sealing = all.sealing_with_one_of(&ids).unwrap();
        let order: Vec<&str> = sealing.0.iter().map(EncryptionKey::id).collect();
        assert_eq!(order, keyring(&[2, 4, 3, 1]).0.iter().map(EncryptionKey::id).collect::<Vec<_>>());
        assert!(keyring(&[4, 3]).sealing_with_one_of(&ids).is_none());
    }

    #[test]
    fn damage_at_any_position_is_detected_and_never_panics() {
        let blob = keyring(&[1]).seal("r", b"secret").unwrap();
        for cut in 0..blob.len() {
            assert!(keyring(&[1]).open("r", &blob[..cut]).is_err());
        }
        for index in 0..blob.len() {
            let mut bad = blob.clone();
            bad[index] ^= 1;
            assert!(keyring(&[1]).open("r", &bad).is_err(), "byte {index}");
        }
    }

    #[test]
    fn derived_keys_depend_only_on_key_and_purpose_and_have_the_order_of_the_keyring() {
        let [two, one] = keyring(&[2, 1]).derive("sessions").try_into().unwrap();
        assert_eq!(keyring(&[1, 3]).derive("sessions")[0], one);
        assert_ne!(two, one);
        assert_ne!(keyring(&[1]).derive("session")[0], one);
        assert_ne!(*one, [1; 32], "a derived key is not the key itself");
    }

    #[test]
    fn derived_keys_are_hmac_sha256_of_the_purpose() {
        let mut mac = Hmac::<Sha256>::new_from_slice(&[7; 32]).unwrap();
        mac.update(b"toolgate:derived:sessions");
        assert_eq!(keyring(&[7]).derive("sessions")[0].as_slice(), mac.finalize().into_bytes().as_slice());
    }

    #[test]
    fn keys_are_read_in_base64_and_hex() {
        let key = EncryptionKey::new([7; 32]);
        let text = format!("{},{}", key.to_text().as_str(), "07".repeat(32));
        let keyring = Keyring::parse(&text).unwrap();
        assert_eq!(keyring.0[0].id(), keyring.0[1].id());
        assert!(matches!(Keyring::parse(" , "), Err(KeyringError::Empty)));
        assert!(matches!(Keyring::parse("abc"), Err(KeyringError::Malformed { position: 1 })));
    }
}
