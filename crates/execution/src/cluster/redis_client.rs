//! A client of one Redis server or of a Redis Cluster, and its connection.

use std::time::Duration;

use redis::aio::{ConnectionLike, MultiplexedConnection};
use redis::cluster::ClusterClient;
use redis::cluster_async::ClusterConnection;
use redis::{AsyncConnectionConfig, Client, Cmd, Pipeline, RedisFuture, RedisResult, Value};

/// Longer than the default timeout of an operation: connecting takes several round trips, and no call waits for it.
pub(super) const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);

pub(super) struct RedisClient {
    client: ClientKind,
    /// The hosts and ports of the URL, for the log.
    pub(super) addresses: String,
}

enum ClientKind {
    Single(Box<Client>),
    Cluster(Box<ClusterClient>),
}

impl RedisClient {
    pub(super) fn single(client: Client, addresses: String) -> Self {
        Self { client: ClientKind::Single(Box::new(client)), addresses }
    }

    pub(super) fn cluster(client: ClusterClient, addresses: String) -> Self {
        Self { client: ClientKind::Cluster(Box::new(client)), addresses }
    }

    pub(super) async fn connect(&self) -> RedisResult<SharedConnection> {
        match &self.client {
            ClientKind::Single(client) => {
                let config = AsyncConnectionConfig::new()
                    .set_connection_timeout(Some(CONNECT_TIMEOUT))
                    .set_response_timeout(None);
                client.get_multiplexed_async_connection_with_config(&config).await.map(SharedConnection::Single)
            }
            ClientKind::Cluster(client) => client.get_async_connection().await.map(SharedConnection::Cluster),
        }
    }
}

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
