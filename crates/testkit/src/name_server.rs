//! A name server in the hands of a test, and a service that asks it: names lead where the test says, also to somewhere
//! else each time they are asked for.
//!
//! The system's resolver asks port 53 of whatever `/etc/resolv.conf` names. So the server listens there, on a loopback
//! address of its own, and the service runs where it sees another such file. Both need root and mount namespaces.

mod message;

pub use message::Record;

use std::io::Write as _;
use std::net::{IpAddr, Ipv4Addr, UdpSocket};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use tempfile::TempDir;

use crate::App;
use crate::app::AppBuilder;
use message::Question;

/// Puts our own files in the place of the system's, for this process and what it becomes.
const SCRIPT: &str = "mount --bind \"$0/resolv.conf\" /etc/resolv.conf && \
    mount --bind \"$0/nsswitch.conf\" /etc/nsswitch.conf && exec \"$@\"";

/// Answers until it is dropped.
#[derive(Debug)]
pub struct NameServer {
    files: TempDir,
    asked: Arc<Mutex<Vec<String>>>,
    stops: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl NameServer {
    /// A server that answers with what is found for a name and how often its addresses were asked for before; of
    /// names without records it says that they do not exist. `None` where a process may not have this, which under
    /// `CI=true` is no excuse.
    pub fn start(find: impl Fn(&str, usize) -> Vec<Record> + Send + 'static) -> Option<Self> {
        let server = Self::try_start(find);
        if server.is_none() {
            let reason = "a name server needs root, port 53 and mount namespaces";
            assert!(
                std::env::var("CI").as_deref() != Ok("true"),
                "{reason}, and under CI=true no test may be left out"
            );
            // Not eprintln!: the test harness would hide it in a test that passes.
            let _ = writeln!(std::io::stderr(), "Tests with a name server are left out: {reason}");
        }
        server
    }

    fn try_start(find: impl Fn(&str, usize) -> Vec<Record> + Send + 'static) -> Option<Self> {
        // An address for each process, so that tests do not meet at the one port.
        let [_, _, high, low] = std::process::id().to_be_bytes();
        let address = Ipv4Addr::new(127, 53, high, low);
        let socket = UdpSocket::bind((address, 53)).ok()?;
        socket.set_read_timeout(Some(Duration::from_millis(50))).ok()?;
        let files = files(address.into());
        is_allowed(files.path()).then(|| {
            let (asked, stops) = (Arc::new(Mutex::default()), Arc::new(AtomicBool::new(false)));
            let (notes, is_over) = (Arc::clone(&asked), Arc::clone(&stops));
            let thread = std::thread::spawn(move || answer_all(&socket, &find, &notes, &is_over));
            Self { files, asked, stops, thread: Some(thread) }
        })
    }

    /// A service that asks this server, not started yet.
    pub fn service(&self, binary: impl AsRef<Path>) -> AppBuilder {
        let shell = ["-m", "sh", "-c", SCRIPT].into_iter().fold(App::builder("unshare"), AppBuilder::arg);
        shell.arg(self.files.path()).arg(binary.as_ref())
    }

    /// How often the IPv4 addresses of this name were asked for.
    pub fn asked(&self, name: &str) -> usize {
        count(&self.asked, name)
    }
}

impl Drop for NameServer {
    fn drop(&mut self) {
        self.stops.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // It panics only while a test fails anyway.
            let _ = thread.join();
        }
    }
}

/// The files that lead a resolver to this server, and to nobody else.
fn files(address: IpAddr) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let settings = format!("nameserver {address}\noptions timeout:2 attempts:2\n");
    for (name, text) in [("resolv.conf", settings.as_str()), ("nsswitch.conf", "hosts: files dns\n")] {
        std::fs::write(folder.path().join(name), text).expect("a file can be written");
    }
    folder
}

/// Whether a process may have files of its own in the place of the system's.
fn is_allowed(files: &Path) -> bool {
    let mut probe = Command::new("unshare");
    probe.args(["-m", "sh", "-c", SCRIPT]).arg(files).arg("true").stderr(Stdio::null());
    probe.status().is_ok_and(|status| status.success())
}

fn answer_all(
    socket: &UdpSocket,
    find: &impl Fn(&str, usize) -> Vec<Record>,
    asked: &Mutex<Vec<String>>,
    is_over: &AtomicBool,
) {
    let mut buffer = [0; 512];
    while !is_over.load(Ordering::Relaxed) {
        // Silence is the time to see whether this is over.
        let Ok((length, from)) = socket.recv_from(&mut buffer) else { continue };
        let Some(question) = buffer.get(..length).and_then(Question::read) else { continue };
        let records = find(&question.name, count(asked, &question.name));
        let reply = question.answer(&records);
        if question.wants_ipv4() {
            asked.lock().unwrap_or_else(PoisonError::into_inner).push(question.name);
        }
        let _ = socket.send_to(&reply, from);
    }
}

fn count(asked: &Mutex<Vec<String>>, name: &str) -> usize {
    asked.lock().unwrap_or_else(PoisonError::into_inner).iter().filter(|other| *other == name).count()
}
