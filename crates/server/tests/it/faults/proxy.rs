//! A TCP proxy to a database. It can hold traffic (connections stay open, but nothing is forwarded) or cut it (existing
//! and new connections are closed).

use std::sync::Arc;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// What the proxy does with connections and data.
#[derive(Clone, Copy, PartialEq)]
enum ProxyState {
    Forwarding,
    Held,
    Cut,
}

/// A proxy on the loopback address. Dropping it closes all connections.
pub(super) struct Proxy {
    url: String,
    state: Arc<watch::Sender<ProxyState>>,
    _tasks: JoinSet<()>,
}

impl Proxy {
    /// Starts a proxy to the database at this URL.
    pub(super) async fn start(url: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (credentials, rest) = url.split_once('@').unwrap();
        let (target, name) = rest.split_once('/').unwrap();
        let url = format!("{credentials}@{}/{name}", listener.local_addr().unwrap());
        let state = Arc::new(watch::Sender::new(ProxyState::Forwarding));
        let mut tasks = JoinSet::new();
        tasks.spawn(accept(listener, target.to_owned(), Arc::clone(&state)));
        Self { url, state, _tasks: tasks }
    }

    /// The URL of the database through the proxy.
    pub(super) fn url(&self) -> String {
        self.url.clone()
    }

    /// Stops forwarding; connections stay open.
    pub(super) fn hold(&self) {
        self.state.send_replace(ProxyState::Held);
    }

    /// Forwards again, and accepts connections after a cut.
    pub(super) fn resume(&self) {
        self.state.send_replace(ProxyState::Forwarding);
    }

    /// Closes all connections, and new ones as soon as they are accepted.
    pub(super) fn cut(&self) {
        self.state.send_replace(ProxyState::Cut);
    }
}

async fn accept(listener: TcpListener, target: String, state: Arc<watch::Sender<ProxyState>>) {
    let mut connections = JoinSet::new();
    loop {
        let (client, _) = listener.accept().await.unwrap();
        connections.spawn(serve_connection(client, target.clone(), state.subscribe()));
    }
}

async fn serve_connection(client: TcpStream, target: String, mut state: watch::Receiver<ProxyState>) {
    let forwarding_state = state.clone();
    let forwarding = async {
        let Ok(server) = TcpStream::connect(target).await else { return };
        let ((from_client, to_client), (from_server, to_server)) = (client.into_split(), server.into_split());
        let client_state = forwarding_state.clone();
        tokio::join!(forward(from_client, to_server, client_state), forward(from_server, to_client, forwarding_state));
    };
    tokio::select! {
        biased;
        _ = state.wait_for(|state| *state == ProxyState::Cut) => {}
        () = forwarding => {}
    }
}

async fn forward(
    mut from: impl AsyncReadExt + Unpin,
    mut to: impl AsyncWriteExt + Unpin,
    mut state: watch::Receiver<ProxyState>,
) {
    let mut buffer = [0; 16 * 1024];
    loop {
        let count = from.read(&mut buffer).await.unwrap_or(0);
        if state.wait_for(|state| *state == ProxyState::Forwarding).await.is_err() || count == 0 {
            return;
        }
        if to.write_all(&buffer[..count]).await.is_err() {
            return;
        }
    }
}
