//! The compose file, its secrets, and the configuration of its balancer.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use serde_json::Value;

use super::{document, image_port, items, read, repository_file, text};
use crate::external_tools;

const COMPOSE: &str = "deploy/compose/compose.yaml";

/// The services that run Toolgate, by name.
fn nodes(compose: &Value) -> Vec<(&String, &Value)> {
    let services = compose["services"].as_object().unwrap();
    let nodes: Vec<_> = services.iter().filter(|(_, service)| service["image"] == "toolgate").collect();
    assert!(nodes.len() > 1, "{compose:#}");
    nodes
}

#[test]
fn the_nodes_share_secrets_and_each_has_a_name_and_a_data_folder() {
    let compose = document(COMPOSE);
    let mut volumes = BTreeSet::new();
    for (name, node) in nodes(&compose) {
        assert_eq!(node["environment"]["TOOLGATE_NODE"], **name);
        assert_eq!(node["secrets"], serde_json::json!(["toolgate.toml"]), "{name}");
        assert_eq!(node["environment"]["TOOLGATE_CONFIG"], "/run/secrets/toolgate.toml", "{name}");
        assert_eq!(node["read_only"], "true", "{name}");
        let (volume, folder) = text(node, "/volumes/0").split_once(':').unwrap();
        assert!(read("packaging/Dockerfile").contains(&format!("VOLUME {folder}\n")), "{folder}");
        assert!(compose["volumes"].get(volume).is_some(), "{volume} is not declared");
        assert!(volumes.insert(volume), "{volume} is the data folder of two nodes");
    }
}

#[test]
fn the_dependencies_of_services_have_health_checks() {
    let compose = document(COMPOSE);
    let services = compose["services"].as_object().unwrap();
    for service in services.values().filter(|service| service.get("depends_on").is_some()) {
        for (name, condition) in service["depends_on"].as_object().unwrap() {
            assert_eq!(condition["condition"], "service_healthy", "{name}");
            assert!(services[name].get("healthcheck").is_some(), "{name} has no health check");
        }
    }
}

#[test]
fn the_balancer_forwards_to_every_node_and_is_a_trusted_proxy() {
    let compose = document(COMPOSE);
    let configuration = read("deploy/compose/nginx.conf");
    let servers = configuration.lines().filter_map(|line| line.trim().strip_prefix("server ")?.split(' ').next());
    let servers: BTreeSet<String> = servers.filter(|server| *server != "{").map(str::to_owned).collect();
    let port = image_port();
    assert_eq!(servers, nodes(&compose).iter().map(|(name, _)| format!("{name}:{port}")).collect());
    let address = text(&compose, "/services/balancer/networks/toolgate/ipv4_address");
    let subnet = text(&compose, "/networks/toolgate/ipam/config/0/subnet").strip_suffix("0/24").unwrap();
    assert!(address.starts_with(subnet), "{address} is not in {subnet}0/24");
    for (name, node) in nodes(&compose) {
        assert_eq!(node["environment"]["TOOLGATE_TRUSTED_PROXIES"], address, "{name}");
        // A name that does not resolve while its node is stopped would keep nginx from starting.
        let host = format!("{name}:{}", text(node, "/networks/toolgate/ipv4_address"));
        assert!(items(&compose, "/services/balancer/extra_hosts").contains(&Value::from(host)), "{name}");
    }
    let [published] = items(&compose, "/services/balancer/ports") else { panic!("{compose:#}") };
    let listen = published.as_str().unwrap().rsplit(':').next().unwrap();
    assert!(configuration.contains(&format!("listen {listen};")), "{configuration}");
    assert!(published.as_str().unwrap().starts_with("127.0.0.1:"), "it is published on loopback only: {published}");
}

#[test]
fn nginx_accepts_the_configuration_of_the_balancer() {
    if !external_tools::are_installed(&["nginx"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().display();
    // The names of the nodes resolve in the network of the containers only.
    let text = read("deploy/compose/nginx.conf").replace("node-a:", "127.0.0.1:").replace("node-b:", "127.0.0.2:");
    let text = text.replace("pid /tmp/nginx.pid;", &format!("pid {path}/nginx.pid;"));
    let temporary =
        ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(|name| format!("{name}_temp_path {path}/{name};"));
    let file = folder.path().join("nginx.conf");
    fs::write(&file, text.replace("access_log off;", &format!("access_log off; {}", temporary.concat()))).unwrap();
    let output = Command::new("nginx").arg("-t").arg("-c").arg(&file).output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn created_secrets_are_valid_settings_and_are_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let secrets = folder.path().join("secrets");
    let create = || {
        let output = Command::new(repository_file("deploy/compose/create-secrets")).arg(&secrets).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        fs::read_to_string(secrets.join("toolgate.toml")).unwrap()
    };
    let settings = create();
    assert_eq!(create(), settings);
    assert_eq!(fs::metadata(&secrets).unwrap().permissions().mode() & 0o777, 0o700);
    let compose = document(COMPOSE);
    for (name, secret) in compose["secrets"].as_object().unwrap() {
        assert_eq!(secret["file"], format!("./secrets/{name}"));
        // Each container has another user.
        let mode = fs::metadata(secrets.join(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o644, "{name}");
    }
    // The command uses neither the data folder nor a database.
    let input = folder.path().join("command");
    fs::write(&input, "curl https://example.com/").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_toolgate"));
    command.env_clear().args(["import", "curl", "--config"]).arg(secrets.join("toolgate.toml"));
    let output = command.stdin(fs::File::open(input).unwrap()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let table: toml::Table = toml::from_str(&settings).unwrap();
    for (setting, host) in [("database_url", "postgres"), ("redis_url", "valkey")] {
        let url = url::Url::parse(table[setting].as_str().unwrap()).unwrap();
        assert_eq!(url.host_str(), Some(host), "{setting} names a service of the compose file");
        assert!(compose["services"].get(host).is_some(), "{host}");
    }
}
