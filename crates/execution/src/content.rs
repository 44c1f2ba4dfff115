//! Upstream responses as MCP content: an image or audio block if the media type is one, else text if the body can be
//! decoded, else a data URL as text. A body that is UTF-8 is not copied.

pub(crate) mod error_message;
pub(crate) mod http_error;
pub(crate) mod json;
pub(crate) mod media;
mod text;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;

use crate::egress::message::UpstreamResponse;

pub use http_error::to_failure;
pub use json::{write_json, write_json_string};
use media::MediaType;
pub use text::Utf8;

/// One content block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContentBlock {
    /// Text.
    Text(Utf8),
    /// An image or audio.
    Media {
        /// The type of the block: `image` or `audio`.
        kind: &'static str,
        /// Its bytes, not yet encoded.
        data: Bytes,
        /// Its media type, without parameters.
        mime: String,
    },
    /// A link to content that `resources/read` returns.
    ResourceLink {
        /// Its URI.
        uri: String,
        /// A short name.
        name: String,
        /// Its media type, without parameters.
        mime: String,
        /// Its size, in bytes.
        bytes: usize,
    },
}

impl ContentBlock {
    /// A block of text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(Utf8::from(text.into()))
    }
}

/// The body of a response as one content block.
pub fn to_block(response: &UpstreamResponse) -> ContentBlock {
    let media = MediaType::from_headers(&response.headers);
    let data = response.body.clone();
    match media.block_type() {
        _ if data.is_empty() => ContentBlock::Text(Utf8::default()),
        Some(kind) => ContentBlock::Media { kind, data, mime: media.essence },
        None => ContentBlock::Text(text::decode(&media, &data).unwrap_or_else(|| data_url(&media, &data))),
    }
}

/// The body of a response as text; `None` for images, audio and other binary data.
pub fn to_text(response: &UpstreamResponse) -> Option<Utf8> {
    let media = MediaType::from_headers(&response.headers);
    if media.block_type().is_some() { None } else { text::decode(&media, &response.body) }
}

/// A binary body as a data URL.
fn data_url(media: &MediaType, data: &[u8]) -> Utf8 {
    let mut url = format!("data:{};base64,", media.essence);
    url.reserve(data.len().div_ceil(3) * 4);
    BASE64_STANDARD.encode_string(data, &mut url);
    Utf8::from(url)
}

#[cfg(test)]
mod tests;
