//! Notifications of changes through a channel of Redis.

use tokio::sync::mpsc;

use super::*;
use crate::cluster::SessionEvent;

/// A node that receives the notifications and session events of others, with its tasks.
struct ReceivingNode {
    changes: mpsc::UnboundedReceiver<String>,
    events: mpsc::Receiver<SessionEvent>,
    _tasks: JoinSet<()>,
}

impl ReceivingNode {
    async fn start(node: Arc<ClusterState>) -> Self {
        let (change_sender, changes) = mpsc::unbounded_channel();
        node.set_change_receiver(move |change| change_sender.send(change.to_owned()).unwrap());
        let (sender, mut events) = mpsc::channel(16);
        let mut tasks = JoinSet::new();
        tasks.spawn(async move { node.run_subscription(&sender).await });
        assert_eq!(events.recv().await, Some(SessionEvent::Subscribed));
        Self { changes, events, _tasks: tasks }
    }
}

fn announce(node: &Arc<ClusterState>) -> JoinSet<()> {
    let (mut tasks, node) = (JoinSet::new(), Arc::clone(node));
    tasks.spawn(async move { match node.run_announcements().await {} });
    tasks
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn notifications_arrive_in_order_and_forged_ones_do_not() {
    let Some(redis) = Redis::start() else { return };
    let (one, two) = (node(&redis, 1).await, node(&redis, 2).await);
    let other_installation = Arc::new(cluster_state(&redis.url(), GENEROUS_TIMEOUT, [2; 32], 3));
    other_installation.connect_at_start().await;
    let mut receiving = ReceivingNode::start(Arc::clone(&two)).await;
    let channel = two.change_channel();
    let as_session_event = two.keys.encrypt(&two.session_channel(), b"forged").unwrap();
    two.publish(&channel, &as_session_event).await;
    two.publish(&channel, b"forged").await;
    two.publish(&channel, &two.keys.encrypt(&channel, &vec![b'x'; 40_000]).unwrap()).await;
    other_installation.announce_change("of another installation".to_owned());
    let _tasks = [announce(&one), announce(&other_installation)];
    for number in 0..1_000 {
        one.announce_change(number.to_string());
    }
    for number in 0..1_000 {
        assert_eq!(receiving.changes.recv().await, Some(number.to_string()));
    }
    assert!(receiving.changes.try_recv().is_err() && receiving.events.try_recv().is_err());
    let messages = one.redis_stats().succeeded;
    assert!(messages < 100, "notifications are sent together, not in {messages} messages");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_redis_notifications_are_dropped_and_counted() {
    let Some(mut redis) = Redis::start() else { return };
    let (one, two) = (node(&redis, 1).await, node(&redis, 2).await);
    let mut receiving = ReceivingNode::start(two).await;
    for number in 0..5_000 {
        one.announce_change(number.to_string());
    }
    assert_eq!(one.unsent_changes(), 5_000 - 4_096, "the queue is bounded");
    redis.stop();
    let _tasks = announce(&one);
    while one.unsent_changes() < 5_000 {
        tokio::task::yield_now().await;
    }
    redis.restart();
    while receiving.events.recv().await != Some(SessionEvent::Subscribed) {}
    wait_until_connected(&[Arc::clone(&one)]).await;
    one.announce_change("after".to_owned());
    assert_eq!(receiving.changes.recv().await.as_deref(), Some("after"));
}
