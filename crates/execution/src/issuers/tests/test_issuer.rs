//! An issuer that serves fixed documents and counts the requests.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio_util::task::TaskTracker;
use toolgate_domain::sync::lock;

pub(super) const OPENID: &str = "/.well-known/openid-configuration";
pub(super) const OAUTH: &str = "/.well-known/oauth-authorization-server";
pub(super) const KEYS: &str = "/keys";
/// A key document without keys.
pub(super) const NO_KEY: &str = r#"{"keys":[]}"#;
/// A key document with one public key. Its private key does not exist.
pub(super) const ONE_KEY: &str =
    r#"{"keys":[{"kty":"OKP","crv":"Ed25519","x":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"}]}"#;

pub(super) struct TestIssuer {
    url: String,
    documents: Arc<Mutex<HashMap<String, (u16, String)>>>,
    requests: watch::Sender<Vec<String>>,
}

impl TestIssuer {
    /// Serves `openid-configuration` and a key.
    pub(super) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let issuer = Self { url, documents: Arc::default(), requests: watch::Sender::new(Vec::new()) };
        issuer.set(OPENID, 200, &issuer.metadata());
        issuer.set(KEYS, 200, ONE_KEY);
        let (documents, requests) = (Arc::clone(&issuer.documents), issuer.requests.clone());
        TaskTracker::new().spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                serve(stream, &documents, &requests).await;
            }
        });
        issuer
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    pub(super) fn metadata(&self) -> String {
        serde_json::json!({"issuer": self.url, "jwks_uri": format!("{}{KEYS}", self.url)}).to_string()
    }

    pub(super) fn set(&self, path: &str, status: u16, body: &str) {
        lock(&self.documents).insert(path.to_owned(), (status, body.to_owned()));
    }

    pub(super) fn remove(&self, path: &str) {
        lock(&self.documents).remove(path);
    }

    pub(super) fn count(&self, path: &str) -> usize {
        self.requests.borrow().iter().filter(|requested| *requested == path).count()
    }

    pub(super) fn count_all(&self) -> usize {
        self.requests.borrow().len()
    }

    /// Waits until a path was requested this often.
    pub(super) async fn wait_for(&self, path: &str, count: usize) {
        let mut requests = self.requests.subscribe();
        let is_reached = |paths: &Vec<String>| paths.iter().filter(|requested| *requested == path).count() >= count;
        requests.wait_for(is_reached).await.unwrap();
    }
}

async fn serve(
    mut stream: TcpStream,
    documents: &Mutex<HashMap<String, (u16, String)>>,
    requests: &watch::Sender<Vec<String>>,
) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        if stream.read_buf(&mut head).await.unwrap_or(0) == 0 {
            return;
        }
    }
    let head = String::from_utf8(head).unwrap();
    let path = head.split(' ').nth(1).unwrap().to_owned();
    requests.send_modify(|paths| paths.push(path.clone()));
    let (status, body) = lock(documents).get(&path).cloned().unwrap_or((404, String::new()));
    let length = body.len();
    let reply = format!(
        "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nlocation: /\r\nconnection: close\r\n\r\n{body}"
    );
    let _ = stream.write_all(reply.as_bytes()).await;
}
