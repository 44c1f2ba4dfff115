//! The media type and charset of a body, from its `Content-Type`.

use encoding_rs::Encoding;
use http::HeaderMap;
use http::header::CONTENT_TYPE;

/// The type of a body whose `Content-Type` is missing or invalid.
const DEFAULT_TYPE: &str = "application/octet-stream";

/// The longest accepted `type/subtype`. RFC 6838 allows 127 characters for each half, but real types are far shorter.
const ESSENCE_LENGTH_MAX: usize = 127;

/// Subtypes of `application/` that are binary.
const BINARY_SUBTYPES: &[&str] = &[
    "octet-stream",
    "pdf",
    "zip",
    "gzip",
    "x-gzip",
    "x-tar",
    "x-bzip2",
    "x-xz",
    "zstd",
    "x-7z-compressed",
    "vnd.rar",
    "x-rar-compressed",
    "java-archive",
    "wasm",
    "msword",
    "protobuf",
    "x-protobuf",
    "grpc",
    "cbor",
    "msgpack",
    "x-msgpack",
    "vnd.sqlite3",
    "vnd.apache.parquet",
];

/// Prefixes of binary types.
const BINARY_PREFIXES: &[&str] =
    &["video/", "font/", "application/vnd.ms-", "application/vnd.openxmlformats-officedocument."];

/// A media type.
pub(crate) struct MediaType {
    /// `type/subtype` in lower case. Both are tokens, so it needs no escaping in a URL or a JSON string.
    pub(crate) essence: String,
    /// The charset, if a known one is given.
    pub(crate) charset: Option<&'static Encoding>,
}

impl MediaType {
    /// The media type in these headers.
    pub(crate) fn from_headers(headers: &HeaderMap) -> Self {
        let value = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let mut parts = value.split(';');
        let essence = parts.next().map(|essence| essence.trim().to_ascii_lowercase()).filter(|text| is_essence(text));
        Self { essence: essence.unwrap_or_else(|| DEFAULT_TYPE.to_owned()), charset: parts.find_map(charset) }
    }

    /// The type of the content block for an image or audio; SVG is text.
    pub(crate) fn block_type(&self) -> Option<&'static str> {
        let (kind, subtype) = self.essence.split_once('/')?;
        ["image", "audio"].into_iter().find(|block_type| *block_type == kind && subtype != "svg+xml")
    }

    /// Whether this is a known binary type.
    pub(crate) fn is_binary(&self) -> bool {
        let is_listed =
            self.essence.strip_prefix("application/").is_some_and(|subtype| BINARY_SUBTYPES.contains(&subtype));
        is_listed || BINARY_PREFIXES.iter().any(|prefix| self.essence.starts_with(prefix))
    }
}

fn is_essence(text: &str) -> bool {
    let is_token = |text: &str| !text.is_empty() && text.bytes().all(is_token_byte);
    text.len() <= ESSENCE_LENGTH_MAX
        && text.split_once('/').is_some_and(|(kind, subtype)| is_token(kind) && is_token(subtype))
}

/// The characters of media type names (RFC 6838, 4.2).
fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&byte)
}

fn charset(parameter: &str) -> Option<&'static Encoding> {
    let (name, value) = parameter.split_once('=')?;
    let label = value.trim().trim_matches(['"', '\'']);
    name.trim().eq_ignore_ascii_case("charset").then(|| Encoding::for_label(label.as_bytes())).flatten()
}
