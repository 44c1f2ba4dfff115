//! The export of traces and calls to a collector.

use std::fmt;

use super::super::family_writer::FamilyWriter;
use super::super::scrape::Scrape;

pub(super) fn write(scrape: &Scrape, writer: &mut FamilyWriter<'_>) -> fmt::Result {
    let items = scrape.telemetry.iter().flat_map(|(signal, stats)| {
        [("exported", stats.exported), ("dropped", stats.dropped), ("failed", stats.failed)]
            .map(|(outcome, count)| ([("signal", *signal), ("outcome", outcome)], count))
    });
    writer.counters("toolgate_otlp_items", "Spans and log records for the OpenTelemetry collector.", items)?;
    let queued = scrape.telemetry.iter().map(|(signal, stats)| ([("signal", *signal)], stats.queued));
    writer.gauges("toolgate_otlp_queue_items", "Traced requests and calls that wait for the export.", queued)
}
