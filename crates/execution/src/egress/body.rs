//! Reads a body to its end or not at all: what is cut off, badly framed or too large is an error, never a part.

use bytes::Bytes;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH};
use http::{Method, Response, StatusCode};
use http_body::Body;
use http_body_util::BodyExt;
use hyper::body::Incoming;

use super::decoder::{Coding, Decoder};
use super::error::EgressError;
use super::message::UpstreamResponse;

/// The largest body that is read, decoded.
pub const RESPONSE_MAX: usize = 8 * 1024 * 1024;

/// The answer with its body. The headers that describe the body as it was sent go with its compression.
pub(super) async fn read(method: &Method, response: Response<Incoming>) -> Result<UpstreamResponse, EgressError> {
    let (mut head, body) = response.into_parts();
    let has_body = method != Method::HEAD && !matches!(head.status, StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED);
    let body = if has_body {
        let codings = Coding::all(&head.headers)?;
        if codings.is_empty() {
            plain(body).await?
        } else {
            // Boxed: what decoders need is large, and most answers need none.
            let decoded = Box::pin(encoded(body, &codings)).await?;
            head.headers.remove(CONTENT_ENCODING);
            head.headers.remove(CONTENT_LENGTH);
            decoded
        }
    } else {
        Bytes::new()
    };
    Ok(UpstreamResponse { status: head.status, headers: head.headers, body, sent_tokens: Vec::new() })
}

/// Most answers come in one piece and are handed on without a copy.
async fn plain(mut body: Incoming) -> Result<Bytes, EgressError> {
    let announced = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    within_limit(announced)?;
    let Some(first) = next_piece(&mut body).await? else { return Ok(Bytes::new()) };
    let Some(second) = next_piece(&mut body).await? else {
        within_limit(first.len())?;
        return Ok(first);
    };
    let mut whole = Vec::with_capacity(announced.max(first.len() + second.len()));
    whole.extend_from_slice(&first);
    let mut piece = second;
    loop {
        within_limit(whole.len() + piece.len())?;
        whole.extend_from_slice(&piece);
        match next_piece(&mut body).await? {
            Some(next) => piece = next,
            None => return Ok(whole.into()),
        }
    }
}

/// A body of no bytes is empty, whatever its coding.
async fn encoded(mut body: Incoming, codings: &[Coding]) -> Result<Bytes, EgressError> {
    let Some(mut piece) = next_piece(&mut body).await? else { return Ok(Bytes::new()) };
    let mut decoder = Decoder::new(codings);
    loop {
        decoder.feed(&piece)?;
        match next_piece(&mut body).await? {
            Some(next) => piece = next,
            None => return decoder.finish(),
        }
    }
}

fn within_limit(size: usize) -> Result<(), EgressError> {
    if size > RESPONSE_MAX { Err(EgressError::TooLarge) } else { Ok(()) }
}

/// The next bytes, never none of them; trailers are passed over.
async fn next_piece(body: &mut Incoming) -> Result<Option<Bytes>, EgressError> {
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| EgressError::within_body(&error))?;
        if let Some(data) = frame.into_data().ok().filter(|data| !data.is_empty()) {
            return Ok(Some(data));
        }
    }
    Ok(None)
}
