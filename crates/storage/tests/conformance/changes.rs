//! Every write tells its listeners exactly what changed, before it returns; what is read then shows it.

use toolgate_domain::api_key::{NewApiKey, Scope};
use toolgate_domain::ids::{PublicId, ServerId, ToolId, UserId};
use toolgate_domain::prompt::PromptPatch;
use toolgate_domain::resource::{ResourcePatch, ResourceSpec};
use toolgate_domain::server::{Server, ServerPatch};
use toolgate_domain::tool::ToolPatch;
use toolgate_domain::user::{NewUser, Role};
use toolgate_storage::{
    ApiKeys as _, Change, EndpointKeys as _, NewEndpointKey, Prompts as _, PublishedServers as _, Resources as _,
    Servers as _, Storage as _, StorageError, Tools as _, Users as _,
};

use crate::bench::Bench;
use crate::ear::Ear;
use crate::make::{bearer, digest, new_server, new_tool, prompt_spec, public_id};

/// A bench, and who listens at it.
struct Listening<'a> {
    bench: &'a Bench,
    ear: Ear,
}

impl<'a> Listening<'a> {
    async fn at(bench: &'a Bench) -> Self {
        Self { bench, ear: Ear::at(&bench.storage).await }
    }

    /// A write that changes what is published under `id`, and nothing else.
    async fn changes<T>(&mut self, id: &PublicId, write: impl Future<Output = Result<T, StorageError>>) -> T {
        let before = format!("{:?}", self.bench.published(id).await);
        let done = write.await.unwrap();
        assert_eq!(self.ear.heard(), [Change::Server(id.clone())]);
        assert_ne!(format!("{:?}", self.bench.published(id).await), before);
        done
    }

    /// A write that changes the keys of `user`, and nothing else.
    async fn changes_keys<T>(&mut self, user: UserId, write: impl Future<Output = Result<T, StorageError>>) -> T {
        let before = self.bench.storage.owner_keys(user).await.unwrap();
        let done = write.await.unwrap();
        assert_eq!(self.ear.heard(), [Change::OwnerKeys(user)]);
        assert_ne!(self.bench.storage.owner_keys(user).await.unwrap(), before);
        done
    }

    /// A server of Alice's that nobody has to hear of any more.
    async fn server(&mut self) -> Server {
        let server = self.bench.server("S").await;
        self.ear.heard();
        server
    }
}

fn api_key(user_id: UserId) -> NewApiKey {
    let scopes = [Scope::Mcp].into_iter().collect();
    NewApiKey { user_id, name: "k".to_owned(), scopes, expires_at: None, secret: digest() }
}

on_both_databases! {
    async fn a_server_is_told_of_from_its_making_to_its_end(bench) {
        let mut listening = Listening::at(bench).await;
        let (storage, mine) = (&bench.storage, bench.mine());
        let new = new_server(bench.alice, "S");
        let id = new.public_id.clone();
        let server = listening.changes(&id, storage.create_server(&bench.actor(), new)).await.id;
        let patch = ServerPatch { name: Some("T".to_owned()), ..ServerPatch::default() };
        listening.changes(&id, storage.update_server(&bench.actor(), mine, server, patch)).await;
        listening.changes(&id, storage.toggle_server(&bench.actor(), mine, server)).await;
        let copy = public_id();
        listening.changes(&copy, storage.duplicate_server(&bench.actor(), mine, server, copy.clone())).await;
        listening.changes(&id, storage.delete_server(&bench.actor(), mine, server)).await;
        assert!(bench.published(&id).await.is_none());
    }

    async fn every_write_to_a_tool_tells_of_its_server(bench) {
        let mut listening = Listening::at(bench).await;
        let (storage, mine) = (&bench.storage, bench.mine());
        let Server { id: server, public_id: id, .. } = listening.server().await;
        let tool = listening.changes(&id, storage.create_tool(&bench.actor(), mine, server, new_tool("t"))).await.id;
        listening.changes(&id, storage.update_tool(&bench.actor(), mine, tool, bearer("tok"))).await;
        let copy = listening.changes(&id, storage.duplicate_tool(&bench.actor(), mine, tool)).await.id;
        listening.changes(&id, storage.reorder_tools(&bench.actor(), mine, server, &[copy])).await;
        listening.changes(&id, storage.toggle_tool(&bench.actor(), mine, tool)).await;
        assert_eq!(bench.published(&id).await.unwrap().tools.len(), 1);
        listening.changes(&id, storage.toggle_tool(&bench.actor(), mine, tool)).await;
        listening.changes(&id, storage.delete_tool(&bench.actor(), mine, tool)).await;
        assert_eq!(bench.published(&id).await.unwrap().tools[0].0.id, copy);
    }

    async fn every_write_to_a_prompt_or_a_resource_tells_of_its_server(bench) {
        let mut listening = Listening::at(bench).await;
        let (storage, mine) = (&bench.storage, bench.mine());
        let Server { id: server, public_id: id, .. } = listening.server().await;
        let actor = bench.actor();
        let made = storage.create_prompt(&actor, mine, server, prompt_spec("p"));
        let prompt = listening.changes(&id, made).await.id;
        let patch = PromptPatch { name: Some("q".to_owned()), ..PromptPatch::default() };
        listening.changes(&id, storage.update_prompt(&bench.actor(), mine, server, prompt, patch)).await;
        listening.changes(&id, storage.delete_prompt(&bench.actor(), mine, server, prompt)).await;
        let spec = ResourceSpec::new("r://1".to_owned(), "R".to_owned());
        let made = storage.create_resource(&actor, mine, server, spec, ResourcePatch::default());
        let resource = listening.changes(&id, made).await.id;
        let patch = ResourcePatch { name: Some("Q".to_owned()), ..ResourcePatch::default() };
        listening.changes(&id, storage.update_resource(&bench.actor(), mine, server, resource, patch)).await;
        listening.changes(&id, storage.delete_resource(&bench.actor(), mine, server, resource)).await;
    }

    async fn endpoint_keys_tell_of_their_server(bench) {
        let mut listening = Listening::at(bench).await;
        let (storage, mine) = (&bench.storage, bench.mine());
        let Server { id: server, public_id: id, .. } = listening.server().await;
        let new = NewEndpointKey { name: "k".to_owned(), secret: digest() };
        let hash = new.secret.hash;
        let key = listening.changes(&id, storage.create_endpoint_key(&bench.actor(), mine, server, new)).await.id;
        assert_eq!(bench.published(&id).await.unwrap().key_hashes, [hash]);
        listening.changes(&id, storage.delete_endpoint_key(&bench.actor(), mine, server, key)).await;
        assert_eq!(bench.published(&id).await.unwrap().key_hashes, []);
    }

    async fn management_keys_and_users_tell_of_the_user_s_keys(bench) {
        let mut listening = Listening::at(bench).await;
        let storage = &bench.storage;
        let key = listening.changes_keys(bench.alice, storage.create_api_key(&bench.actor(), api_key(bench.alice))).await;
        listening.changes_keys(bench.alice, storage.delete_api_key(&bench.actor(), key.id)).await;
        listening.changes_keys(bench.bob, storage.create_api_key(&bench.actor(), api_key(bench.bob))).await;
        listening.changes_keys(bench.bob, storage.delete_user(&bench.actor(), bench.bob)).await;
    }

    async fn a_bootstrap_key_tells_of_every_user_whose_keys_it_replaces(bench) {
        let mut listening = Listening::at(bench).await;
        let (storage, actor) = (&bench.storage, bench.actor());
        let (first, second) = (digest(), digest());
        storage.set_bootstrap_key(&actor, first.clone()).await.unwrap();
        let admin = storage.find_api_key(first.hash).await.unwrap().unwrap().user.id;
        assert_eq!(listening.ear.heard(), [Change::OwnerKeys(admin)]);
        storage.set_bootstrap_key(&actor, first).await.unwrap();
        assert_eq!(listening.ear.heard(), [], "the same key again changes nothing");
        storage.create_api_key(&actor, NewApiKey { secret: second.clone(), ..api_key(bench.alice) }).await.unwrap();
        listening.ear.heard();
        storage.set_bootstrap_key(&actor, second.clone()).await.unwrap();
        let heard = listening.ear.heard();
        assert_eq!(heard.len(), 2, "{heard:?}");
        assert!([bench.alice, admin].iter().all(|user| heard.contains(&Change::OwnerKeys(*user))), "{heard:?}");
        assert!(!storage.set_first_bootstrap_key(&actor, digest()).await.unwrap());
        assert_eq!(listening.ear.heard(), []);
    }

    async fn what_no_endpoint_sees_is_not_told(bench) {
        let mut listening = Listening::at(bench).await;
        let server = listening.server().await;
        bench.tool_with(server.id, "t", bearer("tok")).await;
        listening.ear.heard();
        let new = NewUser { name: "carol".to_owned(), role: Role::Admin };
        bench.storage.create_user(&bench.actor(), new).await.unwrap();
        bench.keys.becomes(&[2, 1]);
        assert_eq!(bench.storage.reseal(bench.actor().at).await.unwrap(), 1);
        assert_eq!(listening.ear.heard(), []);
    }

    async fn a_write_that_fails_tells_nobody(bench) {
        let mut listening = Listening::at(bench).await;
        let (storage, mine, theirs) = (&bench.storage, bench.mine(), bench.theirs());
        let server = listening.server().await;
        let tool = bench.tool(server.id, "t").await;
        listening.ear.heard();
        let actor = bench.actor();
        storage.create_tool(&actor, mine, server.id, new_tool("t")).await.unwrap_err();
        storage.update_tool(&actor, theirs, tool.id, ToolPatch::default()).await.unwrap_err();
        storage.reorder_tools(&actor, mine, server.id, &[ToolId(4711)]).await.unwrap_err();
        storage.toggle_server(&actor, theirs, server.id).await.unwrap_err();
        storage.delete_server(&actor, mine, ServerId(4711)).await.unwrap_err();
        storage.delete_user(&actor, bench.alice).await.unwrap_err();
        storage.create_api_key(&actor, api_key(UserId(4711))).await.unwrap_err();
        assert_eq!(listening.ear.heard(), []);
        listening.changes(&server.public_id, storage.toggle_tool(&actor, mine, tool.id)).await;
    }

    async fn every_listener_is_told(bench) {
        let mut ears = [Ear::at(&bench.storage).await, Ear::at_once(&bench.storage)];
        let server = bench.server("S").await;
        for ear in &mut ears {
            assert_eq!(ear.heard(), [Change::Server(server.public_id.clone())]);
        }
    }
}
