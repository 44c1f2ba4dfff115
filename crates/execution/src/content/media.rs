//! What a Content-Type says about a body: of which kind it is, and in which charset.

use encoding_rs::Encoding;
use http::HeaderMap;
use http::header::CONTENT_TYPE;

/// What a body is whose type is not told, or told badly.
const UNTOLD: &str = "application/octet-stream";

/// Longest `type/subtype` that is believed (RFC 6838 allows 127 for each half, and nobody comes near).
const LONGEST: usize = 127;

/// Types below `application/` whose bodies are binary, and hold text by accident only.
const BINARY: &[&str] = &[
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

/// Families of such types.
const BINARY_FAMILIES: &[&str] =
    &["video/", "font/", "application/vnd.ms-", "application/vnd.openxmlformats-officedocument."];

/// A media type.
pub(crate) struct MediaType {
    /// `type/subtype` in lower case; tokens, so that it can stand in a URL or a JSON string as it is.
    pub(crate) essence: String,
    /// The charset, where one is told that is known.
    pub(crate) charset: Option<&'static Encoding>,
}

impl MediaType {
    /// Of the body that came with these headers.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let value = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let mut parts = value.split(';');
        let essence = parts.next().map(|essence| essence.trim().to_ascii_lowercase()).filter(|text| is_essence(text));
        Self { essence: essence.unwrap_or_else(|| UNTOLD.to_owned()), charset: parts.find_map(charset) }
    }

    /// Whether this is a picture that is not itself text.
    pub(crate) fn is_image(&self) -> bool {
        self.essence.starts_with("image/") && self.essence != "image/svg+xml"
    }

    /// Whether this is sound.
    pub(crate) fn is_audio(&self) -> bool {
        self.essence.starts_with("audio/")
    }

    /// Whether the type as such says that the body is no text.
    pub(crate) fn is_binary(&self) -> bool {
        let listed = self.essence.strip_prefix("application/").is_some_and(|subtype| BINARY.contains(&subtype));
        listed || BINARY_FAMILIES.iter().any(|family| self.essence.starts_with(family))
    }
}

fn is_essence(text: &str) -> bool {
    let token = |text: &str| !text.is_empty() && text.bytes().all(is_token_byte);
    text.len() <= LONGEST && text.split_once('/').is_some_and(|(kind, subtype)| token(kind) && token(subtype))
}

/// What names of media types are made of (RFC 6838, 4.2).
fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&byte)
}

fn charset(parameter: &str) -> Option<&'static Encoding> {
    let (name, value) = parameter.split_once('=')?;
    let label = value.trim().trim_matches(['"', '\'']);
    name.trim().eq_ignore_ascii_case("charset").then(|| Encoding::for_label(label.as_bytes())).flatten()
}
