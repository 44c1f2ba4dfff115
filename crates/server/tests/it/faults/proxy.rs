//! A way to a database that can fall silent (nothing is refused and nothing closed, but nothing comes through) or be cut:
//! connections end, and new ones come to nothing.

use std::sync::Arc;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// What becomes of what is sent.
#[derive(Clone, Copy, PartialEq)]
enum ProxyState {
    Passing,
    Held,
    Cut,
}

/// A proxy on the loopback address; dropping it ends all connections.
pub(super) struct Proxy {
    url: String,
    state: Arc<watch::Sender<ProxyState>>,
    _tasks: JoinSet<()>,
}

impl Proxy {
    /// In front of a database of this address.
    pub(super) async fn start(url: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (before, rest) = url.split_once('@').unwrap();
        let (target, name) = rest.split_once('/').unwrap();
        let url = format!("{before}@{}/{name}", listener.local_addr().unwrap());
        let state = Arc::new(watch::Sender::new(ProxyState::Passing));
        let mut tasks = JoinSet::new();
        tasks.spawn(accept(listener, target.to_owned(), Arc::clone(&state)));
        Self { url, state, _tasks: tasks }
    }

    pub(super) fn url(&self) -> String {
        self.url.clone()
    }

    pub(super) fn hold(&self) {
        self.state.send_replace(ProxyState::Held);
    }

    pub(super) fn resume(&self) {
        self.state.send_replace(ProxyState::Passing);
    }

    pub(super) fn cut(&self) {
        self.state.send_replace(ProxyState::Cut);
    }
}

async fn accept(listener: TcpListener, target: String, state: Arc<watch::Sender<ProxyState>>) {
    let mut connections = JoinSet::new();
    loop {
        let (client, _) = listener.accept().await.unwrap();
        connections.spawn(connect(client, target.clone(), state.subscribe()));
    }
}

async fn connect(client: TcpStream, target: String, mut state: watch::Receiver<ProxyState>) {
    let passed = state.clone();
    let passing = async {
        let Ok(server) = TcpStream::connect(target).await else { return };
        let ((from_client, to_client), (from_server, to_server)) = (client.into_split(), server.into_split());
        tokio::join!(pass_on(from_client, to_server, passed.clone()), pass_on(from_server, to_client, passed));
    };
    tokio::select! {
        biased;
        _ = state.wait_for(|state| *state == ProxyState::Cut) => {}
        () = passing => {}
    }
}

async fn pass_on(
    mut from: impl AsyncReadExt + Unpin,
    mut to: impl AsyncWriteExt + Unpin,
    mut state: watch::Receiver<ProxyState>,
) {
    let mut buffer = [0; 16 * 1024];
    loop {
        let count = from.read(&mut buffer).await.unwrap_or(0);
        if state.wait_for(|state| *state == ProxyState::Passing).await.is_err() || count == 0 {
            return;
        }
        if to.write_all(&buffer[..count]).await.is_err() {
            return;
        }
    }
}
