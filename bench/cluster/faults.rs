//! The faults: each happens under load, lasts for some seconds and ends before the next one begins.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::cluster::FaultCluster;
use crate::plan::ClusterPlan;
use crate::propagation::PropagationDelays;
use crate::traffic::TrafficControl;

/// How long nginx skips a node that refused a connection: `fail_timeout`, up to one second more because nginx counts
/// whole seconds, and a margin. If the next node is stopped earlier, nginx may have no node left.
const BALANCER_PAUSE: Duration = Duration::from_millis(3_200);
/// The time between two cuts of the connections that receive notifications. A node notices a cut after at least 750 ms.
const CUT_INTERVAL: Duration = Duration::from_millis(500);
/// The clocks of the nodes, ten minutes apart: offsets in seconds; empty for the time of the machine.
const CLOCK_OFFSETS: [&str; 3] = ["-600", "", "+600"];

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClusterFault {
    NodeKilled,
    PostgresStopped,
    PostgresHung,
    /// The connections that receive notifications of PostgreSQL are dropped silently, again and again.
    ListenersCut,
    RedisStopped,
    RedisHung,
    RollingRestart,
    /// Restarts the nodes with different clocks.
    ClocksApart,
}

impl ClusterFault {
    /// In the order of injection. From `ClocksApart` on, the clocks stay apart. Redis is last, because a node that
    /// restarts in the minute after an outage no longer knows the calls that it admitted without Redis.
    pub(crate) const ALL: [Self; 8] = [
        Self::NodeKilled,
        Self::PostgresStopped,
        Self::PostgresHung,
        Self::ListenersCut,
        Self::RollingRestart,
        Self::ClocksApart,
        Self::RedisStopped,
        Self::RedisHung,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::NodeKilled => "a node killed (kill -9)",
            Self::PostgresStopped => "PostgreSQL stopped",
            Self::PostgresHung => "PostgreSQL hung (SIGSTOP)",
            Self::ListenersCut => "LISTEN connections cut silently",
            Self::RedisStopped => "Redis stopped",
            Self::RedisHung => "Redis hung (SIGSTOP)",
            Self::RollingRestart => "rolling restart of all nodes",
            Self::ClocksApart => "clocks ten minutes apart",
        }
    }

    fn is_redis_outage(self) -> bool {
        matches!(self, Self::RedisStopped | Self::RedisHung)
    }
}

/// Injects faults into a cluster under load.
pub(crate) struct FaultInjector<'a> {
    pub(crate) cluster: &'a mut FaultCluster,
    pub(crate) plan: &'a ClusterPlan,
    pub(crate) control: Arc<TrafficControl>,
    /// When Redis was stopped.
    pub(crate) redis_outages: Vec<Instant>,
    /// Delays of changes after connections were cut silently.
    pub(crate) delays_after_cuts: PropagationDelays,
}

impl FaultInjector<'_> {
    /// Injects a fault, and returns when the cluster has recovered. Programs are started and stopped on a thread on
    /// which no client runs.
    pub(crate) async fn inject(&mut self, fault: ClusterFault) {
        if fault.is_redis_outage() {
            self.redis_outages.push(Instant::now());
        }
        match fault {
            ClusterFault::NodeKilled => self.kill_node().await,
            ClusterFault::PostgresStopped => {
                tokio::task::block_in_place(|| self.cluster.postgres.stop());
                self.wait().await;
                tokio::task::block_in_place(|| self.cluster.postgres.start());
            }
            ClusterFault::PostgresHung => {
                self.cluster.postgres.pause();
                self.wait().await;
                self.cluster.postgres.resume();
            }
            ClusterFault::ListenersCut => self.cut_listeners().await,
            ClusterFault::RedisStopped => {
                tokio::task::block_in_place(|| self.cluster.redis.stop());
                self.wait().await;
                tokio::task::block_in_place(|| self.cluster.redis.restart());
            }
            ClusterFault::RedisHung => {
                self.cluster.redis.pause();
                self.wait().await;
                self.cluster.redis.resume();
            }
            ClusterFault::RollingRestart => self.restart_nodes(["", "", ""]).await,
            ClusterFault::ClocksApart => {
                self.restart_nodes(CLOCK_OFFSETS).await;
                self.cluster.assert_clocks_differ().await;
                self.wait().await;
            }
        }
        self.cluster.wait_until_ready().await;
        self.cluster.load_servers().await;
    }

    async fn wait(&self) {
        tokio::time::sleep(self.plan.fault_time).await;
    }

    /// Cuts the connections again before the nodes have replaced them, and measures changes right after each cut.
    async fn cut_listeners(&mut self) {
        let began = Instant::now();
        while began.elapsed() < self.plan.fault_time {
            tokio::task::block_in_place(|| self.cluster.pause_listen_backends());
            self.delays_after_cuts.measure(self.cluster, &self.control, CUT_INTERVAL).await;
        }
        self.cluster.postgres.resume();
    }

    async fn kill_node(&mut self) {
        self.control.is_node_killed.store(true, Ordering::Relaxed);
        tokio::task::block_in_place(|| self.cluster.nodes[0].app.kill());
        self.wait().await;
        let (plan, node) = (self.plan, &mut self.cluster.nodes[0]);
        tokio::task::block_in_place(|| node.start_again(plan, ""));
        self.control.is_node_killed.store(false, Ordering::Relaxed);
    }

    /// Restarts one node after the other. The clock of each differs from the machine's by its offset; see
    /// [`ClusterNode::start_again`](crate::cluster::ClusterNode::start_again).
    async fn restart_nodes(&mut self, clock_offsets: [&str; 3]) {
        for (node, offset) in self.cluster.nodes.iter_mut().zip(clock_offsets) {
            let status = tokio::task::block_in_place(|| node.app.terminate());
            assert!(status.success(), "a node ended with {status}\n{}", node.app.logs());
            tokio::task::block_in_place(|| node.start_again(self.plan, offset));
            node.wait_until_ready().await;
            tokio::time::sleep(BALANCER_PAUSE).await;
        }
    }
}
