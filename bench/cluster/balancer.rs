//! nginx in front of the nodes, with the configuration of `deploy/compose/nginx.conf`.

use std::fmt::Write as _;
use std::fs;
use std::net::SocketAddr;
use std::path::PathBuf;

use toolgate_testkit::free_address;

use crate::nginx::Nginx;

/// The configuration that the compose file uses, with its rules for failed nodes and for repeated requests.
const CONFIGURATION: &str = include_str!("../../deploy/compose/nginx.conf");
/// The beginning of the first node's line, which is written once for each node of the run.
const FIRST_NODE: &str = "server node-a:8080 ";
/// The file for warnings and errors. Warnings about a killed node are expected.
const LOG_FILE: &str = "nginx.log";

/// An address for the balancer, which nodes need before it starts.
pub(crate) fn choose_address() -> String {
    free_address().to_string()
}

/// A running nginx.
pub(crate) struct Balancer {
    nginx: Nginx,
    log_file: PathBuf,
}

impl Balancer {
    /// Starts nginx on `address`, in front of these nodes.
    pub(crate) fn start(address: String, nodes: &[SocketAddr]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder can be created");
        let log_file = folder.path().join(LOG_FILE);
        let text = configuration(&address, nodes);
        Self { nginx: Nginx::start_in(folder, address, &text), log_file }
    }

    pub(crate) fn origin(&self) -> String {
        self.nginx.origin()
    }

    /// The warnings and errors of nginx, which name the connections that failed.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(&self.log_file).unwrap_or_default()
    }
}

fn configuration(address: &str, nodes: &[SocketAddr]) -> String {
    let node_lines: Vec<&str> = CONFIGURATION.lines().filter(|line| line.trim().starts_with("server node-")).collect();
    let first = node_lines.first().expect("the configuration has a node");
    let mut servers = String::new();
    for node in nodes {
        let _ = writeln!(servers, "{}", first.replace(FIRST_NODE, &format!("server {node} ")));
    }
    let mut text = replace_once(CONFIGURATION, &format!("{}\n", node_lines.join("\n")), &servers);
    for (default, replacement) in [
        ("listen 8080;", format!("listen {address};")),
        ("pid /tmp/nginx.pid;", "pid nginx.pid; daemon off;".to_owned()),
        ("error_log stderr warn;", format!("error_log {LOG_FILE} warn;")),
    ] {
        text = replace_once(&text, default, &replacement);
    }
    let temporary_files = "client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3; uwsgi_temp_path t4; \
                           scgi_temp_path t5;";
    replace_once(&text, "access_log off;", &format!("access_log off; {temporary_files}"))
}

fn replace_once(text: &str, old: &str, new: &str) -> String {
    assert_eq!(text.matches(old).count(), 1, "deploy/compose/nginx.conf must have one {old:?}");
    text.replace(old, new)
}
