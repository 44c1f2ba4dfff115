//! Where the files of the console come from.

use std::borrow::Cow;

/// A file of the console.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Asset {
    pub(crate) bytes: Cow<'static, [u8]>,
    /// Its entity tag, which another content would not have.
    pub(crate) etag: Option<String>,
}

/// The files of a console, if there is one.
pub(crate) trait Assets: Send + Sync + 'static {
    /// The file of this name, relative to the folder that was built.
    fn get(&self, name: &str) -> Option<Asset>;
}

/// What was in `console/dist` when this was compiled; in debug builds what is there now.
pub(crate) struct EmbeddedAssets;

#[derive(rust_embed::RustEmbed)]
#[folder = "../../console/dist"]
struct ConsoleDist;

impl Assets for EmbeddedAssets {
    fn get(&self, name: &str) -> Option<Asset> {
        let file = ConsoleDist::get(name)?;
        Some(Asset { bytes: file.data, etag: Some(tag(&file.metadata.sha256_hash())) })
    }
}

/// Half of the digest is enough to tell contents apart, and half as long in every reply.
fn tag(digest: &[u8; 32]) -> String {
    let half = digest.iter().take(16).fold(0_u128, |half, byte| half << 8 | u128::from(*byte));
    format!("\"{half:032x}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_the_first_half_of_the_digest() {
        let mut digest = [0xab; 32];
        digest[0] = 1;
        assert_eq!(tag(&digest), "\"01ababababababababababababababab\"");
    }
}
