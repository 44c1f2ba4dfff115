//! Redis, if the nodes share one.

use std::fmt;

use super::super::family_writer::FamilyWriter;
use super::super::scrape::Scrape;

pub(super) fn write(scrape: &Scrape, writer: &mut FamilyWriter<'_>) -> fmt::Result {
    let Some((redis, nodes)) = &scrape.redis else { return Ok(()) };
    writer.flag("toolgate_redis_up", "Whether the node is connected to Redis.", redis.is_connected)?;
    let results = [("ok", redis.succeeded), ("timeout", redis.timed_out), ("error", redis.failed)];
    writer.counters(
        "toolgate_redis_trips",
        "Operations that were sent to Redis, each a round trip.",
        results.map(|(result, count)| ([("result", result)], count)),
    )?;
    let help = "How often the connection to Redis was given up after failures.";
    writer.counter("toolgate_redis_disconnects", help, redis.disconnects)?;
    writer.gauge("toolgate_cluster_nodes", "The last known number of nodes that share Redis.", u64::from(*nodes))
}
