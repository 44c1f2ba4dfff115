//! Concurrent writers: no change is lost, no writer has to retry, and readers see consistent states.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::task::JoinSet;
use toolgate_domain::audit::Actor;
use toolgate_domain::ids::{ServerId, ToolId, UserId};
use toolgate_domain::server::{ServerPatch, ServerStatus};
use toolgate_domain::tool::ToolStatus;
use toolgate_domain::user::{NewUser, Role, Visibility};
use toolgate_storage::StorageError::{Exists, InUse};
use toolgate_storage::{
    NewServer, ServerStore as _, SqlStorage, StorageError, ToolFilter, ToolStore as _, UserStore as _,
};

use crate::builders::{new_server, new_tool, public_id, slug};
use crate::counters::wrong_counters;
use crate::fixture::StorageFixture;
use crate::seeded_rng::SeededRng;

const TASKS: u64 = 64;
const OPERATIONS_PER_TASK: usize = 17;

/// The storage, the actor, and the servers that a writer task changes, with their tools.
#[derive(Clone)]
struct WriteWorker {
    storage: Arc<SqlStorage>,
    actor: Actor,
    owner: UserId,
    servers: Vec<(ServerId, Vec<ToolId>)>,
}

impl WriteWorker {
    async fn new(fixture: &StorageFixture, servers: usize, tools: usize) -> Self {
        let mut ids = Vec::new();
        for _ in 0..servers {
            let server = fixture.server("Same").await.id;
            let mut tool_ids = Vec::new();
            for number in 0..tools {
                tool_ids.push(fixture.tool(server, &format!("t{number}")).await.id);
            }
            ids.push((server, tool_ids));
        }
        Self { storage: Arc::clone(&fixture.storage), actor: fixture.next_actor(), owner: fixture.alice, servers: ids }
    }

    /// Runs one random operation. Returns the server or tool that it toggled, by kind and id.
    async fn step(&self, rng: &mut SeededRng, name: &str) -> Result<Option<(&'static str, i64)>, StorageError> {
        let (storage, actor, visibility) = (&self.storage, &self.actor, Visibility::User(self.owner));
        let (server, tools) = rng.pick(&self.servers);
        let tool = *rng.pick(tools);
        let shared_slug = slug(&format!("same-{}", 1 + rng.below(60)));
        match rng.below(12) {
            0..2 => return storage.toggle_server(actor, visibility, *server).await.map(|_| Some(("server", server.0))),
            2..4 => return storage.toggle_tool(actor, visibility, tool).await.map(|_| Some(("tool", tool.0))),
            4..7 => {
                let mut order = tools.clone();
                rng.shuffle(&mut order);
                storage.reorder_tools(actor, visibility, *server, &order).await?;
            }
            7 => drop(storage.duplicate_tool(actor, visibility, tool).await?),
            8 => drop(storage.create_tool(actor, visibility, *server, new_tool(name)).await?),
            9 => drop(storage.create_server(actor, new_server(self.owner, "Same")).await?),
            10 if rng.below(4) == 0 => drop(storage.duplicate_server(actor, visibility, *server, public_id()).await?),
            10 => {
                let patch = ServerPatch { slug: Some(shared_slug), ..ServerPatch::default() };
                allow_exists(storage.create_server(actor, NewServer { patch, ..new_server(self.owner, name) }).await)?;
            }
            _ => {
                let patch = ServerPatch { slug: Some(shared_slug), ..ServerPatch::default() };
                allow_exists(storage.update_server(actor, visibility, *server, patch).await)?;
            }
        }
        Ok(None)
    }
}

/// Accepts the error that a requested slug is taken.
fn allow_exists<T>(result: Result<T, StorageError>) -> Result<(), StorageError> {
    match result {
        Ok(_) | Err(Exists { field: "slug", .. }) => Ok(()),
        Err(error) => Err(error),
    }
}

async fn tool_order(storage: &SqlStorage, server: ServerId) -> Vec<ToolId> {
    let tools = storage.list_tools(Visibility::All, server, &ToolFilter::default(), None).await.unwrap();
    tools.items.iter().map(|tool| tool.id).collect()
}

on_both_databases! { for crate::fixture::StorageFixture;
    async fn sixty_four_writers_on_one_owner_s_servers_lose_no_change(fixture) {
        let worker = WriteWorker::new(fixture, 4, 6).await;
        let mut tasks = JoinSet::new();
        for task in 0..TASKS {
            let worker = worker.clone();
            tasks.spawn(async move {
                let mut rng = SeededRng::new(task);
                let mut toggled = Vec::new();
                for number in 0..OPERATIONS_PER_TASK {
                    toggled.extend(worker.step(&mut rng, &format!("n{task}-{number}")).await.unwrap());
                }
                toggled
            });
        }
        let mut toggles: HashMap<(&str, i64), i64> = HashMap::new();
        for toggled in tasks.join_all().await.into_iter().flatten() {
            *toggles.entry(toggled).or_default() += 1;
        }
        assert_eq!(wrong_counters(fixture).await, [""; 0]);
        let repeated_slugs = "SELECT slug FROM servers GROUP BY user_id, slug HAVING COUNT(*) > 1";
        assert_eq!(fixture.raw.texts(repeated_slugs).await, [""; 0]);
        for (server, tools) in &worker.servers {
            let count = toggles.get(&("server", server.0)).copied().unwrap_or_default();
            let status = fixture.storage.server(fixture.as_alice(), *server).await.unwrap().spec.status;
            assert_eq!(status == ServerStatus::Active, count % 2 == 0, "{count} toggles of server {server}");
            for tool in tools {
                let count = toggles.get(&("tool", tool.0)).copied().unwrap_or_default();
                let status = fixture.storage.tool(fixture.as_alice(), *tool).await.unwrap().spec.status;
                assert_eq!(status == ToolStatus::Active, count % 2 == 0, "{count} toggles of tool {tool}");
            }
            fixture.storage.reorder_tools(&fixture.next_actor(), fixture.as_alice(), *server, tools).await.unwrap();
            let after = fixture.storage.list_tools(fixture.as_alice(), *server, &ToolFilter::default(), None).await.unwrap().items;
            assert!(after.iter().zip(0..).all(|(tool, position)| tool.sort_order == position));
            assert_eq!(after.iter().map(|tool| tool.id).take(tools.len()).collect::<Vec<_>>(), *tools);
        }
    }

    async fn readers_never_see_a_partial_order(fixture) {
        let worker = WriteWorker::new(fixture, 1, 20).await;
        let (server, forward) = worker.servers[0].clone();
        let backward: Vec<ToolId> = forward.iter().rev().copied().collect();
        let is_done = Arc::new(AtomicBool::new(false));
        let mut readers = JoinSet::new();
        for _ in 0..4 {
            let (worker, is_done) = (worker.clone(), Arc::clone(&is_done));
            let orders = [forward.clone(), backward.clone()];
            readers.spawn(async move {
                let mut read_counts = [0, 0];
                while !is_done.load(Ordering::Relaxed) {
                    let order = tool_order(&worker.storage, server).await;
                    let index = orders.iter().position(|expected| *expected == order);
                    read_counts[index.unwrap_or_else(|| panic!("a reader saw a partial order: {order:?}"))] += 1;
                }
                read_counts
            });
        }
        let mut workers = JoinSet::new();
        for number in 0..4 {
            let (worker, order) = (worker.clone(), if number % 2 == 0 { forward.clone() } else { backward.clone() });
            workers.spawn(async move {
                for _ in 0..20 {
                    let visibility = Visibility::User(worker.owner);
                    worker.storage.reorder_tools(&worker.actor, visibility, server, &order).await.unwrap();
                    worker.storage.toggle_tool(&worker.actor, visibility, order[3]).await.unwrap();
                }
            });
        }
        workers.join_all().await;
        is_done.store(true, Ordering::Relaxed);
        assert!(readers.join_all().await.iter().map(|[forward, backward]| forward + backward).sum::<i32>() > 0);
    }

    async fn a_generated_slug_never_conflicts(fixture) {
        let worker = WriteWorker::new(fixture, 4, 0).await;
        for round in 0..15 {
            let mut tasks = JoinSet::new();
            for task in 0..12_usize {
                let (worker, name) = (worker.clone(), format!("Round {round}"));
                tasks.spawn(async move {
                    let (storage, actor, owner) = (&worker.storage, &worker.actor, worker.owner);
                    let patch = ServerPatch {
                        slug: Some(slug(&format!("round-{round}"))),
                        status: Some(ServerStatus::Draft),
                        ..ServerPatch::default()
                    };
                    let new = new_server(owner, &name);
                    match task % 3 {
                        0 => drop(storage.create_server(actor, new).await.unwrap()),
                        1 => allow_exists(storage.create_server(actor, NewServer { patch, ..new }).await).unwrap(),
                        _ => {
                            let id = worker.servers[task / 3].0;
                            let toggled = storage.toggle_server(actor, Visibility::All, id).await;
                            toggled.unwrap();
                            allow_exists(storage.update_server(actor, Visibility::All, id, patch).await).unwrap();
                        }
                    }
                });
            }
            tasks.join_all().await;
        }
        assert_eq!(wrong_counters(fixture).await, [""; 0]);
    }

    async fn deleting_a_user_while_its_servers_change_leaves_no_server_without_an_owner(fixture) {
        for round in 0..25 {
            let actor = fixture.next_actor();
            let new = NewUser { name: format!("u{round}"), role: Role::Owner };
            let user = fixture.storage.create_user(&actor, new).await.unwrap().id;
            let server = fixture.storage.create_server(&actor, new_server(user, "S")).await.unwrap().id;
            let storage = &fixture.storage;
            let (deleted, copied, user_deleted) = tokio::join!(
                storage.delete_server(&actor, Visibility::All, server),
                storage.duplicate_server(&actor, Visibility::All, server, public_id()),
                storage.delete_user(&actor, user),
            );
            deleted.unwrap();
            assert!(matches!(copied, Ok(_) | Err(StorageError::NotFound(_))), "{copied:?}");
            assert!(matches!(user_deleted, Ok(_) | Err(InUse(_))), "{user_deleted:?}");
            assert!(copied.is_err() || user_deleted.is_err(), "a server was left without an owner");
        }
        assert_eq!(wrong_counters(fixture).await, [""; 0]);
    }
}
