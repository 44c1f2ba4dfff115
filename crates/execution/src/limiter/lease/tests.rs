//! The lease of one node, step by step. `simulation` runs several nodes against the script in Redis.

mod simulation;

use super::*;

const LIMIT: u32 = 100_000;

/// The reply of a Redis that grants everything.
fn full_reply(request: &LeaseRequest) -> SlotReply {
    let SlotRequest { wanted, ahead, .. } = request.slots;
    SlotReply { admitted: wanted, leased: ahead, held: request.held_at_send, wait: Duration::ZERO }
}

/// A lease of 100 slots, requested at 0 ms.
fn lease_of_100() -> Lease {
    let mut lease = Lease::default();
    assert_eq!(lease.take(0, LIMIT, 0), LeaseDecision::Ask);
    let request = lease.request(0, 1, 100, 1).unwrap();
    assert_eq!((request.slots.wanted, request.slots.ahead), (1, 100));
    lease.apply(1, &request, &full_reply(&request));
    lease
}

fn take_many(lease: &mut Lease, now_ms: u64, times: u32) -> u32 {
    (0..times).map(|_| u32::from(lease.take(now_ms, LIMIT, 0) == LeaseDecision::Admitted)).sum()
}

#[test]
fn slots_are_used_until_two_seconds_after_the_request_for_them() {
    let mut lease = lease_of_100();
    assert_eq!(take_many(&mut lease, 10, 60), 60);
    assert_eq!(take_many(&mut lease, LEASE_TTL_MS - 1, 1), 1);
    assert_eq!(lease.take(LEASE_TTL_MS, LIMIT, 0), LeaseDecision::Ask);
    let request = lease.request(LEASE_TTL_MS, 1, 100, 1).unwrap();
    assert_eq!(
        (request.slots.used, request.slots.returned, request.held_at_send),
        (0, 0, 0),
        "Redis counts all of the old ones"
    );
    let lease_at = |now_ms| take_many(&mut lease_of_100(), now_ms, 200);
    assert_eq!([lease_at(0), lease_at(LEASE_TTL_MS - 1), lease_at(LEASE_TTL_MS)], [100, 100, 0]);
}

#[test]
fn more_slots_are_requested_when_half_of_them_are_used() {
    let mut lease = lease_of_100();
    assert_eq!(take_many(&mut lease, 10, 49), 49);
    assert!(!lease.is_low(10));
    assert_eq!(take_many(&mut lease, 10, 1), 1);
    assert!(lease.is_low(10));
    let request = lease.request(10, 0, 100, 1).unwrap();
    assert_eq!((request.slots.ahead, request.slots.used, request.slots.returned), (50, 50, 0));
    assert!(!lease.is_low(10) && lease.request(10, 0, 100, 1).is_none(), "one request at a time");
    assert_eq!(take_many(&mut lease, 11, 20), 20, "slots can be used while the request is under way");
    lease.apply(12, &request, &full_reply(&request));
    assert_eq!(take_many(&mut lease, LEASE_TTL_MS + 5, 200), 80, "the remaining ones are renewed");
}

#[test]
fn the_size_follows_the_rate_and_is_a_hundredth_of_the_limit_for_all_nodes_together() {
    let ahead = |limit, recent, nodes| {
        let mut lease = Lease::default();
        lease.take(0, limit, 0);
        lease.request(0, 1, recent, nodes).map_or(0, |request| request.slots.ahead)
    };
    assert_eq!([0, 1, 2, 100, 128, 500, 2_000].map(|recent| ahead(LIMIT, recent, 1)), [0, 0, 2, 100, 128, 128, 400]);
    assert_eq!([1, 2, 10].map(|nodes| ahead(LIMIT, 100_000, nodes)), [1_000, 500, 100]);
    assert_eq!([1, 2, 3, 5, 6].map(|nodes| ahead(1_000, 100, nodes)), [10, 5, 3, 2, 0]);
}

#[test]
fn unused_slots_are_given_back() {
    let mut lease = lease_of_100();
    take_many(&mut lease, 10, 30);
    assert!(!lease.is_due(REPORT_INTERVAL_MS - 1) && lease.is_due(REPORT_INTERVAL_MS));
    let request = lease.request(REPORT_INTERVAL_MS, 0, 0, 1).unwrap();
    assert_eq!((request.slots.used, request.slots.returned, request.slots.ahead), (30, 70, 0));
    assert_eq!(lease.take(REPORT_INTERVAL_MS, LIMIT, 0), LeaseDecision::Ask, "they can no longer be used");
    lease.apply(REPORT_INTERVAL_MS + 1, &request, &full_reply(&request));
    assert!(!lease.is_active(REPORT_INTERVAL_MS + 1) && !lease.is_due(2 * REPORT_INTERVAL_MS + 1));
    let request = lease_of_100().give_back(10).unwrap();
    assert_eq!((request.slots.used, request.slots.returned), (0, 100));
}

#[test]
fn a_lease_about_which_node_and_redis_may_disagree_is_not_used() {
    let abandoned = |change: &dyn Fn(&mut Lease)| {
        let mut lease = lease_of_100();
        change(&mut lease);
        lease.held(20)
    };
    assert_eq!(abandoned(&|_| {}), 100);
    // The request failed, or Redis holds fewer or more slots than the node.
    assert_eq!(
        abandoned(&|lease| {
            let request = lease.request(10, 0, 100, 1).unwrap();
            lease.abandon_request(&request);
        }),
        0
    );
    for held in [0, 99, 101, 200] {
        let apply_with = |lease: &mut Lease| {
            let request = lease.request(10, 0, 100, 1).unwrap();
            let reply = SlotReply { held, ..full_reply(&request) };
            lease.apply(11, &request, &reply);
        };
        assert_eq!(abandoned(&apply_with), 0, "Redis holds {held}");
    }
    // The connection was lost, or the limit changed.
    assert_eq!(
        abandoned(&|lease| {
            lease.take(10, LIMIT, 1);
        }),
        0
    );
    assert_eq!(
        abandoned(&|lease| {
            lease.take(10, 1_000, 0);
        }),
        0
    );
}

#[test]
fn the_reply_to_a_request_of_an_abandoned_lease_is_ignored() {
    let mut lease = lease_of_100();
    let request = lease.request(10, 0, 128, 1).unwrap();
    lease.take(11, LIMIT, 1);
    lease.apply(12, &request, &full_reply(&request));
    assert_eq!(lease.held(12), 0);
    let next = lease.request(13, 0, 128, 1).unwrap();
    assert_ne!(next.slots.account, request.slots.account);
    lease.abandon_request(&request);
    lease.apply(14, &next, &full_reply(&next));
    assert_eq!(lease.held(14), 128);
}

#[test]
fn a_refusal_holds_for_250_ms_and_then_one_request_asks_again() {
    let mut lease = Lease::default();
    assert_eq!(lease.take(0, LIMIT, 0), LeaseDecision::Ask);
    lease.set_refusal(0, Duration::from_millis(30_500));
    for (now_ms, secs) in [(1, 31), (249, 31)] {
        assert_eq!(lease.take(now_ms, LIMIT, 0), LeaseDecision::Refused(RateLimited(Duration::from_secs(secs))));
    }
    assert_eq!(lease.take(REFUSAL_TTL_MS, LIMIT, 0), LeaseDecision::Ask);
    assert!(matches!(lease.take(REFUSAL_TTL_MS + 1, LIMIT, 0), LeaseDecision::Refused(_)), "the first one asks");
    assert_eq!(lease.take(REFUSAL_TTL_MS + PROBE_MS, LIMIT, 0), LeaseDecision::Ask, "the first one got no reply");
    lease.set_refusal(400, Duration::ZERO);
    assert_eq!([0, 1].map(|_| lease.take(400, LIMIT, 0)), [LeaseDecision::Ask; 2]);
    lease.set_refusal(500, Duration::from_millis(20));
    assert_eq!([0, 1].map(|_| lease.take(1_500, LIMIT, 0)), [LeaseDecision::Ask; 2], "after a pause all of them ask");
    lease.set_refusal(2_000, Duration::from_secs(9));
    assert_eq!(lease.take(2_001, LIMIT + 1, 0), LeaseDecision::Ask, "a new limit");
    lease.set_refusal(2_001, Duration::from_secs(9));
    assert_eq!([0, 1].map(|_| lease.take(2_002, LIMIT + 1, 1)), [LeaseDecision::Ask; 2], "a new connection");
}

#[test]
fn a_reverted_request_frees_its_slot_unless_it_was_reported() {
    let mut lease = lease_of_100();
    take_many(&mut lease, 10, 1);
    assert!(lease.uncount(10));
    assert_eq!(lease.held(10), 100);
    assert!(!lease.uncount(10), "no slot was used");
    take_many(&mut lease, 10, 1);
    lease.request(10, 0, 100, 1).unwrap();
    assert!(!lease.uncount(11), "Redis knows of it");
}
