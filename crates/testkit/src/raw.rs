//! Raw bytes over a socket, for requests that no HTTP client would send.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::Instant;

/// The bytes that were received.
#[derive(Debug, Clone)]
pub struct RawResponse {
    /// All bytes received.
    pub bytes: Vec<u8>,
    /// Whether the peer closed (or reset) the connection; otherwise the timeout expired.
    pub is_closed: bool,
}

impl RawResponse {
    /// The bytes as text, with invalid UTF-8 replaced.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// The status of the first response, if there is one.
    pub fn status(&self) -> Option<u16> {
        let text = self.text();
        let line = text.lines().next()?;
        let after_version = line.strip_prefix("HTTP/1.")?;
        after_version.split(' ').nth(1)?.parse().ok()
    }
}

/// Sends `bytes` to `address` (`host:port`) and reads until the peer closes or `timeout` expires.
///
/// Reads and writes at the same time, for peers that respond early and stop reading.
pub async fn exchange(address: &str, bytes: &[u8], timeout: Duration) -> RawResponse {
    let deadline = Instant::now() + timeout;
    let stream = tokio::time::timeout_at(deadline, TcpStream::connect(address))
        .await
        .unwrap_or_else(|_| panic!("connecting to {address} took longer than {timeout:?}"))
        .unwrap_or_else(|error| panic!("cannot connect to {address}: {error}"));
    let (mut reader, mut writer) = stream.into_split();
    let mut received = Vec::new();
    let is_closed = {
        let read = read_to_close(&mut reader, &mut received);
        // The peer may reset the connection during the write; only the bytes read matter.
        let both = async { tokio::join!(writer.write_all(bytes), read) };
        tokio::time::timeout_at(deadline, both).await.is_ok()
    };
    RawResponse { bytes: received, is_closed }
}

/// Sends all of `bytes` to `address`, and reads only then, as simple clients do. The peer must accept all bytes.
pub async fn write_then_read(address: &str, bytes: &[u8]) -> std::io::Result<RawResponse> {
    let mut stream = TcpStream::connect(address).await?;
    stream.write_all(bytes).await?;
    let mut received = Vec::new();
    stream.read_to_end(&mut received).await?;
    Ok(RawResponse { bytes: received, is_closed: true })
}

async fn read_to_close(reader: &mut (impl AsyncReadExt + Unpin), received: &mut Vec<u8>) {
    while matches!(reader.read_buf(received).await, Ok(read) if read > 0) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::TcpListener;

    fn serve_once(response: &'static [u8], is_kept_open: bool) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = [0; 4];
            stream.read_exact(&mut request).unwrap();
            stream.write_all(response).unwrap();
            if is_kept_open {
                let _ = stream.read(&mut request);
            }
        });
        address
    }

    #[tokio::test]
    async fn the_response_is_read_until_the_peer_closes() {
        let address = serve_once(b"HTTP/1.1 400 Bad Request\r\n\r\nno", false);
        let reply = exchange(&address, b"\0\0\0\0", Duration::from_secs(10)).await;
        assert!(reply.is_closed);
        assert_eq!(reply.status(), Some(400));
        assert!(reply.text().ends_with("no"));
    }

    #[tokio::test]
    async fn an_open_connection_ends_with_the_timeout() {
        let address = serve_once(b"half", true);
        let reply = exchange(&address, b"ping", Duration::from_millis(200)).await;
        assert!(!reply.is_closed);
        assert_eq!(reply.text(), "half");
        assert_eq!(reply.status(), None);
    }
}
