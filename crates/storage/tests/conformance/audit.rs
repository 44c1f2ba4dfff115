//! The audit log: each change writes one row in its own transaction, and rows cannot be changed or deleted.

use toolgate_domain::api_key::{NewApiKey, Scope};
use toolgate_domain::audit::{Actor, AuditEntry};
use toolgate_domain::ids::ApiKeyId;
use toolgate_domain::member::{MemberRole, MemberUser};
use toolgate_domain::page::Page;
use toolgate_domain::prompt::PromptPatch;
use toolgate_domain::resource::{ResourcePatch, ResourceSpec};
use toolgate_domain::server::ServerPatch;
use toolgate_domain::server_credential::ServerCredentialSpec;
use toolgate_domain::tool::ToolPatch;
use toolgate_domain::upstream_auth::AuthType;
use toolgate_domain::user::{NewUser, Role, UserPatch, Visibility};
use toolgate_storage::StorageError::Database;
use toolgate_storage::{
    ApiKeyStore as _, AuditQuery, AuditReader as _, EndpointKeyStore as _, MemberStore as _, NewEndpointKey,
    PromptStore as _, ResourceStore as _, ServerCredentialStore as _, ServerStore as _, ToolStore as _, UserStore as _,
};

use crate::builders::{
    bearer, credential_token, digest, new_server, new_tool, prompt_spec, public_id, with_credential,
};
use crate::fixture::StorageFixture;

/// Selects the audit rows of a test. The first two rows are those of the fixture's users.
const ROWS_SQL: &str = "SELECT action || ' ' || object_kind || ' ' || object_id || ' by ' || COALESCE(user_id, 0) \
    || '/' || COALESCE(key_id, 0) || ' at ' || at || ': ' || fields FROM audit WHERE id > 2 ORDER BY id";

/// Selects the newest two rows.
pub(crate) fn newest_entries(visibility: Visibility) -> AuditQuery {
    AuditQuery {
        visibility,
        user: None,
        server: None,
        object_kind: None,
        object_id: None,
        action: None,
        from: None,
        until: None,
        page: Page { number: 1, size: 2 },
    }
}

/// The state that a failed change must leave untouched.
async fn snapshot(fixture: &StorageFixture) -> Vec<String> {
    let mut all = Vec::new();
    for (table, row) in [
        ("users", "id || name"),
        ("api_keys", "id || name"),
        ("servers", "id || name || slug || status || updated_at || tool_count || prompt_count || resource_count"),
        ("server_search", "server_id || status || text"),
        ("tools", "id || name || status || sort_order || revision || updated_at"),
        ("prompts", "id || name || updated_at"),
        ("resources", "id || uri || name || updated_at"),
        ("server_credentials", "id || name || updated_at"),
        ("endpoint_keys", "id || name"),
        ("server_members", "server_id || '/' || user_id || role"),
        ("secrets", "kind || object_id || key_id"),
        (
            "owner_counts",
            "user_id || '/' || active_servers || '/' || paused_servers || '/' || draft_servers || '/' || tools",
        ),
        ("audit", "'audit ' || id"),
    ] {
        all.extend(fixture.raw.texts(&format!("SELECT {row} FROM {table} ORDER BY 1")).await);
    }
    all
}

/// Makes every later insert into the audit log fail.
async fn break_audit(fixture: &StorageFixture) {
    if fixture.raw.is_sqlite() {
        let sql =
            "CREATE TRIGGER broken BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is broken'); END";
        fixture.raw.execute(sql).await;
        return;
    }
    let sql = "CREATE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql AS \
        'BEGIN RAISE EXCEPTION ''the audit log is broken''; END'";
    fixture.raw.execute(sql).await;
    fixture.raw.execute("CREATE TRIGGER broken BEFORE INSERT ON audit FOR EACH ROW EXECUTE FUNCTION broken()").await;
}

on_both_databases! { for crate::fixture::StorageFixture;
    async fn rows_of_a_newer_release_are_readable(fixture) {
        let columns = "(at, action, object_kind, object_id, fields)";
        fixture.raw.execute(&format!("INSERT INTO audit {columns} VALUES (1, 'archive', 'folder', 7, '')")).await;
        let query = newest_entries(Visibility::All);
        let entry = fixture.storage.audit_entries(&query).await.unwrap().items.remove(0);
        assert_eq!((entry.action.as_str(), entry.object_kind.as_str(), entry.object_id), ("archive", "folder", 7));
    }

    async fn every_change_writes_one_row_with_actor_object_and_fields(fixture) {
        let (storage, as_alice) = (&fixture.storage, fixture.as_alice());
        let actor = Actor {
            user_id: Some(fixture.alice),
            user_name: Some("alice".to_owned()),
            key_id: Some(ApiKeyId(77)),
            key_name: Some("laptop".to_owned()),
            fields: "name,auth_credentials".to_owned(),
            ..fixture.next_actor()
        };
        let actor = &actor;
        let mut expected = Vec::new();
        let mut expect = |action: &str, id: i64| {
            let (user, at) = (fixture.alice, actor.at.as_millis());
            expected.push(format!("{action} {id} by {user}/77 at {at}: name,auth_credentials"));
        };
        let server = storage.create_server(actor, new_server(fixture.alice, "S")).await.unwrap().id;
        expect("create server", server.0);
        storage.update_server(actor, as_alice, server, ServerPatch::default()).await.unwrap();
        expect("update server", server.0);
        storage.toggle_server(actor, as_alice, server).await.unwrap();
        expect("toggle server", server.0);
        let tool = storage.create_tool(actor, as_alice, server, new_tool("t")).await.unwrap().id;
        expect("create tool", tool.0);
        storage.update_tool(actor, as_alice, tool, bearer("never-in-audit")).await.unwrap();
        expect("update tool", tool.0);
        storage.toggle_tool(actor, as_alice, tool).await.unwrap();
        expect("toggle tool", tool.0);
        let copy = storage.duplicate_tool(actor, as_alice, tool).await.unwrap().id;
        expect("duplicate tool", copy.0);
        storage.reorder_tools(actor, as_alice, server, &[copy]).await.unwrap();
        expect("reorder server", server.0);
        storage.delete_tool(actor, as_alice, copy).await.unwrap();
        expect("delete tool", copy.0);
        let prompt = storage.create_prompt(actor, as_alice, server, prompt_spec("p")).await.unwrap().id;
        expect("create prompt", prompt.0);
        storage.update_prompt(actor, as_alice, server, prompt, PromptPatch::default()).await.unwrap();
        expect("update prompt", prompt.0);
        storage.delete_prompt(actor, as_alice, server, prompt).await.unwrap();
        expect("delete prompt", prompt.0);
        let spec = ResourceSpec::new("r://1".to_owned(), "R".to_owned());
        let resource =
            storage.create_resource(actor, as_alice, server, spec, ResourcePatch::default()).await.unwrap().id;
        expect("create resource", resource.0);
        storage.update_resource(actor, as_alice, server, resource, ResourcePatch::default()).await.unwrap();
        expect("update resource", resource.0);
        storage.delete_resource(actor, as_alice, server, resource).await.unwrap();
        expect("delete resource", resource.0);
        let new = NewEndpointKey::new("k".to_owned(), digest());
        let key = storage.create_endpoint_key(actor, as_alice, server, new).await.unwrap().id;
        expect("create endpoint_key", key.0);
        storage.delete_endpoint_key(actor, as_alice, server, key).await.unwrap();
        expect("delete endpoint_key", key.0);
        let second = storage.duplicate_server(actor, as_alice, server, public_id()).await.unwrap().id;
        expect("duplicate server", second.0);
        storage.delete_server(actor, as_alice, second).await.unwrap();
        expect("delete server", second.0);
        assert_eq!(fixture.raw.texts(ROWS_SQL).await, expected);
    }

    async fn changes_of_users_and_keys_are_audited(fixture) {
        let actor = fixture.next_actor();
        let user =
            fixture.storage.create_user(&actor, NewUser { name: "u".to_owned(), role: Role::Viewer }).await.unwrap().id;
        let scopes = [Scope::Read].into_iter().collect();
        let new = NewApiKey { user_id: user, name: "k".to_owned(), scopes, expires_at: None, digest: digest() };
        let key = fixture.storage.create_api_key(&actor, new).await.unwrap().id;
        fixture.storage.delete_api_key(&actor, Visibility::All, key).await.unwrap();
        fixture.storage.delete_user(&actor, user).await.unwrap();
        fixture.storage.set_bootstrap_key(&actor, digest()).await.unwrap();
        fixture.storage.set_bootstrap_key(&actor, digest()).await.unwrap();
        let rows = fixture.raw.texts("SELECT action || ' ' || object_kind FROM audit WHERE id > 2 ORDER BY id").await;
        assert_eq!(
            rows,
            [
                "create user",
                "create api_key",
                "delete api_key",
                "delete user",
                "create user",
                "create api_key",
                "delete api_key",
                "create api_key",
            ]
        );
        let sql = "SELECT COUNT(*) FROM audit WHERE user_id IS NULL AND key_id IS NULL";
        assert_eq!(fixture.raw.int(sql).await, 10, "the rows above and two of the fixture have no user and no key");
    }

    async fn a_failed_change_writes_no_row(fixture) {
        let server = fixture.server("S").await;
        fixture.tool(server.id, "t").await;
        let before = snapshot(fixture).await;
        let (actor, as_alice) = (fixture.next_actor(), fixture.as_alice());
        fixture.storage.create_tool(&actor, as_alice, server.id, new_tool("t")).await.unwrap_err();
        fixture.storage.toggle_server(&actor, fixture.as_bob(), server.id).await.unwrap_err();
        fixture
            .storage
            .reorder_tools(&actor, as_alice, server.id, &[toolgate_domain::ids::ToolId(4711)])
            .await
            .unwrap_err();
        fixture.storage.create_user(&actor, NewUser { name: "bob".to_owned(), role: Role::Viewer }).await.unwrap_err();
        assert_eq!(snapshot(fixture).await, before);
    }

    async fn a_change_without_its_audit_row_is_rolled_back(fixture) {
        let (storage, as_alice) = (&fixture.storage, fixture.as_alice());
        let server = fixture.server("S").await.id;
        let tool = fixture.tool_with(server, "t", bearer("tok")).await.id;
        fixture.tool(server, "u").await;
        let prompt = fixture.prompt(server, "p").await.id;
        let resource = fixture.resource(server, "r://1").await.id;
        let credential = fixture.credential(server, "c", "tok").await.id;
        fixture.tool_with(server, "v", with_credential("c")).await;
        let credential_spec = ServerCredentialSpec::new("d".to_owned(), AuthType::Bearer);
        let new_key = || NewEndpointKey::new("k".to_owned(), digest());
        let key = storage.create_endpoint_key(&fixture.next_actor(), as_alice, server, new_key()).await.unwrap().id;
        let scopes = [Scope::Read].into_iter().collect();
        let new_api_key =
            || NewApiKey { user_id: fixture.bob, name: "k".to_owned(), scopes, expires_at: None, digest: digest() };
        let api_key = storage.create_api_key(&fixture.next_actor(), new_api_key()).await.unwrap().id;
        let before = snapshot(fixture).await;
        break_audit(fixture).await;
        let actor = &fixture.next_actor();
        let renamed_tool = ToolPatch { name: Some("x".to_owned()), ..bearer("other") };
        let renamed_server = ServerPatch { name: Some("x".to_owned()), ..ServerPatch::default() };
        let handed_over = ServerPatch { user_id: Some(fixture.bob), ..ServerPatch::default() };
        let spec = ResourceSpec::new("r://2".to_owned(), "R".to_owned());
        let renamed_prompt = PromptPatch { name: Some("x".to_owned()), ..PromptPatch::default() };
        let renamed_resource = ResourcePatch { name: Some("x".to_owned()), ..ResourcePatch::default() };
        let attempts = [
            storage.create_server(actor, new_server(fixture.alice, "N")).await.map(drop),
            storage.update_server(actor, as_alice, server, renamed_server).await.map(drop),
            storage.delete_server(actor, as_alice, server).await.map(drop),
            storage.toggle_server(actor, as_alice, server).await.map(drop),
            storage.duplicate_server(actor, as_alice, server, public_id()).await.map(drop),
            storage.create_tool(actor, as_alice, server, new_tool("n")).await.map(drop),
            storage.update_tool(actor, as_alice, tool, renamed_tool).await.map(drop),
            storage.delete_tool(actor, as_alice, tool).await.map(drop),
            storage.toggle_tool(actor, as_alice, tool).await.map(drop),
            storage.duplicate_tool(actor, as_alice, tool).await.map(drop),
            storage.reorder_tools(actor, as_alice, server, &[tool]).await,
            storage.create_prompt(actor, as_alice, server, prompt_spec("n")).await.map(drop),
            storage.update_prompt(actor, as_alice, server, prompt, renamed_prompt).await.map(drop),
            storage.delete_prompt(actor, as_alice, server, prompt).await.map(drop),
            storage.create_resource(actor, as_alice, server, spec, ResourcePatch::default()).await.map(drop),
            storage.update_resource(actor, as_alice, server, resource, renamed_resource).await.map(drop),
            storage.delete_resource(actor, as_alice, server, resource).await.map(drop),
            storage.create_server_credential(actor, as_alice, server, credential_spec, credential_token("t")).await.map(drop),
            storage.update_server_credential(actor, as_alice, server, credential, credential_token("t")).await.map(drop),
            storage.delete_server_credential(actor, as_alice, server, credential, true).await.map(drop),
            storage.create_endpoint_key(actor, as_alice, server, new_key()).await.map(drop),
            storage.delete_endpoint_key(actor, as_alice, server, key).await.map(drop),
            storage.create_user(actor, NewUser { name: "n".to_owned(), role: Role::Viewer }).await.map(drop),
            storage.update_user(actor, fixture.bob, UserPatch::default()).await.map(drop),
            storage.delete_user(actor, fixture.bob).await.map(drop),
            storage.add_member(actor, as_alice, server, MemberUser::Id(fixture.bob), MemberRole::Viewer).await.map(drop),
            storage.update_server(actor, Visibility::All, server, handed_over).await.map(drop),
            storage.create_api_key(actor, new_api_key()).await.map(drop),
            storage.delete_api_key(actor, Visibility::All, api_key).await.map(drop),
            storage.set_bootstrap_key(actor, digest()).await,
        ];
        for (number, attempt) in attempts.into_iter().enumerate() {
            assert!(matches!(attempt, Err(Database(_))), "attempt {number}: {attempt:?}");
        }
        assert_eq!(snapshot(fixture).await, before);
        assert!(storage.tool_secrets(tool).await.unwrap().expose().contains("tok"));
    }

    async fn a_first_bootstrap_key_without_its_audit_row_is_rolled_back(fixture) {
        for user in [fixture.alice, fixture.bob] {
            fixture.storage.delete_user(&fixture.next_actor(), user).await.unwrap();
        }
        let before = snapshot(fixture).await;
        break_audit(fixture).await;
        let created = fixture.storage.set_first_bootstrap_key(&fixture.next_actor(), digest(), "here", &|| Ok(())).await;
        assert!(matches!(created, Err(Database(_))), "{created:?}");
        assert_eq!(snapshot(fixture).await, before);
    }

    async fn audit_rows_can_be_neither_changed_nor_deleted(fixture) {
        let before = snapshot(fixture).await;
        for sql in ["UPDATE audit SET fields = 'x'", "DELETE FROM audit", "DELETE FROM audit WHERE id = 1"] {
            let error = fixture.raw.try_execute(sql).await.unwrap_err();
            assert!(error.to_string().contains("audit rows cannot be"), "{error}");
        }
        assert_eq!(snapshot(fixture).await, before);
    }

    async fn entries_follow_a_server_to_its_owner_and_stay_after_its_deletion(fixture) {
        let (storage, server) = (&fixture.storage, fixture.server("S").await.id);
        fixture.tool(server, "t").await;
        let listed = async |visibility| {
            let listing = storage.audit_entries(&newest_entries(visibility)).await.unwrap();
            let name = |entry: &AuditEntry| format!("{} {}", entry.action.as_str(), entry.object_name.as_deref().unwrap_or("-"));
            (listing.items.iter().map(name).collect::<Vec<_>>(), listing.total)
        };
        let expected = (vec!["create t".to_owned(), "create S".to_owned()], 2);
        assert_eq!(listed(fixture.as_alice()).await, expected);
        assert_eq!(listed(fixture.as_bob()).await.1, 0);
        assert_eq!(listed(Visibility::All).await.1, 4, "the users of the fixture are included");
        fixture.raw.execute(&format!("UPDATE servers SET user_id = {} WHERE id = {server}", fixture.bob)).await;
        assert_eq!(listed(fixture.as_bob()).await, expected);
        assert_eq!(listed(fixture.as_alice()).await.1, 0);
        storage.delete_server(&fixture.next_actor(), fixture.as_bob(), server).await.unwrap();
        assert_eq!(listed(fixture.as_bob()).await, (vec!["delete S".to_owned(), "create t".to_owned()], 3));
        assert_eq!(listed(fixture.as_alice()).await.1, 0);
    }
}
