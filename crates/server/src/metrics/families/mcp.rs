//! The MCP endpoints: access, streams, sessions and compiled servers.

use std::fmt;

use super::super::family_writer::FamilyWriter;
use super::super::scrape::Scrape;

pub(super) fn write_access(scrape: &Scrape, writer: &mut FamilyWriter<'_>) -> fmt::Result {
    let limiter = &scrape.mcp.limiter;
    let decisions = [
        ("server", "admitted", limiter.server_admitted),
        ("server", "limited", limiter.server_limited),
        ("key", "admitted", limiter.key_admitted),
        ("key", "limited", limiter.key_limited),
    ];
    writer.counters(
        "toolgate_rate_limit_decisions",
        "Decisions of rate limits; requests without a limit are not counted.",
        decisions.map(|(scope, decision, count)| ([("scope", scope), ("decision", decision)], count)),
    )?;
    writer.counters(
        "toolgate_refused_requests",
        "Requests to MCP endpoints that were refused before they became a call.",
        scrape.refusals.iter().map(|(reason, count)| ([("reason", reason.as_str())], *count)),
    )
}

pub(super) fn write(scrape: &Scrape, writer: &mut FamilyWriter<'_>) -> fmt::Result {
    let mcp = &scrape.mcp;
    writer.gauge("toolgate_streams", "Open MCP streams.", mcp.streams as u64)?;
    writer.gauge("toolgate_streams_max", "The most open MCP streams.", mcp.streams_max as u64)?;
    writer.counter(
        "toolgate_sessions_started",
        "Sessions that clients began with initialize.",
        mcp.sessions_started,
    )?;
    let help = "Sessions whose state this node holds in memory: log level, subscriptions, end.";
    writer.gauge("toolgate_sessions_with_state", help, mcp.sessions_with_state)?;
    writer.gauge("toolgate_compiled_servers", "Compiled servers in memory.", mcp.compiled_servers)?;
    let help = "Approximate size of the configuration of the compiled servers.";
    writer.gauge("toolgate_compiled_servers_size_bytes", help, mcp.compiled_bytes)?;
    let help = "Compilations of servers, after the first request or a change.";
    writer.counter("toolgate_server_compilations", help, mcp.compilations)
}
