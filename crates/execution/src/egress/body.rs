//! Reads response bodies completely: a truncated, badly framed or oversized body is an error, never a partial result.

use bytes::Bytes;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH};
use http::{Method, Response, StatusCode};
use http_body::Body;
use http_body_util::BodyExt;
use hyper::body::Incoming;

use super::decoder::{Coding, Decoder};
use super::error::EgressError;
use super::message::UpstreamResponse;

/// Reads the body of `response`, of at most `bytes_max` decoded bytes. If the body was compressed, the headers that
/// describe the compressed form are removed.
pub(super) async fn read(
    method: &Method,
    response: Response<Incoming>,
    bytes_max: usize,
) -> Result<UpstreamResponse, EgressError> {
    let (mut head, body) = response.into_parts();
    let has_body = method != Method::HEAD && !matches!(head.status, StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED);
    let body = if has_body {
        let codings = Coding::from_headers(&head.headers)?;
        if codings.is_empty() {
            read_plain(body, bytes_max).await?
        } else {
            // Boxed: the state of the decoders is large, and most responses are not compressed.
            let decoded = Box::pin(read_encoded(body, &codings, bytes_max)).await?;
            head.headers.remove(CONTENT_ENCODING);
            head.headers.remove(CONTENT_LENGTH);
            decoded
        }
    } else {
        Bytes::new()
    };
    Ok(UpstreamResponse { status: head.status, headers: head.headers, body, sent_tokens: Vec::new() })
}

/// Most bodies arrive in one chunk, which is returned without a copy.
async fn read_plain(mut body: Incoming, bytes_max: usize) -> Result<Bytes, EgressError> {
    let announced = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    check_size(announced, bytes_max)?;
    let Some(first) = next_chunk(&mut body).await? else { return Ok(Bytes::new()) };
    let Some(second) = next_chunk(&mut body).await? else {
        check_size(first.len(), bytes_max)?;
        return Ok(first);
    };
    let mut joined = Vec::with_capacity(announced.max(first.len() + second.len()));
    joined.extend_from_slice(&first);
    let mut chunk = second;
    loop {
        check_size(joined.len() + chunk.len(), bytes_max)?;
        joined.extend_from_slice(&chunk);
        match next_chunk(&mut body).await? {
            Some(next) => chunk = next,
            None => return Ok(joined.into()),
        }
    }
}

/// A body of zero bytes is empty in every coding.
async fn read_encoded(mut body: Incoming, codings: &[Coding], bytes_max: usize) -> Result<Bytes, EgressError> {
    let Some(mut chunk) = next_chunk(&mut body).await? else { return Ok(Bytes::new()) };
    let mut decoder = Decoder::new(codings, bytes_max);
    loop {
        decoder.feed(&chunk)?;
        match next_chunk(&mut body).await? {
            Some(next) => chunk = next,
            None => return decoder.finish(),
        }
    }
}

fn check_size(size: usize, bytes_max: usize) -> Result<(), EgressError> {
    if size > bytes_max { Err(EgressError::TooLarge) } else { Ok(()) }
}

/// The next chunk, never empty; trailers are skipped.
async fn next_chunk(body: &mut Incoming) -> Result<Option<Bytes>, EgressError> {
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| EgressError::from_body_error(&error))?;
        if let Some(data) = frame.into_data().ok().filter(|data| !data.is_empty()) {
            return Ok(Some(data));
        }
    }
    Ok(None)
}
