//! An authenticated HTTP request to an endpoint, and the context of its messages.

use std::net::IpAddr;
use std::sync::Arc;

use http::header::{ACCEPT, USER_AGENT};
use http::{HeaderMap, HeaderName};
use toolgate_analytics::ClientConnected;
use toolgate_domain::call::CallOrigin;
use toolgate_domain::client_profile::ClientProfile;
use toolgate_domain::client_type::{self, ClientSources};
use toolgate_domain::oauth::scopes::McpScope;
use toolgate_domain::refusal::RefusalReason;
use toolgate_domain::trace::TraceScope;
use toolgate_execution::{CallAudience, CallTrace};

use crate::access::McpCaller;
use crate::access_error;
use crate::catalog::snapshot::ServerSnapshot;
use crate::catalog::tool_discovery::ListViewer;
use crate::challenge::OAuthChallenge;
use crate::era::{Era, Revision};
use crate::jsonrpc::error::RpcError;
use crate::jsonrpc::message::RpcRequest;
use crate::jsonrpc::meta::Meta;
use crate::message_span::MessageSpan;
use crate::method::McpMethod;
use crate::modern_client::ModernClient;
use crate::overflow::ResponseOwner;
use crate::service::McpService;
use crate::session::id::Session;

const CLIENT_HEADER: HeaderName = HeaderName::from_static("x-mcp-client");
const REQUEST_ID_HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// An authenticated request to an endpoint.
pub(crate) struct McpRequest {
    pub(crate) service: Arc<McpService>,
    pub(crate) snapshot: Arc<ServerSnapshot>,
    pub(crate) caller: McpCaller,
    /// Address of the client, if it is recorded.
    pub(crate) client_address: Option<IpAddr>,
    pub(crate) session: Option<Arc<Session>>,
    /// The era according to the headers; `None` for an unknown protocol version.
    pub(crate) era: Option<Era>,
    pub(crate) headers: HeaderMap,
    /// Whether the path of the URL ends with a slash.
    pub(crate) has_slash: bool,
    /// The groups of tools in the query of the URL, in lower case and sorted; `None` for all.
    pub(crate) groups: Option<Arc<[String]>>,
    /// Its span, if it is traced.
    pub(crate) trace: Option<TraceScope>,
}

/// The context of one message.
pub(crate) struct MessageContext {
    pub(crate) mcp_request: Arc<McpRequest>,
    pub(crate) era: Era,
    /// The `_meta` of the message.
    pub(crate) meta: Option<Arc<Meta>>,
    /// The client's declarations in a modern message.
    pub(crate) modern_client: Option<ModernClient>,
    pub(crate) span: MessageSpan,
}

impl MessageContext {
    /// Determines the era and checks the rules of that era.
    pub(crate) fn new(mcp_request: &Arc<McpRequest>, request: &RpcRequest) -> Result<Self, (Era, RpcError)> {
        let meta = request.params.meta.clone();
        let era = mcp_request.message_era(request, meta.as_deref()).map_err(|error| (Era::Bare, error))?;
        let modern_client =
            era.is_modern().then(|| ModernClient::check(request, meta.as_ref(), &mcp_request.headers)).transpose();
        let modern_client = modern_client.map_err(|error| (era, error))?;
        let span = MessageSpan::start(mcp_request.trace.as_ref(), mcp_request.snapshot.server.id, request, era);
        Ok(Self { mcp_request: Arc::clone(mcp_request), era, meta, modern_client, span })
    }

    /// The parent of the spans of its upstream calls, if the request is traced.
    pub(crate) fn call_trace(&self) -> Option<CallTrace<'_>> {
        let scope = self.span.0.scope()?;
        Some(CallTrace { scope, is_propagated: self.snapshot().traces_upstream })
    }

    pub(crate) fn service(&self) -> &McpService {
        &self.mcp_request.service
    }

    pub(crate) fn snapshot(&self) -> &ServerSnapshot {
        &self.mcp_request.snapshot
    }

    /// Who reads the results. A bare caller gets exactly what the product's specification says, unless the server
    /// accepts lenient arguments, which is a setting for models.
    pub(crate) fn audience(&self) -> CallAudience {
        match self.era {
            Era::Bare if !self.snapshot().coerces_arguments => CallAudience::Program,
            _ => CallAudience::Model,
        }
    }

    /// The owner of the responses that are stored for this caller.
    pub(crate) fn response_owner(&self) -> ResponseOwner {
        let caller = self.mcp_request.caller.to_bytes();
        ResponseOwner { server_id: self.snapshot().server.id, caller }
    }

    /// The session; always `None` for modern callers.
    pub(crate) fn session(&self) -> Option<&Session> {
        if self.era.is_modern() { None } else { self.mcp_request.session.as_deref() }
    }

    /// Type and name of the client; `given_name` is the name in this message, if it has one.
    pub(crate) fn client(&self, given_name: Option<&str>) -> (String, Option<String>) {
        let header = |name: &HeaderName| self.mcp_request.headers.get(name).and_then(|value| value.to_str().ok());
        client_type::detect(ClientSources {
            x_mcp_client: header(&CLIENT_HEADER),
            client_info_name: self.meta.as_deref().and_then(Meta::client_name),
            session_client: given_name.or_else(|| self.session().and_then(|session| session.client_name.as_deref())),
            user_agent: header(&USER_AGENT),
        })
    }

    /// The rules of the client for lists, if it named itself and lists depend on it.
    pub(crate) fn client_profile(&self) -> Option<ClientProfile> {
        let is_named = match self.era {
            Era::Bare => false,
            Era::Legacy(_) => self.session().is_some_and(|session| session.client_name.is_some()),
            Era::Modern => self.meta.as_deref().and_then(Meta::client_name).is_some_and(|name| !name.is_empty()),
        };
        let discovery = &self.snapshot().tools.discovery;
        is_named.then(|| discovery.profile(|| self.client(None).0)).flatten()
    }

    /// The properties that determine the list of tools for this caller.
    pub(crate) fn list_viewer(&self) -> ListViewer {
        // Legacy revisions share one list.
        let era = if let Era::Legacy(_) = self.era { Era::Legacy(Revision::NEWEST_LEGACY) } else { self.era };
        ListViewer { era, profile: self.client_profile(), groups: self.mcp_request.groups.clone() }
    }

    /// Reports to live viewers that a client has connected.
    pub(crate) fn client_connected(&self, method: McpMethod, name: Option<&str>) {
        self.service().recorder.client_connected(|| {
            let (client_type, client_name) = self.client(name);
            ClientConnected {
                at: self.service().clock.now(),
                user_id: self.snapshot().server.user_id,
                server_id: self.snapshot().server.id,
                client_type,
                client_name,
                protocol_version: self.era.revision().map(Revision::as_str),
                method: method.as_str(),
            }
        });
    }
}

/// The challenge of a server that requires sign-in.
pub(crate) fn challenge(service: &McpService, snapshot: &ServerSnapshot, has_slash: bool) -> Option<OAuthChallenge> {
    let base_url = service.base_url.as_deref();
    let tokens = snapshot.access.tokens()?;
    Some(OAuthChallenge::new(base_url, &snapshot.server, has_slash, tokens))
}

impl McpRequest {
    /// The refusal of a request for which the caller's token lacks a scope.
    pub(crate) fn insufficient_scope(&self, scope: McpScope) -> RpcError {
        self.snapshot.refusals.record(RefusalReason::InsufficientScope);
        access_error::missing_scope(scope, challenge(&self.service, &self.snapshot, self.has_slash).as_ref())
    }

    /// The era of one of its messages, from the headers and the message.
    pub(crate) fn message_era(&self, request: &RpcRequest, meta: Option<&Meta>) -> Result<Era, RpcError> {
        let names_revision = meta.is_some_and(|meta| meta.protocol_version.is_some());
        match (self.era, request.method) {
            (_, Some(McpMethod::ServerDiscover)) => Ok(Era::Modern),
            _ if names_revision => Ok(Era::Modern),
            (Some(Era::Bare), Some(McpMethod::Initialize)) => Ok(Era::Legacy(Revision::NEWEST_LEGACY)),
            (era, _) => era.ok_or_else(RpcError::unknown_version),
        }
    }

    /// The origin that is recorded with its calls.
    pub(crate) fn call_origin(&self) -> CallOrigin {
        CallOrigin { credential: self.caller.credential(), client_address: self.client_address }
    }

    /// The request id in the log.
    pub(crate) fn request_id(&self) -> String {
        let id = self.headers.get(REQUEST_ID_HEADER).and_then(|value| value.to_str().ok());
        id.unwrap_or_default().to_owned()
    }

    /// Whether the caller accepts an event stream. Without an `Accept` header it gets JSON.
    pub(crate) fn accepts_stream(&self) -> bool {
        let accepts = self.headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
        accepts
            .flat_map(|value| value.split(','))
            .any(|entry| entry.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("text/event-stream"))
    }
}
