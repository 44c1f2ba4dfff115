//! CPU time of a call on a node with PostgreSQL and Redis, compared with a node with SQLite. Both have a rate limit
//! that is never reached. They receive the same requests in turn, in rounds; ratios are computed within each round.

use std::time::Duration;

use toolgate_testkit::Redis;
use toolgate_testkit::RunningService;
use toolgate_testkit::postgres::PostgresCluster;
use toolgate_testkit::process::service_binary;

use crate::cluster::{NODES, node_builder, redis_operation_count};
use crate::gateways::{TOOLS, ToolKind, create_endpoint};
use crate::nginx::Nginx;
use crate::plan::ClusterPlan;
use crate::requests::ToolCallRequests;
use crate::target::{BenchTarget, Measurement};

const CONNECTIONS: u64 = 16;
const MEASURE_TIME: Duration = Duration::from_secs(2);
/// Request numbers reserved for each measurement.
const NUMBERS_PER_MEASUREMENT: u64 = 1_000_000_000;

/// Medians of all rounds.
pub(crate) struct CallCost {
    pub(crate) sqlite_us: f64,
    pub(crate) cluster_us: f64,
    pub(crate) ratio: f64,
    pub(crate) calls_per_second: f64,
    /// Redis operations per call, over all rounds.
    pub(crate) operations_per_call: f64,
}

/// `None` if the plan has no rounds.
pub(crate) async fn measure(plan: &ClusterPlan, postgres: &PostgresCluster, redis: &Redis) -> Option<CallCost> {
    if plan.rounds == 0 {
        return None;
    }
    let (upstream, database) = (Nginx::upstream(), postgres.fresh_database());
    let single = RunningService::builder(service_binary()).env("TOOLGATE_LOG", "warn").start();
    let builder = node_builder(plan, &database, redis);
    let nodes = [(); NODES].map(|()| builder.clone().temporary_data_dir().start());
    let sqlite = target("SQLite", &single, &upstream).await;
    let cluster = target("PostgreSQL and Redis", &nodes[0], &upstream).await;
    let (mut rounds, operations_before) = (Vec::new(), redis_operation_count(nodes[0].address()).await);
    // Each round is a pair: SQLite, then the cluster. The first round fills caches and is left out.
    for round in 0..=plan.rounds {
        let mut pair = Vec::new();
        for (index, target) in (0..).zip([&sqlite, &cluster]) {
            let first_request_number = (2 * round + index) * NUMBERS_PER_MEASUREMENT;
            pair.push(target.measure(CONNECTIONS, MEASURE_TIME, first_request_number).await);
        }
        rounds.push(pair);
    }
    let operations = redis_operation_count(nodes[0].address()).await - operations_before;
    let calls: f64 = rounds.iter().map(|pair| pair[1].requests_per_second * MEASURE_TIME.as_secs_f64()).sum();
    Some(CallCost { operations_per_call: operations / calls, ..medians(&rounds[1..]) })
}

async fn target(name: &str, app: &RunningService, upstream: &Nginx) -> BenchTarget {
    let endpoint = create_endpoint(&app.client(), &upstream.origin(), TOOLS, ToolKind::Plain).await;
    BenchTarget::from_service(name, app, ToolCallRequests::new(endpoint.bare(app), TOOLS))
}

fn medians(rounds: &[Vec<Measurement>]) -> CallCost {
    let median = |figure: fn(&[Measurement]) -> f64| {
        let mut values: Vec<f64> = rounds.iter().map(|pair| figure(pair)).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    CallCost {
        sqlite_us: median(|pair| pair[0].cpu_per_1000 * 1000.0),
        cluster_us: median(|pair| pair[1].cpu_per_1000 * 1000.0),
        ratio: median(|pair| pair[1].cpu_per_1000 / pair[0].cpu_per_1000),
        calls_per_second: median(|pair| pair[1].requests_per_second),
        operations_per_call: 0.0,
    }
}
