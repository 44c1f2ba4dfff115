//! Tests with a simulated token issuer.

mod caching;
mod requests;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use http::{HeaderMap, StatusCode};

use super::*;

const SECRET: &str = "s3cret:/+ü";

fn client() -> OAuth2Client {
    OAuth2Client {
        token_url: "https://issuer.example/token?tenant=1#part".to_owned(),
        client_id: "id:1".to_owned(),
        client_secret: SECRET.into(),
        scope: Some("read write".to_owned()),
    }
}

fn response(status: u16, body: &str) -> UpstreamResponse {
    UpstreamResponse {
        status: StatusCode::from_u16(status).unwrap(),
        headers: HeaderMap::new(),
        body: Bytes::copy_from_slice(body.as_bytes()),
        sent_tokens: Vec::new(),
    }
}

/// Issues `token-1`, `token-2` and so on.
#[derive(Clone, Default)]
struct Issuer {
    issued: Arc<AtomicUsize>,
    /// Further members of its responses, beginning with a comma.
    members: &'static str,
}

impl Issuer {
    async fn send(&self, _: OutboundRequest) -> Result<UpstreamResponse, Failure> {
        let number = self.issued.fetch_add(1, Ordering::Relaxed) + 1;
        tokio::task::yield_now().await;
        Ok(response(200, &format!(r#"{{"access_token":"token-{number}"{}}}"#, self.members)))
    }

    async fn token(&self, tokens: &TokenCache, client: &OAuth2Client) -> String {
        tokens.token(client, |request| self.send(request)).await.unwrap().expose_secret().to_owned()
    }
}

/// The failure for a response that both forms of the request receive.
async fn failure(status: u16, body: &str) -> Failure {
    TokenCache::default().token(&client(), async |_| Ok(response(status, body))).await.unwrap_err()
}
