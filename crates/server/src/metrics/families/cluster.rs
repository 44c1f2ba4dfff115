//! Redis, change notifications and leases of rate limits, on nodes with Redis.

use std::fmt;

use toolgate_execution::limiter::LeaseStats;
use toolgate_storage::NotificationCounts;

use super::super::family_writer::FamilyWriter;
use super::super::scrape::{ClusterStats, Scrape};

pub(super) fn write(scrape: &Scrape, writer: &mut FamilyWriter<'_>) -> fmt::Result {
    let Some(ClusterStats { redis, nodes, notifications, unsent_changes }) = &scrape.cluster else { return Ok(()) };
    writer.flag("toolgate_redis_up", "Whether the node is connected to Redis.", redis.is_connected)?;
    let results = [("ok", redis.succeeded), ("timeout", redis.timed_out), ("error", redis.failed)];
    writer.counters(
        "toolgate_redis_trips",
        "Operations that were sent to Redis, each a round trip.",
        results.map(|(result, count)| ([("result", result)], count)),
    )?;
    let help = "How often the connection to Redis was given up after failures.";
    writer.counter("toolgate_redis_disconnects", help, redis.disconnects)?;
    writer.gauge("toolgate_cluster_nodes", "The last known number of nodes that share Redis.", u64::from(*nodes))?;
    write_notifications(notifications, writer)?;
    let help = "Changes of this node that were not sent to Redis, because it was unavailable or too slow.";
    writer.counter("toolgate_redis_unsent_changes", help, *unsent_changes)?;
    write_leases(&scrape.mcp.leases, writer)
}

fn write_notifications(notifications: &NotificationCounts, writer: &mut FamilyWriter<'_>) -> fmt::Result {
    let channels = [("postgres", notifications.database), ("redis", notifications.relay)];
    writer.counters(
        "toolgate_change_notifications",
        "Notifications of changes of other nodes, by the channel that delivered them.",
        channels.into_iter().flat_map(|(channel, counts)| {
            let results = [("applied", counts.applied), ("duplicate", counts.duplicates)];
            results.map(|(result, count)| ([("channel", channel), ("result", result)], count))
        }),
    )
}

fn write_leases(leases: &LeaseStats, writer: &mut FamilyWriter<'_>) -> fmt::Result {
    let help = "Rate limits of which this node holds leased slots.";
    writer.gauge("toolgate_rate_limit_leases", help, leases.windows)?;
    let help = "Leased slots of rate limits that this node can use now.";
    writer.gauge("toolgate_rate_limit_lease_slots", help, leases.held_slots)?;
    let help = "Slots of rate limits that Redis leased to this node.";
    writer.counter("toolgate_rate_limit_lease_slots_granted", help, leases.leased_slots)?;
    let help = "Leased slots that this node gave back unused.";
    writer.counter("toolgate_rate_limit_lease_slots_returned", help, leases.returned_slots)?;
    let help = "Requests for leases that failed.";
    writer.counter("toolgate_rate_limit_lease_failures", help, leases.failed_requests)
}
