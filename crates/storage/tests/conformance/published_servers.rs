//! A server as its endpoint needs it: whole, in order, with its secrets, and always one state of it.

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
    ApiKeys as _, OwnerKey, PublishedServer, PublishedServers as _, SealError, SealedAway, Servers as _, Storage as _,
    Tools as _,
};

use crate::bench::Ring;
use crate::make::{bearer, digest, json, public_id, settings};

/// Names of the tools, each with its token in clear; `?` where the secrets cannot be opened.
fn tokens(published: &PublishedServer) -> Vec<(String, String)> {
    let token = |secrets: &Result<Secrets, SealedAway>| match secrets {
        Ok(Secrets { credentials: Some(Credentials::Bearer { token }), .. }) => token.expose_secret().to_owned(),
        Ok(_) => String::new(),
        Err(_) => "?".to_owned(),
    };
    published.tools.iter().map(|(tool, secrets)| (tool.spec.name.clone(), token(secrets))).collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
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

on_both_databases! {
    async fn a_published_server_has_everything_in_order_and_in_clear(bench) {
        let server = bench.server("S").await;
        let other = bench.server("Other").await;
        bench.tool_with(other.id, "x", bearer("theirs")).await;
        let [a, b, c] = [
            bench.tool_with(server.id, "a", bearer("tok-a")).await.id,
            bench.tool_with(server.id, "b", bearer("tok-b")).await.id,
            bench.tool(server.id, "c").await.id,
        ];
        bench.storage.reorder_tools(&bench.actor(), bench.mine(), server.id, &[c, b, a]).await.unwrap();
        bench.storage.toggle_tool(&bench.actor(), bench.mine(), b).await.unwrap();
        bench.prompt(server.id, "z").await;
        bench.prompt(server.id, "y").await;
        bench.resource_with(server.id, "r://2", with_password("pw")).await;
        bench.resource(server.id, "r://1").await;
        let published = bench.published(&server.public_id).await.unwrap();
        assert_eq!((published.server.id, published.server.tool_count), (server.id, 3));
        assert_eq!(tokens(&published), pairs(&[("c", ""), ("a", "tok-a")]));
        assert_eq!(published.prompts.iter().map(|prompt| &*prompt.spec.name).collect::<Vec<_>>(), ["z", "y"]);
        let [(first, secret), (second, none)] = published.resources.try_into().unwrap();
        assert_eq!((&*first.spec.uri, &*second.spec.uri), ("r://2", "r://1"));
        assert!(secret.unwrap().expose().contains("pw") && none.unwrap().is_empty());
    }

    async fn an_unknown_id_is_nobody_s(bench) {
        bench.server("S").await;
        assert!(bench.published(&public_id()).await.is_none());
    }

    async fn paused_servers_and_drafts_are_shown_as_what_they_are(bench) {
        let server = bench.server("S").await;
        bench.storage.toggle_server(&bench.actor(), bench.mine(), server.id).await.unwrap();
        assert_eq!(bench.published(&server.public_id).await.unwrap().server.spec.status.as_str(), "paused");
        let copy = public_id();
        bench.storage.duplicate_server(&bench.actor(), bench.mine(), server.id, copy.clone()).await.unwrap();
        assert_eq!(bench.published(&copy).await.unwrap().server.spec.status.as_str(), "draft");
    }

    async fn a_secret_that_cannot_be_opened_is_an_error_for_its_object_alone(bench) {
        let test = r#"{"test_credentials":{"auth_type":"bearer","auth_credentials":{"token":"tok"}}}"#;
        let server = bench.server_with("S", ServerPatch { settings: settings(test), ..ServerPatch::default() }).await;
        bench.tool_with(server.id, "a", bearer("tok-a")).await;
        let b = bench.tool_with(server.id, "b", bearer("tok-b")).await;
        bench.tool(server.id, "c").await;
        bench.resource_with(server.id, "r://1", with_password("pw")).await;
        let empty = if bench.raw.is_sqlite() { "x''" } else { "''::bytea" };
        let damage = format!("UPDATE secrets SET sealed = {empty} WHERE kind = 'server' OR object_id = {}", b.id);
        bench.raw.execute(&format!("{damage} AND kind = 'tool'")).await;
        let published = bench.published(&server.public_id).await.unwrap();
        assert_eq!(tokens(&published), pairs(&[("a", "tok-a"), ("b", "?"), ("c", "")]));
        assert!(matches!(published.tools[1].1.as_ref().unwrap_err().0, SealError::Damaged));
        assert!(published.resources[0].1.as_ref().unwrap().expose().contains("pw"));
    }

    async fn a_key_added_to_the_ring_opens_what_was_sealed_with_it(bench) {
        let server = bench.server("S").await;
        for name in ["a", "b"] {
            bench.tool_with(server.id, name, bearer("tok")).await;
        }
        let ring = Arc::new(Ring::of(&[2, 1]));
        bench.open_again(&ring).await.unwrap().reseal(bench.actor().at).await.unwrap();
        assert_eq!(tokens(&bench.published(&server.public_id).await.unwrap()), pairs(&[("a", "?"), ("b", "?")]));
        bench.keys.becomes(&[2, 1]);
        assert_eq!(tokens(&bench.published(&server.public_id).await.unwrap()), pairs(&[("a", "tok"), ("b", "tok")]));
    }

    async fn an_owner_s_keys_are_those_that_grant_mcp(bench) {
        let make = async |user_id: UserId, scopes: &[Scope], expires_at: Option<Timestamp>| {
            let secret = digest();
            let hash = secret.hash;
            let scopes = scopes.iter().copied().collect();
            let new = NewApiKey { user_id, name: "k".to_owned(), scopes, expires_at, secret };
            bench.storage.create_api_key(&bench.actor(), new).await.unwrap();
            OwnerKey { hash, expires_at }
        };
        let end = Some(Timestamp::from_millis(5));
        let expected = [
            make(bench.alice, &[Scope::Mcp], end).await,
            make(bench.alice, &[Scope::Admin], None).await,
            make(bench.alice, &[Scope::Read, Scope::Mcp], None).await,
        ];
        make(bench.alice, &[Scope::Read, Scope::Write], None).await;
        make(bench.bob, &[Scope::Mcp], None).await;
        assert_eq!(bench.storage.owner_keys(bench.alice).await.unwrap(), expected);
        assert_eq!(bench.storage.owner_keys(UserId(4711)).await.unwrap(), []);
    }

    async fn readers_see_one_state_and_never_parts_of_two(bench) {
        let server = bench.server("S").await;
        let described = |text: &str| ToolPatch { description: Some(text.to_owned()), ..bearer(text) };
        let tool = bench.tool_with(server.id, "t", described("begin")).await;
        let is_over = Arc::new(AtomicBool::new(false));
        let mut readers = JoinSet::new();
        for _ in 0..4 {
            let (storage, is_over, id) = (Arc::clone(&bench.storage), Arc::clone(&is_over), server.public_id.clone());
            readers.spawn(async move {
                let mut seen = 0;
                while !is_over.load(Ordering::Relaxed) {
                    // Server, tools and secrets are in three tables; each write below changes all of them or none.
                    let Some(published) = storage.published_server(&id).await.unwrap() else { break };
                    assert_eq!(published.server.tool_count, i64::try_from(published.tools.len()).unwrap());
                    for ((_, token), (tool, _)) in tokens(&published).iter().zip(&published.tools) {
                        assert_eq!(*token, tool.spec.description);
                    }
                    seen += 1;
                }
                seen
            });
        }
        for round in 0..40 {
            let patch = described(&format!("round-{round}"));
            bench.storage.update_tool(&bench.actor(), bench.mine(), tool.id, patch).await.unwrap();
            let copy = bench.storage.duplicate_tool(&bench.actor(), bench.mine(), tool.id).await.unwrap();
            bench.storage.delete_tool(&bench.actor(), bench.mine(), copy.id).await.unwrap();
        }
        bench.storage.delete_server(&bench.actor(), bench.mine(), server.id).await.unwrap();
        is_over.store(true, Ordering::Relaxed);
        assert!(readers.join_all().await.iter().sum::<i32>() > 0);
    }

    async fn a_thousand_tools_with_secrets_are_published(bench) {
        let server = bench.server("S").await;
        bench.fill_tools(server.id, 999).await;
        bench.tool_with(server.id, "last", bearer("tok")).await;
        let published = bench.published(&server.public_id).await.unwrap();
        assert_eq!(published.tools.len(), 1000);
        assert_eq!(tokens(&published)[999], ("last".to_owned(), "tok".to_owned()));
    }

    async fn nodes_with_one_keyring_sign_alike_and_verify_across_a_rotation(bench) {
        let other = bench.open_again(&bench.keys).await.unwrap();
        let old = bench.storage.signing_keys("sessions");
        assert_eq!(old, other.signing_keys("sessions"));
        assert_ne!(old, other.signing_keys("states"));
        bench.keys.becomes(&[2, 1]);
        other.reseal(bench.actor().at).await.unwrap();
        let new = other.signing_keys("sessions");
        assert_eq!((new.len(), &new[1]), (2, &old[0]));
    }
}
