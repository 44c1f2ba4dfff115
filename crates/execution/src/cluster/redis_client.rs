//! A client of one Redis server or of a Redis Cluster, and its connection.

use std::time::Duration;

use redis::aio::{ConnectionLike, MultiplexedConnection, PubSub};
use redis::cluster::ClusterClient;
use redis::cluster_async::ClusterConnection;
use redis::{AsyncConnectionConfig, Client, Cmd, ErrorKind, Pipeline, RedisFuture, RedisResult, Value};
use tokio::time::timeout;

/// Timeout for connecting to one host. It is longer than the default timeout of an operation, because connecting takes
/// several round trips, and no call waits for it.
pub(super) const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);

/// Timeout for connecting to a Redis Cluster, which takes two steps: to the hosts of the URL, then to the nodes that
/// these hosts know. Each step waits up to [`CONNECT_TIMEOUT`] for hosts that do not respond.
const CLUSTER_CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

pub(super) struct RedisClient {
    /// A client of each host in the URL.
    pub(super) hosts: Vec<Client>,
    /// The client of the whole Redis Cluster, if it is one.
    pub(super) cluster: Option<ClusterClient>,
    /// The hosts and ports of the URL, for the log.
    pub(super) addresses: String,
}

impl RedisClient {
    /// How long [`Self::connect`] may take.
    pub(super) fn connect_timeout(&self) -> Duration {
        if self.cluster.is_some() { CLUSTER_CONNECT_TIMEOUT } else { CONNECT_TIMEOUT }
    }

    pub(super) async fn connect(&self) -> RedisResult<SharedConnection> {
        if let Some(cluster) = &self.cluster {
            return cluster.get_async_connection().await.map(SharedConnection::Cluster);
        }
        let config =
            AsyncConnectionConfig::new().set_connection_timeout(Some(CONNECT_TIMEOUT)).set_response_timeout(None);
        let client = self.hosts.first().ok_or(NO_HOST)?;
        client.get_multiplexed_async_connection_with_config(&config).await.map(SharedConnection::Single)
    }

    /// Subscribes to channels at the first host that responds within [`CONNECT_TIMEOUT`]. The nodes of a Redis Cluster
    /// pass on all messages to each other, so each of them has every message.
    pub(super) async fn subscribe(&self, channels: &[&String]) -> RedisResult<PubSub> {
        let mut result = Err(NO_HOST.into());
        for host in &self.hosts {
            let subscription = timeout(CONNECT_TIMEOUT, subscribe_at(host, channels)).await;
            result = subscription.unwrap_or_else(|_| Err(NO_RESPONSE.into()));
            if result.is_ok() {
                break;
            }
        }
        result
    }
}

async fn subscribe_at(host: &Client, channels: &[&String]) -> RedisResult<PubSub> {
    let mut pubsub = host.get_async_pubsub().await?;
    pubsub.subscribe(channels).await?;
    Ok(pubsub)
}

/// Cannot occur: a URL has at least one host.
const NO_HOST: (ErrorKind, &str) = (ErrorKind::InvalidClientConfig, "the URL has no host");

const NO_RESPONSE: (ErrorKind, &str) = (ErrorKind::Io, "no response in time");

/// A connection that all calls of a node share. Clones use the same sockets.
#[derive(Clone)]
pub(super) enum SharedConnection {
    Single(MultiplexedConnection),
    /// One connection to each node of a Redis Cluster. A command goes to the node that has its keys.
    Cluster(ClusterConnection),
}

impl ConnectionLike for SharedConnection {
    fn req_packed_command<'a>(&'a mut self, command: &'a Cmd) -> RedisFuture<'a, Value> {
        match self {
            Self::Single(connection) => connection.req_packed_command(command),
            Self::Cluster(connection) => connection.req_packed_command(command),
        }
    }

    fn req_packed_commands<'a>(
        &'a mut self,
        commands: &'a Pipeline,
        offset: usize,
        count: usize,
    ) -> RedisFuture<'a, Vec<Value>> {
        match self {
            Self::Single(connection) => connection.req_packed_commands(commands, offset, count),
            Self::Cluster(connection) => connection.req_packed_commands(commands, offset, count),
        }
    }

    fn get_db(&self) -> i64 {
        match self {
            Self::Single(connection) => connection.get_db(),
            Self::Cluster(connection) => connection.get_db(),
        }
    }
}
