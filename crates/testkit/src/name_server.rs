//! A DNS server controlled by a test, and a service that uses it: the test returns the records of each name, which may
//! differ for each query.
//!
//! The system resolver uses port 53 of the address in `/etc/resolv.conf`. So the server listens on that port of a
//! separate loopback address, and the service runs in a mount namespace with another `resolv.conf`. Both need root.

mod message;

pub use message::DnsRecord;

use std::io::Write as _;
use std::net::{IpAddr, Ipv4Addr, UdpSocket};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use tempfile::TempDir;

use crate::running_service::RunningService;
use crate::running_service::ServiceBuilder;
use message::DnsQuestion;

/// Mounts the resolver files in `$0` over those of the system, then executes the program in `$@`.
const MOUNT_SCRIPT: &str = "mount --bind \"$0/resolv.conf\" /etc/resolv.conf && \
    mount --bind \"$0/nsswitch.conf\" /etc/nsswitch.conf && exec \"$@\"";

/// A DNS server that runs until it is dropped.
#[derive(Debug)]
pub struct NameServer {
    /// The resolver files.
    files: TempDir,
    queries: Arc<Mutex<Vec<String>>>,
    is_stopped: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl NameServer {
    /// Starts a server that returns `records_for(name, n)`, where `n` is the number of earlier IPv4 queries for the
    /// name; a name without records does not exist. `None` if the process lacks the privileges, which is an error under
    /// `CI=true`.
    pub fn start(records_for: impl Fn(&str, usize) -> Vec<DnsRecord> + Send + 'static) -> Option<Self> {
        let server = Self::try_start(records_for);
        if server.is_none() {
            let reason = "a DNS server needs root, port 53 and mount namespaces";
            assert!(std::env::var("CI").as_deref() != Ok("true"), "{reason}, and no test may be skipped under CI=true");
            // Not eprintln!: the test harness would hide it in a test that passes.
            let _ = writeln!(std::io::stderr(), "Tests with a DNS server are skipped: {reason}");
        }
        server
    }

    fn try_start(records_for: impl Fn(&str, usize) -> Vec<DnsRecord> + Send + 'static) -> Option<Self> {
        // Each process uses its own address, so that parallel tests do not compete for port 53.
        let [_, _, high, low] = std::process::id().to_be_bytes();
        let address = Ipv4Addr::new(127, 53, high, low);
        let socket = UdpSocket::bind((address, 53)).ok()?;
        socket.set_read_timeout(Some(Duration::from_millis(50))).ok()?;
        let files = write_resolver_files(address.into());
        can_mount(files.path()).then(|| {
            let (queries, is_stopped) = (Arc::new(Mutex::default()), Arc::new(AtomicBool::new(false)));
            let (thread_queries, thread_is_stopped) = (Arc::clone(&queries), Arc::clone(&is_stopped));
            let thread = std::thread::spawn(move || serve(&socket, &records_for, &thread_queries, &thread_is_stopped));
            Self { files, queries, is_stopped, thread: Some(thread) }
        })
    }

    /// A service that uses this server, not started yet.
    pub fn service(&self, binary: impl AsRef<Path>) -> ServiceBuilder {
        let shell =
            ["-m", "sh", "-c", MOUNT_SCRIPT].into_iter().fold(RunningService::builder("unshare"), ServiceBuilder::arg);
        shell.arg(self.files.path()).arg(binary.as_ref())
    }

    /// The number of queries for the IPv4 addresses of this name.
    pub fn query_count(&self, name: &str) -> usize {
        count_queries(&self.queries, name)
    }
}

impl Drop for NameServer {
    fn drop(&mut self) {
        self.is_stopped.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // The thread panics only if `records_for` does. The service then gets no DNS reply, and the test fails for
            // that reason.
            let _ = thread.join();
        }
    }
}

/// Writes the files that make the resolver use this server only.
fn write_resolver_files(address: IpAddr) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let settings = format!("nameserver {address}\noptions timeout:2 attempts:2\n");
    for (name, text) in [("resolv.conf", settings.as_str()), ("nsswitch.conf", "hosts: files dns\n")] {
        std::fs::write(folder.path().join(name), text).expect("a file can be written");
    }
    folder
}

/// Whether a process may mount files over those of the system.
fn can_mount(files: &Path) -> bool {
    let mut probe = Command::new("unshare");
    probe.args(["-m", "sh", "-c", MOUNT_SCRIPT]).arg(files).arg("true").stderr(Stdio::null());
    probe.status().is_ok_and(|status| status.success())
}

fn serve(
    socket: &UdpSocket,
    records_for: &impl Fn(&str, usize) -> Vec<DnsRecord>,
    queries: &Mutex<Vec<String>>,
    is_stopped: &AtomicBool,
) {
    // 512 bytes is the longest DNS message over UDP (RFC 1035).
    let mut buffer = [0; 512];
    while !is_stopped.load(Ordering::Relaxed) {
        // The read timeout makes the loop check `is_stopped` regularly.
        let Ok((length, client_address)) = socket.recv_from(&mut buffer) else { continue };
        let Some(question) = buffer.get(..length).and_then(DnsQuestion::parse) else { continue };
        let records = records_for(&question.name, count_queries(queries, &question.name));
        let reply = question.encode_reply(&records);
        if question.is_for_ipv4() {
            queries.lock().unwrap_or_else(PoisonError::into_inner).push(question.name);
        }
        let _ = socket.send_to(&reply, client_address);
    }
}

fn count_queries(queries: &Mutex<Vec<String>>, name: &str) -> usize {
    queries.lock().unwrap_or_else(PoisonError::into_inner).iter().filter(|other| *other == name).count()
}
