//! The load generator: each connection sends a request as soon as the previous response has arrived. Every response is
//! verified; a wrong one ends the run, because its figures would be invalid.

use std::io::ErrorKind;
use std::sync::Arc;
use std::time::{Duration, Instant};

use memchr::memmem;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

/// Request numbers reserved for each connection, so that no two connections use the same number.
const NUMBERS_PER_CONNECTION: u64 = 10_000_000;

/// Writes requests and verifies their responses. Requests are numbered, and no number is used twice.
pub(crate) trait RequestGenerator: Send + Sync {
    fn write(&self, number: u64, request: &mut Vec<u8>);
    /// Whether `body` is the response to the request with this number.
    fn is_response(&self, number: u64, body: &[u8]) -> bool;
}

/// The result of one load run.
pub(crate) struct LoadResult {
    pub(crate) requests: u64,
    pub(crate) seconds: f64,
    /// Sorted ascending.
    latencies_us: Vec<u32>,
}

impl LoadResult {
    pub(crate) fn per_second(&self) -> f64 {
        as_f64(self.requests) / self.seconds
    }

    /// A percentile of the latencies, in microseconds.
    pub(crate) fn latency_us(&self, percent: usize) -> f64 {
        let index = (self.latencies_us.len() * percent / 100).min(self.latencies_us.len().saturating_sub(1));
        self.latencies_us.get(index).copied().unwrap_or_default().into()
    }
}

/// Sends requests over `connections` connections for `time`, numbered from `first_request_number`. Blocks the calling
/// thread, which runs the load on its own runtime.
pub(crate) fn run(
    address: &str,
    generator: &Arc<dyn RequestGenerator>,
    connections: u64,
    time: Duration,
    first_request_number: u64,
) -> LoadResult {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime can be built");
    runtime.block_on(async {
        let began = Instant::now();
        let mut tasks = JoinSet::new();
        for connection in 0..connections {
            let first_request_number = first_request_number + connection * NUMBERS_PER_CONNECTION;
            tasks.spawn(send_until(address.to_owned(), Arc::clone(generator), first_request_number, began + time));
        }
        let mut latencies_us = tasks.join_all().await.concat();
        let seconds = began.elapsed().as_secs_f64();
        latencies_us.sort_unstable();
        LoadResult { requests: latencies_us.len() as u64, seconds, latencies_us }
    })
}

/// Sends requests over one connection until `end`. Returns their latencies in microseconds.
async fn send_until(
    address: String,
    generator: Arc<dyn RequestGenerator>,
    first_request_number: u64,
    end: Instant,
) -> Vec<u32> {
    let mut connection = LoadConnection::open(&address).await;
    let mut latencies_us = Vec::with_capacity(100_000);
    let mut number = first_request_number;
    loop {
        let began = Instant::now();
        if began >= end {
            return latencies_us;
        }
        connection.send(&*generator, number).await;
        latencies_us.push(u32::try_from(began.elapsed().as_micros()).unwrap_or(u32::MAX));
        number += 1;
    }
}

/// A persistent connection, with buffers for the current request and response.
pub(crate) struct LoadConnection {
    stream: TcpStream,
    request: Vec<u8>,
    response: Vec<u8>,
}

impl LoadConnection {
    pub(crate) async fn open(address: &str) -> Self {
        let stream = TcpStream::connect(address).await.expect("the target listens");
        stream.set_nodelay(true).expect("TCP_NODELAY can be set");
        Self { stream, request: Vec::new(), response: Vec::new() }
    }

    /// Sends the request with this number. Panics if the response is wrong.
    pub(crate) async fn send(&mut self, generator: &dyn RequestGenerator, number: u64) {
        self.request.clear();
        generator.write(number, &mut self.request);
        self.stream.write_all(&self.request).await.expect("the target reads");
        self.response.clear();
        let (start, end) = loop {
            let bytes_read = self.stream.read_buf(&mut self.response).await.expect("the target responds");
            assert!(bytes_read > 0, "the connection was closed: {}", String::from_utf8_lossy(&self.response));
            if let Some(body_range) = body_range(&self.response)
                && self.response.len() >= body_range.1
            {
                break body_range;
            }
        };
        let body = self.response.get(start..end).unwrap_or_default();
        let is_correct = self.response.starts_with(b"HTTP/1.1 200") && generator.is_response(number, body);
        assert!(
            is_correct,
            "wrong response to\n{}\n{}",
            String::from_utf8_lossy(&self.request),
            String::from_utf8_lossy(&self.response)
        );
    }

    /// Whether the connection is open and has received nothing since the last response.
    pub(crate) fn is_idle(&self) -> bool {
        self.stream.try_read(&mut [0]).is_err_and(|error| error.kind() == ErrorKind::WouldBlock)
    }
}

/// Start and end of the body, once the head is complete.
fn body_range(response: &[u8]) -> Option<(usize, usize)> {
    let body_start = memmem::find(response, b"\r\n\r\n")? + 4;
    let mut lines = response.get(..body_start)?.split(|&byte| byte == b'\n');
    let length = lines.find_map(content_length).expect("the response has a content-length header");
    Some((body_start, body_start + length))
}

fn content_length(line: &[u8]) -> Option<usize> {
    const NAME: &[u8] = b"content-length:";
    let (name, value) = line.split_at_checked(NAME.len())?;
    let value = name.eq_ignore_ascii_case(NAME).then_some(value)?;
    std::str::from_utf8(value).ok()?.trim().parse().ok()
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
pub(crate) fn as_f64(count: u64) -> f64 {
    count as f64
}
