//! A Redis Cluster of three nodes.

use std::time::{Duration, Instant};

use super::{PASSWORD, Redis, RedisMode};

/// How long the nodes may take to find each other.
const JOIN_TIMEOUT: Duration = Duration::from_mins(1);
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The hash slots of each node.
const SLOTS: [(&str, &str); 3] = [("0", "5460"), ("5461", "10922"), ("10923", "16383")];

/// Three servers, each with a third of the keys and without a replica.
#[derive(Debug)]
pub struct RedisCluster {
    nodes: Vec<Redis>,
}

impl RedisCluster {
    /// Starts the cluster. `None` if Redis is not installed: the test must return.
    pub fn start() -> Option<Self> {
        let mut nodes = Vec::new();
        for (first, last) in SLOTS {
            let programs = ["redis-server".into(), "redis-cli".into()];
            let node = Redis::start_programs(RedisMode::ClusterNode, programs)?;
            node.cli(&["CLUSTER", "ADDSLOTSRANGE", first, last]);
            nodes.push(node);
        }
        let cluster = Self { nodes };
        for node in &cluster.nodes[1..] {
            let bus_port = node.cli(&["CONFIG", "GET", "cluster-port"]);
            let bus_port = bus_port.lines().last().expect("the name and the value of the setting");
            cluster.nodes[0].cli(&["CLUSTER", "MEET", "127.0.0.1", &node.port.to_string(), bus_port]);
        }
        cluster.wait_until_joined();
        Some(cluster)
    }

    /// The nodes.
    pub fn nodes(&self) -> &[Redis] {
        &self.nodes
    }

    /// The URL with the password and all nodes.
    pub fn url(&self) -> String {
        let hosts: Vec<_> = self.nodes.iter().map(|node| format!("127.0.0.1:{}", node.port)).collect();
        format!("redis+cluster://:{PASSWORD}@{}", hosts.join(","))
    }

    /// All keys of all nodes.
    pub fn keys(&self) -> Vec<String> {
        self.nodes.iter().flat_map(Redis::keys).collect()
    }

    fn wait_until_joined(&self) {
        let deadline = Instant::now() + JOIN_TIMEOUT;
        let knows_all = |node: &Redis| {
            let info = node.cli(&["CLUSTER", "INFO"]);
            info.contains("cluster_state:ok") && info.contains("cluster_known_nodes:3")
        };
        while !self.nodes.iter().all(knows_all) {
            assert!(Instant::now() < deadline, "the nodes of the Redis Cluster did not find each other");
            std::thread::sleep(POLL_INTERVAL);
        }
    }
}
