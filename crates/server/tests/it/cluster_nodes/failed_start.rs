//! A node whose start fails after it has joined the cluster.

use std::fs;

use toolgate_testkit::{Postgres, Redis};

use crate::toolgate;

/// The names in Redis under which nodes are counted.
fn counted_nodes(redis: &Redis) -> Vec<String> {
    let names = redis.keys().into_iter().filter(|name| name.ends_with(":nodes"));
    names
        .flat_map(|name| redis.cli(&["ZRANGE", &name, "0", "-1"]).lines().map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_whose_start_fails_leaves_the_cluster() {
    let (Some(redis), Some(database)) = (Redis::start(), Postgres::fresh_database()) else { return };
    let folder = tempfile::tempdir().unwrap();
    let node = toolgate().database(database).env("TOOLGATE_REDIS_URL", redis.url()).data_dir(folder.path());
    let mut running = node.clone().start();
    assert_eq!(counted_nodes(&redis).len(), 1);
    assert!(running.terminate().success());
    fs::remove_dir_all(folder.path().join("journal")).unwrap();
    fs::write(folder.path().join("journal"), "not a folder").unwrap();
    let error = node.try_start().unwrap_err();
    assert!(format!("{error:?}").contains("cannot write the call journal"), "{error:?}");
    assert_eq!(counted_nodes(&redis), [""; 0]);
}
