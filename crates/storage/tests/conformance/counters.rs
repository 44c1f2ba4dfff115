//! The counters that triggers keep are what counting would find, after every step.

use toolgate_domain::ids::{PromptId, ResourceId, ServerId, ToolId};
use toolgate_domain::server::{ServerPatch, ServerStatus};
use toolgate_domain::tool::{ToolPatch, ToolStatus};
use toolgate_domain::user::Visibility;
use toolgate_storage::{
    NewServer, NewTool, OwnerCounts, OwnerCountsReader as _, Prompts as _, Resources as _, Servers as _, Storage as _,
    Tools as _,
};

use crate::bench::Bench;
use crate::make::{new_server, new_tool, prompt_spec, public_id};
use crate::random::Random;

/// Counters that differ from what they count, as text.
const WRONG: &str = "\
    SELECT 'server ' || id FROM servers s WHERE \
        tool_count <> (SELECT COUNT(*) FROM tools WHERE server_id = s.id) \
        OR active_tool_count <> (SELECT COUNT(*) FROM tools WHERE server_id = s.id AND status = 'active') \
        OR prompt_count <> (SELECT COUNT(*) FROM prompts WHERE server_id = s.id) \
        OR resource_count <> (SELECT COUNT(*) FROM resources WHERE server_id = s.id) \
    UNION ALL SELECT 'owner ' || user_id FROM owner_counts c WHERE \
        active_servers <> (SELECT COUNT(*) FROM servers WHERE user_id = c.user_id AND status = 'active') \
        OR paused_servers <> (SELECT COUNT(*) FROM servers WHERE user_id = c.user_id AND status = 'paused') \
        OR draft_servers <> (SELECT COUNT(*) FROM servers WHERE user_id = c.user_id AND status = 'draft') \
        OR tools <> (SELECT COUNT(*) FROM tools t JOIN servers s ON s.id = t.server_id WHERE s.user_id = c.user_id) \
        OR active_tools <> (SELECT COUNT(*) FROM tools t JOIN servers s ON s.id = t.server_id \
            WHERE s.user_id = c.user_id AND t.status = 'active') \
    UNION ALL SELECT 'search ' || s.id FROM servers s LEFT JOIN server_search q ON q.server_id = s.id \
        WHERE q.server_id IS NULL OR q.status <> s.status OR q.user_id <> s.user_id";

/// The counters that are wrong.
pub(crate) async fn wrong(bench: &Bench) -> Vec<String> {
    bench.raw.texts(WRONG).await
}

async fn some_id(bench: &Bench, random: &mut Random, table: &str) -> i64 {
    let ids = bench.raw.texts(&format!("SELECT CAST(id AS TEXT) FROM {table} ORDER BY id")).await;
    if ids.is_empty() { 4711 } else { random.pick(&ids).parse().unwrap() }
}

/// One random operation. Many do not succeed: those must not count either.
async fn step(bench: &Bench, random: &mut Random) -> bool {
    let (storage, all, actor) = (&bench.storage, Visibility::All, &bench.actor());
    let server = ServerId(some_id(bench, random, "servers").await);
    let tool = ToolId(some_id(bench, random, "tools").await);
    let name = format!("n{}", random.below(30));
    let server_status =
        *random.pick(&[None, Some(ServerStatus::Draft), Some(ServerStatus::Paused), Some(ServerStatus::Active)]);
    let tool_status = *random.pick(&[None, Some(ToolStatus::Paused), Some(ToolStatus::Active)]);
    let server_patch = ServerPatch { status: server_status, ..ServerPatch::default() };
    let tool_patch = ToolPatch { status: tool_status, ..ToolPatch::default() };
    match random.below(20) {
        0..3 => {
            let owner = *random.pick(&[bench.alice, bench.bob]);
            storage.create_server(actor, NewServer { patch: server_patch, ..new_server(owner, &name) }).await.is_ok()
        }
        3 => storage.update_server(actor, all, server, server_patch).await.is_ok(),
        4 => storage.toggle_server(actor, all, server).await.is_ok(),
        5 => storage.duplicate_server(actor, all, server, public_id()).await.is_ok(),
        6 => storage.delete_server(actor, all, server).await.is_ok(),
        7..11 => {
            storage.create_tool(actor, all, server, NewTool { patch: tool_patch, ..new_tool(&name) }).await.is_ok()
        }
        11 => storage.update_tool(actor, all, tool, tool_patch).await.is_ok(),
        12 => storage.toggle_tool(actor, all, tool).await.is_ok(),
        13 => storage.duplicate_tool(actor, all, tool).await.is_ok(),
        14 => storage.delete_tool(actor, all, tool).await.is_ok(),
        15 => storage.create_prompt(actor, all, server, prompt_spec(&name)).await.is_ok(),
        16 => {
            let id = PromptId(some_id(bench, random, "prompts").await);
            storage.delete_prompt(actor, all, server, id).await.is_ok()
        }
        17 => {
            let spec = toolgate_domain::resource::ResourceSpec::new(format!("r://{name}"), name);
            storage
                .create_resource(actor, all, server, spec, toolgate_domain::resource::ResourcePatch::default())
                .await
                .is_ok()
        }
        18 => {
            let id = ResourceId(some_id(bench, random, "resources").await);
            storage.delete_resource(actor, all, server, id).await.is_ok()
        }
        _ => storage.reorder_tools(actor, all, server, &[tool]).await.is_ok(),
    }
}

on_both_databases! {
    async fn counters_equal_counts_after_every_step_of_a_random_walk(bench) {
        let mut random = Random::new(42);
        let mut done = 0;
        for number in 0..300 {
            done += i32::from(step(bench, &mut random).await);
            assert_eq!(wrong(bench).await, [""; 0], "step {number}");
        }
        assert!(done > 150, "only {done} steps did something");
    }

    async fn a_check_names_the_counters_that_are_wrong(bench) {
        let server = bench.server("S").await;
        bench.tool(server.id, "t").await;
        assert_eq!(bench.storage.check().await.unwrap(), [""; 0]);
        bench.raw.execute("UPDATE servers SET prompt_count = 3").await;
        bench.raw.execute("DELETE FROM server_search").await;
        let problems = bench.storage.check().await.unwrap();
        assert_eq!(problems, ["1 servers whose prompt_count is wrong", "1 servers that a search would miss"]);
    }

    async fn counters_are_read_for_one_owner_and_for_all(bench) {
        let paused = ServerPatch { status: Some(ServerStatus::Paused), ..ServerPatch::default() };
        let draft = ServerPatch { status: Some(ServerStatus::Draft), ..ServerPatch::default() };
        let server = bench.server("A").await;
        bench.server_with("B", paused).await;
        bench.server_with("C", draft).await;
        bench.foreign_server().await;
        bench.tool(server.id, "t").await;
        bench.tool_with(server.id, "u", ToolPatch { status: Some(ToolStatus::Paused), ..ToolPatch::default() }).await;
        let mine = OwnerCounts { active_servers: 1, paused_servers: 1, draft_servers: 1, tools: 2, active_tools: 1 };
        assert_eq!(bench.storage.owner_counts(bench.mine()).await.unwrap(), mine);
        assert_eq!(mine.servers(), 3);
        let all = OwnerCounts { active_servers: 2, ..mine };
        assert_eq!(bench.storage.owner_counts(Visibility::All).await.unwrap(), all);
        let nobody = Visibility::OwnedBy(toolgate_domain::ids::UserId(4711));
        assert_eq!(bench.storage.owner_counts(nobody).await.unwrap(), OwnerCounts::default());
    }
}
