//! The order of a server's tools.

use toolgate_domain::audit::ObjectKind;
use toolgate_domain::ids::{ServerId, ToolId};
use toolgate_domain::tool::Tool;
use toolgate_storage::StorageError::{NotFound, Rejected};
use toolgate_storage::{ToolFilter, ToolStore as _};

use crate::fixture::StorageFixture;

async fn tools(fixture: &StorageFixture, server_id: ServerId) -> Vec<Tool> {
    fixture.storage.list_tools(fixture.as_alice(), server_id, &ToolFilter::default(), None).await.unwrap().items
}

async fn four_tools(fixture: &StorageFixture) -> (ServerId, [ToolId; 4]) {
    let id = fixture.server("S").await.id;
    let [a, b, c, d] = [
        fixture.tool(id, "a").await,
        fixture.tool(id, "b").await,
        fixture.tool(id, "c").await,
        fixture.tool(id, "d").await,
    ];
    (id, [a.id, b.id, c.id, d.id])
}

on_both_databases! { for crate::fixture::StorageFixture;
    async fn new_tools_are_added_at_the_end(fixture) {
        let (server, _) = four_tools(fixture).await;
        let sort_orders: Vec<i64> = tools(fixture, server).await.iter().map(|tool| tool.sort_order).collect();
        assert_eq!(sort_orders, [0, 1, 2, 3]);
    }

    async fn listed_tools_come_first_and_the_others_follow(fixture) {
        let (server, [_, b, _, d]) = four_tools(fixture).await;
        fixture.storage.reorder_tools(&fixture.next_actor(), fixture.as_alice(), server, &[d, b]).await.unwrap();
        let listed = tools(fixture, server).await;
        let order: Vec<(&str, i64)> = listed.iter().map(|tool| (tool.spec.name.as_str(), tool.sort_order)).collect();
        assert_eq!(order, [("d", 0), ("b", 1), ("a", 2), ("c", 3)]);
    }

    async fn only_tools_that_move_are_changed(fixture) {
        let (server, [a, b, c, d]) = four_tools(fixture).await;
        let before = tools(fixture, server).await;
        let actor = fixture.next_actor();
        fixture.storage.reorder_tools(&actor, fixture.as_alice(), server, &[a, c, b, d]).await.unwrap();
        let after = tools(fixture, server).await;
        assert_eq!(format!("{:?}", after[0]), format!("{:?}", before[0]));
        assert_eq!(format!("{:?}", after[3]), format!("{:?}", before[3]));
        for moved in &after[1..3] {
            assert_eq!((moved.updated_at, moved.revision), (actor.at, 2));
        }
    }

    async fn reordering_to_the_current_order_changes_nothing(fixture) {
        let (server, ids) = four_tools(fixture).await;
        let before = tools(fixture, server).await;
        fixture.storage.reorder_tools(&fixture.next_actor(), fixture.as_alice(), server, &ids).await.unwrap();
        assert_eq!(format!("{:?}", tools(fixture, server).await), format!("{before:?}"));
    }

    async fn gaps_are_closed_and_paused_tools_are_reordered_too(fixture) {
        let (server, [a, b, _, d]) = four_tools(fixture).await;
        fixture.storage.toggle_tool(&fixture.next_actor(), fixture.as_alice(), d).await.unwrap();
        fixture.storage.delete_tool(&fixture.next_actor(), fixture.as_alice(), b).await.unwrap();
        fixture.storage.duplicate_tool(&fixture.next_actor(), fixture.as_alice(), a).await.unwrap();
        fixture.storage.reorder_tools(&fixture.next_actor(), fixture.as_alice(), server, &[d]).await.unwrap();
        let listed = tools(fixture, server).await;
        let order: Vec<(&str, i64)> = listed.iter().map(|tool| (tool.spec.name.as_str(), tool.sort_order)).collect();
        assert_eq!(order, [("d", 0), ("a", 1), ("c", 2), ("a (copy)", 3)]);
    }

    async fn foreign_unknown_and_repeated_ids_move_nothing(fixture) {
        let (server, [a, b, c, d]) = four_tools(fixture).await;
        let other = fixture.server("T").await;
        let foreign = fixture.tool(other.id, "f").await.id;
        let before = tools(fixture, server).await;
        for ids in [vec![d, foreign], vec![d, ToolId(4711)], vec![d, c, d], vec![d, c, b, a, a]] {
            let reordered = fixture.storage.reorder_tools(&fixture.next_actor(), fixture.as_alice(), server, &ids).await;
            assert_fails!(reordered, Rejected(faults) if faults.iter().all(|fault| fault.field == "tool_ids"));
        }
        assert_eq!(format!("{:?}", tools(fixture, server).await), format!("{before:?}"));
        assert_eq!(fixture.raw.int("SELECT COUNT(*) FROM audit WHERE action = 'reorder'").await, 0);
    }

    async fn a_foreign_or_missing_server_is_not_found(fixture) {
        let (server, [a, ..]) = four_tools(fixture).await;
        for (visibility, id) in [(fixture.as_bob(), server), (fixture.as_alice(), ServerId(4711))] {
            let reordered = fixture.storage.reorder_tools(&fixture.next_actor(), visibility, id, &[a]).await;
            assert_fails!(reordered, NotFound(ObjectKind::Server));
        }
    }

    async fn a_thousand_tools_are_reordered_in_one_step(fixture) {
        let server = fixture.server("S").await.id;
        fixture.fill_tools(server, 1000).await;
        let mut ids: Vec<ToolId> = tools(fixture, server).await.iter().map(|tool| tool.id).collect();
        ids.reverse();
        fixture.storage.reorder_tools(&fixture.next_actor(), fixture.as_alice(), server, &ids).await.unwrap();
        let after = tools(fixture, server).await;
        assert_eq!(after.iter().map(|tool| tool.id).collect::<Vec<_>>(), ids);
        assert!(after.iter().zip(0..).all(|(tool, position)| tool.sort_order == position));
    }
}
