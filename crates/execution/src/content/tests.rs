//! Tests of content blocks and their JSON.

mod blocks;
mod http_errors;
mod json_encoding;

use http::header::CONTENT_TYPE;
use http::{HeaderMap, StatusCode};

use super::*;

pub(super) fn response_with(status: u16, content_type: &str, body: impl Into<Bytes>) -> UpstreamResponse {
    let mut headers = HeaderMap::new();
    if !content_type.is_empty() {
        headers.insert(CONTENT_TYPE, content_type.parse().unwrap());
    }
    UpstreamResponse {
        status: StatusCode::from_u16(status).unwrap(),
        headers,
        body: body.into(),
        sent_tokens: Vec::new(),
    }
}

/// The text block of a body.
fn block_text(content_type: &str, body: impl Into<Bytes>) -> String {
    let ContentBlock::Text(text) = to_block(&response_with(200, content_type, body)) else {
        panic!("{content_type} is not text")
    };
    String::from_utf8(text.as_bytes().to_vec()).unwrap()
}
