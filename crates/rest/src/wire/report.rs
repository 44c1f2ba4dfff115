//! Reports on calls in replies.

use toolgate_analytics::{ClientUsage, Overview, Point, ServerUsage};
use toolgate_domain::time::Timestamp;
use toolgate_domain::usage::Totals;
use toolgate_storage::{KeyUsage, RefusalTotals, ToolUsage};

use super::caller::CallerOut;
use crate::reply_object::reply_object;

reply_object! {
    /// Key figures of today.
    pub(crate) struct OverviewOut(overview: &Overview) {
        total_servers: i64 = overview.total_servers,
        active_servers: i64 = overview.active_servers,
        total_tools: i64 = overview.total_tools,
        active_tools: i64 = overview.active_tools,
        calls_today: u64 = overview.today.calls,
        calls_yesterday: u64 = overview.yesterday.calls,
        avg_response_ms: u64 = overview.today.average_ms(),
        success_rate: f64 = overview.today.success_rate(),
    }
}

reply_object! {
    /// Calls of one type of client.
    pub(crate) struct ClientUsageOut<'a>(client: &'a ClientUsage) {
        client_type: &'a str = &client.client_type,
        total_calls: u64 = client.totals.calls,
        successful_calls: u64 = client.totals.successes(),
        failed_calls: u64 = client.totals.failures,
        avg_response_time_ms: u64 = client.totals.average_ms(),
    }
}

reply_object! {
    /// Calls of an hour or a day. Percentiles are null without calls.
    pub(crate) struct TimePointOut(point: &Point) {
        start: Timestamp = point.start,
        calls: u64 = point.totals.calls,
        failures: u64 = point.totals.failures,
        avg_ms: f64 = average_ms(&point.totals),
        p50_ms: Option<f64> = percentile_ms(&point.totals, 0.5),
        p95_ms: Option<f64> = percentile_ms(&point.totals, 0.95),
        p99_ms: Option<f64> = percentile_ms(&point.totals, 0.99),
        request_bytes: u64 = point.totals.request_bytes,
        response_bytes: u64 = point.totals.response_bytes,
        /// Estimated tokens of the results that were shaped.
        tokens_out: u64 = point.totals.tokens_out,
        /// Estimated tokens that shaping left out.
        tokens_saved: u64 = point.totals.tokens_saved,
    }
}

reply_object! {
    /// Calls of one server.
    pub(crate) struct ServerUsageOut(server: &ServerUsage) {
        server_id: i64 = server.server_id.0,
        calls: u64 = server.totals.calls,
        failures: u64 = server.totals.failures,
        /// Percentage of calls that failed.
        failure_rate: f64 = failure_rate(&server.totals),
        avg_ms: f64 = average_ms(&server.totals),
        p50_ms: Option<f64> = percentile_ms(&server.totals, 0.5),
        p95_ms: Option<f64> = percentile_ms(&server.totals, 0.95),
        p99_ms: Option<f64> = percentile_ms(&server.totals, 0.99),
        /// The last call within the range.
        last_call: Option<Timestamp> = server.totals.last_at,
    }
}

reply_object! {
    /// Requests to one server that its endpoint refused for one reason.
    pub(crate) struct RefusalsOut<'a>(totals: &'a RefusalTotals) {
        /// Null for servers that do not exist.
        server_id: Option<i64> = totals.server.map(|id| id.0),
        server_name: Option<&'a str> = totals.server_name.as_deref(),
        reason: &'static str = totals.reason.as_str(),
        /// The HTTP status of the responses.
        status: u16 = totals.reason.status(),
        requests: u64 = totals.requests,
        /// Start of the last hour with such a request.
        last_hour: Timestamp = totals.last_hour,
    }
}

reply_object! {
    /// Calls of one tool.
    pub(crate) struct ToolUsageOut<'a>(tool: &'a ToolUsage) {
        tool_id: i64 = tool.tool_id.0,
        tool_name: &'a str = &tool.tool_name,
        status: &'static str = tool.status.as_str(),
        server_id: i64 = tool.server_id.0,
        server_name: &'a str = &tool.server_name,
        calls: u64 = tool.totals.calls,
        failures: u64 = tool.totals.failures,
        /// Percentage of calls that failed.
        failure_rate: f64 = failure_rate(&tool.totals),
        avg_ms: f64 = average_ms(&tool.totals),
        p50_ms: Option<f64> = percentile_ms(&tool.totals, 0.5),
        p95_ms: Option<f64> = percentile_ms(&tool.totals, 0.95),
        p99_ms: Option<f64> = percentile_ms(&tool.totals, 0.99),
        /// Estimated tokens of the results that were shaped.
        tokens_out: u64 = tool.totals.tokens_out,
        /// Estimated tokens that shaping left out.
        tokens_saved: u64 = tool.totals.tokens_saved,
        /// The last call, even outside the range.
        last_call: Option<Timestamp> = tool.last_at,
        /// Whether there were no calls within the range.
        unused: bool = tool.totals.calls == 0,
    }
}

reply_object! {
    /// Calls of one server with one key, or without a key.
    pub(crate) struct KeyUsageOut<'a>(key: &'a KeyUsage) {
        server_id: i64 = key.server_id.0,
        server_name: &'a str = &key.server_name,
        /// The endpoint key; null for calls with an API key of a user, and without a key.
        endpoint_key_id: Option<i64> = key.credential.endpoint_key().map(|id| id.0),
        /// Its name, or its last name if it was deleted.
        endpoint_key_name: Option<&'a str> = key.credential.endpoint_key().and(key.credential_name.as_deref()),
        /// The user whose API key was used instead of an endpoint key.
        user_id: Option<i64> = key.credential.user().map(|id| id.0),
        /// Name of that user, if the user exists.
        user_name: Option<&'a str> = key.credential.user().and(key.credential_name.as_deref()),
        /// Who made the calls, which may be a person of an external issuer.
        caller: CallerOut<'a> = CallerOut::new(key.credential, key.credential_name.as_deref()),
        calls: u64 = key.totals.calls,
        failures: u64 = key.totals.failures,
        /// Percentage of calls that failed.
        failure_rate: f64 = failure_rate(&key.totals),
        avg_ms: f64 = average_ms(&key.totals),
        p50_ms: Option<f64> = percentile_ms(&key.totals, 0.5),
        p95_ms: Option<f64> = percentile_ms(&key.totals, 0.95),
        p99_ms: Option<f64> = percentile_ms(&key.totals, 0.99),
        /// The last call within the range.
        last_call: Option<Timestamp> = key.totals.last_at,
    }
}

/// Microseconds as milliseconds, with all decimals.
#[expect(clippy::cast_precision_loss, reason = "durations beyond 2^53 microseconds do not occur")]
pub(super) fn micros_to_millis(us: u64) -> f64 {
    us as f64 / 1000.0
}

/// Average, rounded to the microsecond; 0 without calls.
fn average_ms(totals: &Totals) -> f64 {
    let calls = totals.calls.max(1);
    micros_to_millis(totals.total_us.saturating_add(calls / 2) / calls)
}

fn percentile_ms(totals: &Totals, share: f64) -> Option<f64> {
    totals.latencies.percentile(share).map(micros_to_millis)
}

/// Percentage with two decimals; 0 without calls.
#[expect(clippy::cast_precision_loss, reason = "beyond 2^53 calls the rounding is not visible in two decimals")]
fn failure_rate(totals: &Totals) -> f64 {
    (totals.failures as f64 * 10_000.0 / totals.calls.max(1) as f64).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn totals(times_us: &[u64], failures: u64) -> Totals {
        let mut totals = Totals { calls: times_us.len() as u64, failures, ..Totals::default() };
        for us in times_us {
            totals.total_us += us;
            totals.latencies.add(*us);
        }
        totals
    }

    #[test]
    fn times_have_at_most_three_decimals() {
        assert_eq!(micros_to_millis(12_345).to_string(), "12.345");
        assert_eq!(micros_to_millis(1).to_string(), "0.001");
        assert_eq!(average_ms(&totals(&[1, 1, 2], 0)).to_string(), "0.001");
        assert_eq!(average_ms(&totals(&[1, 2, 2], 0)).to_string(), "0.002");
    }

    #[test]
    fn without_calls_there_are_zeros_and_no_percentiles() {
        let point = TimePointOut::new(&Point { start: Timestamp::from_millis(0), totals: Totals::default() });
        let json = serde_json::to_value(&point).unwrap();
        assert_eq!(json["start"], "1970-01-01T00:00:00");
        assert_eq!((json["calls"].as_i64(), json["avg_ms"].as_f64()), (Some(0), Some(0.0)));
        assert!(["p50_ms", "p95_ms", "p99_ms"].iter().all(|name| json[name].is_null()), "{json}");
    }

    #[test]
    fn percentiles_match_the_calls() {
        let times: Vec<u64> = (1..=100).map(|n| n * 1000).collect();
        let totals = totals(&times, 0);
        for (share, expected) in [(0.5, 50.0), (0.95, 95.0), (0.99, 99.0)] {
            let actual = percentile_ms(&totals, share).unwrap();
            // The histogram has a relative error of at most 1/30.
            assert!((actual - expected).abs() <= expected / 30.0, "{share}: {actual}");
        }
    }

    #[test]
    fn the_failure_rate_has_two_decimals() {
        let rate = |calls: usize, failures| failure_rate(&totals(&vec![1; calls], failures)).to_string();
        assert_eq!([rate(0, 0), rate(3, 1), rate(3, 2), rate(3, 3)], ["0", "33.33", "66.67", "100"]);
    }
}
