//! Answers of all kinds, and the JSON that is made of them.

mod failing;
mod showing;
mod writing;

use http::header::CONTENT_TYPE;
use http::{HeaderMap, StatusCode};

use super::*;

fn answer(status: u16, content_type: &str, body: impl Into<Bytes>) -> UpstreamResponse {
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

/// The text that a body is shown as.
fn shown(content_type: &str, body: impl Into<Bytes>) -> String {
    let Block::Text(text) = block(&answer(200, content_type, body)) else { panic!("{content_type} is no text") };
    String::from_utf8(text.as_bytes().to_vec()).unwrap()
}
