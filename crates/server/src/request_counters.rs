//! Counts the responses to HTTP requests by class of route and class of status.

use std::time::Duration;

use http::StatusCode;
use toolgate_domain::counters::{DurationHistogram, HistogramSnapshot, ShardedCounters};
use toolgate_mcp::McpService;

use crate::route_segments;

/// The part of the service that a path belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RouteClass {
    /// An MCP endpoint.
    Mcp,
    /// The management API.
    Api,
    /// The console and its files.
    Console,
    /// The built-in OAuth issuer and its pages.
    OAuth,
    /// The API of the demo server.
    Demo,
    /// A health check.
    Health,
    /// The metrics.
    Metrics,
    /// A path without a route.
    Other,
}

impl RouteClass {
    const ALL: [(Self, &str); 8] = [
        (Self::Mcp, "mcp"),
        (Self::Api, "api"),
        (Self::Console, "console"),
        (Self::OAuth, "oauth"),
        (Self::Demo, "demo"),
        (Self::Health, "health"),
        (Self::Metrics, "metrics"),
        (Self::Other, "other"),
    ];
}

const ROUTE_COUNT: usize = RouteClass::ALL.len();
/// The classes of response statuses.
const STATUSES: [&str; 5] = ["1xx", "2xx", "3xx", "4xx", "5xx"];

/// The counters of all requests.
#[derive(Debug)]
pub(crate) struct RequestCounters {
    /// The first path segment of the management API, such as `/wp-json`.
    api_prefix: String,
    responses: ShardedCounters<{ ROUTE_COUNT * STATUSES.len() }>,
    durations: [DurationHistogram; ROUTE_COUNT],
}

impl RequestCounters {
    /// Counters of a service whose management API has this first segment.
    pub(crate) fn new(rest_prefix: &str) -> Self {
        Self {
            api_prefix: format!("/{rest_prefix}"),
            responses: ShardedCounters::default(),
            durations: std::array::from_fn(|_| DurationHistogram::default()),
        }
    }

    /// The class of a path.
    pub(crate) fn classify(&self, path: &str) -> RouteClass {
        if McpService::is_endpoint(path) {
            return RouteClass::Mcp;
        }
        let is_below =
            |base: &str| path.strip_prefix(base).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        match path {
            _ if is_below(&self.api_prefix) => RouteClass::Api,
            "/healthz" | "/livez" | "/readyz" | "/startupz" => RouteClass::Health,
            "/metrics" => RouteClass::Metrics,
            _ if is_below("/demo") => RouteClass::Demo,
            _ if route_segments::is_oauth_path(path) => RouteClass::OAuth,
            _ => RouteClass::Console,
        }
    }

    /// Counts a response. `duration` is the time to its head.
    pub(crate) fn count(&self, route: RouteClass, status: StatusCode, duration: Duration) {
        let has_unknown_paths = matches!(route, RouteClass::Console | RouteClass::OAuth);
        let is_unknown_path = has_unknown_paths && status == StatusCode::NOT_FOUND;
        let route = if is_unknown_path { RouteClass::Other } else { route } as usize;
        let status = usize::from(status.as_u16() / 100).saturating_sub(1).min(STATUSES.len() - 1);
        self.responses.add(route * STATUSES.len() + status, 1);
        if let Some(durations) = self.durations.get(route) {
            durations.observe_us(u64::try_from(duration.as_micros()).unwrap_or(u64::MAX));
        }
    }

    pub(crate) fn totals(&self) -> RequestTotals {
        let sums = self.responses.sums();
        let labels = RouteClass::ALL.iter().flat_map(|(_, route)| STATUSES.map(|status| [*route, status]));
        RequestTotals {
            responses: labels.zip(sums).collect(),
            durations: RouteClass::ALL
                .iter()
                .map(|(_, name)| *name)
                .zip(self.durations.iter().map(DurationHistogram::snapshot))
                .collect(),
        }
    }
}

/// The responses of this process.
#[derive(Debug)]
pub(crate) struct RequestTotals {
    /// By class of route and class of status.
    pub(crate) responses: Vec<([&'static str; 2], u64)>,
    /// By class of route.
    pub(crate) durations: Vec<(&'static str, HistogramSnapshot)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_belongs_to_one_of_the_fixed_classes() {
        let counters = RequestCounters::new("wp-json");
        for (path, class) in [
            ("/mcp/a/b", RouteClass::Mcp),
            ("/wp-json/toolgate/v1/servers", RouteClass::Api),
            ("/wp-json", RouteClass::Api),
            ("/wp-jsonx", RouteClass::Console),
            ("/readyz", RouteClass::Health),
            ("/metrics", RouteClass::Metrics),
            ("/demo/products", RouteClass::Demo),
            ("/assets/x.js", RouteClass::Console),
            ("/token", RouteClass::OAuth),
            ("/signin.css", RouteClass::OAuth),
            ("/connect/x/callback", RouteClass::OAuth),
            ("/.well-known/oauth-authorization-server", RouteClass::OAuth),
            ("/tokens", RouteClass::Console),
            ("token", RouteClass::Console),
            ("//token", RouteClass::Console),
            ("/%0A\"}evil", RouteClass::Console),
        ] {
            assert_eq!(counters.classify(path), class, "{path}");
        }
    }

    #[test]
    fn responses_are_counted_by_class_of_status() {
        let counters = RequestCounters::new("api");
        for (route, status) in [
            (RouteClass::Mcp, 200),
            (RouteClass::Mcp, 202),
            (RouteClass::Api, 599),
            (RouteClass::Api, 999),
            (RouteClass::Console, 404),
            (RouteClass::OAuth, 404),
            (RouteClass::OAuth, 303),
        ] {
            counters.count(route, StatusCode::from_u16(status).unwrap(), Duration::from_millis(2));
        }
        let totals = counters.totals();
        let counted: Vec<_> = totals.responses.iter().filter(|(_, count)| *count > 0).copied().collect();
        assert_eq!(counted, [(["mcp", "2xx"], 2), (["api", "5xx"], 2), (["oauth", "3xx"], 1), (["other", "4xx"], 2)]);
        assert_eq!(totals.durations[0].1.buckets[1], 2);
    }
}
