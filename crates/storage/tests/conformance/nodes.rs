//! The list of nodes, with the clock of the database.

use std::time::Duration;

use toolgate_domain::node::{NodeIdentity, NodeStatus};
use toolgate_storage::{NodeHeartbeat, NodeStore};

fn heartbeat(id: &str, name: &str, status: NodeStatus) -> NodeHeartbeat {
    let identity = NodeIdentity {
        id: id.to_owned(),
        name: name.to_owned(),
        version: "1.2.3".to_owned(),
        address: (id == "a1").then(|| "10.0.0.1:8080".to_owned()),
    };
    NodeHeartbeat { identity, uptime: Duration::from_secs(5), status }
}

/// The ids and states of all nodes.
async fn states(storage: &dyn NodeStore) -> Vec<(String, NodeStatus)> {
    storage.nodes().await.unwrap().into_iter().map(|node| (node.identity.id, node.status)).collect()
}

on_both_databases! { for crate::fixture::StorageFixture;
    async fn nodes_are_listed_until_they_leave(fixture) {
        let storage = &fixture.storage;
        for (id, name) in [("b1", "b"), ("a1", "a")] {
            storage.record_heartbeat(&heartbeat(id, name, NodeStatus::Ready)).await.unwrap();
        }
        let nodes = storage.nodes().await.unwrap();
        assert_eq!(nodes.iter().map(|node| node.identity.id.as_str()).collect::<Vec<_>>(), ["a1", "b1"], "by name");
        assert_eq!(nodes[0].identity, heartbeat("a1", "a", NodeStatus::Ready).identity);
        // The database reads its clock for each column, so the difference may exceed the uptime of five seconds.
        let uptime_ms = nodes[0].last_seen_at.as_millis() - nodes[0].started_at.as_millis();
        assert!((5_000..60_000).contains(&uptime_ms), "{uptime_ms}");
        let started_at = nodes[0].started_at;
        fixture.raw.execute("UPDATE nodes SET status = 'of a newer release' WHERE id = 'b1'").await;
        assert_eq!(states(&**storage).await[1], ("b1".to_owned(), NodeStatus::Unknown));
        storage.record_heartbeat(&heartbeat("b1", "b", NodeStatus::Ready)).await.unwrap();
        storage.record_heartbeat(&heartbeat("a1", "a", NodeStatus::Stopping)).await.unwrap();
        let nodes = storage.nodes().await.unwrap();
        assert_eq!((nodes[0].status, nodes[0].started_at), (NodeStatus::Stopping, started_at));
        storage.remove_node("a1").await.unwrap();
        assert_eq!(states(&**storage).await, [("b1".to_owned(), NodeStatus::Ready)]);
    }

    async fn silent_nodes_are_lost_and_removed_after_a_day_or_a_restart(fixture) {
        let storage = &fixture.storage;
        for (id, name) in [("a1", "a"), ("b1", "b"), ("c1", "c")] {
            storage.record_heartbeat(&heartbeat(id, name, NodeStatus::Ready)).await.unwrap();
        }
        // Not seen for an hour, and for more than a day.
        fixture.raw.execute("UPDATE nodes SET last_seen_at = last_seen_at - 3600000 WHERE id IN ('a1', 'b1')").await;
        fixture.raw.execute("UPDATE nodes SET last_seen_at = last_seen_at - 86500000 WHERE id = 'c1'").await;
        let lost = |id: &str| (id.to_owned(), NodeStatus::Lost);
        assert_eq!(states(&**storage).await, [lost("a1"), lost("b1"), lost("c1")]);
        storage.record_heartbeat(&heartbeat("a2", "a", NodeStatus::Degraded)).await.unwrap();
        assert_eq!(states(&**storage).await, [("a2".to_owned(), NodeStatus::Degraded), lost("b1")]);
        // A second node with the same name that is alive stays.
        storage.record_heartbeat(&heartbeat("a3", "a", NodeStatus::Ready)).await.unwrap();
        assert_eq!(states(&**storage).await.len(), 3);
    }
}
