//! Hashing of passwords with argon2id. At most two hashes are computed at a time, because each needs 19 MiB and a core.

use std::sync::{Arc, LazyLock};

use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use argon2::{Algorithm, Argon2, Params, Version};
use tokio::sync::Semaphore;
use zeroize::Zeroizing;

/// Parameters of argon2id that OWASP recommends.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
const LANES: u32 = 1;
const CONCURRENT_MAX: usize = 2;
/// Allowed length of a password, in characters.
const LENGTH_MIN: usize = 10;
const LENGTH_MAX: usize = 256;

/// Verified instead of the hash of a user who does not exist, so that the response takes as long.
static UNKNOWN_USER: LazyLock<Option<String>> = LazyLock::new(|| hash(b"unknown user"));

#[derive(Debug)]
pub(crate) struct PasswordHasher {
    permits: Arc<Semaphore>,
}

impl Default for PasswordHasher {
    fn default() -> Self {
        Self { permits: Arc::new(Semaphore::new(CONCURRENT_MAX)) }
    }
}

impl PasswordHasher {
    /// The hash as a PHC string; `None` if it failed.
    pub(crate) async fn hash(&self, password: &str) -> Option<String> {
        let password = Zeroizing::new(password.to_owned());
        self.run(move || hash(password.as_bytes())).await?
    }

    /// Whether a password has this hash. `None`, for an unknown user, takes as long and always fails.
    pub(crate) async fn verify(&self, password: &str, phc: Option<String>) -> bool {
        let password = Zeroizing::new(password.to_owned());
        let verify = move || {
            let is_known = phc.is_some();
            let phc = phc.or_else(|| UNKNOWN_USER.clone()).unwrap_or_default();
            // `verify_password` takes the parameters from the hash, not from `Argon2::default`.
            Argon2::default().verify_password(password.as_bytes(), phc.as_str()).is_ok() && is_known
        };
        self.run(verify).await.unwrap_or(false)
    }

    /// The permit moves into the task: it is held until the hashing ends, even if the client disconnects before.
    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        let permit = Arc::clone(&self.permits).acquire_owned().await.ok()?;
        let work = move || {
            let _permit = permit;
            work()
        };
        tokio::task::spawn_blocking(work).await.ok()
    }
}

/// Whether a new password has an allowed length.
pub(crate) fn is_allowed_length(password: &str) -> bool {
    (LENGTH_MIN..=LENGTH_MAX).contains(&password.chars().count())
}

/// Whether a password is longer than any stored one; it is not hashed.
pub(crate) fn is_too_long(password: &str) -> bool {
    password.chars().count() > LENGTH_MAX
}

fn hash(password: &[u8]) -> Option<String> {
    let mut salt = [0; 16];
    getrandom::fill(&mut salt).ok()?;
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None).ok()?;
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    argon2.hash_password_with_salt(password, &salt).ok().map(|hash| hash.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_password_verifies_with_its_hash_only() {
        let hasher = PasswordHasher::default();
        let phc = hasher.hash("correct horse").await.unwrap();
        assert!(phc.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{phc}");
        assert!(hasher.verify("correct horse", Some(phc.clone())).await);
        assert!(!hasher.verify("correct horsf", Some(phc.clone())).await);
        assert_ne!(hasher.hash("correct horse").await, Some(phc));
        assert!(!hasher.verify("unknown user", None).await);
        assert!(!hasher.verify("unknown user", Some("no hash".to_owned())).await);
    }

    #[test]
    fn passwords_have_10_to_256_characters() {
        for (length, is_allowed) in [(9, false), (10, true), (256, true), (257, false)] {
            assert_eq!(is_allowed_length(&"é".repeat(length)), is_allowed, "{length}");
        }
    }
}
