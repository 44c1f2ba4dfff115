//! HTTP requests and connections.

use std::fmt;

use super::super::family_writer::FamilyWriter;
use super::super::scrape::Scrape;
use crate::workers::CONNECTIONS_MAX;

pub(super) fn write(scrape: &Scrape, writer: &mut FamilyWriter<'_>) -> fmt::Result {
    let responses = scrape.requests.responses.iter();
    writer.counters(
        "toolgate_http_requests",
        "Responses to HTTP requests.",
        responses.map(|([route, status], count)| ([("route", *route), ("status", *status)], *count)),
    )?;
    let durations = scrape.requests.durations.iter();
    writer.histograms(
        "toolgate_http_request_duration_seconds",
        "Time from an HTTP request to the head of its response.",
        durations.map(|(route, durations)| ([("route", *route)], *durations)),
    )?;
    writer.gauge(
        "toolgate_http_connections",
        "Open connections of clients, also to the address for monitoring.",
        scrape.connections as u64,
    )?;
    writer.gauge("toolgate_http_connections_max", "The most open connections of one address.", CONNECTIONS_MAX as u64)
}
