//! The counters that triggers maintain equal the number of rows after every change.

use toolgate_domain::ids::{PromptId, ResourceId, ServerId, ToolId};
use toolgate_domain::server::{ServerPatch, ServerStatus};
use toolgate_domain::tool::{ToolPatch, ToolStatus};
use toolgate_domain::user::Visibility;
use toolgate_storage::{
    NewServer, NewTool, OwnerCounts, OwnerCountsReader as _, PromptStore as _, ResourceStore as _, ServerStore as _,
    Storage as _, ToolStore as _,
};

use crate::builders::{new_server, new_tool, prompt_spec, public_id};
use crate::fixture::StorageFixture;
use crate::seeded_rng::SeededRng;

/// Selects the rows whose counters or search entries are wrong, as text.
const WRONG_COUNTERS_SQL: &str = "\
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

/// The rows whose counters or search entries are wrong.
pub(crate) async fn wrong_counters(fixture: &StorageFixture) -> Vec<String> {
    fixture.raw.texts(WRONG_COUNTERS_SQL).await
}

/// The id of a random row, or an id that does not exist if the table is empty.
async fn random_id(fixture: &StorageFixture, rng: &mut SeededRng, table: &str) -> i64 {
    let ids = fixture.raw.texts(&format!("SELECT CAST(id AS TEXT) FROM {table} ORDER BY id")).await;
    if ids.is_empty() { 4711 } else { rng.pick(&ids).parse().unwrap() }
}

/// Runs one random operation and returns whether it succeeded. Many fail, and those must not change a counter.
async fn step(fixture: &StorageFixture, rng: &mut SeededRng) -> bool {
    let (storage, all, actor) = (&fixture.storage, Visibility::All, &fixture.next_actor());
    let server = ServerId(random_id(fixture, rng, "servers").await);
    let tool = ToolId(random_id(fixture, rng, "tools").await);
    let name = format!("n{}", rng.below(30));
    let server_status =
        *rng.pick(&[None, Some(ServerStatus::Draft), Some(ServerStatus::Paused), Some(ServerStatus::Active)]);
    let tool_status = *rng.pick(&[None, Some(ToolStatus::Paused), Some(ToolStatus::Active)]);
    let server_patch = ServerPatch { status: server_status, ..ServerPatch::default() };
    let tool_patch = ToolPatch { status: tool_status, ..ToolPatch::default() };
    match rng.below(20) {
        0..3 => {
            let owner = *rng.pick(&[fixture.alice, fixture.bob]);
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
            let id = PromptId(random_id(fixture, rng, "prompts").await);
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
            let id = ResourceId(random_id(fixture, rng, "resources").await);
            storage.delete_resource(actor, all, server, id).await.is_ok()
        }
        _ => storage.reorder_tools(actor, all, server, &[tool]).await.is_ok(),
    }
}

on_both_databases! { for crate::fixture::StorageFixture;
    async fn counters_equal_counts_after_every_step_of_a_random_walk(fixture) {
        let mut rng = SeededRng::new(42);
        let mut succeeded = 0;
        for number in 0..300 {
            succeeded += i32::from(step(fixture, &mut rng).await);
            assert_eq!(wrong_counters(fixture).await, [""; 0], "step {number}");
        }
        assert!(succeeded > 150, "only {succeeded} steps succeeded");
    }

    async fn a_check_names_the_counters_that_are_wrong(fixture) {
        let server = fixture.server("S").await;
        fixture.tool(server.id, "t").await;
        assert_eq!(fixture.storage.check().await.unwrap(), [""; 0]);
        fixture.raw.execute("UPDATE servers SET prompt_count = 3").await;
        fixture.raw.execute("DELETE FROM server_search").await;
        let problems = fixture.storage.check().await.unwrap();
        assert_eq!(problems, ["1 server whose prompt_count is wrong", "1 server that a search would miss"]);
        fixture.server("T").await;
        fixture.raw.execute("UPDATE servers SET prompt_count = 3").await;
        assert_eq!(fixture.storage.check().await.unwrap()[0], "2 servers whose prompt_count is wrong");
    }

    async fn counters_are_read_for_one_owner_and_for_all(fixture) {
        let paused = ServerPatch { status: Some(ServerStatus::Paused), ..ServerPatch::default() };
        let draft = ServerPatch { status: Some(ServerStatus::Draft), ..ServerPatch::default() };
        let server = fixture.server("A").await;
        fixture.server_with("B", paused).await;
        fixture.server_with("C", draft).await;
        fixture.foreign_server().await;
        fixture.tool(server.id, "t").await;
        fixture.tool_with(server.id, "u", ToolPatch { status: Some(ToolStatus::Paused), ..ToolPatch::default() }).await;
        let alice_counts =
            OwnerCounts { active_servers: 1, paused_servers: 1, draft_servers: 1, tools: 2, active_tools: 1 };
        assert_eq!(fixture.storage.owner_counts(fixture.as_alice()).await.unwrap(), alice_counts);
        assert_eq!(alice_counts.servers(), 3);
        let all_counts = OwnerCounts { active_servers: 2, ..alice_counts };
        assert_eq!(fixture.storage.owner_counts(Visibility::All).await.unwrap(), all_counts);
        let unknown_owner = Visibility::User(toolgate_domain::ids::UserId(4711));
        assert_eq!(fixture.storage.owner_counts(unknown_owner).await.unwrap(), OwnerCounts::default());
    }
}
