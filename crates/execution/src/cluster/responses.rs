//! Upstream responses that another node has cached. They are encrypted, because they may contain confidential data.

use std::time::Duration;

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue, StatusCode};

use super::ClusterState;
use super::redis_client::SharedConnection;
use crate::egress::message::UpstreamResponse;

/// Larger responses are not shared: all calls use one connection, and a large transfer would delay the others.
const SHARED_RESPONSE_BYTES_MAX: usize = 256 * 1024;

impl ClusterState {
    /// The response under the cache key `key`, and its remaining time to live.
    pub(crate) async fn get_response(&self, key: &[u8; 32]) -> Option<(UpstreamResponse, Duration)> {
        let name = self.keys.response_key(key)?;
        let (encrypted, ttl_ms) = self.connection.query(|connection| look_up(connection, &name)).await?;
        let response = decode(&self.keys.decrypt(&name, &encrypted?)?.into())?;
        let ttl_ms = u64::try_from(ttl_ms).ok().filter(|ttl_ms| *ttl_ms > 0)?;
        Some((response, Duration::from_millis(ttl_ms)))
    }

    /// Stores a response for the other nodes, unless it was fetched with an OAuth token: the response may repeat the
    /// token, and only a node that has the token can mask it.
    pub(crate) async fn put_response(&self, key: &[u8; 32], ttl: Duration, response: &UpstreamResponse) {
        if !response.sent_tokens.is_empty()
            || response.body.len() > SHARED_RESPONSE_BYTES_MAX
            || !self.connection.is_connected()
        {
            return;
        }
        let Some(name) = self.keys.response_key(key) else { return };
        let encrypted = encode(response).and_then(|plain| self.keys.encrypt(&name, &plain));
        let (Some(encrypted), Ok(ttl_ms)) = (encrypted, u64::try_from(ttl.as_millis())) else { return };
        if ttl_ms > 0 {
            self.connection.query(|connection| store(connection, name, encrypted, ttl_ms)).await;
        }
    }
}

async fn look_up(mut connection: SharedConnection, name: &str) -> redis::RedisResult<(Option<Vec<u8>>, i64)> {
    redis::pipe().atomic().cmd("GET").arg(name).cmd("PTTL").arg(name).query_async(&mut connection).await
}

async fn store(
    mut connection: SharedConnection,
    name: String,
    encrypted: Vec<u8>,
    ttl_ms: u64,
) -> redis::RedisResult<()> {
    redis::cmd("SET").arg(name).arg(encrypted).arg("PX").arg(ttl_ms).query_async(&mut connection).await
}

/// Status, length of the media type, media type, body: everything that the tool output is made from. Other headers,
/// such as cookies, are not stored.
fn encode(response: &UpstreamResponse) -> Option<Vec<u8>> {
    let media_type = response.headers.get(CONTENT_TYPE).map_or(&b""[..], HeaderValue::as_bytes);
    let length = u16::try_from(media_type.len()).ok()?;
    let head = [response.status.as_u16().to_be_bytes(), length.to_be_bytes()].concat();
    Some([&head, media_type, &response.body].concat())
}

fn decode(plain: &Bytes) -> Option<UpstreamResponse> {
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
    fn a_response_is_decoded_as_it_was_encoded_without_its_cookies() {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain"));
        headers.insert("set-cookie", HeaderValue::from_static("session=1"));
        let body = Bytes::from_static(b"\0body");
        let response = UpstreamResponse { status: StatusCode::CREATED, headers, body, sent_tokens: Vec::new() };
        let encoded = encode(&response).unwrap();
        let decoded = decode(&encoded.clone().into()).unwrap();
        assert_eq!((decoded.status, &decoded.body), (response.status, &response.body));
        assert_eq!(decoded.headers.len(), 1);
        assert_eq!(decoded.headers.get(CONTENT_TYPE), response.headers.get(CONTENT_TYPE));
        // The status, the length and the media type are 14 bytes.
        for length in 0..14 {
            assert!(decode(&encoded[..length].to_vec().into()).is_none(), "{length}");
        }
    }
}
