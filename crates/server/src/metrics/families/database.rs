//! The database and its connection pools.

use std::fmt;

use super::super::family_writer::FamilyWriter;
use super::super::scrape::Scrape;

pub(super) fn write(scrape: &Scrape, writer: &mut FamilyWriter<'_>) -> fmt::Result {
    let help = "Whether the database responded within 2 seconds when the metrics were read.";
    writer.flag("toolgate_database_up", help, scrape.is_database_up)?;
    let states = scrape.pools.iter().flat_map(|pool| {
        [("in_use", pool.in_use), ("idle", pool.idle)]
            .map(|(state, count)| ([("pool", pool.name), ("state", state)], u64::from(count)))
    });
    writer.gauges("toolgate_database_connections", "Open database connections.", states)?;
    let limits = scrape.pools.iter().map(|pool| ([("pool", pool.name)], u64::from(pool.max)));
    writer.gauges("toolgate_database_connections_max", "The most open database connections.", limits)?;
    let waiters = scrape.pools.iter().map(|pool| ([("pool", pool.name)], u64::from(pool.waiting)));
    writer.gauges("toolgate_database_connection_waiters", "Operations that wait for a database connection.", waiters)
}
