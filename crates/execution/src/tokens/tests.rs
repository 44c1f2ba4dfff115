//! An issuer that plays its part, and what is asked of it.

mod asking;
mod keeping;

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

fn answer(status: u16, body: &str) -> UpstreamResponse {
    UpstreamResponse {
        status: StatusCode::from_u16(status).unwrap(),
        headers: HeaderMap::new(),
        body: Bytes::copy_from_slice(body.as_bytes()),
        sent_tokens: Vec::new(),
    }
}

/// Issues `token-1`, `token-2` and so on, and remembers what was sent.
#[derive(Clone, Default)]
struct Issuer {
    issued: Arc<AtomicUsize>,
    /// More members of its answers, beginning with a comma.
    members: &'static str,
}

impl Issuer {
    async fn send(&self, _: OutboundRequest) -> Result<UpstreamResponse, Failure> {
        let number = self.issued.fetch_add(1, Ordering::Relaxed) + 1;
        tokio::task::yield_now().await;
        Ok(answer(200, &format!(r#"{{"access_token":"token-{number}"{}}}"#, self.members)))
    }

    async fn token(&self, tokens: &Tokens, client: &OAuth2Client) -> String {
        tokens.token(client, |request| self.send(request)).await.unwrap().expose_secret().to_owned()
    }
}

/// The failure that one answer makes, given to both forms of the request.
async fn failure(status: u16, body: &str) -> Failure {
    Tokens::new().token(&client(), async |_| Ok(answer(status, body))).await.unwrap_err()
}
