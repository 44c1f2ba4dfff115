//! Answers of upstreams that another node may have fetched. They are sealed, for an upstream may say anything.

use std::time::Duration;

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue, StatusCode};
use redis::aio::MultiplexedConnection;

use super::Commons;
use crate::cache::CacheKey;
use crate::egress::UpstreamResponse;

/// A larger answer is each node's own: all calls share one line, and this is what it carries in a moment.
const SHARED_MAX_BYTES: usize = 256 * 1024;

impl Commons {
    /// The answer under `key`, and how long it may still be kept.
    pub(crate) async fn find(&self, key: &CacheKey) -> Option<(UpstreamResponse, Duration)> {
        let name = self.keys.answer(key.bytes())?;
        let (sealed, left_ms) = self.line.ask(|connection| look_up(connection, &name)).await?;
        let response = read(&self.keys.open(&name, &sealed?)?.into())?;
        let left = u64::try_from(left_ms).ok().filter(|left| *left > 0)?;
        Some((response, Duration::from_millis(left)))
    }

    /// Keeps an answer for the others. One that was fetched with a token of its own stays here: the answer may repeat
    /// the token, and only who knows it can mask it.
    pub(crate) async fn offer(&self, key: &CacheKey, ttl: Duration, response: &UpstreamResponse) {
        if !response.sent_tokens.is_empty() || response.body.len() > SHARED_MAX_BYTES || !self.line.is_up() {
            return;
        }
        let Some(name) = self.keys.answer(key.bytes()) else { return };
        let sealed = write(response).and_then(|plain| self.keys.seal(&name, &plain));
        let (Some(sealed), Ok(ttl_ms)) = (sealed, u64::try_from(ttl.as_millis())) else { return };
        if ttl_ms > 0 {
            self.line.ask(|connection| store(connection, name, sealed, ttl_ms)).await;
        }
    }
}

async fn look_up(mut connection: MultiplexedConnection, name: &str) -> redis::RedisResult<(Option<Vec<u8>>, i64)> {
    redis::pipe().atomic().cmd("GET").arg(name).cmd("PTTL").arg(name).query_async(&mut connection).await
}

async fn store(
    mut connection: MultiplexedConnection,
    name: String,
    sealed: Vec<u8>,
    ttl_ms: u64,
) -> redis::RedisResult<()> {
    redis::cmd("SET").arg(name).arg(sealed).arg("PX").arg(ttl_ms).query_async(&mut connection).await
}

/// Status, length of the media type, media type, body: all of an answer that its output is made of. Cookies and the
/// like are not.
fn write(response: &UpstreamResponse) -> Option<Vec<u8>> {
    let media_type = response.headers.get(CONTENT_TYPE).map_or(&b""[..], HeaderValue::as_bytes);
    let length = u16::try_from(media_type.len()).ok()?;
    let head = [response.status.as_u16().to_be_bytes(), length.to_be_bytes()].concat();
    Some([&head, media_type, &response.body].concat())
}

fn read(plain: &Bytes) -> Option<UpstreamResponse> {
    let (status, rest) = plain.split_first_chunk::<2>()?;
    let (length, rest) = rest.split_first_chunk::<2>()?;
    let (media_type, body) = rest.split_at_checked(u16::from_be_bytes(*length).into())?;
    let mut headers = HeaderMap::new();
    if !media_type.is_empty() {
        headers.insert(CONTENT_TYPE, HeaderValue::from_bytes(media_type).ok()?);
    }
    let status = StatusCode::from_u16(u16::from_be_bytes(*status)).ok()?;
    Some(UpstreamResponse { status, headers, body: plain.slice_ref(body), sent_tokens: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_read_as_it_was_written_without_its_cookies() {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain"));
        headers.insert("set-cookie", HeaderValue::from_static("session=1"));
        let body = Bytes::from_static(b"\0body");
        let response = UpstreamResponse { status: StatusCode::CREATED, headers, body, sent_tokens: Vec::new() };
        let written = write(&response).unwrap();
        let read_again = read(&written.clone().into()).unwrap();
        assert_eq!((read_again.status, &read_again.body), (response.status, &response.body));
        assert_eq!(read_again.headers.len(), 1);
        assert_eq!(read_again.headers.get(CONTENT_TYPE), response.headers.get(CONTENT_TYPE));
        for length in 0..14 {
            assert!(read(&written[..length].to_vec().into()).is_none(), "{length}");
        }
    }
}
