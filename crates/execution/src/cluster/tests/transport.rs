//! Redis with TLS, with a user, as a Redis Cluster, and Valkey.

use tokio::net::TcpListener;
use tokio::sync::mpsc;
use toolgate_domain::session::SessionIdentity;
use toolgate_domain::time::Timestamp;
use toolgate_testkit::RedisCluster;
use toolgate_testkit::redis::PASSWORD;

use super::*;

const MINUTE: Duration = Duration::from_mins(1);

/// A node with this URL and certificates, after its first attempt to connect.
async fn node_at(url: &str, certificates: Option<Vec<u8>>, id: u64) -> Arc<ClusterState> {
    let mut url = RedisUrl::parse(url).unwrap();
    if let Some(certificates) = certificates {
        url = url.with_ca_certificates(certificates).unwrap();
    }
    let cluster = ClusterState::new(&url, GENEROUS_TIMEOUT, &[1; 32], &format!("{id:016x}")).unwrap();
    cluster.connect_at_start().await;
    Arc::new(cluster)
}

/// Asserts that two nodes share small limits, large limits, responses and sessions, and that no operation fails.
async fn assert_shared(nodes: &[Arc<ClusterState>; 2]) {
    for id in 1..=20 {
        let scope = LimitScope::Server(ServerId(id));
        for node in nodes {
            assert_eq!(node.count_request(scope, "calls", 2).await, Some(Ok(())), "server {id}");
        }
        assert!(nodes[0].count_request(scope, "calls", 2).await.unwrap().is_err(), "server {id}");
        nodes[1].uncount_request(scope, "calls").await;
        assert_eq!(nodes[0].count_request(scope, "calls", 2).await, Some(Ok(())), "server {id}");
        let key = [u8::try_from(id).unwrap(); 32];
        let response = UpstreamResponse {
            status: StatusCode::OK,
            headers: HeaderMap::new(),
            body: Bytes::from_static(b"body"),
            sent_tokens: Vec::new(),
        };
        nodes[0].put_response(&key, MINUTE, &response).await;
        assert_eq!(nodes[1].get_response(&key).await.unwrap().0.body, response.body, "response {id}");
    }
    for (id, node) in (101..=120).zip(nodes.iter().cycle()) {
        let (limiter, scope) = (limiter(node), LimitScope::Server(ServerId(id)));
        for _ in 0..200 {
            limiter.admit(scope, RequestKind::Call, 100_000).await.unwrap();
        }
        assert!(limiter.lease_stats().leased_slots > 0, "server {id}");
        limiter.finish().await;
    }
    assert_messages_arrive(nodes).await;
    for node in nodes {
        let stats = node.redis_stats();
        assert!(stats.is_connected && stats.trips() == stats.succeeded, "{stats:?}");
    }
}

/// Asserts that the second node receives notifications of changes, and the state and an event of each session that the
/// first node changes.
async fn assert_messages_arrive([one, two]: &[Arc<ClusterState>; 2]) {
    let (sender, mut events) = mpsc::channel(16);
    let (change_sender, mut changes) = mpsc::unbounded_channel();
    two.set_change_receiver(move |change| change_sender.send(change.to_owned()).unwrap());
    let mut tasks = JoinSet::new();
    let (receiver, announcer) = (Arc::clone(two), Arc::clone(one));
    tasks.spawn(async move { receiver.run_subscription(&sender).await });
    tasks.spawn(async move { match announcer.run_announcements().await {} });
    assert_eq!(events.recv().await, Some(SessionEvent::Subscribed));
    for id in 1..=20 {
        one.announce_change(format!("change {id}"));
        assert_eq!(changes.recv().await, Some(format!("change {id}")));
    }
    assert_eq!(one.unsent_changes(), 0);
    for id in 1..=20 {
        let nonce = [id; 12];
        let number = one.change_session(&nonce, &[SessionChange::Level("info")], MINUTE).await;
        assert!(number.is_some(), "session {id}");
        assert_eq!(events.recv().await, Some(SessionEvent::Changed(nonce)));
        assert_eq!(two.load_session(&nonce).await.unwrap().level.as_deref(), Some("info"), "session {id}");
        let ended = SessionIdentity { nonce, expires_at: Timestamp::from_millis(1_792_000_000_000) };
        one.end_session(&ended, MINUTE).await;
        assert_eq!(events.recv().await, Some(SessionEvent::Ended(ended)));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tls_is_used_and_only_servers_of_a_trusted_authority_are_accepted() {
    let Some(redis) = Redis::start_with_tls() else { return };
    let certificate = std::fs::read(redis.ca_file()).unwrap();
    let nodes = [
        node_at(&redis.url(), Some(certificate.clone()), 1).await,
        node_at(&redis.url(), Some(certificate.clone()), 2).await,
    ];
    assert_shared(&nodes).await;
    assert!(
        !node_at(&redis.url(), None, 3).await.connection.is_connected(),
        "the system does not trust the certificate"
    );
    let other_name = redis.url().replace("127.0.0.1", "localhost");
    assert!(
        !node_at(&other_name, Some(certificate), 4).await.connection.is_connected(),
        "the certificate has another name"
    );
    let plain = redis.url().replace("rediss:", "redis:");
    assert!(!node_at(&plain, None, 5).await.connection.is_connected(), "the server requires TLS");
}

/// The rights that docs/configuration.md gives the user of Redis.
fn documented_rights() -> Vec<&'static str> {
    let documentation = include_str!("../../../../../docs/configuration.md");
    let command = documentation.lines().find_map(|line| line.strip_prefix("ACL SETUSER toolgate on >password "));
    command.expect("the command that creates the user").split(' ').collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redis_user_with_only_the_documented_rights_is_enough() {
    let Some(redis) = Redis::start() else { return };
    let rights = documented_rights();
    redis.cli(&[&["ACL", "SETUSER", "toolgate", "on", ">pass word/@"][..], &rights].concat());
    let url = redis.url_for("toolgate", "pass%20word%2F%40");
    assert_shared(&[node_at(&url, None, 1).await, node_at(&url, None, 2).await]).await;
    for (user, password) in [("toolgate", PASSWORD), ("other", PASSWORD)] {
        let node = node_at(&redis.url_for(user, password), None, 3).await;
        assert!(!node.connection.is_connected(), "{user}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_nodes_of_a_redis_cluster_share_the_keys() {
    let Some(redis) = RedisCluster::start() else { return };
    let nodes = [node_at(&redis.url(), None, 1).await, node_at(&redis.nodes()[0].url(), None, 2).await];
    assert_shared(&nodes).await;
    assert!(redis.nodes().iter().all(|node| !node.keys().is_empty()), "{:?}", redis.keys());
    nodes[0].send_heartbeat().await;
    assert_eq!([nodes[0].node_count(), nodes[1].node_count()], [2, 2]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_host_of_a_redis_cluster_that_does_not_respond_prevents_neither_connection_nor_events() {
    let Some(redis) = RedisCluster::start() else { return };
    // The system accepts connections to this listener, but nothing responds.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = redis.url().replace('@', &format!("@{},", silent.local_addr().unwrap()));
    assert_shared(&[node_at(&url, None, 1).await, node_at(&url, None, 2).await]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn valkey_works_like_redis() {
    let Some(valkey) = Redis::start_valkey() else { return };
    assert!(valkey.cli(&["INFO", "server"]).contains("valkey_version"));
    assert_shared(&[node_at(&valkey.url(), None, 1).await, node_at(&valkey.url(), None, 2).await]).await;
    let valkey_scheme = valkey.url().replace("redis:", "valkey:");
    assert!(node_at(&valkey_scheme, None, 3).await.connection.is_connected());
}
