//! Before a write returns, it notifies the listeners of the objects that changed and of no others. Later reads show the
//! change.

use toolgate_domain::api_key::{EndpointKeyPatch, NewApiKey, Scope};
use toolgate_domain::change::Change;
use toolgate_domain::ids::{PublicId, ServerId, ToolId, UserId};
use toolgate_domain::prompt::PromptPatch;
use toolgate_domain::resource::{ResourcePatch, ResourceSpec};
use toolgate_domain::server::{Server, ServerPatch};
use toolgate_domain::tool::ToolPatch;
use toolgate_domain::user::{NewUser, Role, UserPatch, Visibility};
use toolgate_storage::{
    ApiKeyStore as _, ChangeEvent, EndpointKeyStore as _, NewEndpointKey, PromptStore as _, PublishedKey,
    PublishedServerReader as _, ResourceStore as _, ServerStore as _, Storage as _, StorageError, ToolStore as _,
    UserStore as _,
};

use crate::builders::{bearer, digest, new_server, new_tool, prompt_spec, public_id};
use crate::change_recorder::ChangeRecorder;
use crate::fixture::StorageFixture;

/// A fixture, and a recorder of its change events.
struct ChangeAssertions<'a> {
    fixture: &'a StorageFixture,
    recorder: ChangeRecorder,
}

impl<'a> ChangeAssertions<'a> {
    async fn new(fixture: &'a StorageFixture) -> Self {
        Self { fixture, recorder: ChangeRecorder::start(&fixture.storage).await }
    }

    /// Asserts that a write changes the published server `id`, and reports no other change.
    async fn assert_changes<T>(&mut self, id: &PublicId, write: impl Future<Output = Result<T, StorageError>>) -> T {
        let before = format!("{:?}", self.fixture.published_server(id).await);
        let output = write.await.unwrap();
        assert_eq!(self.recorder.drain(), [ChangeEvent::Server(id.clone())]);
        assert_ne!(format!("{:?}", self.fixture.published_server(id).await), before);
        output
    }

    /// Asserts that a write changes the keys of `user`, and reports no other change.
    async fn assert_changes_keys<T>(
        &mut self,
        user: UserId,
        write: impl Future<Output = Result<T, StorageError>>,
    ) -> T {
        let before = self.fixture.storage.owner_keys(user).await.unwrap();
        let output = write.await.unwrap();
        assert_eq!(self.recorder.drain(), [ChangeEvent::OwnerKeys(user)]);
        assert_ne!(self.fixture.storage.owner_keys(user).await.unwrap(), before);
        output
    }

    /// Creates a server that Alice owns, and discards its change event.
    async fn server(&mut self) -> Server {
        let server = self.fixture.server("S").await;
        self.recorder.drain();
        server
    }
}

fn api_key(user_id: UserId) -> NewApiKey {
    let scopes = [Scope::Mcp].into_iter().collect();
    NewApiKey { user_id, name: "k".to_owned(), scopes, expires_at: None, digest: digest() }
}

on_both_databases! { for crate::fixture::StorageFixture;
    async fn every_write_to_a_server_is_reported(fixture) {
        let mut assertions = ChangeAssertions::new(fixture).await;
        let (storage, as_alice) = (&fixture.storage, fixture.as_alice());
        let new = new_server(fixture.alice, "S");
        let id = new.public_id.clone();
        let server = assertions.assert_changes(&id, storage.create_server(&fixture.next_actor(), new)).await.id;
        let patch = ServerPatch { name: Some("T".to_owned()), ..ServerPatch::default() };
        assertions.assert_changes(&id, storage.update_server(&fixture.next_actor(), as_alice, server, patch)).await;
        assertions.assert_changes(&id, storage.toggle_server(&fixture.next_actor(), as_alice, server)).await;
        let copy = public_id();
        assertions
            .assert_changes(&copy, storage.duplicate_server(&fixture.next_actor(), as_alice, server, copy.clone()))
            .await;
        assertions.assert_changes(&id, storage.delete_server(&fixture.next_actor(), as_alice, server)).await;
        assert!(fixture.published_server(&id).await.is_none());
    }

    async fn every_write_to_a_tool_reports_its_server(fixture) {
        let mut assertions = ChangeAssertions::new(fixture).await;
        let (storage, as_alice) = (&fixture.storage, fixture.as_alice());
        let Server { id: server, public_id: id, .. } = assertions.server().await;
        let tool = assertions
            .assert_changes(&id, storage.create_tool(&fixture.next_actor(), as_alice, server, new_tool("t")))
            .await
            .id;
        assertions.assert_changes(&id, storage.update_tool(&fixture.next_actor(), as_alice, tool, bearer("tok"))).await;
        let copy = assertions.assert_changes(&id, storage.duplicate_tool(&fixture.next_actor(), as_alice, tool)).await.id;
        assertions.assert_changes(&id, storage.reorder_tools(&fixture.next_actor(), as_alice, server, &[copy])).await;
        assertions.assert_changes(&id, storage.toggle_tool(&fixture.next_actor(), as_alice, tool)).await;
        assert_eq!(fixture.published_server(&id).await.unwrap().tools.len(), 1);
        assertions.assert_changes(&id, storage.toggle_tool(&fixture.next_actor(), as_alice, tool)).await;
        assertions.assert_changes(&id, storage.delete_tool(&fixture.next_actor(), as_alice, tool)).await;
        assert_eq!(fixture.published_server(&id).await.unwrap().tools[0].0.id, copy);
    }

    async fn every_write_to_a_prompt_or_a_resource_reports_its_server(fixture) {
        let mut assertions = ChangeAssertions::new(fixture).await;
        let (storage, as_alice) = (&fixture.storage, fixture.as_alice());
        let Server { id: server, public_id: id, .. } = assertions.server().await;
        let actor = fixture.next_actor();
        let creation = storage.create_prompt(&actor, as_alice, server, prompt_spec("p"));
        let prompt = assertions.assert_changes(&id, creation).await.id;
        let patch = PromptPatch { name: Some("q".to_owned()), ..PromptPatch::default() };
        assertions.assert_changes(&id, storage.update_prompt(&fixture.next_actor(), as_alice, server, prompt, patch)).await;
        assertions.assert_changes(&id, storage.delete_prompt(&fixture.next_actor(), as_alice, server, prompt)).await;
        let spec = ResourceSpec::new("r://1".to_owned(), "R".to_owned());
        let creation = storage.create_resource(&actor, as_alice, server, spec, ResourcePatch::default());
        let resource = assertions.assert_changes(&id, creation).await.id;
        let patch = ResourcePatch { name: Some("Q".to_owned()), ..ResourcePatch::default() };
        assertions
            .assert_changes(&id, storage.update_resource(&fixture.next_actor(), as_alice, server, resource, patch))
            .await;
        assertions.assert_changes(&id, storage.delete_resource(&fixture.next_actor(), as_alice, server, resource)).await;
    }

    async fn every_write_to_an_endpoint_key_reports_its_server(fixture) {
        let mut assertions = ChangeAssertions::new(fixture).await;
        let (storage, as_alice) = (&fixture.storage, fixture.as_alice());
        let Server { id: server, public_id: id, .. } = assertions.server().await;
        let new = NewEndpointKey::new("k".to_owned(), digest());
        let hash = new.digest.hash;
        let key = assertions
            .assert_changes(&id, storage.create_endpoint_key(&fixture.next_actor(), as_alice, server, new))
            .await
            .id;
        let published = fixture.published_server(&id).await.unwrap().endpoint_keys;
        assert_eq!(published, [PublishedKey { id: key, hash, expires_at: None, rate_limit_per_min: None }]);
        let patch = EndpointKeyPatch { rate_limit_per_min: Change::Set(7), ..EndpointKeyPatch::default() };
        let actor = fixture.next_actor();
        let update = storage.update_endpoint_key(&actor, as_alice, server, key, patch);
        assertions.assert_changes(&id, update).await;
        let published = fixture.published_server(&id).await.unwrap().endpoint_keys;
        assert_eq!(published, [PublishedKey { id: key, hash, expires_at: None, rate_limit_per_min: Some(7) }]);
        assertions.assert_changes(&id, storage.delete_endpoint_key(&fixture.next_actor(), as_alice, server, key)).await;
        assert_eq!(fixture.published_server(&id).await.unwrap().endpoint_keys, []);
    }

    async fn writes_to_api_keys_and_users_report_the_user_s_keys(fixture) {
        let mut assertions = ChangeAssertions::new(fixture).await;
        let storage = &fixture.storage;
        let key = assertions
            .assert_changes_keys(fixture.alice, storage.create_api_key(&fixture.next_actor(), api_key(fixture.alice)))
            .await;
        assertions.assert_changes_keys(fixture.alice, storage.delete_api_key(&fixture.next_actor(), Visibility::All, key.id)).await;
        assertions
            .assert_changes_keys(fixture.bob, storage.create_api_key(&fixture.next_actor(), api_key(fixture.bob)))
            .await;
        let disabled = UserPatch { is_disabled: Some(true), ..UserPatch::default() };
        assertions
            .assert_changes_keys(fixture.bob, storage.update_user(&fixture.next_actor(), fixture.bob, disabled))
            .await;
        assertions.assert_changes_keys(fixture.bob, storage.delete_user(&fixture.next_actor(), fixture.bob)).await;
    }

    async fn a_bootstrap_key_reports_every_user_whose_keys_it_replaces(fixture) {
        let mut assertions = ChangeAssertions::new(fixture).await;
        let (storage, actor) = (&fixture.storage, fixture.next_actor());
        let (first, second) = (digest(), digest());
        storage.set_bootstrap_key(&actor, first.clone()).await.unwrap();
        let admin = storage.find_api_key(first.hash).await.unwrap().unwrap().user.id;
        assert_eq!(assertions.recorder.drain(), [ChangeEvent::OwnerKeys(admin)]);
        storage.set_bootstrap_key(&actor, first).await.unwrap();
        assert_eq!(assertions.recorder.drain(), [], "the same key again changes nothing");
        storage.create_api_key(&actor, NewApiKey { digest: second.clone(), ..api_key(fixture.alice) }).await.unwrap();
        assertions.recorder.drain();
        storage.set_bootstrap_key(&actor, second.clone()).await.unwrap();
        let events = assertions.recorder.drain();
        assert_eq!(events.len(), 2, "{events:?}");
        assert!(
            [fixture.alice, admin].iter().all(|user| events.contains(&ChangeEvent::OwnerKeys(*user))),
            "{events:?}"
        );
        storage.set_first_bootstrap_key(&actor, digest(), "here", &|| Ok(())).await.unwrap();
        assert!(!storage.ensure_bootstrap_key(&actor, digest()).await.unwrap());
        assert_eq!(assertions.recorder.drain(), []);
    }

    async fn changes_that_no_endpoint_shows_are_not_reported(fixture) {
        let mut assertions = ChangeAssertions::new(fixture).await;
        let server = assertions.server().await;
        fixture.tool_with(server.id, "t", bearer("tok")).await;
        assertions.recorder.drain();
        let new = NewUser { name: "carol".to_owned(), role: Role::Admin };
        fixture.storage.create_user(&fixture.next_actor(), new).await.unwrap();
        fixture.keys.replace(&[2, 1]);
        assert_eq!(fixture.storage.reseal(fixture.next_actor().at).await.unwrap(), 1);
        assert_eq!(assertions.recorder.drain(), []);
    }

    async fn a_failed_write_is_not_reported(fixture) {
        let mut assertions = ChangeAssertions::new(fixture).await;
        let (storage, as_alice, as_bob) = (&fixture.storage, fixture.as_alice(), fixture.as_bob());
        let server = assertions.server().await;
        let tool = fixture.tool(server.id, "t").await;
        assertions.recorder.drain();
        let actor = fixture.next_actor();
        storage.create_tool(&actor, as_alice, server.id, new_tool("t")).await.unwrap_err();
        storage.update_tool(&actor, as_bob, tool.id, ToolPatch::default()).await.unwrap_err();
        storage.reorder_tools(&actor, as_alice, server.id, &[ToolId(4711)]).await.unwrap_err();
        storage.toggle_server(&actor, as_bob, server.id).await.unwrap_err();
        storage.delete_server(&actor, as_alice, ServerId(4711)).await.unwrap_err();
        storage.delete_user(&actor, fixture.alice).await.unwrap_err();
        storage.create_api_key(&actor, api_key(UserId(4711))).await.unwrap_err();
        assert_eq!(assertions.recorder.drain(), []);
        assertions.assert_changes(&server.public_id, storage.toggle_tool(&actor, as_alice, tool.id)).await;
    }

    async fn every_listener_is_notified(fixture) {
        let mut recorders =
            [ChangeRecorder::start(&fixture.storage).await, ChangeRecorder::start_without_waiting(&fixture.storage)];
        let server = fixture.server("S").await;
        for recorder in &mut recorders {
            assert_eq!(recorder.drain(), [ChangeEvent::Server(server.public_id.clone())]);
        }
    }
}
