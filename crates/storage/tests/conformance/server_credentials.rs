//! Credentials of servers, and the tools that use them.

use toolgate_domain::audit::ObjectKind;
use toolgate_domain::change::Change;
use toolgate_domain::endpoint_url::EndpointUrl;
use toolgate_domain::fault::Faults;
use toolgate_domain::ids::{ServerCredentialId, ServerId, ToolId};
use toolgate_domain::server_credential::{
    SERVER_CREDENTIALS_MAX, ServerCredential, ServerCredentialPatch, ServerCredentialSpec,
};
use toolgate_domain::tool::{ToolPatch, ToolStatus};
use toolgate_domain::upstream_auth::AuthType;
use toolgate_storage::StorageError::{CredentialInUse, Exists, NotFound, Rejected};
use toolgate_storage::{
    Result, SealError, ServerCredentialStore as _, ServerStore as _, Storage as _, StorageError, ToolFilter,
    ToolStore as _,
};

use crate::builders::{bearer, credential_token, headers, json, page, public_id, with_credential};
use crate::fixture::{StorageFixture, key_id};

fn rename(name: &str) -> ServerCredentialPatch {
    ServerCredentialPatch { name: Some(name.to_owned()), ..ServerCredentialPatch::default() }
}

fn keys(list: &str) -> ServerCredentialPatch {
    ServerCredentialPatch {
        auth_type: Some(AuthType::ApiKey),
        auth_credentials: Some(json(&format!(r#"{{"keys":[{list}]}}"#))),
        ..ServerCredentialPatch::default()
    }
}

const PATH_KEY: &str = r#"{"key_name":"token","key_value":"v","key_location":"path"}"#;

fn fields(faults: &Faults) -> Vec<&str> {
    faults.iter().map(|fault| fault.field.as_str()).collect()
}

impl StorageFixture {
    async fn update_credential(
        &self,
        credential: &ServerCredential,
        patch: ServerCredentialPatch,
    ) -> Result<ServerCredential> {
        let (actor, alice, server) = (self.next_actor(), self.as_alice(), credential.server_id);
        self.storage.update_server_credential(&actor, alice, server, credential.id, patch).await
    }

    async fn delete_credential(&self, credential: &ServerCredential, force: bool) -> Result<ServerCredential> {
        let (actor, alice, server) = (self.next_actor(), self.as_alice(), credential.server_id);
        self.storage.delete_server_credential(&actor, alice, server, credential.id, force).await
    }

    async fn update_tool(&self, id: ToolId, patch: ToolPatch) -> Result<toolgate_domain::tool::Tool> {
        self.storage.update_tool(&self.next_actor(), self.as_alice(), id, patch).await
    }

    /// The secrets of a tool in plain text.
    async fn secrets(&self, id: ToolId) -> String {
        self.storage.tool_secrets(id).await.unwrap().expose().as_str().to_owned()
    }

    /// The secrets that the catalog gets for each active tool of a server.
    async fn published_secrets(&self, server: ServerId) -> Vec<Option<String>> {
        let id = self.storage.server(self.as_alice(), server).await.unwrap().public_id;
        let published = self.published_server(&id).await.unwrap();
        let plain =
            published.tools.iter().map(|(_, secrets)| secrets.as_ref().ok().map(|one| one.expose().to_string()));
        plain.collect()
    }
}

on_both_databases! { for crate::fixture::StorageFixture;
    async fn a_credential_is_created_changed_listed_and_deleted(fixture) {
        let server = fixture.server("S").await;
        let actor = fixture.next_actor();
        let spec = ServerCredentialSpec::new("Main".to_owned(), AuthType::Basic);
        let created = fixture
            .storage
            .create_server_credential(&actor, fixture.as_alice(), server.id, spec, ServerCredentialPatch::default())
            .await
            .unwrap();
        assert_eq!((created.server_id, created.spec.name.as_str()), (server.id, "Main"));
        assert_eq!((created.has_credentials, created.tools_count, created.created_at), (false, 0, actor.at));
        let patch = ServerCredentialPatch { auth_type: Some(AuthType::Bearer), ..credential_token("tok") };
        let changed = fixture.update_credential(&created, patch).await.unwrap();
        assert_eq!((changed.spec.auth_type, changed.has_credentials), (AuthType::Bearer, true));
        let stored = fixture.storage.server_credential(fixture.as_alice(), server.id, created.id).await.unwrap();
        assert_eq!(format!("{stored:?}"), format!("{changed:?}"));
        assert!(stored.updated_at > stored.created_at);
        let cleared = ServerCredentialPatch { auth_credentials: Some(json("{}")), ..ServerCredentialPatch::default() };
        assert!(!fixture.update_credential(&created, cleared).await.unwrap().has_credentials);
        assert_eq!(fixture.raw.int("SELECT COUNT(*) FROM secrets").await, 0);
        fixture.credential(server.id, "other", "t").await;
        let listing = fixture.storage.list_server_credentials(fixture.as_alice(), server.id, Some(page(2, 1))).await;
        let listing = listing.unwrap();
        assert_eq!((listing.items[0].spec.name.as_str(), listing.total), ("other", 2));
        assert_eq!(fixture.delete_credential(&listing.items[0], false).await.unwrap().spec.name, "other");
        assert_eq!(fixture.raw.int("SELECT COUNT(*) FROM secrets").await, 0);
        let kinds = fixture.raw.texts("SELECT action || ' ' || object_name FROM audit WHERE object_kind = 'credential'");
        let rows = kinds.await;
        assert_eq!(rows, ["create Main", "update Main", "update Main", "create other", "delete other"]);
    }

    async fn names_are_unique_in_a_server_without_regard_to_case(fixture) {
        let (server, other) = (fixture.server("S").await, fixture.server("T").await);
        let first = fixture.credential(server.id, "Token", "t").await;
        fixture.credential(other.id, "token", "t").await;
        let second = fixture.credential(server.id, "second", "t").await;
        let spec = ServerCredentialSpec::new("tOKEN".to_owned(), AuthType::Bearer);
        let created = fixture
            .storage
            .create_server_credential(&fixture.next_actor(), fixture.as_alice(), server.id, spec, credential_token("t"))
            .await;
        assert_fails!(created, Exists { kind: ObjectKind::ServerCredential, field: "name" });
        let renamed = fixture.update_credential(&second, rename("TOKEN")).await;
        assert_fails!(renamed, Exists { kind: ObjectKind::ServerCredential, field: "name" });
        assert_eq!(fixture.update_credential(&first, rename("TOKEN")).await.unwrap().spec.name, "TOKEN");
    }

    async fn credentials_of_foreign_servers_are_not_found(fixture) {
        let (server, other) = (fixture.server("S").await, fixture.server("T").await);
        let credential = fixture.credential(server.id, "c", "t").await;
        let (actor, bob) = (fixture.next_actor(), fixture.as_bob());
        let (storage, id) = (&fixture.storage, credential.id);
        assert_fails!(storage.list_server_credentials(bob, server.id, None).await, NotFound(ObjectKind::Server));
        assert_fails!(storage.server_credential(bob, server.id, id).await, NotFound(ObjectKind::Server));
        let updated = storage.update_server_credential(&actor, bob, server.id, id, rename("x")).await;
        assert_fails!(updated, NotFound(ObjectKind::Server));
        for (server, id) in [(other.id, id), (server.id, ServerCredentialId(4711))] {
            let deleted = storage.delete_server_credential(&actor, fixture.as_alice(), server, id, true).await;
            assert_fails!(deleted, NotFound(ObjectKind::ServerCredential));
        }
        let foreign = fixture.tool(other.id, "t").await;
        assert_fails!(
            fixture.update_tool(foreign.id, with_credential("c")).await,
            Rejected(faults) if fields(&faults) == ["credential"]
        );
    }

    async fn a_server_has_a_maximum_number_of_credentials(fixture) {
        let server = fixture.server("S").await;
        let values = format!("{}, 'c' || n, 'bearer', 0, 1, 1", server.id);
        let columns = "server_id, name, auth_type, has_credentials, created_at, updated_at";
        fixture.raw.fill("server_credentials", columns, &values, SERVER_CREDENTIALS_MAX).await;
        let spec = ServerCredentialSpec::new("one-more".to_owned(), AuthType::Bearer);
        let created = fixture
            .storage
            .create_server_credential(&fixture.next_actor(), fixture.as_alice(), server.id, spec, credential_token("t"))
            .await;
        assert_fails!(created, Rejected(faults) if fields(&faults) == ["server_id"]);
    }

    async fn tools_use_the_secret_of_their_credential_and_one_change_reaches_all(fixture) {
        let server = fixture.server("S").await;
        let credential = fixture.credential(server.id, "Shared", "one").await;
        let patch = ToolPatch { headers: Some(headers(r#"{"Cookie":"sid=1"}"#)), ..with_credential("shared") };
        let tool = fixture.tool_with(server.id, "t", patch).await;
        assert_eq!((tool.credential.as_deref(), tool.credential_id), (Some("Shared"), Some(credential.id)));
        assert_eq!(tool.spec.auth_type, AuthType::Bearer);
        let other = fixture.tool_with(server.id, "u", bearer("own")).await;
        let other = fixture.update_tool(other.id, with_credential("Shared")).await.unwrap();
        assert_eq!(fixture.secrets(other.id).await, r#"{"kind":"bearer","credentials":{"token":"one"},"headers":{}}"#);
        let count = fixture.storage.server_credential(fixture.as_alice(), server.id, credential.id).await.unwrap();
        assert_eq!(count.tools_count, 2);
        fixture.update_credential(&credential, credential_token("two")).await.unwrap();
        for secrets in fixture.published_secrets(server.id).await {
            assert!(secrets.unwrap().contains("two"));
        }
        let changed = fixture.storage.tool(fixture.as_alice(), tool.id).await.unwrap();
        assert_eq!((changed.revision, changed.updated_at), (tool.revision + 1, tool.updated_at));
        assert!(fixture.secrets(tool.id).await.contains("sid=1"), "the headers are those of the tool");
        let renamed = fixture.update_credential(&credential, rename("renamed")).await.unwrap();
        assert_eq!(renamed.tools_count, 2);
        let changed = fixture.storage.tool(fixture.as_alice(), tool.id).await.unwrap();
        assert_eq!((changed.credential.as_deref(), changed.revision), (Some("renamed"), tool.revision + 1));
        let basic = ServerCredentialPatch { auth_type: Some(AuthType::Basic), ..ServerCredentialPatch::default() };
        assert!(!fixture.update_credential(&credential, basic).await.unwrap().has_credentials);
        let changed = fixture.storage.tool(fixture.as_alice(), tool.id).await.unwrap();
        assert_eq!(changed.spec.auth_type, AuthType::Basic);
        assert!(changed.updated_at > tool.updated_at);
        assert!(fixture.storage.tool_secrets(tool.id).await.unwrap().credentials.is_none());
    }

    async fn a_tool_has_either_its_own_credentials_or_one_of_its_server(fixture) {
        let server = fixture.server("S").await;
        fixture.credential(server.id, "c", "shared").await;
        let tool = fixture.tool_with(server.id, "t", with_credential("c")).await;
        let both = ToolPatch { credential: Change::Set("c".to_owned()), ..bearer("own") };
        let own = ToolPatch { auth_credentials: bearer("own").auth_credentials, ..ToolPatch::default() };
        for patch in [both, own] {
            let refused = fixture.update_tool(tool.id, patch).await;
            assert_fails!(refused, Rejected(faults) if fields(&faults) == ["auth_credentials", "credential"]);
        }
        let none = ToolPatch { auth_type: Some(AuthType::None), ..ToolPatch::default() };
        assert_fails!(fixture.update_tool(tool.id, none).await, Rejected(faults) if fields(&faults) == ["auth_type"]);
        assert_fails!(
            fixture.update_tool(tool.id, with_credential("missing")).await,
            Rejected(faults) if fields(&faults) == ["credential"]
        );
        let detached = ToolPatch { credential: Change::Clear, ..ToolPatch::default() };
        let detached = fixture.update_tool(tool.id, detached).await.unwrap();
        assert_eq!((detached.credential, detached.spec.auth_type), (None, AuthType::Bearer));
        assert!(fixture.storage.tool_secrets(tool.id).await.unwrap().is_empty());
        fixture.update_tool(tool.id, bearer("own")).await.unwrap();
        assert!(fixture.secrets(tool.id).await.contains("own"));
        fixture.update_tool(tool.id, with_credential("c")).await.unwrap();
        assert_eq!(fixture.raw.int("SELECT COUNT(*) FROM secrets WHERE kind = 'tool'").await, 0);
        let back = ToolPatch { credential: Change::Clear, ..bearer("again") };
        fixture.update_tool(tool.id, back).await.unwrap();
        assert!(fixture.secrets(tool.id).await.contains("again"));
    }

    async fn a_credential_in_use_is_deleted_only_by_force_and_its_tools_keep_their_type(fixture) {
        let server = fixture.server("S").await;
        let credential = fixture.credential(server.id, "c", "shared").await;
        let tool = fixture.tool_with(server.id, "t", with_credential("c")).await;
        let refused = fixture.delete_credential(&credential, false).await;
        assert_fails!(refused, CredentialInUse { tools_count: 1 });
        assert_eq!(fixture.delete_credential(&credential, true).await.unwrap().tools_count, 1);
        let left = fixture.storage.tool(fixture.as_alice(), tool.id).await.unwrap();
        assert_eq!((left.credential_id, left.credential, left.revision), (None, None, tool.revision + 1));
        assert_eq!((left.spec.auth_type, left.spec.status), (AuthType::Bearer, ToolStatus::Active));
        assert!(fixture.storage.tool_secrets(tool.id).await.unwrap().is_empty());
        assert_eq!(fixture.raw.int("SELECT COUNT(*) FROM secrets").await, 0);
    }

    async fn path_keys_that_do_not_fit_the_url_of_a_tool_are_refused(fixture) {
        let server = fixture.server("S").await;
        let credential = fixture.credential(server.id, "c", "t").await;
        fixture.tool_with(server.id, "misfit", with_credential("c")).await;
        let refused = fixture.update_credential(&credential, keys(PATH_KEY)).await;
        assert_fails!(
            refused,
            Rejected(faults) if fields(&faults) == ["auth_credentials"] && format!("{faults:?}").contains("'misfit'")
        );
        let other = fixture.credential(server.id, "other", "t").await;
        fixture.update_credential(&other, keys(PATH_KEY)).await.unwrap();
        let tool = fixture.tool(server.id, "t").await;
        let refused = fixture.update_tool(tool.id, with_credential("other")).await;
        assert_fails!(refused, Rejected(faults) if fields(&faults) == ["credential"]);
        let url = |text: &str| Some(EndpointUrl::parse("endpoint_url", text).unwrap());
        let fitting = ToolPatch { endpoint_url: url("https://a.example/{token}"), ..with_credential("other") };
        fixture.update_tool(tool.id, fitting).await.unwrap();
        let moved = ToolPatch { endpoint_url: url("https://a.example/"), ..ToolPatch::default() };
        assert_fails!(fixture.update_tool(tool.id, moved).await, Rejected(faults) if fields(&faults) == ["credential"]);
    }

    async fn copies_of_tools_and_servers_use_the_credential_of_their_own_server(fixture) {
        let server = fixture.server("S").await;
        let credential = fixture.credential(server.id, "c", "shared").await;
        let tool = fixture.tool_with(server.id, "t", with_credential("c")).await;
        fixture.tool_with(server.id, "own", bearer("own")).await;
        let (storage, actor, alice) = (&fixture.storage, fixture.next_actor(), fixture.as_alice());
        let copy = storage.duplicate_tool(&actor, alice, tool.id).await.unwrap();
        assert_eq!((copy.credential_id, copy.credential.as_deref()), (Some(credential.id), Some("c")));
        let copied = storage.duplicate_server(&actor, alice, server.id, public_id()).await.unwrap();
        let listing = storage.list_server_credentials(alice, copied.id, None).await.unwrap();
        let new = &listing.items[0];
        assert_eq!((new.spec.name.as_str(), new.has_credentials, new.tools_count), ("c", true, 2));
        assert_ne!(new.id, credential.id);
        let tools = storage.list_tools(alice, copied.id, &ToolFilter::default(), None).await.unwrap().items;
        let ids: Vec<_> = tools.iter().map(|tool| tool.credential_id).collect();
        assert_eq!(ids, [Some(new.id), None, Some(new.id)]);
        storage.delete_server(&actor, alice, server.id).await.unwrap();
        assert!(fixture.secrets(tools[0].id).await.contains("shared"));
        assert_eq!(fixture.raw.int("SELECT COUNT(*) FROM server_credentials").await, 1);
        assert_eq!(storage.check().await.unwrap(), Vec::<String>::new());
        storage.delete_server(&actor, alice, copied.id).await.unwrap();
        for table in ["server_credentials", "tools", "secrets"] {
            assert_eq!(fixture.raw.int(&format!("SELECT COUNT(*) FROM {table}")).await, 0, "{table}");
        }
    }

    async fn credentials_are_resealed_and_bound_to_their_row(fixture) {
        let server = fixture.server("S").await;
        let credential = fixture.credential(server.id, "c", "shared").await;
        let tool = fixture.tool_with(server.id, "t", with_credential("c")).await;
        fixture.tool_with(server.id, "own", bearer("own")).await;
        fixture.keys.replace(&[2, 1]);
        assert_eq!(fixture.storage.reseal(fixture.next_actor().at).await.unwrap(), 2);
        let sealed = format!("SELECT COUNT(*) FROM secrets WHERE key_id = '{}'", key_id(2));
        assert_eq!(fixture.raw.int(&sealed).await, 2);
        assert!(fixture.secrets(tool.id).await.contains("shared"));
        let moved = "UPDATE secrets SET object_id = object_id + 1 WHERE kind = 'credential'";
        fixture.raw.execute(moved).await;
        fixture.raw.execute("UPDATE server_credentials SET has_credentials = 1").await;
        let other = fixture.insert_credential_without_secret(server.id).await;
        assert_eq!(other.id.0, credential.id.0 + 1);
        let other_tool = fixture.tool_with(server.id, "other", with_credential("empty")).await;
        let opened = fixture.storage.tool_secrets(other_tool.id).await;
        assert_fails!(opened, StorageError::Sealing(SealError::Damaged));
        let published = fixture.published_secrets(server.id).await;
        assert_eq!(published.iter().map(Option::is_some).collect::<Vec<_>>(), [true, true, false]);
        fixture.update_credential(&other, credential_token("replaced")).await.unwrap();
        assert!(fixture.secrets(other_tool.id).await.contains("replaced"), "an unreadable secret can be replaced");
    }
}

impl StorageFixture {
    /// Inserts a credential that claims to have a secret (`has_credentials`), but stores none. The secret that is found
    /// for it is the one that the test has moved to its id.
    async fn insert_credential_without_secret(&self, server: ServerId) -> ServerCredential {
        let columns = "server_id, name, auth_type, has_credentials, created_at, updated_at";
        let sql = format!("INSERT INTO server_credentials ({columns}) VALUES ({server}, 'empty', 'bearer', 1, 1, 1)");
        self.raw.execute(&sql).await;
        let listing = self.storage.list_server_credentials(self.as_alice(), server, None).await.unwrap();
        listing.items.into_iter().last().unwrap()
    }
}
