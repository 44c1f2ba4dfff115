//! A host of metadata documents over https on loopback, whose certificate the service trusts.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// Self-signed, for `upstream.test` and 127.0.0.1, valid until 2120; only tests trust it.
const CERTIFICATE: &str = "\
    MIIBcTCCARagAwIBAgIBATAKBggqhkjOPQQDAjAYMRYwFAYDVQQDDA11cHN0cmVhbS50ZXN0MCAXDTIwMDEwMTAwMDAwMFoYDzIx\
    MjAwMTAxMDAwMDAwWjAYMRYwFAYDVQQDDA11cHN0cmVhbS50ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE38A1p37D60S7\
    wK5LHeYWROoYoIWQcMrMoKxcUYlOu/61n9O4fmvmbL0bs31tJ5ARbN7udjpZmdboVhGBWG672aNPME0wHgYDVR0RBBcwFYINdXBz\
    dHJlYW0udGVzdIcEfwAAATAMBgNVHRMBAf8EAjAAMB0GA1UdDgQWBBSOo7tDNXejEw7g/8vCQnKrwELD5zAKBggqhkjOPQQDAgNJ\
    ADBGAiEAiGQbOpKGJ9Y4a26doJ2YFi88pM/czE7vXEnigYq+8UkCIQDXTwYFQzU9BOqIk4KIJ6zm9t3zcr4S6A0/v2Rx/4CQcg==\
";
/// The private key of the certificate.
const PRIVATE_KEY: &str = "\
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgr93pixDn0MKmHLdtSEfFaaDWzoWAXg9joibTcxY3n+ShRANCAATf\
    wDWnfsPrRLvArksd5hZE6highZBwysygrFxRiU67/rWf07h+a+ZsvRuzfW0nkBFs3u52OlmZ1uhWEYFYbrvZ\
";

/// What the host does with a connection.
#[derive(Clone)]
pub(super) enum HostReply {
    /// Sends these bytes and closes the connection.
    Response(String),
    /// Sends nothing and keeps the connection open.
    Silence,
}

/// The host. It ends with the test.
pub(super) struct DocumentHost {
    port: u16,
    connections: Arc<AtomicUsize>,
    reply: Arc<Mutex<HostReply>>,
    folder: tempfile::TempDir,
}

impl DocumentHost {
    pub(super) async fn start() -> Self {
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
    pub(super) fn url(&self, path: &str) -> String {
        format!("https://127.0.0.1:{}{path}", self.port)
    }

    /// A file with the certificate, for `SSL_CERT_FILE`.
    pub(super) fn certificate_file(&self) -> PathBuf {
        let file = self.folder.path().join("certificate.pem");
        fs::write(&file, format!("-----BEGIN CERTIFICATE-----\n{CERTIFICATE}\n-----END CERTIFICATE-----\n")).unwrap();
        file
    }

    /// Replies with this status, these headers and this body from now on.
    pub(super) fn respond(&self, status: &str, headers: &str, body: &str) {
        let length = body.len();
        let head = format!("HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n");
        self.set(HostReply::Response(head + body));
    }

    /// Replies with this JSON document from now on.
    pub(super) fn serve_document(&self, document: &serde_json::Value) {
        self.respond("200 OK", "content-type: application/json\r\n", &document.to_string());
    }

    pub(super) fn set(&self, reply: HostReply) {
        *self.reply.lock().unwrap() = reply;
    }

    /// How many connections were opened.
    pub(super) fn connections(&self) -> usize {
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
    let certificate: CertificateDer<'static> = BASE64_STANDARD.decode(CERTIFICATE).unwrap().into();
    let key = PrivateKeyDer::Pkcs8(BASE64_STANDARD.decode(PRIVATE_KEY).unwrap().into());
    let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
    TlsAcceptor::from(Arc::new(builder.with_single_cert(vec![certificate], key).unwrap()))
}
