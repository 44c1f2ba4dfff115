//! A TCP proxy to a database or to Redis. It can delay traffic, hold it (connections stay open, but nothing is
//! forwarded), cut it (existing and new connections are closed), or lose the connections that receive notifications
//! (they stay open, but nothing is forwarded any more).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// What the proxy does with connections and data.
#[derive(Clone, Copy, PartialEq)]
enum ProxyMode {
    Forwarding,
    Held,
    Cut,
}

/// The statement with which a connection begins to receive notifications.
const LISTEN: &[u8] = b"LISTEN ";

#[derive(Clone, Copy)]
struct ProxyState {
    mode: ProxyMode,
    /// How long data is delayed, in each direction.
    delay: Duration,
    /// Connections up to this number that receive notifications are lost.
    lost_listeners: u64,
}

/// A proxy on the loopback address. Dropping it closes all connections.
pub(crate) struct Proxy {
    url: String,
    state: Arc<watch::Sender<ProxyState>>,
    accepted: Arc<AtomicU64>,
    _tasks: JoinSet<()>,
}

impl Proxy {
    /// Starts a proxy to the server at this URL.
    pub(crate) async fn start(url: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (credentials, rest) = url.split_once('@').unwrap();
        let (target, name) = rest.split_once('/').unwrap();
        let url = format!("{credentials}@{}/{name}", listener.local_addr().unwrap());
        let state = ProxyState { mode: ProxyMode::Forwarding, delay: Duration::ZERO, lost_listeners: 0 };
        let state = Arc::new(watch::Sender::new(state));
        let accepted = Arc::new(AtomicU64::new(0));
        let mut tasks = JoinSet::new();
        tasks.spawn(accept(listener, target.to_owned(), Arc::clone(&state), Arc::clone(&accepted)));
        Self { url, state, accepted, _tasks: tasks }
    }

    /// The URL of the server through the proxy.
    pub(crate) fn url(&self) -> String {
        self.url.clone()
    }

    /// Delays data in each direction.
    pub(crate) fn delay(&self, delay: Duration) {
        self.state.send_modify(|state| state.delay = delay);
    }

    /// Stops forwarding; connections stay open.
    pub(crate) fn hold(&self) {
        self.set_mode(ProxyMode::Held);
    }

    /// Forwards again, and accepts connections after a cut.
    pub(crate) fn resume(&self) {
        self.set_mode(ProxyMode::Forwarding);
    }

    /// Closes all connections, and new ones as soon as they are accepted.
    pub(super) fn cut(&self) {
        self.set_mode(ProxyMode::Cut);
    }

    /// Forwards nothing more on the open connections that receive notifications. They stay open, as if the network had
    /// dropped them silently; other and new connections work.
    pub(crate) fn lose_listeners(&self) {
        let accepted = self.accepted.load(Ordering::SeqCst);
        self.state.send_modify(|state| state.lost_listeners = accepted);
    }

    /// Like [`Proxy::lose_listeners`], and loses new connections as soon as they ask for notifications.
    pub(crate) fn lose_all_listeners(&self) {
        self.state.send_modify(|state| state.lost_listeners = u64::MAX);
    }

    fn set_mode(&self, mode: ProxyMode) {
        self.state.send_modify(|state| state.mode = mode);
    }
}

async fn accept(
    listener: TcpListener,
    target: String,
    state: Arc<watch::Sender<ProxyState>>,
    accepted: Arc<AtomicU64>,
) {
    let mut connections = JoinSet::new();
    loop {
        let (client, _) = listener.accept().await.unwrap();
        let number = accepted.fetch_add(1, Ordering::SeqCst) + 1;
        let connection = ProxiedConnection { number, is_listener: AtomicBool::new(false) };
        connections.spawn(connection.serve(client, target.clone(), state.subscribe()));
    }
}

struct ProxiedConnection {
    /// Counted from 1.
    number: u64,
    /// Whether it receives notifications.
    is_listener: AtomicBool,
}

impl ProxiedConnection {
    async fn serve(self, client: TcpStream, target: String, mut state: watch::Receiver<ProxyState>) {
        let (client_state, server_state) = (state.clone(), state.clone());
        let forwarding = async {
            let Ok(server) = TcpStream::connect(target).await else { return };
            let ((from_client, to_client), (from_server, to_server)) = (client.into_split(), server.into_split());
            tokio::join!(
                self.forward(from_client, to_server, client_state),
                self.forward(from_server, to_client, server_state)
            );
        };
        tokio::select! {
            biased;
            _ = state.wait_for(|state| state.mode == ProxyMode::Cut) => {}
            () = forwarding => {}
        }
    }

    async fn forward(
        &self,
        mut from: impl AsyncReadExt + Unpin,
        mut to: impl AsyncWriteExt + Unpin,
        mut state: watch::Receiver<ProxyState>,
    ) {
        let mut buffer = [0; 16 * 1024];
        loop {
            let count = from.read(&mut buffer).await.unwrap_or(0);
            if buffer[..count].windows(LISTEN.len()).any(|text| text == LISTEN) {
                self.is_listener.store(true, Ordering::SeqCst);
            }
            let Ok(current) = state.wait_for(|state| state.mode == ProxyMode::Forwarding).await.map(|state| *state)
            else {
                return;
            };
            if self.is_listener.load(Ordering::SeqCst) && self.number <= current.lost_listeners {
                // Neither end learns that the other one has closed its connection.
                std::future::pending::<()>().await;
            }
            if count == 0 {
                return;
            }
            if !current.delay.is_zero() {
                // Data that arrives during the delay is forwarded afterwards in one piece.
                tokio::time::sleep(current.delay).await;
            }
            if to.write_all(&buffer[..count]).await.is_err() {
                return;
            }
        }
    }
}
