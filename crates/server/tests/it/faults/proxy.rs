//! A way to a database that can fall silent: nothing is refused and nothing closed, but nothing comes through.

use std::sync::Arc;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// A proxy on the loopback address; dropping it ends all connections.
pub(super) struct Proxy {
    url: String,
    silent: Arc<watch::Sender<bool>>,
    _tasks: JoinSet<()>,
}

impl Proxy {
    /// In front of a database of this address.
    pub(super) async fn before(url: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (before, rest) = url.split_once('@').unwrap();
        let (target, name) = rest.split_once('/').unwrap();
        let url = format!("{before}@{}/{name}", listener.local_addr().unwrap());
        let silent = Arc::new(watch::Sender::new(false));
        let mut tasks = JoinSet::new();
        tasks.spawn(accept(listener, target.to_owned(), Arc::clone(&silent)));
        Self { url, silent, _tasks: tasks }
    }

    pub(super) fn url(&self) -> String {
        self.url.clone()
    }

    pub(super) fn silence(&self) {
        self.silent.send_replace(true);
    }

    pub(super) fn speak(&self) {
        self.silent.send_replace(false);
    }
}

async fn accept(listener: TcpListener, target: String, silent: Arc<watch::Sender<bool>>) {
    let mut connections = JoinSet::new();
    loop {
        let (client, _) = listener.accept().await.unwrap();
        connections.spawn(connect(client, target.clone(), silent.subscribe()));
    }
}

async fn connect(client: TcpStream, target: String, silent: watch::Receiver<bool>) {
    let Ok(server) = TcpStream::connect(target).await else { return };
    let ((from_client, to_client), (from_server, to_server)) = (client.into_split(), server.into_split());
    tokio::join!(pass_on(from_client, to_server, silent.clone()), pass_on(from_server, to_client, silent));
}

async fn pass_on(
    mut from: impl AsyncReadExt + Unpin,
    mut to: impl AsyncWriteExt + Unpin,
    mut silent: watch::Receiver<bool>,
) {
    let mut buffer = [0; 16 * 1024];
    loop {
        let count = from.read(&mut buffer).await.unwrap_or(0);
        if silent.wait_for(|silent| !silent).await.is_err() || count == 0 {
            return;
        }
        if to.write_all(&buffer[..count]).await.is_err() {
            return;
        }
    }
}
