//! The node: its version, its name and whether it is ready.

use std::fmt;

use super::super::family_writer::FamilyWriter;
use super::super::scrape::Scrape;

pub(super) fn write(scrape: &Scrape, writer: &mut FamilyWriter<'_>) -> fmt::Result {
    writer.info("toolgate_build", "Version of Toolgate.", [("version", env!("CARGO_PKG_VERSION"))])?;
    writer.info(
        "toolgate_node",
        "Name of the node and its database.",
        [("node", &scrape.node), ("database", scrape.database)],
    )?;
    let is_ready = scrape.is_database_up && !scrape.is_stopping;
    writer.flag("toolgate_ready", "Whether the node is ready to serve, as /readyz reports it.", is_ready)
}
