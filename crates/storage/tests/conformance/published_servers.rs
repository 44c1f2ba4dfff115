//! Published servers: an endpoint reads a server completely, in order, with its secrets, in one consistent state.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use secrecy::ExposeSecret as _;
use tokio::task::JoinSet;
use toolgate_domain::api_key::{NewApiKey, Scope};
use toolgate_domain::data_source::DataSourceType;
use toolgate_domain::ids::UserId;
use toolgate_domain::resource::ResourcePatch;
use toolgate_domain::secrets::Secrets;
use toolgate_domain::server::ServerPatch;
use toolgate_domain::time::Timestamp;
use toolgate_domain::tool::ToolPatch;
use toolgate_domain::upstream_auth::Credentials;
use toolgate_storage::{
    ApiKeyStore as _, OwnerKey, PublishedServer, PublishedServerReader as _, SealError, ServerStore as _, Storage as _,
    ToolStore as _, UnreadableSecrets,
};

use crate::builders::{bearer, digest, json, public_id, settings};
use crate::fixture::TestKeys;

/// The names of the tools, each with its decrypted token, or with `?` if its secrets cannot be decrypted.
fn tokens(published: &PublishedServer) -> Vec<(String, String)> {
    let token = |secrets: &Result<Secrets, UnreadableSecrets>| match secrets {
        Ok(Secrets { credentials: Some(Credentials::Bearer { token }), .. }) => token.expose_secret().to_owned(),
        Ok(_) => String::new(),
        Err(_) => "?".to_owned(),
    };
    published.tools.iter().map(|(tool, secrets)| (tool.spec.name.clone(), token(secrets))).collect()
}

fn to_owned_pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(name, token)| ((*name).to_owned(), (*token).to_owned())).collect()
}

fn with_password(password: &str) -> ResourcePatch {
    let config = format!(
        r#"{{"url":"https://a.example/","auth_type":"basic","auth_credentials":{{"username":"u","password":"{password}"}}}}"#
    );
    ResourcePatch {
        data_source_type: Some(DataSourceType::Url),
        data_source_config: Some(json(&config)),
        ..ResourcePatch::default()
    }
}

on_both_databases! { for crate::fixture::StorageFixture;
    async fn a_published_server_is_complete_ordered_and_decrypted(fixture) {
        let server = fixture.server("S").await;
        let other = fixture.server("Other").await;
        fixture.tool_with(other.id, "x", bearer("theirs")).await;
        let [a, b, c] = [
            fixture.tool_with(server.id, "a", bearer("tok-a")).await.id,
            fixture.tool_with(server.id, "b", bearer("tok-b")).await.id,
            fixture.tool(server.id, "c").await.id,
        ];
        fixture.storage.reorder_tools(&fixture.next_actor(), fixture.as_alice(), server.id, &[c, b, a]).await.unwrap();
        fixture.storage.toggle_tool(&fixture.next_actor(), fixture.as_alice(), b).await.unwrap();
        fixture.prompt(server.id, "z").await;
        fixture.prompt(server.id, "y").await;
        fixture.resource_with(server.id, "r://2", with_password("pw")).await;
        fixture.resource(server.id, "r://1").await;
        let published = fixture.published_server(&server.public_id).await.unwrap();
        assert_eq!((published.server.id, published.server.tool_count), (server.id, 3));
        assert_eq!(tokens(&published), to_owned_pairs(&[("c", ""), ("a", "tok-a")]));
        assert_eq!(published.prompts.iter().map(|prompt| &*prompt.spec.name).collect::<Vec<_>>(), ["z", "y"]);
        let [(first, secret), (second, none)] = published.resources.try_into().unwrap();
        assert_eq!((&*first.spec.uri, &*second.spec.uri), ("r://2", "r://1"));
        assert!(secret.unwrap().expose().contains("pw") && none.unwrap().is_empty());
    }

    async fn an_unknown_id_has_no_published_server(fixture) {
        fixture.server("S").await;
        assert!(fixture.published_server(&public_id()).await.is_none());
    }

    async fn paused_and_draft_servers_are_published_with_their_status(fixture) {
        let server = fixture.server("S").await;
        fixture.storage.toggle_server(&fixture.next_actor(), fixture.as_alice(), server.id).await.unwrap();
        assert_eq!(fixture.published_server(&server.public_id).await.unwrap().server.spec.status.as_str(), "paused");
        let copy = public_id();
        fixture.storage.duplicate_server(&fixture.next_actor(), fixture.as_alice(), server.id, copy.clone()).await.unwrap();
        assert_eq!(fixture.published_server(&copy).await.unwrap().server.spec.status.as_str(), "draft");
    }

    async fn an_unreadable_secret_is_an_error_for_its_object_only(fixture) {
        let test_settings = r#"{"test_credentials":{"auth_type":"bearer","auth_credentials":{"token":"tok"}}}"#;
        let server =
            fixture.server_with("S", ServerPatch { settings: settings(test_settings), ..ServerPatch::default() }).await;
        fixture.tool_with(server.id, "a", bearer("tok-a")).await;
        let b = fixture.tool_with(server.id, "b", bearer("tok-b")).await;
        fixture.tool(server.id, "c").await;
        fixture.resource_with(server.id, "r://1", with_password("pw")).await;
        let empty = if fixture.raw.is_sqlite() { "x''" } else { "''::bytea" };
        let damage = format!("UPDATE secrets SET sealed = {empty} WHERE kind = 'server' OR object_id = {}", b.id);
        fixture.raw.execute(&format!("{damage} AND kind = 'tool'")).await;
        let published = fixture.published_server(&server.public_id).await.unwrap();
        assert_eq!(tokens(&published), to_owned_pairs(&[("a", "tok-a"), ("b", "?"), ("c", "")]));
        assert!(matches!(published.tools[1].1.as_ref().unwrap_err().0, SealError::Damaged));
        assert!(published.resources[0].1.as_ref().unwrap().expose().contains("pw"));
    }

    async fn a_key_added_to_the_keyring_decrypts_secrets_sealed_with_it(fixture) {
        let server = fixture.server("S").await;
        for name in ["a", "b"] {
            fixture.tool_with(server.id, name, bearer("tok")).await;
        }
        let keyring = Arc::new(TestKeys::new(&[2, 1]));
        fixture.open_again(&keyring).await.unwrap().reseal(fixture.next_actor().at).await.unwrap();
        assert_eq!(
            tokens(&fixture.published_server(&server.public_id).await.unwrap()),
            to_owned_pairs(&[("a", "?"), ("b", "?")])
        );
        fixture.keys.replace(&[2, 1]);
        assert_eq!(
            tokens(&fixture.published_server(&server.public_id).await.unwrap()),
            to_owned_pairs(&[("a", "tok"), ("b", "tok")])
        );
    }

    async fn owner_keys_are_the_keys_that_grant_mcp(fixture) {
        let create_key = async |user_id: UserId, scopes: &[Scope], expires_at: Option<Timestamp>| {
            let key_digest = digest();
            let hash = key_digest.hash;
            let scopes = scopes.iter().copied().collect();
            let new = NewApiKey { user_id, name: "k".to_owned(), scopes, expires_at, digest: key_digest };
            fixture.storage.create_api_key(&fixture.next_actor(), new).await.unwrap();
            OwnerKey { hash, expires_at, is_user_disabled: false }
        };
        let expiry = Some(Timestamp::from_millis(5));
        let expected = [
            create_key(fixture.alice, &[Scope::Mcp], expiry).await,
            create_key(fixture.alice, &[Scope::Admin], None).await,
            create_key(fixture.alice, &[Scope::Read, Scope::Mcp], None).await,
        ];
        create_key(fixture.alice, &[Scope::Read, Scope::Write], None).await;
        create_key(fixture.bob, &[Scope::Mcp], None).await;
        assert_eq!(fixture.storage.owner_keys(fixture.alice).await.unwrap(), expected);
        assert_eq!(fixture.storage.owner_keys(UserId(4711)).await.unwrap(), []);
    }

    async fn readers_never_see_parts_of_two_states(fixture) {
        let server = fixture.server("S").await;
        let described = |text: &str| ToolPatch { description: Some(text.to_owned()), ..bearer(text) };
        let tool = fixture.tool_with(server.id, "t", described("begin")).await;
        let is_done = Arc::new(AtomicBool::new(false));
        let mut readers = JoinSet::new();
        for _ in 0..4 {
            let (storage, is_done, id) = (Arc::clone(&fixture.storage), Arc::clone(&is_done), server.public_id.clone());
            readers.spawn(async move {
                let mut read_count = 0;
                while !is_done.load(Ordering::Relaxed) {
                    // Server, tools and secrets are in three tables; each write below changes all of them or none.
                    let Some(published) = storage.published_server(&id).await.unwrap() else { break };
                    assert_eq!(published.server.tool_count, i64::try_from(published.tools.len()).unwrap());
                    for ((_, token), (tool, _)) in tokens(&published).iter().zip(&published.tools) {
                        assert_eq!(*token, tool.spec.description);
                    }
                    read_count += 1;
                }
                read_count
            });
        }
        for round in 0..40 {
            let patch = described(&format!("round-{round}"));
            fixture.storage.update_tool(&fixture.next_actor(), fixture.as_alice(), tool.id, patch).await.unwrap();
            let copy = fixture.storage.duplicate_tool(&fixture.next_actor(), fixture.as_alice(), tool.id).await.unwrap();
            fixture.storage.delete_tool(&fixture.next_actor(), fixture.as_alice(), copy.id).await.unwrap();
        }
        fixture.storage.delete_server(&fixture.next_actor(), fixture.as_alice(), server.id).await.unwrap();
        is_done.store(true, Ordering::Relaxed);
        assert!(readers.join_all().await.iter().sum::<i32>() > 0);
    }

    async fn a_thousand_tools_with_secrets_are_published(fixture) {
        let server = fixture.server("S").await;
        fixture.fill_tools(server.id, 999).await;
        fixture.tool_with(server.id, "last", bearer("tok")).await;
        let published = fixture.published_server(&server.public_id).await.unwrap();
        assert_eq!(published.tools.len(), 1000);
        assert_eq!(tokens(&published)[999], ("last".to_owned(), "tok".to_owned()));
    }

    async fn nodes_with_one_keyring_share_signing_keys_across_a_rotation(fixture) {
        let other = fixture.open_again(&fixture.keys).await.unwrap();
        let old = fixture.storage.signing_keys("sessions");
        assert_eq!(old, other.signing_keys("sessions"));
        assert_ne!(old, other.signing_keys("states"));
        fixture.keys.replace(&[2, 1]);
        other.reseal(fixture.next_actor().at).await.unwrap();
        let new = other.signing_keys("sessions");
        assert_eq!((new.len(), &new[1]), (2, &old[0]));
    }
}
