//! Many writers at once: nothing is lost, nobody is told to come back later, and readers see whole states.

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
use toolgate_storage::{NewServer, Servers as _, SqlStorage, StorageError, Tools as _, Users as _};

use crate::bench::Bench;
use crate::counters::wrong;
use crate::make::{new_server, new_tool, public_id, slug};
use crate::random::Random;

const TASKS: u64 = 64;
const OPERATIONS: usize = 17;

/// What a writer needs to know.
#[derive(Clone)]
struct Writer {
    storage: Arc<SqlStorage>,
    actor: Actor,
    owner: UserId,
    servers: Vec<(ServerId, Vec<ToolId>)>,
}

impl Writer {
    async fn at(bench: &Bench, servers: usize, tools: usize) -> Self {
        let mut ids = Vec::new();
        for _ in 0..servers {
            let server = bench.server("Same").await.id;
            let mut tool_ids = Vec::new();
            for number in 0..tools {
                tool_ids.push(bench.tool(server, &format!("t{number}")).await.id);
            }
            ids.push((server, tool_ids));
        }
        Self { storage: Arc::clone(&bench.storage), actor: bench.actor(), owner: bench.alice, servers: ids }
    }

    /// One random operation. Returns the server or tool that it toggled, by kind and id.
    async fn step(&self, random: &mut Random, name: &str) -> Result<Option<(&'static str, i64)>, StorageError> {
        let (storage, actor, mine) = (&self.storage, &self.actor, Visibility::OwnedBy(self.owner));
        let (server, tools) = random.pick(&self.servers);
        let tool = *random.pick(tools);
        let taken = slug(&format!("same-{}", 1 + random.below(60)));
        match random.below(12) {
            0..2 => return storage.toggle_server(actor, mine, *server).await.map(|_| Some(("server", server.0))),
            2..4 => return storage.toggle_tool(actor, mine, tool).await.map(|_| Some(("tool", tool.0))),
            4..7 => {
                let mut order = tools.clone();
                random.shuffle(&mut order);
                storage.reorder_tools(actor, mine, *server, &order).await?;
            }
            7 => drop(storage.duplicate_tool(actor, mine, tool).await?),
            8 => drop(storage.create_tool(actor, mine, *server, new_tool(name)).await?),
            9 => drop(storage.create_server(actor, new_server(self.owner, "Same")).await?),
            10 if random.below(4) == 0 => drop(storage.duplicate_server(actor, mine, *server, public_id()).await?),
            10 => {
                let patch = ServerPatch { slug: Some(taken), ..ServerPatch::default() };
                allow_exists(storage.create_server(actor, NewServer { patch, ..new_server(self.owner, name) }).await)?;
            }
            _ => {
                let patch = ServerPatch { slug: Some(taken), ..ServerPatch::default() };
                allow_exists(storage.update_server(actor, mine, *server, patch).await)?;
            }
        }
        Ok(None)
    }
}

/// Whoever asks for a certain slug may be told that it is taken.
fn allow_exists<T>(result: Result<T, StorageError>) -> Result<(), StorageError> {
    match result {
        Ok(_) | Err(Exists { field: "slug", .. }) => Ok(()),
        Err(error) => Err(error),
    }
}

async fn order(storage: &SqlStorage, server: ServerId) -> Vec<ToolId> {
    let tools = storage.list_tools(Visibility::All, server, None, None).await.unwrap();
    tools.items.iter().map(|tool| tool.id).collect()
}

on_both_databases! {
    async fn sixty_four_writers_on_one_owner_s_servers_lose_nothing(bench) {
        let writer = Writer::at(bench, 4, 6).await;
        let mut tasks = JoinSet::new();
        for task in 0..TASKS {
            let writer = writer.clone();
            tasks.spawn(async move {
                let mut random = Random::new(task);
                let mut toggled = Vec::new();
                for number in 0..OPERATIONS {
                    toggled.extend(writer.step(&mut random, &format!("n{task}-{number}")).await.unwrap());
                }
                toggled
            });
        }
        let mut toggles: HashMap<(&str, i64), i64> = HashMap::new();
        for toggled in tasks.join_all().await.into_iter().flatten() {
            *toggles.entry(toggled).or_default() += 1;
        }
        assert_eq!(wrong(bench).await, [""; 0]);
        let repeated = "SELECT slug FROM servers GROUP BY user_id, slug HAVING COUNT(*) > 1";
        assert_eq!(bench.raw.texts(repeated).await, [""; 0]);
        for (server, tools) in &writer.servers {
            let flips = toggles.get(&("server", server.0)).copied().unwrap_or_default();
            let status = bench.storage.server(bench.mine(), *server).await.unwrap().spec.status;
            assert_eq!(status == ServerStatus::Active, flips % 2 == 0, "{flips} toggles of server {server}");
            for tool in tools {
                let flips = toggles.get(&("tool", tool.0)).copied().unwrap_or_default();
                let status = bench.storage.tool(bench.mine(), *tool).await.unwrap().spec.status;
                assert_eq!(status == ToolStatus::Active, flips % 2 == 0, "{flips} toggles of tool {tool}");
            }
            bench.storage.reorder_tools(&bench.actor(), bench.mine(), *server, tools).await.unwrap();
            let after = bench.storage.list_tools(bench.mine(), *server, None, None).await.unwrap().items;
            assert!(after.iter().zip(0..).all(|(tool, place)| tool.sort_order == place));
            assert_eq!(after.iter().map(|tool| tool.id).take(tools.len()).collect::<Vec<_>>(), *tools);
        }
    }

    async fn readers_never_see_half_an_order(bench) {
        let writer = Writer::at(bench, 1, 20).await;
        let (server, forward) = writer.servers[0].clone();
        let backward: Vec<ToolId> = forward.iter().rev().copied().collect();
        let is_over = Arc::new(AtomicBool::new(false));
        let mut readers = JoinSet::new();
        for _ in 0..4 {
            let (writer, is_over) = (writer.clone(), Arc::clone(&is_over));
            let orders = [forward.clone(), backward.clone()];
            readers.spawn(async move {
                let mut seen = [0, 0];
                while !is_over.load(Ordering::Relaxed) {
                    let order = order(&writer.storage, server).await;
                    let which = orders.iter().position(|known| *known == order);
                    seen[which.unwrap_or_else(|| panic!("half an order: {order:?}"))] += 1;
                }
                seen
            });
        }
        let mut writers = JoinSet::new();
        for number in 0..4 {
            let (writer, order) = (writer.clone(), if number % 2 == 0 { forward.clone() } else { backward.clone() });
            writers.spawn(async move {
                for _ in 0..20 {
                    let mine = Visibility::OwnedBy(writer.owner);
                    writer.storage.reorder_tools(&writer.actor, mine, server, &order).await.unwrap();
                    writer.storage.toggle_tool(&writer.actor, mine, order[3]).await.unwrap();
                }
            });
        }
        writers.join_all().await;
        is_over.store(true, Ordering::Relaxed);
        assert!(readers.join_all().await.iter().map(|[a, b]| a + b).sum::<i32>() > 0);
    }

    async fn a_slug_that_was_not_asked_for_never_conflicts(bench) {
        let writer = Writer::at(bench, 4, 0).await;
        for round in 0..15 {
            let mut tasks = JoinSet::new();
            for task in 0..12_usize {
                let (writer, name) = (writer.clone(), format!("Round {round}"));
                tasks.spawn(async move {
                    let (storage, actor, owner) = (&writer.storage, &writer.actor, writer.owner);
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
                            let id = writer.servers[task / 3].0;
                            let toggled = storage.toggle_server(actor, Visibility::All, id).await;
                            toggled.unwrap();
                            allow_exists(storage.update_server(actor, Visibility::All, id, patch).await).unwrap();
                        }
                    }
                });
            }
            tasks.join_all().await;
        }
        assert_eq!(wrong(bench).await, [""; 0]);
    }

    async fn a_user_may_go_while_the_last_servers_go(bench) {
        for round in 0..25 {
            let actor = bench.actor();
            let new = NewUser { name: format!("u{round}"), role: Role::Owner };
            let user = bench.storage.create_user(&actor, new).await.unwrap().id;
            let server = bench.storage.create_server(&actor, new_server(user, "S")).await.unwrap().id;
            let storage = &bench.storage;
            let (deleted, copied, gone) = tokio::join!(
                storage.delete_server(&actor, Visibility::All, server),
                storage.duplicate_server(&actor, Visibility::All, server, public_id()),
                storage.delete_user(&actor, user),
            );
            deleted.unwrap();
            assert!(matches!(copied, Ok(_) | Err(StorageError::NotFound(_))), "{copied:?}");
            assert!(matches!(gone, Ok(_) | Err(InUse(_))), "{gone:?}");
            assert!(copied.is_err() || gone.is_err(), "a server without an owner");
        }
        assert_eq!(wrong(bench).await, [""; 0]);
    }
}
