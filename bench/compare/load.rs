//! The load: connections that ask and wait, as fast as they are answered. Every answer is looked at; one that is not
//! what was asked for ends the run, because its figures would be invalid.

use std::io::ErrorKind;
use std::sync::Arc;
use std::time::{Duration, Instant};

use memchr::memmem;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

/// Writes a request, and knows its answer. Requests are numbered, and no number is used twice.
pub(crate) trait BenchRequest: Send + Sync {
    fn write(&self, number: u64, request: &mut Vec<u8>);
    /// Whether a body is the answer to the request of that number.
    fn is_response(&self, number: u64, body: &[u8]) -> bool;
}

/// What came of a load.
pub(crate) struct LoadResult {
    pub(crate) requests: u64,
    pub(crate) seconds: f64,
    /// In microseconds, in order.
    latencies: Vec<u32>,
}

impl LoadResult {
    pub(crate) fn per_second(&self) -> f64 {
        as_f64(self.requests) / self.seconds
    }

    /// A latency in microseconds, at a part of the whole.
    pub(crate) fn latency(&self, percent: usize) -> f64 {
        let at = (self.latencies.len() * percent / 100).min(self.latencies.len().saturating_sub(1));
        self.latencies.get(at).copied().unwrap_or_default().into()
    }
}

/// Asks over some connections for some time, from a thread of its own.
pub(crate) fn run(
    address: &str,
    request: &Arc<dyn BenchRequest>,
    connections: u64,
    time: Duration,
    first: u64,
) -> LoadResult {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let began = Instant::now();
        let mut tasks = JoinSet::new();
        for connection in 0..connections {
            let first = first + connection * 10_000_000;
            tasks.spawn(send_until(address.to_owned(), Arc::clone(request), first, began + time));
        }
        let mut latencies = tasks.join_all().await.concat();
        let seconds = began.elapsed().as_secs_f64();
        latencies.sort_unstable();
        LoadResult { requests: latencies.len() as u64, seconds, latencies }
    })
}

async fn send_until(address: String, request: Arc<dyn BenchRequest>, first: u64, until: Instant) -> Vec<u32> {
    let mut connection = LoadConnection::open(&address).await;
    let mut latencies = Vec::with_capacity(100_000);
    let mut number = first;
    loop {
        let began = Instant::now();
        if began >= until {
            return latencies;
        }
        connection.send(&*request, number).await;
        latencies.push(u32::try_from(began.elapsed().as_micros()).unwrap_or(u32::MAX));
        number += 1;
    }
}

/// A connection that is kept.
pub(crate) struct LoadConnection {
    stream: TcpStream,
    request: Vec<u8>,
    response: Vec<u8>,
}

impl LoadConnection {
    pub(crate) async fn open(address: &str) -> Self {
        let stream = TcpStream::connect(address).await.expect("it listens");
        stream.set_nodelay(true).expect("a socket");
        Self { stream, request: Vec::new(), response: Vec::new() }
    }

    pub(crate) async fn send(&mut self, request: &dyn BenchRequest, number: u64) {
        self.request.clear();
        request.write(number, &mut self.request);
        self.stream.write_all(&self.request).await.expect("it reads");
        self.response.clear();
        let (body, end) = loop {
            let read = self.stream.read_buf(&mut self.response).await.expect("it answers");
            assert!(read > 0, "the connection was closed: {}", String::from_utf8_lossy(&self.response));
            if let Some(body_range) = body_range(&self.response)
                && self.response.len() >= body_range.1
            {
                break body_range;
            }
        };
        let body = self.response.get(body..end).unwrap_or_default();
        let is_good = self.response.starts_with(b"HTTP/1.1 200") && request.is_response(number, body);
        assert!(
            is_good,
            "not the answer to\n{}\n{}",
            String::from_utf8_lossy(&self.request),
            String::from_utf8_lossy(&self.response)
        );
    }

    /// Whether it is open and nothing has come since the last answer.
    pub(crate) fn is_waiting(&self) -> bool {
        self.stream.try_read(&mut [0]).is_err_and(|error| error.kind() == ErrorKind::WouldBlock)
    }
}

/// Where the body begins and ends, once the head is there.
fn body_range(response: &[u8]) -> Option<(usize, usize)> {
    let head = memmem::find(response, b"\r\n\r\n")? + 4;
    let mut lines = response.get(..head)?.split(|&byte| byte == b'\n');
    let length = lines.find_map(content_length).expect("an answer that says how long it is");
    Some((head, head + length))
}

fn content_length(line: &[u8]) -> Option<usize> {
    const NAME: &[u8] = b"content-length:";
    let (name, value) = line.split_at_checked(NAME.len())?;
    let value = name.eq_ignore_ascii_case(NAME).then_some(value)?;
    std::str::from_utf8(value).ok()?.trim().parse().ok()
}

#[expect(clippy::cast_precision_loss, reason = "counts of requests")]
pub(crate) fn as_f64(count: u64) -> f64 {
    count as f64
}
