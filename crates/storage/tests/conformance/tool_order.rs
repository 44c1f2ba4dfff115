//! The order of a server's tools (row 85 of the decisions).

use toolgate_domain::audit::ObjectKind;
use toolgate_domain::ids::{ServerId, ToolId};
use toolgate_domain::tool::Tool;
use toolgate_storage::StorageError::{NotFound, Rejected};
use toolgate_storage::Tools as _;

use crate::bench::Bench;

async fn tools(bench: &Bench, server_id: ServerId) -> Vec<Tool> {
    bench.storage.list_tools(bench.mine(), server_id, None, None).await.unwrap().items
}

async fn four_tools(bench: &Bench) -> (ServerId, [ToolId; 4]) {
    let id = bench.server("S").await.id;
    let [a, b, c, d] =
        [bench.tool(id, "a").await, bench.tool(id, "b").await, bench.tool(id, "c").await, bench.tool(id, "d").await];
    (id, [a.id, b.id, c.id, d.id])
}

on_both_databases! {
    async fn new_tools_go_to_the_end(bench) {
        let (server, _) = four_tools(bench).await;
        let places: Vec<i64> = tools(bench, server).await.iter().map(|tool| tool.sort_order).collect();
        assert_eq!(places, [0, 1, 2, 3]);
    }

    async fn listed_tools_come_first_and_the_others_follow(bench) {
        let (server, [_, b, _, d]) = four_tools(bench).await;
        bench.storage.reorder_tools(&bench.actor(), bench.mine(), server, &[d, b]).await.unwrap();
        let listed = tools(bench, server).await;
        let order: Vec<(&str, i64)> = listed.iter().map(|tool| (tool.spec.name.as_str(), tool.sort_order)).collect();
        assert_eq!(order, [("d", 0), ("b", 1), ("a", 2), ("c", 3)]);
    }

    async fn only_tools_that_move_are_changed(bench) {
        let (server, [a, b, c, d]) = four_tools(bench).await;
        let before = tools(bench, server).await;
        let actor = bench.actor();
        bench.storage.reorder_tools(&actor, bench.mine(), server, &[a, c, b, d]).await.unwrap();
        let after = tools(bench, server).await;
        assert_eq!(format!("{:?}", after[0]), format!("{:?}", before[0]));
        assert_eq!(format!("{:?}", after[3]), format!("{:?}", before[3]));
        for moved in &after[1..3] {
            assert_eq!((moved.updated_at, moved.revision), (actor.at, 2));
        }
    }

    async fn an_order_that_is_there_already_changes_nothing(bench) {
        let (server, ids) = four_tools(bench).await;
        let before = tools(bench, server).await;
        bench.storage.reorder_tools(&bench.actor(), bench.mine(), server, &ids).await.unwrap();
        assert_eq!(format!("{:?}", tools(bench, server).await), format!("{before:?}"));
    }

    async fn gaps_are_closed_and_paused_tools_take_part(bench) {
        let (server, [a, b, _, d]) = four_tools(bench).await;
        bench.storage.toggle_tool(&bench.actor(), bench.mine(), d).await.unwrap();
        bench.storage.delete_tool(&bench.actor(), bench.mine(), b).await.unwrap();
        bench.storage.duplicate_tool(&bench.actor(), bench.mine(), a).await.unwrap();
        bench.storage.reorder_tools(&bench.actor(), bench.mine(), server, &[d]).await.unwrap();
        let listed = tools(bench, server).await;
        let order: Vec<(&str, i64)> = listed.iter().map(|tool| (tool.spec.name.as_str(), tool.sort_order)).collect();
        assert_eq!(order, [("d", 0), ("a", 1), ("c", 2), ("a (copy)", 3)]);
    }

    async fn foreign_unknown_and_repeated_ids_move_nothing(bench) {
        let (server, [a, b, c, d]) = four_tools(bench).await;
        let other = bench.server("T").await;
        let foreign = bench.tool(other.id, "f").await.id;
        let before = tools(bench, server).await;
        for ids in [vec![d, foreign], vec![d, ToolId(4711)], vec![d, c, d], vec![d, c, b, a, a]] {
            let reordered = bench.storage.reorder_tools(&bench.actor(), bench.mine(), server, &ids).await;
            assert_fails!(reordered, Rejected(faults) if faults.iter().all(|fault| fault.field == "tool_ids"));
        }
        assert_eq!(format!("{:?}", tools(bench, server).await), format!("{before:?}"));
        assert_eq!(bench.raw.int("SELECT COUNT(*) FROM audit WHERE action = 'reorder'").await, 0);
    }

    async fn a_foreign_or_missing_server_is_not_found(bench) {
        let (server, [a, ..]) = four_tools(bench).await;
        for (visibility, id) in [(bench.theirs(), server), (bench.mine(), ServerId(4711))] {
            let reordered = bench.storage.reorder_tools(&bench.actor(), visibility, id, &[a]).await;
            assert_fails!(reordered, NotFound(ObjectKind::Server));
        }
    }

    async fn a_thousand_tools_are_reordered_at_once(bench) {
        let server = bench.server("S").await.id;
        bench.fill_tools(server, 1000).await;
        let mut ids: Vec<ToolId> = tools(bench, server).await.iter().map(|tool| tool.id).collect();
        ids.reverse();
        bench.storage.reorder_tools(&bench.actor(), bench.mine(), server, &ids).await.unwrap();
        let after = tools(bench, server).await;
        assert_eq!(after.iter().map(|tool| tool.id).collect::<Vec<_>>(), ids);
        assert!(after.iter().zip(0..).all(|(tool, place)| tool.sort_order == place));
    }
}
