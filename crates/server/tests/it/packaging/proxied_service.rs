//! A service behind a real nginx that uses `packaging/nginx.conf`: TLS, and the path prefix `/gate`.

use std::fs;
use std::net::TcpStream;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use toolgate_testkit::{RunningService, free_port};

use super::repository_file;
use crate::external_tools;
use crate::toolgate;

const START_TIMEOUT: Duration = Duration::from_secs(10);
/// Far above the usual time, which is some milliseconds.
const REQUEST_SECONDS_MAX: &str = "20";

/// A service and the nginx in front of it.
pub(crate) struct ProxiedService {
    app: RunningService,
    nginx: Child,
    host: String,
    port: u16,
    http_port: u16,
    folder: TempDir,
}

impl ProxiedService {
    /// Starts the service and nginx, with a public address at `host`. `None` if a program is missing: the test must
    /// return.
    pub(crate) fn start(host: &str) -> Option<Self> {
        if !external_tools::are_installed(&["nginx", "openssl", "curl"]) {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        create_certificate(host, folder.path());
        let (port, http_port) = (free_port(), free_port());
        let app = toolgate()
            .env("TOOLGATE_BASE_URL", format!("https://{host}:{port}/gate"))
            .env("TOOLGATE_TRUSTED_PROXIES", "127.0.0.1")
            .env("TOOLGATE_UPSTREAM_ALLOW", "loopback")
            .start();
        let site = site_configuration(&local_address(&app), port, http_port, folder.path());
        let nginx = start_nginx(&site, folder.path());
        let mut service = Self { app, nginx, host: host.to_owned(), port, http_port, folder };
        service.wait_until_listening();
        Some(service)
    }

    pub(crate) fn app(&self) -> &RunningService {
        &self.app
    }

    /// The public URL of a path of the service.
    pub(crate) fn public_url(&self, path: &str) -> String {
        format!("https://{}:{}/gate{path}", self.host, self.port)
    }

    /// The URL of a path at the plain HTTP port of nginx, which redirects to https.
    pub(super) fn http_url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.http_port)
    }

    /// A curl that trusts the certificate and finds the host on this machine.
    pub(super) fn curl(&self) -> tokio::process::Command {
        let mut command = tokio::process::Command::new("curl");
        command
            .args(["--disable", "--silent", "--show-error", "--no-buffer", "--noproxy", "*"])
            .args(["--max-time", REQUEST_SECONDS_MAX, "--resolve"])
            .arg(format!("{}:{}:127.0.0.1", self.host, self.port))
            .arg("--cacert")
            .arg(self.folder.path().join("cert.pem"))
            .stdin(Stdio::null())
            .kill_on_drop(true);
        command
    }

    fn wait_until_listening(&mut self) {
        let began = Instant::now();
        while [self.port, self.http_port].iter().any(|port| TcpStream::connect(("127.0.0.1", *port)).is_err()) {
            let has_ended = self.nginx.try_wait().unwrap().is_some();
            let log = fs::read_to_string(self.folder.path().join("nginx.log")).unwrap_or_default();
            assert!(!has_ended && began.elapsed() < START_TIMEOUT, "nginx does not listen: {log}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for ProxiedService {
    fn drop(&mut self) {
        // SIGTERM lets nginx stop its workers; after SIGKILL they would keep running.
        let pid = self.nginx.id().to_string();
        let _ = Command::new("sh").args(["-c", "kill -s TERM \"$0\"", &pid]).status();
        let _ = self.nginx.wait();
    }
}

/// The address that the service listens on; its banner has the public one.
fn local_address(app: &RunningService) -> String {
    app.wait_for_log("listening", START_TIMEOUT);
    let log = app.logs();
    let port: String = log.split_once("127.0.0.1:").unwrap().1.chars().take_while(char::is_ascii_digit).collect();
    format!("127.0.0.1:{port}")
}

fn create_certificate(host: &str, folder: &Path) {
    let output = Command::new("openssl")
        .args(["req", "-x509", "-nodes", "-days", "2", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"])
        .args(["-subj", &format!("/CN={host}"), "-addext", &format!("subjectAltName=DNS:{host}")])
        .args(["-keyout", "key.pem", "-out", "cert.pem"])
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
}

/// `packaging/nginx.conf` with the addresses and the certificate of this test.
fn site_configuration(service: &str, port: u16, http_port: u16, folder: &Path) -> String {
    let mut text = fs::read_to_string(repository_file("packaging/nginx.conf")).unwrap();
    let certificate = "/etc/letsencrypt/live/tools.example.com";
    for (example, actual) in [
        ("server 127.0.0.1:8080;".to_owned(), format!("server {service};")),
        ("listen 80;".to_owned(), format!("listen 127.0.0.1:{http_port};")),
        ("listen 443 ssl http2;".to_owned(), format!("listen 127.0.0.1:{port} ssl http2;")),
        ("listen [::]:80;".to_owned(), String::new()),
        ("listen [::]:443 ssl http2;".to_owned(), String::new()),
        (format!("{certificate}/fullchain.pem"), folder.join("cert.pem").display().to_string()),
        (format!("{certificate}/privkey.pem"), folder.join("key.pem").display().to_string()),
    ] {
        assert!(text.contains(&example), "the example has no {example:?}: {text}");
        text = text.replace(&example, &actual);
    }
    text
}

fn start_nginx(site: &str, folder: &Path) -> Child {
    // If it is started as root, nginx runs its workers as another user, who cannot read the temporary folder.
    let user = if fs::metadata(folder).unwrap().uid() == 0 { "user root;" } else { "" };
    let configuration = format!(
        "{user} daemon off; worker_processes 1; pid nginx.pid; error_log stderr error;
        events {{ worker_connections 1000; }}
        http {{
            access_log off;
            client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3; uwsgi_temp_path t4; scgi_temp_path t5;
            {site}
        }}"
    );
    fs::write(folder.join("nginx.conf"), configuration).unwrap();
    let log = fs::File::create(folder.join("nginx.log")).unwrap();
    let mut command = Command::new("nginx");
    command.arg("-p").arg(folder).args(["-c", "nginx.conf"]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn().unwrap()
}
