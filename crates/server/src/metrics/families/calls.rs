//! Tool calls, and the cache of their responses.

use std::fmt;

use toolgate_execution::cache::CACHE_BYTES_MAX;
use toolgate_mcp::McpStats;

use super::super::family_writer::{FamilyWriter, seconds_from_us};
use super::super::scrape::Scrape;

const SUCCESS: &str = "success";
const FAILURE: &str = "failure";

pub(super) fn write(scrape: &Scrape, writer: &mut FamilyWriter<'_>) -> fmt::Result {
    let calls = &scrape.calls;
    let failures = calls.failures.iter().map(|(reason, count)| (FAILURE, reason.as_str(), *count));
    let outcomes = [(SUCCESS, "none", calls.successes)].into_iter().chain(failures);
    writer.counters(
        "toolgate_calls",
        "Tool calls that ended.",
        outcomes.map(|(outcome, reason, count)| ([("outcome", outcome), ("reason", reason)], count)),
    )?;
    writer.histograms(
        "toolgate_call_duration_seconds",
        "Time from a tool call to its response.",
        [([("outcome", SUCCESS)], calls.success_durations), ([("outcome", FAILURE)], calls.failure_durations)],
    )?;
    writer.histogram(
        "toolgate_call_upstream_duration_seconds",
        "Time that a tool call waited for its upstream; calls without a request to it are not counted.",
        &calls.upstream_durations,
    )?;
    writer.counter("toolgate_call_request_bytes", "Size of the arguments of tool calls.", calls.request_bytes)?;
    writer.counter("toolgate_call_response_bytes", "Size of the responses of upstreams.", calls.response_bytes)
}

/// The calls of single tools, if a setting asks for them.
pub(super) fn write_tools(scrape: &Scrape, writer: &mut FamilyWriter<'_>) -> fmt::Result {
    let Some(tools) = &scrape.tools else { return Ok(()) };
    let servers: Vec<String> =
        tools.iter().map(|tool| tool.server.map(|server| server.0.to_string()).unwrap_or_default()).collect();
    let named =
        || servers.iter().zip(tools).map(|(server, tool)| ([("server", &**server), ("tool", &*tool.name)], tool));
    writer.counters(
        "toolgate_tool_calls",
        "Calls of the tools with most calls; all other tools are counted as the tool other.",
        named().flat_map(|([server, name], tool)| {
            [(SUCCESS, tool.successes), (FAILURE, tool.failures)]
                .map(|(outcome, count)| ([server, name, ("outcome", outcome)], count))
        }),
    )?;
    writer.counters(
        "toolgate_tool_call_seconds",
        "Time of the calls of the tools with most calls.",
        named().map(|(labels, tool)| (labels, seconds_from_us(tool.duration_us))),
    )
}

pub(super) fn write_cache(scrape: &Scrape, writer: &mut FamilyWriter<'_>) -> fmt::Result {
    let cache = &scrape.cache;
    let results = [
        ("hit", cache.hits),
        ("cluster_hit", cache.cluster_hits),
        ("coalesced", cache.coalesced),
        ("miss", cache.misses),
    ];
    writer.counters(
        "toolgate_cache_lookups",
        "Lookups in the cache of responses, for tools with a cache_ttl.",
        results.map(|(result, count)| ([("result", result)], count)),
    )?;
    writer.gauge("toolgate_cache_entries", "Cached responses.", cache.entries)?;
    writer.gauge("toolgate_cache_size_bytes", "Memory of the cached responses.", cache.bytes)?;
    writer.gauge("toolgate_cache_max_bytes", "The most memory for cached responses.", CACHE_BYTES_MAX)?;
    let McpStats { cached_result_bytes, cached_result_bytes_max, .. } = scrape.mcp;
    let help = "Memory of the results made of cached responses.";
    writer.gauge("toolgate_cached_results_size_bytes", help, cached_result_bytes)?;
    writer.gauge("toolgate_cached_results_max_bytes", "The most memory for these results.", cached_result_bytes_max)
}
