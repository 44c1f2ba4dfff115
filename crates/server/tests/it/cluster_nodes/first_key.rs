//! Nodes that start at the same time with an empty database create one key for the first administrator.

use std::thread;

use toolgate_testkit::{Postgres, RunningService};

use super::WAIT_TIMEOUT;
use crate::toolgate;

const ENCRYPTION_KEYS: &str = "a2V5cyB0aGF0IGFsbCBub2RlcyBvZiBvbmUgaGF2ZS4=";

fn has_key_file(node: &RunningService) -> bool {
    node.data_dir().join("admin-key").exists()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_three_nodes_creates_the_key_and_the_others_say_where_it_is() {
    let Some(database) = Postgres::fresh_database() else { return };
    let node = toolgate().postgres(database.url()).without_api_key().env("TOOLGATE_ENCRYPTION_KEYS", ENCRYPTION_KEYS);
    let starts: Vec<_> = (0..3)
        .map(|number| {
            let node = node.clone().temporary_data_dir().env("TOOLGATE_NODE", format!("node-{number}"));
            thread::spawn(|| node.start())
        })
        .collect();
    let nodes: Vec<_> = starts.into_iter().map(|start| start.join().unwrap()).collect();
    let (creators, mut others): (Vec<_>, Vec<_>) = nodes.into_iter().partition(has_key_file);
    assert_eq!((creators.len(), others.len()), (1, 2), "one node writes a key file");
    let (key, file) = (creators[0].key(), creators[0].data_dir().join("admin-key").display().to_string());
    // The location is stored, so that a node shows it after a restart, too.
    others[0].terminate();
    others[0].restart();
    for other in &others {
        other.wait_for_log(&file, WAIT_TIMEOUT);
        assert!(other.stdout().contains(&format!("  key       in {file} on node-")), "{}", other.stdout());
        assert!(!has_key_file(other));
    }
    for node in creators.iter().chain(&others) {
        node.client_with_key(Some(&key)).get("/servers").send().await.expect(200);
    }
}
