//! The metric families. docs/metrics.md describes each of them; a test compares both.

mod calls;
mod cluster;
mod database;
mod http;
mod mcp;
mod node;
mod process;
mod recording;
mod telemetry;

use std::fmt;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::DescriptorEncoder;

use super::family_writer::FamilyWriter;
use super::scrape::Scrape;

/// Writes some families.
type WriteFamilies = fn(&Scrape, &mut FamilyWriter<'_>) -> fmt::Result;

/// All families.
const ALL: [WriteFamilies; 12] = [
    node::write,
    http::write,
    calls::write,
    calls::write_tools,
    calls::write_cache,
    mcp::write_access,
    mcp::write,
    recording::write,
    telemetry::write,
    database::write,
    cluster::write,
    process::write,
];

impl Collector for Scrape {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let mut writer = FamilyWriter::new(encoder);
        ALL.iter().try_for_each(|family| family(self, &mut writer))
    }
}
