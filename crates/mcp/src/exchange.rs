//! One HTTP request that was let in, and the messages in it.

use std::sync::Arc;

use http::header::{ACCEPT, USER_AGENT};
use http::{HeaderMap, HeaderName};
use toolgate_analytics::ClientConnected;
use toolgate_domain::client_type::{self, ClientSources};

use crate::access::Caller;
use crate::catalog::Published;
use crate::era::{Era, Sender};
use crate::gate::Gate;
use crate::jsonrpc::{Meta, Request, RpcError};
use crate::session::Session;

const CLIENT_HEADER: HeaderName = HeaderName::from_static("x-mcp-client");
const REQUEST_ID_HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// What is known of a request to the endpoint.
pub(crate) struct Exchange {
    pub(crate) gate: Arc<Gate>,
    pub(crate) published: Arc<Published>,
    pub(crate) caller: Caller,
    pub(crate) session: Option<Arc<Session>>,
    /// What the headers alone say; `None` for a version that nobody knows.
    pub(crate) era: Option<Era>,
    pub(crate) headers: HeaderMap,
}

/// One message, with the rules that hold for it.
pub(crate) struct Context {
    pub(crate) exchange: Arc<Exchange>,
    pub(crate) era: Era,
    /// What the message says about itself.
    pub(crate) meta: Option<Meta>,
    /// What a modern message says about its sender.
    pub(crate) sender: Option<Sender>,
}

impl Context {
    /// The rules for a request, or which of them it breaks.
    pub(crate) fn new(exchange: &Arc<Exchange>, request: &Request) -> Result<Self, (Era, RpcError)> {
        let meta = request.params.meta();
        let era = Era::of_request(exchange.era, &request.method, meta.as_ref()).map_err(|error| (Era::Bare, error))?;
        let sender = era.is_modern().then(|| Sender::check(request, meta.as_ref(), &exchange.headers)).transpose();
        let sender = sender.map_err(|error| (era, error))?;
        Ok(Self { exchange: Arc::clone(exchange), era, meta, sender })
    }

    pub(crate) fn gate(&self) -> &Gate {
        &self.exchange.gate
    }

    pub(crate) fn published(&self) -> &Published {
        &self.exchange.published
    }

    /// The session; modern callers have none, whatever they send.
    pub(crate) fn session(&self) -> Option<&Session> {
        if self.era.is_modern() { None } else { self.exchange.session.as_deref() }
    }

    /// Kind and name of the client.
    pub(crate) fn client(&self) -> (String, Option<String>) {
        self.client_named(None)
    }

    /// Kind and name of a client that introduces itself in this very message.
    fn client_named(&self, introduced: Option<&str>) -> (String, Option<String>) {
        let header = |name: &HeaderName| self.exchange.headers.get(name).and_then(|value| value.to_str().ok());
        client_type::detect(ClientSources {
            x_mcp_client: header(&CLIENT_HEADER),
            client_info_name: self.meta.as_ref().and_then(Meta::client_name),
            session_client: introduced.or_else(|| self.session().and_then(|session| session.client_name.as_deref())),
            user_agent: header(&USER_AGENT),
        })
    }
}

impl Context {
    /// Tells whoever watches that this message's client looks around.
    pub(crate) fn client_connected(&self, method: &'static str, name: Option<&str>) {
        self.gate().recorder.connected(|| {
            let (client_type, client_name) = self.client_named(name);
            ClientConnected {
                at: self.gate().clock.now(),
                user_id: self.published().server.user_id,
                server_id: self.published().server.id,
                client_type,
                client_name,
                protocol_version: self.era.revision().map(crate::era::Revision::as_str),
                method,
            }
        });
    }
}

impl Exchange {
    /// The request's name in the log.
    pub(crate) fn request_id(&self) -> String {
        let id = self.headers.get(REQUEST_ID_HEADER).and_then(|value| value.to_str().ok());
        id.unwrap_or_default().to_owned()
    }

    /// Whether the caller can read a stream. Who says nothing about it gets plain JSON.
    pub(crate) fn accepts_stream(&self) -> bool {
        let accepts = self.headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
        accepts
            .flat_map(|value| value.split(','))
            .any(|one| one.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("text/event-stream"))
    }
}
