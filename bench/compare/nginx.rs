//! nginx in four roles: the common upstream, a reverse proxy in front of it, a server for a static file with the list
//! of tools, and an upstream with bodies of several sizes. `bench/cluster` runs it with a configuration of its own.

use std::fs;
use std::net::TcpStream;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use toolgate_testkit::free_address;

use crate::process::Process;

/// Bytes of padding after the echoed request, so that a response has about 1 KB.
const PADDING_BYTES: usize = 950;

/// A running nginx.
pub(crate) struct Nginx {
    process: Process,
    address: String,
    _folder: TempDir,
}

impl Nginx {
    /// The upstream: echoes the request in about 1 KB of JSON.
    pub(crate) fn upstream() -> Self {
        let padding = "x".repeat(PADDING_BYTES);
        Self::start(
            &format!(
                r#"location ~ ^/items/(.+)$ {{
                default_type application/json;
                return 200 '{{"item":"$1","q":"$arg_q","text":"{padding}"}}';
            }}"#
            ),
            "",
            &[],
        )
    }

    /// A reverse proxy in front of `upstream`.
    pub(crate) fn proxy(upstream: &Self) -> Self {
        let pool =
            format!("upstream items {{ server {}; keepalive 128; keepalive_requests 100000000; }}", upstream.address);
        let location = r#"location / {
            proxy_pass http://items;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
        }"#;
        Self::start(location, &pool, &[])
    }

    /// Serves one file, which stays open between requests.
    pub(crate) fn file(contents: &[u8]) -> Self {
        let location = "location / { default_type application/json; root files; }";
        Self::start(location, "open_file_cache max=4;", &[("list.json", contents)])
    }

    /// Responds to `/{name}/items/…` with the body of that name.
    pub(crate) fn bodies(bodies: &[(&str, &[u8])]) -> Self {
        let location = r"location ~ ^/(\w+)/items/ { default_type application/json; root files; try_files /$1 =404; }";
        Self::start(location, "", bodies)
    }

    /// Starts nginx with a `location` block, further directives of its `http` block, and files in the folder `files`.
    fn start(location: &str, http_directives: &str, files: &[(&str, &[u8])]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder can be created");
        let root = folder.path().join("files");
        fs::create_dir(&root).expect("a folder can be created");
        for (name, contents) in files {
            fs::write(root.join(name), contents).expect("a file can be written");
        }
        let address = free_address().to_string();
        Self::start_in(folder, address.clone(), &configuration(&address, location, http_directives))
    }

    /// Starts nginx with a complete configuration, in which it listens on `address`. Paths are relative to `folder`.
    pub(crate) fn start_in(folder: TempDir, address: String, configuration: &str) -> Self {
        let is_root = fs::metadata(folder.path()).expect("the temporary folder exists").uid() == 0;
        // If it is started as root, nginx runs its workers as another user, who cannot read the temporary folder.
        let user = if is_root { "user root;" } else { "" };
        fs::write(folder.path().join("nginx.conf"), format!("{user}\n{configuration}")).expect("a file can be written");
        let process = Process::start(Command::new("nginx").arg("-p").arg(folder.path()).args(["-c", "nginx.conf"]));
        wait_until_listening(&address, folder.path());
        Self { process, address, _folder: folder }
    }

    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    pub(crate) fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn pid(&self) -> u32 {
        self.process.pid()
    }
}

fn configuration(address: &str, location: &str, http_directives: &str) -> String {
    format!(
        r"daemon off;
        worker_processes 2;
        pid nginx.pid;
        error_log stderr error;
        events {{ worker_connections 20000; }}
        http {{
            access_log off;
            client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3; uwsgi_temp_path t4; scgi_temp_path t5;
            keepalive_requests 100000000;
            sendfile on;
            {http_directives}
            server {{ listen {address} backlog=4096; {location} }}
        }}"
    )
}

fn wait_until_listening(address: &str, folder: &Path) {
    let began = Instant::now();
    while TcpStream::connect(address).is_err() {
        assert!(began.elapsed() < Duration::from_secs(10), "nginx does not listen: see {}", folder.display());
        std::thread::sleep(Duration::from_millis(10));
    }
}
