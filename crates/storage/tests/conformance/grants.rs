//! Grants: their codes and refresh tokens, and everything that ends them.

mod ends;
mod tokens;

use toolgate_domain::api_key::{KeyHash, NewApiKey, Scope};
use toolgate_domain::audit::{Action, ObjectKind};
use toolgate_domain::ids::{ApiKeyId, GrantId, OAuthClientId, ServerId, UserId};
use toolgate_domain::member::{MemberRole, MemberUser, ServerRole};
use toolgate_domain::oauth::client::{ClientAuthMethod, ClientKind, ClientStatus, NewOAuthClient, OAuthClient};
use toolgate_domain::oauth::grant::{NewCode, NewGrant, NewRefreshToken};
use toolgate_domain::oauth::scopes::McpScopes;
use toolgate_domain::server::{EndpointAuth, Server, ServerPatch};
use toolgate_domain::time::{DAY_MS, Timestamp};
use toolgate_domain::user::{NewUser, Role, Visibility};
use toolgate_storage::StorageError::{Forbidden, NotFound};
use toolgate_storage::{
    ApiKeyStore as _, AuditQuery, AuditReader as _, GrantStore as _, MemberStore as _, OAuthClientStore as _,
    UserStore as _,
};

use crate::audit::newest_entries;
use crate::builders::{digest, page, settings};
use crate::fixture::StorageFixture;

/// The time that a code is valid.
const CODE_TTL_MS: i64 = 60_000;

/// A patch that lets a server accept tokens of the built-in issuer.
pub(crate) fn oauth(access: &str) -> ServerPatch {
    ServerPatch {
        auth_type: Some(EndpointAuth::OAuth),
        settings: settings(&format!(r#"{{"oauth":{{"access":"{access}"}}}}"#)),
        ..ServerPatch::default()
    }
}

pub(crate) fn new_client(client_id: &str, kind: ClientKind) -> NewOAuthClient {
    NewOAuthClient {
        client_id: client_id.to_owned(),
        kind,
        name: format!("Client {client_id}"),
        redirect_uris: vec!["https://client.example/callback".to_owned(), "http://127.0.0.1/a,b".to_owned()],
        auth_method: ClientAuthMethod::None,
        secret_hash: None,
    }
}

pub(crate) fn hash() -> KeyHash {
    digest().hash
}

/// A grant to store, whose code expires a minute after `at`, and which ends after 180 days.
pub(crate) fn new_grant(server: ServerId, user: UserId, client: OAuthClientId, at: Timestamp) -> NewGrant {
    NewGrant {
        server_id: server,
        user_id: user,
        key_id: None,
        client_id: client,
        redirect_host: "client.example".to_owned(),
        scopes: McpScopes::ALL,
        ends_at: at.plus_millis(180 * DAY_MS),
        code: NewCode {
            hash: hash(),
            redirect_uri: "https://client.example/callback".to_owned(),
            challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM".to_owned(),
            expires_at: at.plus_millis(CODE_TTL_MS),
        },
    }
}

/// A refresh token that expires 30 days after `now`.
fn new_token(now: Timestamp) -> NewRefreshToken {
    NewRefreshToken { hash: hash(), expires_at: now.plus_millis(30 * DAY_MS) }
}

impl StorageFixture {
    async fn oauth_server(&self, access: &str) -> Server {
        self.server_with("Signed", oauth(access)).await
    }

    async fn oauth_client(&self) -> OAuthClient {
        let id = format!("tgx_{}", hash().0[7]);
        self.storage.create_client(&self.next_actor(), new_client(&id, ClientKind::Preregistered)).await.unwrap()
    }

    /// Creates a grant, and returns its id and its first refresh token.
    async fn grant_with_token(&self, grant: NewGrant) -> (GrantId, KeyHash) {
        let (actor, code) = (self.current_actor(), grant.code.hash);
        let id = self.storage.create_grant(&actor, grant).await.unwrap();
        let token = new_token(actor.at);
        assert!(self.storage.take_code(&code, token.clone(), actor.at).await.unwrap());
        (id, token.hash)
    }

    /// Creates a grant that a person gives to a new client.
    async fn grant_by(&self, server: ServerId, user: UserId) -> GrantId {
        let client = self.oauth_client().await.id;
        self.grant_with_token(new_grant(server, user, client, self.current_actor().at)).await.0
    }

    async fn person(&self, name: &str, role: Role) -> UserId {
        self.storage.create_user(&self.next_actor(), NewUser { name: name.to_owned(), role }).await.unwrap().id
    }

    async fn make_member(&self, server: ServerId, user: UserId) {
        let (actor, user) = (self.next_actor(), MemberUser::Id(user));
        self.storage.add_member(&actor, Visibility::All, server, user, MemberRole::Viewer).await.unwrap();
    }

    async fn key_of(&self, user: UserId) -> ApiKeyId {
        let scopes = [Scope::Mcp].into_iter().collect();
        let new = NewApiKey { user_id: user, name: "k".to_owned(), scopes, expires_at: None, digest: digest() };
        self.storage.create_api_key(&self.next_actor(), new).await.unwrap().id
    }

    /// The ids of all grants that have ended, in order.
    async fn ended(&self) -> Vec<GrantId> {
        let ended = self.storage.ended_grants(Timestamp::from_millis(0), 1000).await.unwrap();
        let mut ids: Vec<GrantId> = ended.iter().map(|grant| grant.id).collect();
        ids.sort_unstable();
        ids
    }

    /// The audit rows of a kind, the newest first: action, object id, fields.
    pub(crate) async fn audit_of(&self, kind: ObjectKind) -> Vec<(Action, i64, String)> {
        let query = AuditQuery { object_kind: Some(kind), page: page(1, 100), ..newest_entries(Visibility::All) };
        let entries = self.storage.audit_entries(&query).await.unwrap().items;
        entries
            .into_iter()
            .map(|entry| (Action::parse(&entry.action).unwrap(), entry.object_id, entry.fields))
            .collect()
    }
}

on_both_databases! { for crate::fixture::StorageFixture;
    async fn a_grant_is_listed_for_its_person_and_for_the_owner_of_the_server(fixture) {
        let server = fixture.oauth_server("users").await;
        let client = fixture.oauth_client().await;
        let actor = fixture.next_actor();
        let (id, _) = fixture.grant_with_token(new_grant(server.id, fixture.bob, client.id, actor.at)).await;
        let other = fixture.grant_by(server.id, fixture.alice).await;
        let listing = fixture.storage.grants_of_server(fixture.as_alice(), server.id, None).await.unwrap();
        assert_eq!((listing.total, listing.items.iter().map(|grant| grant.id).collect::<Vec<_>>()), (2, vec![other, id]));
        let listing = fixture.storage.grants_of_server(Visibility::All, server.id, Some(page(2, 1))).await.unwrap();
        assert_eq!((listing.total, listing.items[0].id), (2, id));
        let grant = fixture.storage.grant_of_user(fixture.bob, id).await.unwrap();
        assert_eq!((grant.server_id, &grant.server_public_id), (server.id, &server.public_id));
        assert_eq!((grant.user_id, grant.user_name.as_str()), (fixture.bob, "bob"));
        assert_eq!((grant.client_id, &grant.client_identifier, &grant.client_name), (client.id, &client.client_id, &client.name));
        assert_eq!((grant.client_kind, grant.redirect_host.as_str()), (ClientKind::Preregistered, "client.example"));
        assert_eq!((grant.scopes, grant.created_at, grant.last_used_at), (McpScopes::ALL, actor.at, None));
        assert_eq!(grant.expires_at, actor.at.plus_millis(30 * DAY_MS));
        assert_eq!(fixture.storage.grants_of_user(fixture.bob, None).await.unwrap().total, 1);
        let consents = fixture.audit_of(ObjectKind::Grant).await;
        assert!(consents.contains(&(Action::Consent, id.0, format!("client_id={},scope=mcp:read mcp:write", client.id))), "{consents:?}");
        let client = fixture.storage.client(client.id).await.unwrap();
        assert_eq!(client.last_consent_at, Some(actor.at), "a consent is recorded for the client");
    }

    async fn grants_of_others_are_not_found(fixture) {
        let server = fixture.oauth_server("users").await;
        let id = fixture.grant_by(server.id, fixture.alice).await;
        let storage = &fixture.storage;
        assert_fails!(storage.grant_of_user(fixture.bob, id).await, NotFound(ObjectKind::Grant));
        assert_fails!(storage.grants_of_server(fixture.as_bob(), server.id, None).await, NotFound(ObjectKind::Server));
        assert_fails!(storage.grant_of_server(fixture.as_bob(), server.id, id).await, NotFound(ObjectKind::Server));
        fixture.make_member(server.id, fixture.bob).await;
        assert_fails!(
            storage.grants_of_server(fixture.as_bob(), server.id, None).await,
            Forbidden { role: ServerRole::Viewer, required: ServerRole::Owner }
        );
        let other = fixture.server("Other").await;
        assert_fails!(storage.grant_of_server(fixture.as_alice(), other.id, id).await, NotFound(ObjectKind::Grant));
        storage.grant_of_server(fixture.as_alice(), server.id, id).await.unwrap();
    }

    async fn only_people_with_access_can_give_a_grant(fixture) {
        let (admin, member, other) =
            (fixture.person("ada", Role::Admin).await, fixture.person("mia", Role::Member).await, fixture.bob);
        let client = fixture.oauth_client().await.id;
        let give = async |server: &Server, user: UserId| {
            let actor = fixture.next_actor();
            fixture.storage.create_grant(&actor, new_grant(server.id, user, client, actor.at)).await.is_ok()
        };
        for (access, expected) in [("owner", [true, true, false, false]), ("members", [true, true, true, false]), ("users", [true; 4])] {
            let server = fixture.oauth_server(access).await;
            fixture.make_member(server.id, member).await;
            let mut given = Vec::new();
            for user in [fixture.alice, admin, member, other] {
                given.push(give(&server, user).await);
            }
            assert_eq!(given, expected, "{access}");
        }
        let keys_only = fixture.server_with("Keys", ServerPatch { auth_type: Some(EndpointAuth::ApiKey), ..ServerPatch::default() }).await;
        assert!(!give(&keys_only, fixture.alice).await, "the server does not use OAuth");
        let external = ServerPatch { settings: settings(r#"{"oauth":{"issuer":"https://id.example"}}"#), ..oauth("users") };
        let external = fixture.server_with("External", external).await;
        assert!(!give(&external, fixture.alice).await, "an external issuer issues the tokens");
    }

    async fn a_grant_of_a_blocked_client_or_a_missing_object_is_refused(fixture) {
        let server = fixture.oauth_server("users").await;
        let client = fixture.oauth_client().await.id;
        let actor = fixture.next_actor();
        let grant = new_grant(server.id, fixture.alice, client, actor.at);
        let give = async |grant: NewGrant| fixture.storage.create_grant(&actor, grant).await;
        assert_fails!(give(NewGrant { server_id: ServerId(4711), ..grant.clone() }).await, NotFound(ObjectKind::Server));
        assert_fails!(give(NewGrant { user_id: UserId(4711), ..grant.clone() }).await, NotFound(ObjectKind::User));
        assert_fails!(give(NewGrant { key_id: Some(ApiKeyId(4711)), ..grant.clone() }).await, NotFound(ObjectKind::ApiKey));
        assert_fails!(give(NewGrant { client_id: OAuthClientId(4711), ..grant.clone() }).await, NotFound(ObjectKind::OAuthClient));
        fixture.storage.set_client_status(&actor, client, ClientStatus::Blocked).await.unwrap();
        assert_fails!(give(grant).await, NotFound(ObjectKind::OAuthClient));
        assert_eq!(fixture.raw.int("SELECT COUNT(*) FROM oauth_grants").await, 0);
    }

    async fn a_refused_consent_is_in_the_audit_log(fixture) {
        let server = fixture.oauth_server("users").await;
        let client = fixture.oauth_client().await.id;
        for server in [Some(server.id), None] {
            fixture.storage.record_denied_consent(&fixture.next_actor(), client, server).await.unwrap();
            let records = fixture.audit_of(ObjectKind::OAuthClient).await;
            assert_eq!(records[0], (Action::Deny, client.0, String::new()));
        }
        let denials = "SELECT COUNT(*) FROM audit WHERE action = 'deny'";
        assert_eq!(fixture.raw.int(denials).await, 2);
    }

    async fn the_last_use_of_a_grant_never_goes_back(fixture) {
        let server = fixture.oauth_server("users").await;
        let one = fixture.grant_by(server.id, fixture.alice).await;
        let two = fixture.grant_by(server.id, fixture.alice).await;
        let at = Timestamp::from_millis;
        fixture.storage.record_grant_uses(&[(two, at(20)), (one, at(30)), (GrantId(4711), at(1))]).await.unwrap();
        fixture.storage.record_grant_uses(&[(one, at(10)), (two, at(40))]).await.unwrap();
        let used = async |id| fixture.storage.grant_of_user(fixture.alice, id).await.unwrap().last_used_at;
        assert_eq!((used(one).await, used(two).await), (Some(at(30)), Some(at(40))));
    }
}
