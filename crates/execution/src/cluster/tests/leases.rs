//! Leases of large limits with a real Redis and several nodes.

use super::*;

/// The number of scripts that Redis has run.
fn scripts_run(redis: &Redis) -> u64 {
    let statistics = redis.cli(&["INFO", "commandstats"]);
    let line = statistics.lines().find_map(|line| line.strip_prefix("cmdstat_evalsha:calls="));
    line.and_then(|line| line.split(',').next()).map_or(0, |calls| calls.parse().unwrap())
}

/// Three nodes that know of each other.
async fn three_nodes(redis: &Redis) -> Vec<Arc<ClusterState>> {
    let nodes = vec![node(redis, 1).await, node(redis, 2).await, node(redis, 3).await];
    for node in &nodes {
        node.send_heartbeat().await;
        assert_eq!(node.node_count(), 3);
    }
    nodes
}

/// How many calls are admitted in total if each node gets `calls` calls, one after another.
async fn count_successive(limiters: &[Arc<RateLimiter>], calls: u32, limit: u32) -> u32 {
    let mut tasks = JoinSet::new();
    for limiter in limiters {
        let limiter = Arc::clone(limiter);
        tasks.spawn(async move {
            let mut admitted = 0;
            for call in 0..calls {
                admitted += u32::from(limiter.admit(SERVER, RequestKind::Call, limit).await.is_ok());
                if call % 100 == 0 {
                    tokio::task::yield_now().await;
                }
            }
            admitted
        });
    }
    tasks.join_all().await.iter().sum()
}

fn has_leases(redis: &Redis) -> bool {
    redis.keys().iter().any(|key| key.contains(":leases:"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_nodes_with_a_large_limit_ask_redis_once_for_more_than_twenty_calls() {
    const CALLS: u32 = 10_000;
    let Some(redis) = Redis::start() else { return };
    let nodes = three_nodes(&redis).await;
    let limiters: Vec<_> = nodes.iter().map(limiter).collect();
    let scripts_before = scripts_run(&redis);
    assert_eq!(count_successive(&limiters, CALLS, 100_000).await, 3 * CALLS);
    let scripts = scripts_run(&redis) - scripts_before;
    assert!(scripts * 20 <= u64::from(3 * CALLS), "{scripts} requests to Redis for {} calls", 3 * CALLS);
    let trips: u64 = nodes.iter().map(|node| node.redis_stats().trips()).sum();
    assert!(trips >= scripts, "the nodes count {trips} trips, Redis {scripts}");
    assert!(limiters.iter().all(|limiter| limiter.lease_stats().leased_slots > 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unused_slots_are_given_back_and_all_nodes_together_admit_the_limit() {
    const LIMIT: u32 = 3_000;
    let Some(redis) = Redis::start() else { return };
    let limiters: Vec<_> = three_nodes(&redis).await.iter().map(limiter).collect();
    let started = Instant::now();
    let mut admitted = count_successive(&limiters[..1], 1_000, LIMIT).await;
    assert_eq!(admitted, 1_000);
    wait_until("an idle node gives its slots back", || {
        limiters[0].lease_stats().held_slots == 0 && !has_leases(&redis)
    })
    .await;
    // The others get the slots that the first one has not used, and use held slots in the next round.
    while admitted < LIMIT && started.elapsed() < Duration::from_secs(50) {
        admitted += count_successive(&limiters[1..], 1_000, LIMIT).await;
    }
    if started.elapsed() < Duration::from_mins(1) {
        assert_eq!(admitted, LIMIT);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_stops_gives_its_slots_back() {
    let Some(redis) = Redis::start() else { return };
    let limiter = limiter(&node(&redis, 1).await);
    assert_eq!(count_successive(&[Arc::clone(&limiter)], 500, 100_000).await, 500);
    limiter.finish().await;
    assert!(!has_leases(&redis), "{:?}", redis.keys());
    let stats = limiter.lease_stats();
    assert_eq!((stats.windows, stats.held_slots), (0, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_with_leased_slots_count_towards_the_share_without_redis() {
    const LIMIT: u32 = 2_000;
    let Some(mut redis) = Redis::start() else { return };
    let limiters = [limiter(&node(&redis, 1).await)];
    let started = Instant::now();
    let mut admitted = count_successive(&limiters, 600, LIMIT).await;
    assert!(limiters[0].lease_stats().leased_slots > 0);
    redis.stop();
    admitted += count_successive(&limiters, 3_000, LIMIT).await;
    if started.elapsed() < Duration::from_mins(1) {
        assert_eq!(admitted, LIMIT);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_that_another_limit_refuses_gives_its_leased_slot_back() {
    const LIMIT: u32 = 1_000;
    let Some(redis) = Redis::start() else { return };
    let limiter = limiter(&node(&redis, 1).await);
    let started = Instant::now();
    let mut admitted = count_successive(&[Arc::clone(&limiter)], 100, LIMIT).await;
    for _ in 0..LIMIT {
        if limiter.admit(SERVER, RequestKind::Call, LIMIT).await.is_ok() {
            limiter.uncount(SERVER, RequestKind::Call).await;
        }
    }
    while admitted < LIMIT && started.elapsed() < Duration::from_secs(50) {
        admitted += u32::from(limiter.admit(SERVER, RequestKind::Call, LIMIT).await.is_ok());
    }
    if started.elapsed() < Duration::from_mins(1) {
        assert_eq!(admitted, LIMIT);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_was_refused_before_an_outage_admits_its_whole_share_and_starts_no_tasks() {
    const LIMIT: u32 = 1_000;
    let Some(mut redis) = Redis::start() else { return };
    let nodes = [node(&redis, 1).await, node(&redis, 2).await];
    nodes[0].send_heartbeat().await;
    let limiters = [limiter(&nodes[0]), limiter(&nodes[1])];
    let started = Instant::now();
    let mut admitted_by_other = 0;
    while limiters[1].admit(SERVER, RequestKind::Call, LIMIT).await.is_ok() {
        limiters[1].uncount(SERVER, RequestKind::Call).await;
        admitted_by_other += count_successive(&limiters[..1], 100, LIMIT).await;
    }
    assert!(admitted_by_other > LIMIT / 2, "{admitted_by_other} were admitted");
    redis.stop();
    let mut admitted = 0;
    while nodes[1].connection.is_connected() {
        admitted += count_successive(&limiters[1..], 1, LIMIT).await;
    }
    let failed_requests = limiters[1].lease_stats().failed_requests;
    admitted += count_successive(&limiters[1..], LIMIT, LIMIT).await;
    assert_eq!(limiters[1].lease_stats().failed_requests, failed_requests, "no request is sent during the outage");
    if started.elapsed() < Duration::from_mins(1) {
        assert_eq!(admitted, LIMIT / 2);
    }
}
