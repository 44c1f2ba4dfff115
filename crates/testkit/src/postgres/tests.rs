//! Tests of databases and clusters; skipped, like all `PostgreSQL` tests, if it is not installed.

use super::binaries::Binaries;
use super::{Postgres, PostgresOptions};

#[test]
fn a_fresh_database_is_empty_and_is_dropped_with_its_value() {
    let (Some(first), Some(second)) = (Postgres::fresh_database(), Postgres::fresh_database()) else {
        return;
    };
    assert_ne!(first.name(), second.name());
    first.psql("create table t (a int); insert into t values (1), (2)");
    assert_eq!(first.psql("select a, a + 1 from t order by a"), "1|2\n2|3\n");
    let tables = "select count(*) from pg_tables where schemaname = 'public'";
    assert_eq!(second.psql(tables), "0\n");

    let name = first.name().to_owned();
    drop(first);
    let databases = format!("select count(*) from pg_database where datname = '{name}'");
    assert_eq!(second.psql(&databases), "0\n");
}

#[test]
fn a_private_cluster_has_the_same_rows_and_address_after_kill_minus_nine_and_stop() {
    let options = PostgresOptions { is_durable: true, ..PostgresOptions::default() };
    let Some(mut cluster) = Postgres::private_cluster(options) else {
        return;
    };
    let url = cluster.url();
    let database = cluster.fresh_database();
    assert_eq!(database.psql("show fsync"), "on\n");
    database.psql("create table t (a int); insert into t values (1)");
    cluster.kill();
    assert!(!cluster.is_running());
    cluster.start();
    assert!(cluster.logs().contains("automatic recovery"));
    database.psql("insert into t values (2)");
    cluster.stop();
    cluster.start();
    assert_eq!(cluster.url(), url);
    assert_eq!(database.psql("select a from t order by a"), "1\n2\n");
}

#[test]
fn a_private_cluster_listens_on_its_socket_too() {
    let options = PostgresOptions { settings: vec!["work_mem=2MB".to_owned()], ..PostgresOptions::default() };
    let Some(cluster) = Postgres::private_cluster(options) else {
        return;
    };
    let binaries = Binaries::find().unwrap();
    let shown = binaries.psql(&cluster.socket_url(), "show work_mem");
    assert_eq!(shown, "2MB\n");
}
