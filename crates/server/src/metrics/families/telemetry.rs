//! The export of traces and calls to a collector.

use std::fmt;

use super::super::family_writer::FamilyWriter;
use super::super::scrape::Scrape;

pub(super) fn write(scrape: &Scrape, writer: &mut FamilyWriter<'_>) -> fmt::Result {
    let items = scrape.telemetry.iter().flat_map(|(signal, figures)| {
        [("exported", figures.exported), ("dropped", figures.dropped), ("failed", figures.failed)]
            .map(|(outcome, count)| ([("signal", *signal), ("outcome", outcome)], count))
    });
    writer.counters("toolgate_otlp_items", "Spans and log records for the OpenTelemetry collector.", items)?;
    let queued = scrape.telemetry.iter().map(|(signal, figures)| ([("signal", *signal)], figures.queued));
    writer.gauges("toolgate_otlp_queue_items", "Traced requests and calls that wait for the export.", queued)
}
