//! A host of metadata documents over https on loopback, whose certificate the service trusts.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use toolgate_testkit::test_certificate;

/// The reply of the host on a connection.
#[derive(Clone)]
pub(crate) enum HostReply {
    /// Sends these bytes and closes the connection.
    Response(String),
    /// Sends nothing and keeps the connection open.
    Silence,
}

/// The host, which stops with the runtime of the test.
pub(crate) struct DocumentHost {
    port: u16,
    connections: Arc<AtomicUsize>,
    reply: Arc<Mutex<HostReply>>,
    folder: tempfile::TempDir,
}

impl DocumentHost {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (connections, reply) = (Arc::new(AtomicUsize::new(0)), Arc::new(Mutex::new(HostReply::Silence)));
        let (counted, replies, acceptor) = (Arc::clone(&connections), Arc::clone(&reply), acceptor());
        let tasks = tokio_util::task::TaskTracker::new();
        let serving = tasks.clone();
        tasks.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                counted.fetch_add(1, Ordering::SeqCst);
                let reply = replies.lock().unwrap().clone();
                serving.spawn(serve(acceptor.clone(), stream, reply));
            }
        });
        Self { port, connections, reply, folder: tempfile::tempdir().unwrap() }
    }

    /// The URL of a document.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("https://127.0.0.1:{}{path}", self.port)
    }

    /// A file with the certificate, for `SSL_CERT_FILE`.
    pub(crate) fn certificate_file(&self) -> PathBuf {
        let file = self.folder.path().join("certificate.pem");
        fs::write(&file, test_certificate::certificate_pem()).unwrap();
        file
    }

    /// Replies with this status, these headers and this body from now on.
    pub(crate) fn respond(&self, status: &str, headers: &str, body: &str) {
        let length = body.len();
        let head = format!("HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n");
        self.set(HostReply::Response(head + body));
    }

    /// Replies with this JSON document from now on.
    pub(crate) fn serve_document(&self, document: &serde_json::Value) {
        self.respond("200 OK", "content-type: application/json\r\n", &document.to_string());
    }

    pub(crate) fn set(&self, reply: HostReply) {
        *self.reply.lock().unwrap() = reply;
    }

    /// How many connections were opened.
    pub(crate) fn connection_count(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

async fn serve(acceptor: TlsAcceptor, stream: TcpStream, reply: HostReply) {
    let Ok(mut stream) = acceptor.accept(stream).await else { return };
    let mut request = Vec::new();
    while !request.windows(4).any(|window| window == b"\r\n\r\n") {
        if stream.read_buf(&mut request).await.unwrap_or(0) == 0 {
            return;
        }
    }
    match reply {
        HostReply::Silence => std::future::pending().await,
        HostReply::Response(bytes) => {
            let _ = stream.write_all(bytes.as_bytes()).await;
            let _ = stream.shutdown().await;
        }
    }
}

fn acceptor() -> TlsAcceptor {
    let certificate: CertificateDer<'static> = test_certificate::certificate_der().into();
    let key = PrivateKeyDer::Pkcs8(test_certificate::private_key_der().into());
    let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
    TlsAcceptor::from(Arc::new(builder.with_single_cert(vec![certificate], key).unwrap()))
}
