//! Short functions that create test objects.

use std::sync::atomic::{AtomicU64, Ordering};

use toolgate_domain::api_key::{KeyDigest, KeyHash};
use toolgate_domain::change::Change;
use toolgate_domain::endpoint_url::EndpointUrl;
use toolgate_domain::headers::SentHeaders;
use toolgate_domain::ids::{PublicId, ServerId};
use toolgate_domain::json::JsonObject;
use toolgate_domain::page::Page;
use toolgate_domain::prompt::{Prompt, PromptSpec};
use toolgate_domain::resource::{Resource, ResourcePatch, ResourceSpec};
use toolgate_domain::server::{Server, ServerPatch, ServerSpec};
use toolgate_domain::server_credential::{ServerCredential, ServerCredentialPatch, ServerCredentialSpec};
use toolgate_domain::settings::SentSettings;
use toolgate_domain::slug::Slug;
use toolgate_domain::tool::{Tool, ToolPatch, ToolSpec};
use toolgate_domain::upstream_auth::AuthType;
use toolgate_storage::{
    NewServer, NewTool, PromptStore as _, ResourceStore as _, ServerCredentialStore as _, ServerStore as _, ToolFilter,
    ToolStore as _,
};

use crate::fixture::StorageFixture;

impl StorageFixture {
    /// Creates a server that Alice owns.
    pub(crate) async fn server(&self, name: &str) -> Server {
        self.server_with(name, ServerPatch::default()).await
    }

    pub(crate) async fn server_with(&self, name: &str, patch: ServerPatch) -> Server {
        let new = NewServer { patch, ..new_server(self.alice, name) };
        self.storage.create_server(&self.next_actor(), new).await.unwrap()
    }

    /// Creates a server that Bob owns.
    pub(crate) async fn foreign_server(&self) -> Server {
        self.storage.create_server(&self.next_actor(), new_server(self.bob, "Bob's")).await.unwrap()
    }

    pub(crate) async fn tool(&self, server_id: ServerId, name: &str) -> Tool {
        self.tool_with(server_id, name, ToolPatch::default()).await
    }

    pub(crate) async fn tool_with(&self, server_id: ServerId, name: &str, patch: ToolPatch) -> Tool {
        let new = NewTool { patch, ..new_tool(name) };
        self.storage.create_tool(&self.next_actor(), self.as_alice(), server_id, new).await.unwrap()
    }

    pub(crate) async fn prompt(&self, server_id: ServerId, name: &str) -> Prompt {
        self.storage.create_prompt(&self.next_actor(), self.as_alice(), server_id, prompt_spec(name)).await.unwrap()
    }

    pub(crate) async fn resource(&self, server_id: ServerId, uri: &str) -> Resource {
        self.resource_with(server_id, uri, ResourcePatch::default()).await
    }

    pub(crate) async fn resource_with(&self, server_id: ServerId, uri: &str, patch: ResourcePatch) -> Resource {
        let spec = ResourceSpec::new(uri.to_owned(), "A resource".to_owned());
        self.storage.create_resource(&self.next_actor(), self.as_alice(), server_id, spec, patch).await.unwrap()
    }

    /// Creates a bearer credential of a server.
    pub(crate) async fn credential(&self, server_id: ServerId, name: &str, token: &str) -> ServerCredential {
        let spec = ServerCredentialSpec::new(name.to_owned(), AuthType::Bearer);
        let (actor, alice) = (self.next_actor(), self.as_alice());
        self.storage.create_server_credential(&actor, alice, server_id, spec, credential_token(token)).await.unwrap()
    }

    /// Inserts `count` tools `t1`, `t2` and so on with one statement, which is faster than one by one. Tool `tN` has
    /// sort order N.
    pub(crate) async fn fill_tools(&self, server_id: ServerId, count: i64) {
        let columns = "server_id, name, description, endpoint_url, http_method, input_schema, auth_type, \
            parameter_mapping, headers, body_type, cache_ttl, timeout, retry_count, sort_order, status, response_type, \
            revision, created_at, updated_at";
        let values = format!(
            "{server_id}, 't' || n, '', 'https://a.example/', 'GET', '{{}}', 'none', '{{}}', '{{}}', 'json', \
             0, 30, 0, n, 'active', 'text', 1, 1, 1"
        );
        self.raw.fill("tools", columns, &values, count).await;
    }

    /// The names of a server's tools, in list order.
    pub(crate) async fn tool_names(&self, server_id: ServerId) -> Vec<String> {
        let listing = self.storage.list_tools(self.as_alice(), server_id, &ToolFilter::default(), None).await.unwrap();
        listing.items.into_iter().map(|tool| tool.spec.name).collect()
    }
}

pub(crate) fn new_server(user_id: toolgate_domain::ids::UserId, name: &str) -> NewServer {
    let spec = ServerSpec::new(name.to_owned());
    NewServer { user_id, public_id: public_id(), spec, patch: ServerPatch::default() }
}

pub(crate) fn new_tool(name: &str) -> NewTool {
    let url = EndpointUrl::parse("endpoint_url", "https://api.example/v1/{id}").unwrap();
    NewTool { spec: ToolSpec::new(name.to_owned(), url), patch: ToolPatch::default(), origin: None }
}

pub(crate) fn prompt_spec(name: &str) -> PromptSpec {
    PromptSpec {
        name: name.to_owned(),
        description: String::new(),
        arguments: Vec::new(),
        template_content: "Hello {{who}}".to_owned(),
        messages: None,
    }
}

/// An id that is unique within the process, which is sufficient because each test has its own database.
pub(crate) fn public_id() -> PublicId {
    PublicId::from_random(u128::from(next_number()).to_be_bytes())
}

/// The digest of a unique key.
pub(crate) fn digest() -> KeyDigest {
    let mut hash = [0; 32];
    hash[..8].copy_from_slice(&next_number().to_be_bytes());
    KeyDigest { hash: KeyHash(hash), hint: "tg_abc".to_owned() }
}

fn next_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

pub(crate) fn slug(text: &str) -> Slug {
    Slug::parse("slug", text).unwrap()
}

pub(crate) fn json(text: &str) -> JsonObject {
    JsonObject::from_raw(toolgate_domain::json::check(text.as_bytes()).unwrap()).unwrap()
}

pub(crate) fn settings(text: &str) -> Change<SentSettings> {
    Change::Set(SentSettings::parse(&json(text)).unwrap())
}

pub(crate) fn headers(text: &str) -> SentHeaders {
    SentHeaders::parse("headers", &json(text)).unwrap()
}

/// A patch that sets a bearer token.
pub(crate) fn bearer(token: &str) -> ToolPatch {
    ToolPatch {
        auth_type: Some(AuthType::Bearer),
        auth_credentials: Some(json(&format!(r#"{{"token":"{token}"}}"#))),
        ..ToolPatch::default()
    }
}

/// A patch that lets a tool use a credential of its server.
pub(crate) fn with_credential(name: &str) -> ToolPatch {
    ToolPatch { credential: Change::Set(name.to_owned()), ..ToolPatch::default() }
}

/// A patch that sets the token of a bearer credential.
pub(crate) fn credential_token(token: &str) -> ServerCredentialPatch {
    let auth_credentials = Some(json(&format!(r#"{{"token":"{token}"}}"#)));
    ServerCredentialPatch { auth_credentials, ..ServerCredentialPatch::default() }
}

pub(crate) fn page(number: u32, size: u32) -> Page {
    Page { number, size }
}
