//! The upstream of all tools. It records when each limited server was called, and whether a call arrived twice.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use toolgate_testkit::upstream::ReceivedRequest;
use toolgate_testkit::{MockResponse, Upstream};

use crate::cluster::LimitedServer;

/// The window of a rate limit (one minute), less one second that a request may take from the node to the upstream.
const WINDOW: Duration = Duration::from_secs(59);

/// How long it takes until every node has noticed an outage of Redis: three timeouts. Until then some nodes count calls
/// in Redis and others in memory.
const NOTICE_TIME: Duration = Duration::from_secs(2);

#[derive(Default)]
struct ReceivedCalls {
    /// Arrivals by path, in their order.
    arrivals: HashMap<String, Vec<Instant>>,
    /// The numbers of all calls that arrived.
    numbers: HashSet<u64>,
    /// How many calls arrived again.
    repeated: u64,
}

/// An upstream that responds to `/path?n=7` with `7`.
pub(crate) struct UpstreamLog {
    upstream: Upstream,
    received: Arc<Mutex<ReceivedCalls>>,
}

/// The highest number of calls of a server in any minute.
pub(crate) struct BusiestMinute {
    /// In minutes in which no outage of Redis began.
    pub(crate) normal: usize,
    /// In any minute.
    pub(crate) any: usize,
    /// Whether every minute had at most the limit, and the limit once more for each outage that began in it
    /// (docs/configuration.md, "Outage of Redis").
    pub(crate) is_within_bound: bool,
}

impl UpstreamLog {
    pub(crate) fn start() -> Self {
        let received = Arc::new(Mutex::new(ReceivedCalls::default()));
        let shared = Arc::clone(&received);
        let upstream = Upstream::with_handler(move |request| {
            let number = call_number(request);
            let mut received = shared.lock().unwrap_or_else(PoisonError::into_inner);
            received.arrivals.entry(request.path().to_owned()).or_default().push(Instant::now());
            let is_new = number.is_none_or(|number| received.numbers.insert(number));
            received.repeated += u64::from(!is_new);
            MockResponse::text(number.map_or_else(String::new, |number| number.to_string()))
        });
        Self { upstream, received }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        self.upstream.url(path)
    }

    /// The number of calls that arrived more than once.
    pub(crate) fn repeated(&self) -> u64 {
        self.received.lock().unwrap_or_else(PoisonError::into_inner).repeated
    }

    /// The busiest minute of a server; `outages` are the times at which Redis was stopped.
    pub(crate) fn busiest_minute(&self, server: LimitedServer, outages: &[Instant]) -> BusiestMinute {
        let received = self.received.lock().unwrap_or_else(PoisonError::into_inner);
        let arrivals = received.arrivals.get(server.path()).map(Vec::as_slice).unwrap_or_default();
        let limit = usize::try_from(server.limit_per_min()).unwrap_or(usize::MAX);
        let mut busiest = BusiestMinute { normal: 0, any: 0, is_within_bound: true };
        for (index, begin) in arrivals.iter().enumerate() {
            let end = *begin + WINDOW;
            let outages_in_window =
                || outages.iter().copied().filter(|outage| *outage < end && *begin < *outage + NOTICE_TIME);
            let count = |end: Instant| arrivals[index..].partition_point(|arrival| *arrival < end);
            busiest.normal = busiest.normal.max(count(outages_in_window().min().unwrap_or(end)));
            busiest.any = busiest.any.max(count(end));
            busiest.is_within_bound &= count(end) <= limit.saturating_mul(1 + outages_in_window().count());
        }
        busiest
    }
}

fn call_number(request: &ReceivedRequest) -> Option<u64> {
    request.query()?.split('&').find_map(|pair| pair.strip_prefix("n="))?.parse().ok()
}
