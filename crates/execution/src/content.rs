//! What an upstream answered, as MCP shows it: text wherever text can carry it, a picture as a picture, sound as
//! sound, and anything else as a data URL. A body that is UTF-8 already is never copied on the way.

mod json;
mod media;
mod refusal;
mod text;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;

use crate::egress::UpstreamResponse;

pub use json::{write_json, write_json_string};
pub(crate) use media::MediaType;
pub use refusal::failure;
pub use text::Utf8;

/// One content block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// Text.
    Text(Utf8),
    /// A picture.
    Image {
        /// Its bytes, not yet encoded.
        data: Bytes,
        /// Its media type, without parameters.
        mime: String,
    },
    /// Sound.
    Audio {
        /// Its bytes, not yet encoded.
        data: Bytes,
        /// Its media type, without parameters.
        mime: String,
    },
}

impl Block {
    /// A block of text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(Utf8::from(text.into()))
    }
}

/// The body of an answer as one block.
pub fn block(response: &UpstreamResponse) -> Block {
    let media = MediaType::of(&response.headers);
    let data = response.body.clone();
    if data.is_empty() {
        Block::Text(Utf8::default())
    } else if media.is_image() {
        Block::Image { data, mime: media.essence }
    } else if media.is_audio() {
        Block::Audio { data, mime: media.essence }
    } else {
        Block::Text(text::decode(&media, &data).unwrap_or_else(|| data_url(&media, &data)))
    }
}

/// The body of an answer as text; `None` for a picture, sound, or anything else that is none.
pub fn text(response: &UpstreamResponse) -> Option<Utf8> {
    let media = MediaType::of(&response.headers);
    if media.is_image() || media.is_audio() {
        return None;
    }
    text::decode(&media, &response.body)
}

/// For a body that no text can carry.
fn data_url(media: &MediaType, data: &[u8]) -> Utf8 {
    let mut url = format!("data:{};base64,", media.essence);
    url.reserve(data.len().div_ceil(3) * 4);
    BASE64_STANDARD.encode_string(data, &mut url);
    Utf8::from(url)
}

#[cfg(test)]
mod tests;
