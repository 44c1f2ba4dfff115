//! The operations of the deadlock test, and the few objects that they all work on.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU8, Ordering};

use toolgate_domain::api_key::{EndpointKeyPatch, KeyHash, NewApiKey, Scope};
use toolgate_domain::audit::Actor;
use toolgate_domain::data_source::DataSourceType;
use toolgate_domain::ids::{
    ApiKeyId, EndpointKeyId, GrantId, OAuthClientId, PromptId, ResourceId, ServerCredentialId, ServerId, ToolId, UserId,
};
use toolgate_domain::member::{MemberRole, MemberUser};
use toolgate_domain::prompt::PromptPatch;
use toolgate_domain::resource::{ResourcePatch, ResourceSpec};
use toolgate_domain::server::{EndpointAuth, ServerPatch, ServerStatus};
use toolgate_domain::server_credential::ServerCredentialSpec;
use toolgate_domain::time::Timestamp;
use toolgate_domain::tool_import::ConflictRule;
use toolgate_domain::upstream_auth::AuthType;
use toolgate_domain::user::{NewUser, Role, UserPatch, Visibility};
use toolgate_storage::{
    AccessStore as _, ApiKeyStore as _, CallStore as _, DocumentStore as _, EndpointKeyStore as _, ImportedDocument,
    KeyUse, MemberStore as _, NewEndpointKey, NewServer, NewTool, PromptStore as _, ResourceStore as _, Result,
    ServerCredentialStore as _, ServerStore as _, SqlStorage, Storage as _, ToolFilter, ToolImport,
    ToolImportStore as _, ToolStore as _, UserStore as _,
};

use super::slots::Slots;
use crate::builders::{
    bearer, credential_token, digest, json, new_server, new_tool, prompt_spec, public_id, settings, slug,
    with_credential,
};
use crate::fixture::{StorageFixture, TestKeys};
use crate::grants::oauth;
use crate::seeded_rng::SeededRng;
use crate::tool_imports::{document_target, imported_credential, imported_document, imported_tool};
use crate::traffic::{BASE_MILLIS, DAY_MILLIS, TestJournal, TestTarget};

/// Every kind of write.
pub(super) const OPERATIONS: [&str; 53] = [
    "create server",
    "update server",
    "update slug",
    "toggle server",
    "duplicate server",
    "delete server",
    "hand over server",
    "create tool",
    "update tool",
    "toggle tool",
    "duplicate tool",
    "delete tool",
    "reorder tools",
    "import tools",
    "delete document",
    "create prompt",
    "update prompt",
    "delete prompt",
    "create resource",
    "update resource",
    "delete resource",
    "create credential",
    "update credential",
    "attach credential",
    "delete credential",
    "create endpoint key",
    "update endpoint key",
    "use endpoint key",
    "delete endpoint key",
    "create user",
    "delete user",
    "update user",
    "add member",
    "remove member",
    "create API key",
    "delete API key",
    "set bootstrap key",
    "give grant",
    "refresh grant",
    "use grant",
    "end grant",
    "expire grant",
    "block client",
    "delete client",
    "create session",
    "link account",
    "remove account",
    "update password",
    "expire session",
    "ingest calls",
    "prepare partitions",
    "delete calls",
    "reseal",
];

const ALL: Visibility = Visibility::All;

/// One write: its kind from [`OPERATIONS`], the storage that executes it, and its actor.
#[derive(Clone, Copy)]
pub(super) struct WriteOperation<'a> {
    pub(super) kind: &'static str,
    pub(super) storage: &'a SqlStorage,
    pub(super) actor: &'a Actor,
}

/// The objects that all workers share.
pub(super) struct Workload {
    encryption_keys: Arc<TestKeys>,
    newest_encryption_key: AtomicU8,
    /// Allows one rotation of the encryption keys at a time, as `rotation.lock` does for the command `rotate-keys`.
    rotation: tokio::sync::Mutex<()>,
    name_count: AtomicI64,
    pub(super) users: Slots<UserId>,
    pub(super) servers: Slots<ServerId>,
    tools: Slots<ToolId>,
    prompts: Slots<(ServerId, PromptId)>,
    resources: Slots<(ServerId, ResourceId)>,
    credentials: Slots<(ServerId, ServerCredentialId)>,
    endpoint_keys: Slots<(ServerId, EndpointKeyId)>,
    pub(super) api_keys: Slots<ApiKeyId>,
    /// OAuth clients.
    pub(super) clients: Slots<OAuthClientId>,
    /// Grants with their newest refresh tokens.
    pub(super) grants: Slots<(GrantId, KeyHash)>,
}

impl Workload {
    /// Creates two administrators, and two servers for each of them and for the two owners of the fixture.
    pub(super) async fn new(fixture: &StorageFixture) -> Self {
        let (storage, actor) = (&fixture.storage, fixture.next_actor());
        let mut users = vec![fixture.alice, fixture.bob];
        for name in ["admin one", "admin two"] {
            let new = NewUser { name: name.to_owned(), role: Role::Admin };
            users.push(storage.create_user(&actor, new).await.unwrap().id);
        }
        let mut servers = Vec::new();
        for user in users.iter().chain(&users) {
            let new = NewServer { patch: oauth("users"), ..new_server(*user, "Server") };
            servers.push(storage.create_server(&actor, new).await.unwrap().id);
        }
        Self {
            encryption_keys: Arc::clone(&fixture.keys),
            newest_encryption_key: AtomicU8::new(1),
            rotation: tokio::sync::Mutex::new(()),
            name_count: AtomicI64::new(0),
            users: Slots::new(6, &users),
            servers: Slots::new(8, &servers),
            tools: Slots::new(12, &[ToolId(0)]),
            prompts: Slots::new(6, &[(ServerId(0), PromptId(0))]),
            resources: Slots::new(6, &[(ServerId(0), ResourceId(0))]),
            credentials: Slots::new(6, &[(ServerId(0), ServerCredentialId(0))]),
            endpoint_keys: Slots::new(6, &[(ServerId(0), EndpointKeyId(0))]),
            api_keys: Slots::new(6, &[ApiKeyId(0)]),
            clients: Slots::new(3, &[OAuthClientId(0)]),
            grants: Slots::new(6, &[(GrantId(0), KeyHash([0; 32]))]),
        }
    }

    pub(super) async fn open_journal(storage: &SqlStorage, worker: u64) -> TestJournal {
        TestJournal::open(storage, &format!("worker {worker}")).await
    }

    pub(super) fn unique_name(&self) -> String {
        format!("n{}", self.name_count.fetch_add(1, Ordering::Relaxed))
    }

    pub(super) async fn run(
        &self,
        kind: &'static str,
        storage: &SqlStorage,
        journal: &mut TestJournal,
        rng: &mut SeededRng,
    ) -> Result<()> {
        let actor = &Actor::service(Timestamp::from_millis(BASE_MILLIS));
        let operation = WriteOperation { kind, storage, actor };
        match kind.split_once(' ').unwrap_or((kind, "")).1 {
            "server" | "over server" | "slug" => self.change_server(operation, rng).await,
            "tool" | "tools" | "document" => self.change_tool(operation, rng).await,
            "prompt" => self.change_prompt(operation, rng).await,
            "resource" => self.change_resource(operation, rng).await,
            "credential" => self.change_credential(operation, rng).await,
            "endpoint key" => self.change_endpoint_key(operation, rng).await,
            "member" => self.change_member(operation, rng).await,
            "user" => self.change_user(operation, rng).await,
            "API key" | "bootstrap key" => self.change_api_key(operation, rng).await,
            "grant" | "client" | "session" | "password" | "account" => self.change_sign_in(operation, rng).await,
            _ => self.change_calls_or_reseal(kind, storage, journal, rng).await,
        }
    }

    async fn change_server(&self, operation: WriteOperation<'_>, rng: &mut SeededRng) -> Result<()> {
        let WriteOperation { kind, storage, actor } = operation;
        let id = self.servers.pick(rng);
        let credentials = r#"{"test_credentials":{"auth_type":"bearer","auth_credentials":{"token":"t"}},"oauth":{"access":"users"}}"#;
        // Servers without OAuth have no grants, so a change to another `auth_type` ends them.
        let auth_type = *rng.pick(&[EndpointAuth::OAuth, EndpointAuth::OAuth, EndpointAuth::None]);
        let status = *rng.pick(&[ServerStatus::Active, ServerStatus::Paused, ServerStatus::Draft]);
        let patch = ServerPatch {
            status: Some(status),
            auth_type: Some(auth_type),
            settings: settings(credentials),
            ..ServerPatch::default()
        };
        match kind {
            "create server" => {
                let new = NewServer { patch, ..new_server(self.users.pick(rng), "Server") };
                self.servers.put(rng, storage.create_server(actor, new).await?.id);
            }
            "update server" => {
                drop(self.servers.remove_if_missing(id, storage.update_server(actor, ALL, id, patch).await)?);
            }
            "update slug" => {
                let shared_slug = slug(&format!("slug-{}", rng.below(4)));
                let patch = ServerPatch { slug: Some(shared_slug), ..patch };
                storage.update_server(actor, ALL, id, patch).await?;
            }
            "hand over server" => {
                let patch = ServerPatch { user_id: Some(self.users.pick(rng)), ..ServerPatch::default() };
                drop(self.servers.remove_if_missing(id, storage.update_server(actor, ALL, id, patch).await)?);
            }
            "toggle server" => drop(self.servers.remove_if_missing(id, storage.toggle_server(actor, ALL, id).await)?),
            "duplicate server" => {
                self.servers.put(rng, storage.duplicate_server(actor, ALL, id, public_id()).await?.id);
            }
            _ => {
                drop(self.servers.remove_if_missing(id, storage.delete_server(actor, ALL, id).await)?);
                self.servers.remove(id);
            }
        }
        Ok(())
    }

    async fn change_tool(&self, operation: WriteOperation<'_>, rng: &mut SeededRng) -> Result<()> {
        let WriteOperation { kind, storage, actor } = operation;
        let (server, id) = (self.servers.pick(rng), self.tools.pick(rng));
        match kind {
            "create tool" => {
                let new = NewTool { patch: bearer("token"), ..new_tool(&self.unique_name()) };
                self.tools.put(rng, storage.create_tool(actor, ALL, server, new).await?.id);
            }
            "update tool" => {
                drop(
                    self.tools
                        .remove_if_missing(id, storage.update_tool(actor, ALL, id, bearer("other token")).await)?,
                );
            }
            "toggle tool" => drop(self.tools.remove_if_missing(id, storage.toggle_tool(actor, ALL, id).await)?),
            "duplicate tool" => {
                self.tools.put(rng, self.tools.remove_if_missing(id, storage.duplicate_tool(actor, ALL, id).await)?.id);
            }
            "delete tool" => drop(self.tools.remove_if_missing(id, storage.delete_tool(actor, ALL, id).await)?),
            "import tools" => {
                let documents = storage.list_documents(ALL, server, None).await?.items;
                let import = ToolImport {
                    tools: vec![imported_tool(&self.unique_name(), "GET /a"), imported_tool("t", "GET /b")],
                    on_conflict: ConflictRule::Update,
                    credentials: vec![imported_credential("imported", Some("token"), true)],
                    document: Some(ImportedDocument {
                        target: documents.first().map(document_target),
                        ..imported_document(&self.unique_name())
                    }),
                    changes: Vec::new(),
                };
                storage.import_tools(actor, ALL, server, import).await?;
            }
            "delete document" => {
                let documents = storage.list_documents(ALL, server, None).await?.items;
                if let Some(document) = documents.first() {
                    storage.delete_document(actor, ALL, document.id, rng.below(2) == 0).await?;
                }
            }
            _ => {
                let mut order: Vec<_> = storage
                    .list_tools(ALL, server, &ToolFilter::default(), None)
                    .await?
                    .items
                    .iter()
                    .map(|tool| tool.id)
                    .collect();
                rng.shuffle(&mut order);
                storage.reorder_tools(actor, ALL, server, &order).await?;
            }
        }
        Ok(())
    }

    async fn change_prompt(&self, operation: WriteOperation<'_>, rng: &mut SeededRng) -> Result<()> {
        let WriteOperation { kind, storage, actor } = operation;
        let (server, id) = self.prompts.pick(rng);
        match kind {
            "create prompt" => {
                let server = self.servers.pick(rng);
                let prompt = storage.create_prompt(actor, ALL, server, prompt_spec(&self.unique_name())).await?;
                self.prompts.put(rng, (server, prompt.id));
            }
            "update prompt" => {
                let patch = PromptPatch { name: Some(self.unique_name()), ..PromptPatch::default() };
                self.prompts
                    .remove_if_missing((server, id), storage.update_prompt(actor, ALL, server, id, patch).await)?;
            }
            _ => drop(
                self.prompts.remove_if_missing((server, id), storage.delete_prompt(actor, ALL, server, id).await)?,
            ),
        }
        Ok(())
    }

    async fn change_resource(&self, operation: WriteOperation<'_>, rng: &mut SeededRng) -> Result<()> {
        let WriteOperation { kind, storage, actor } = operation;
        let (server, id) = self.resources.pick(rng);
        let config =
            r#"{"url":"https://a.example/","auth_type":"basic","auth_credentials":{"username":"u","password":"p"}}"#;
        let patch = ResourcePatch {
            data_source_type: Some(DataSourceType::Url),
            data_source_config: Some(json(config)),
            ..ResourcePatch::default()
        };
        match kind {
            "create resource" => {
                let (server, spec) =
                    (self.servers.pick(rng), ResourceSpec::new(format!("r://{}", self.unique_name()), "R".to_owned()));
                let resource = storage.create_resource(actor, ALL, server, spec, patch).await?;
                self.resources.put(rng, (server, resource.id));
            }
            "update resource" => {
                drop(
                    self.resources.remove_if_missing(
                        (server, id),
                        storage.update_resource(actor, ALL, server, id, patch).await,
                    )?,
                );
            }
            _ => drop(
                self.resources
                    .remove_if_missing((server, id), storage.delete_resource(actor, ALL, server, id).await)?,
            ),
        }
        Ok(())
    }

    async fn change_credential(&self, operation: WriteOperation<'_>, rng: &mut SeededRng) -> Result<()> {
        let WriteOperation { kind, storage, actor } = operation;
        let (server, id) = self.credentials.pick(rng);
        match kind {
            "create credential" => {
                let server = self.servers.pick(rng);
                let spec = ServerCredentialSpec::new(self.unique_name(), AuthType::Bearer);
                let created = storage.create_server_credential(actor, ALL, server, spec, credential_token("t")).await?;
                self.credentials.put(rng, (server, created.id));
            }
            "update credential" => {
                let updated = storage.update_server_credential(actor, ALL, server, id, credential_token("u")).await;
                self.credentials.remove_if_missing((server, id), updated)?;
            }
            "attach credential" => {
                let name = storage.server_credential(ALL, server, id).await?.spec.name;
                let new = NewTool { patch: with_credential(&name), ..new_tool(&self.unique_name()) };
                self.tools.put(rng, storage.create_tool(actor, ALL, server, new).await?.id);
            }
            _ => {
                let deleted = storage.delete_server_credential(actor, ALL, server, id, true).await;
                self.credentials.remove_if_missing((server, id), deleted)?;
            }
        }
        Ok(())
    }

    async fn change_endpoint_key(&self, operation: WriteOperation<'_>, rng: &mut SeededRng) -> Result<()> {
        let WriteOperation { kind, storage, actor } = operation;
        let (server, id) = self.endpoint_keys.pick(rng);
        if kind == "create endpoint key" {
            let (server, new) = (self.servers.pick(rng), NewEndpointKey::new(self.unique_name(), digest()));
            let key = storage.create_endpoint_key(actor, ALL, server, new).await?;
            self.endpoint_keys.put(rng, (server, key.id));
            return Ok(());
        }
        match kind {
            "update endpoint key" => {
                let patch = EndpointKeyPatch { name: Some(self.unique_name()), ..EndpointKeyPatch::default() };
                let updated = storage.update_endpoint_key(actor, ALL, server, id, patch).await;
                self.endpoint_keys.remove_if_missing((server, id), updated).map(drop)
            }
            "use endpoint key" => {
                let keys = (0..4).map(|_| self.endpoint_keys.pick(rng).1);
                let uses: Vec<KeyUse> = keys.map(|key| KeyUse { key, at: actor.at }).collect();
                storage.record_key_uses(&uses).await.map(drop)
            }
            _ => {
                let deleted = storage.delete_endpoint_key(actor, ALL, server, id).await;
                self.endpoint_keys.remove_if_missing((server, id), deleted).map(drop)
            }
        }
    }

    async fn change_member(&self, operation: WriteOperation<'_>, rng: &mut SeededRng) -> Result<()> {
        let WriteOperation { kind, storage, actor } = operation;
        let (server, user) = (self.servers.pick(rng), self.users.pick(rng));
        if kind == "add member" {
            let user = MemberUser::Id(user);
            return storage.add_member(actor, ALL, server, user, MemberRole::Viewer).await.map(drop);
        }
        let members = storage.list_members(ALL, server, None).await?.items;
        let user = members.first().map_or(user, |member| member.user_id);
        storage.remove_member(actor, ALL, server, user).await.map(drop)
    }

    /// Creates a user with a server, changes a user, or deletes a server and its owner concurrently.
    async fn change_user(&self, operation: WriteOperation<'_>, rng: &mut SeededRng) -> Result<()> {
        let WriteOperation { kind, storage, actor } = operation;
        if kind == "create user" {
            let role = *rng.pick(&[Role::Owner, Role::Admin]);
            let user = storage.create_user(actor, NewUser { name: self.unique_name(), role }).await?.id;
            self.users.put(rng, user);
            self.servers.put(rng, storage.create_server(actor, new_server(user, "First")).await?.id);
            return Ok(());
        }
        let user = self.users.pick(rng);
        if kind == "update user" {
            let patch = UserPatch { name: Some(self.unique_name()), role: Some(Role::Admin), ..UserPatch::default() };
            return self.users.remove_if_missing(user, storage.update_user(actor, user, patch).await).map(drop);
        }
        let id = self.servers.pick(rng);
        let owner = storage.server(ALL, id).await.map_or(user, |server| server.user_id);
        let (_, deleted) = tokio::join!(storage.delete_server(actor, ALL, id), storage.delete_user(actor, owner));
        self.users.remove_if_missing(owner, deleted).map(drop)
    }

    async fn change_api_key(&self, operation: WriteOperation<'_>, rng: &mut SeededRng) -> Result<()> {
        let WriteOperation { kind, storage, actor } = operation;
        match kind {
            "create API key" => {
                let scopes = [Scope::Mcp].into_iter().collect();
                let user_id = self.users.pick(rng);
                let new = NewApiKey { user_id, name: self.unique_name(), scopes, expires_at: None, digest: digest() };
                self.api_keys.put(rng, storage.create_api_key(actor, new).await?.id);
                Ok(())
            }
            "delete API key" => storage.delete_api_key(actor, Visibility::All, self.api_keys.pick(rng)).await.map(drop),
            _ => storage.set_bootstrap_key(actor, digest()).await,
        }
    }

    async fn change_calls_or_reseal(
        &self,
        kind: &str,
        storage: &SqlStorage,
        journal: &mut TestJournal,
        rng: &mut SeededRng,
    ) -> Result<()> {
        let now = Timestamp::from_millis(BASE_MILLIS + DAY_MILLIS * i64::try_from(rng.below(3)).unwrap());
        match kind {
            "ingest calls" => {
                let target = TestTarget {
                    user: self.users.pick(rng),
                    server: self.servers.pick(rng),
                    tool: self.tools.pick(rng),
                };
                let calls: Vec<_> = (0..20).map(|n| target.call(now.as_millis() + n)).collect();
                journal.ingest(storage, &calls).await;
                Ok(())
            }
            "prepare partitions" => storage.prepare_partitions(now).await,
            // No call is that old, so no partition is dropped: another test drops one while another node ingests into
            // it.
            "delete calls" => {
                storage.delete_calls_before(Timestamp::from_millis(BASE_MILLIS - 9 * DAY_MILLIS)).await.map(drop)
            }
            _ => {
                let _guard = self.rotation.lock().await;
                let newest = self.newest_encryption_key.fetch_add(1, Ordering::Relaxed) + 1;
                // The older keys stay: a worker may have sealed with one of them during the last rotation.
                self.encryption_keys.replace(&(1..=newest).rev().collect::<Vec<_>>());
                storage.reseal(now).await.map(drop)
            }
        }
    }
}
