//! The files of the console.

use std::borrow::Cow;

/// A file of the console.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Asset {
    pub(crate) bytes: Cow<'static, [u8]>,
    /// Its `ETag`, which changes with the content; `None` if the service changed the content.
    pub(crate) etag: Option<String>,
}

/// A source of the console's files; it is empty if the console was not built.
pub(crate) trait Assets: Send + Sync + 'static {
    /// The file of this name, relative to `console/dist`.
    fn get(&self, name: &str) -> Option<Asset>;
}

/// The files in `console/dist` at compile time; debug builds read them at runtime.
pub(crate) struct EmbeddedAssets;

#[derive(rust_embed::RustEmbed)]
#[folder = "../../console/dist"]
struct ConsoleDist;

impl Assets for EmbeddedAssets {
    fn get(&self, name: &str) -> Option<Asset> {
        let file = ConsoleDist::get(name)?;
        Some(Asset { bytes: file.data, etag: Some(etag(&file.metadata.sha256_hash())) })
    }
}

/// Uses half of the digest, which is enough to distinguish contents and makes every response shorter.
fn etag(digest: &[u8; 32]) -> String {
    let half = digest.iter().take(16).fold(0_u128, |half, byte| half << 8 | u128::from(*byte));
    format!("\"{half:032x}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_etag_is_the_first_half_of_the_digest() {
        let mut digest = [0xab; 32];
        digest[0] = 1;
        assert_eq!(etag(&digest), "\"01ababababababababababababababab\"");
    }
}
