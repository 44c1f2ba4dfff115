//! The slots of a large limit that a node may use without asking Redis for each request
//! (docs/decisions/012-leases-of-rate-limit-slots.md). This is the state of one window on one node, without I/O.
//!
//! Redis counts a leased slot from the grant on, as if it had been used at the end of the lease; a report moves the
//! used slots to the time of the report. So a slot counts for at least 60 seconds after its use in every case: if the
//! node reports, if it is killed, if a request or a reply is lost. A lease about which node and Redis may disagree is
//! abandoned: the node uses none of its slots any more, and Redis ends it when it expires.

use std::time::Duration;

use super::window::RateLimited;
use crate::cluster::{SlotReply, SlotRequest};

/// Smaller limits are counted in Redis request by request.
pub(super) const LEASED_LIMIT_MIN: u32 = 1_000;

/// How long slots may be used after the last request for slots was sent. `window.lua` counts them for longer.
pub(super) const LEASE_TTL_MS: u64 = 2_000;

/// The time between two reports of a lease: used slots count from their report on, and unused ones are given back.
pub(super) const REPORT_INTERVAL_MS: u64 = 500;

/// The leases of all nodes together are at most the limit divided by this number, because slots that one node holds are
/// missing on the others.
const LIMIT_PER_LEASES: u32 = 100;

/// A lease with fewer slots would save no request to Redis.
const SLOTS_MIN: u32 = 2;

/// The size of a lease that is worth its request to Redis. A node with fewer requests leases slots for half a second, a
/// node with more for at least a tenth of a second.
const SLOTS_GOAL: u32 = 128;

/// How long a refusal by Redis holds without asking again: other nodes may give slots back.
const REFUSAL_TTL_MS: u64 = 250;

/// While one request asks whether there are slots again, others are refused for this long.
const PROBE_MS: u64 = 50;

/// For this time after a refusal has ended, only one request at a time asks Redis; later, every request asks.
const REFUSAL_MEMORY_MS: u64 = 500;

/// Whether a request is admitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LeaseDecision {
    /// A leased slot was used.
    Admitted,
    /// Redis has refused a request within [`REFUSAL_TTL_MS`].
    Refused(RateLimited),
    /// Redis must decide.
    Ask,
}

/// A request to Redis on behalf of a lease, which is under way until [`Lease::apply`] or [`Lease::abandon_request`].
#[derive(Clone, Copy, Debug)]
pub(super) struct LeaseRequest {
    pub(super) slots: SlotRequest,
    account: u64,
    /// The slots that the node still holds when the request is sent.
    held_at_send: u32,
    sent_at_ms: u64,
}

/// The lease of one window on one node. All times are those of the node's monotonic clock.
#[derive(Debug, Default)]
pub(super) struct Lease {
    /// The connection to Redis through which the slots were leased.
    connection: u64,
    account: u64,
    limit: u32,
    /// Slots that can be used until `expires_at_ms`.
    held: u32,
    /// Used slots that have not been reported.
    used: u32,
    expires_at_ms: u64,
    /// When the latest applied request was sent.
    reported_at_ms: u64,
    /// At this number of slots, more are requested.
    low_water: u32,
    is_request_under_way: bool,
    /// The last request was not granted completely: the limit is used up.
    is_scarce: bool,
    refused_until_ms: u64,
    /// When Redis expects to have slots again.
    free_at_ms: u64,
    /// Whether [`super::lease_client::LeaseClient`] reports and renews the lease.
    is_watched: bool,
}

impl Lease {
    /// Decides about a request at `now_ms`, if possible without Redis. Slots and refusals from before a reconnect are
    /// dropped: Redis may have lost them.
    pub(super) fn take(&mut self, now_ms: u64, limit: u32, connection: u64) -> LeaseDecision {
        if connection != self.connection {
            self.abandon();
            self.forget_refusal();
            self.connection = connection;
        }
        if limit != self.limit {
            self.change_limit(limit);
        }
        if self.has_slot(now_ms) {
            self.held -= 1;
            self.used += 1;
            return LeaseDecision::Admitted;
        }
        if now_ms < self.refused_until_ms {
            return LeaseDecision::Refused(self.retry_after(now_ms));
        }
        if self.refused_until_ms > 0 && now_ms < self.refused_until_ms + REFUSAL_MEMORY_MS {
            self.refused_until_ms = now_ms + PROBE_MS;
        }
        LeaseDecision::Ask
    }

    /// Takes back the use of a slot; `false` if Redis must do it.
    pub(super) fn uncount(&mut self, now_ms: u64) -> bool {
        let is_unreported = self.used > 0 && now_ms < self.expires_at_ms;
        if is_unreported {
            self.used -= 1;
            self.held += 1;
        }
        is_unreported
    }

    /// Whether it is time to ask for more slots, before the last one is used.
    pub(super) fn is_low(&self, now_ms: u64) -> bool {
        self.held <= self.low_water && !self.is_request_under_way && now_ms >= self.refused_until_ms
    }

    /// Whether there are slots and it is time to report them.
    pub(super) fn is_due(&self, now_ms: u64) -> bool {
        self.is_active(now_ms) && !self.is_request_under_way && now_ms >= self.reported_at_ms + REPORT_INTERVAL_MS
    }

    /// Whether Redis holds slots for this lease.
    pub(super) fn is_active(&self, now_ms: u64) -> bool {
        self.is_request_under_way || (self.held > 0 || self.used > 0) && now_ms < self.expires_at_ms
    }

    /// Whether [`super::lease_client::LeaseClient`] must begin to report and renew the lease.
    pub(super) fn start_watching(&mut self, now_ms: u64) -> bool {
        let is_active = self.is_active(now_ms);
        is_active && !std::mem::replace(&mut self.is_watched, is_active)
    }

    /// Whether [`super::lease_client::LeaseClient`] must continue to report and renew the lease.
    pub(super) fn keep_watching(&mut self, now_ms: u64) -> bool {
        self.is_watched = self.is_active(now_ms);
        self.is_watched
    }

    /// The slots that can be used.
    pub(super) fn held(&self, now_ms: u64) -> u32 {
        if self.has_slot(now_ms) { self.held } else { 0 }
    }

    /// A request to admit `wanted` waiting requests, and to lease the slots that a node with `recent` requests in the
    /// last half second needs in a cluster of `nodes`. `None` if a lease is not worth it or another request is pending.
    pub(super) fn request(&mut self, now_ms: u64, wanted: u32, recent: u32, nodes: u32) -> Option<LeaseRequest> {
        let goal = self.goal(recent, nodes);
        let is_useful = goal > 0 || self.is_active(now_ms);
        (is_useful && !self.is_request_under_way).then(|| self.send(now_ms, wanted, goal))
    }

    /// A request that gives all slots back; `None` if there are none.
    pub(super) fn give_back(&mut self, now_ms: u64) -> Option<LeaseRequest> {
        (self.is_active(now_ms) && !self.is_request_under_way).then(|| self.send(now_ms, 0, 0))
    }

    fn send(&mut self, now_ms: u64, wanted: u32, goal: u32) -> LeaseRequest {
        if now_ms >= self.expires_at_ms {
            self.abandon();
        }
        let returned = self.held.saturating_sub(goal);
        self.held -= returned;
        self.is_request_under_way = true;
        let slots = SlotRequest {
            limit: self.limit,
            wanted,
            ahead: goal - self.held,
            account: Some(self.account),
            used: std::mem::take(&mut self.used),
            returned,
        };
        LeaseRequest { slots, account: self.account, held_at_send: self.held, sent_at_ms: now_ms }
    }

    /// Applies a reply. The reply to a request of an abandoned lease is ignored.
    pub(super) fn apply(&mut self, now_ms: u64, request: &LeaseRequest, reply: &SlotReply) {
        if request.account != self.account {
            return;
        }
        self.is_request_under_way = false;
        self.set_refusal(now_ms, reply.wait);
        // Redis has lost the lease, or has executed a request twice.
        if reply.held != request.held_at_send {
            self.abandon();
            return;
        }
        self.held += reply.leased;
        self.expires_at_ms = request.sent_at_ms + LEASE_TTL_MS;
        self.reported_at_ms = request.sent_at_ms;
        self.low_water = self.held / 2;
    }

    /// Abandons the lease after a failed request, because Redis may have executed it.
    pub(super) fn abandon_request(&mut self, request: &LeaseRequest) {
        if request.account == self.account {
            self.abandon();
        }
    }

    /// Stores after which time Redis will have free slots again; zero if it has some now.
    pub(super) fn set_refusal(&mut self, now_ms: u64, wait: Duration) {
        let wait_ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
        self.is_scarce = wait_ms > 0;
        self.free_at_ms = now_ms.saturating_add(wait_ms);
        self.refused_until_ms = if wait_ms > 0 { now_ms + wait_ms.min(REFUSAL_TTL_MS) } else { 0 };
    }

    /// The number of slots to hold. If the limit is used up, nodes ask only for slots that they need now, so that each
    /// node gets some of the free ones.
    fn goal(&self, recent: u32, nodes: u32) -> u32 {
        let share = self.limit / LIMIT_PER_LEASES / nodes.max(1);
        let for_a_tenth = recent.div_ceil(5);
        let goal = if self.is_scarce { for_a_tenth } else { for_a_tenth.max(recent.min(SLOTS_GOAL)) }.min(share);
        if goal < SLOTS_MIN { 0 } else { goal }
    }

    fn has_slot(&self, now_ms: u64) -> bool {
        self.held > 0 && now_ms < self.expires_at_ms
    }

    fn retry_after(&self, now_ms: u64) -> RateLimited {
        RateLimited::after(Duration::from_millis(self.free_at_ms.saturating_sub(now_ms)))
    }

    /// A new limit has no refusals yet, and the slots of the old one may be too many.
    fn change_limit(&mut self, limit: u32) {
        if self.limit > 0 {
            self.abandon();
        }
        self.forget_refusal();
        self.limit = limit;
    }

    fn forget_refusal(&mut self) {
        (self.is_scarce, self.refused_until_ms) = (false, 0);
    }

    fn abandon(&mut self) {
        self.account += 1;
        (self.held, self.used, self.low_water) = (0, 0, 0);
        self.is_request_under_way = false;
    }
}

#[cfg(test)]
mod tests;
