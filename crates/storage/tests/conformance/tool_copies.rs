//! Copies of tools: their names, sort orders and secrets.

use toolgate_domain::tool::{ToolPatch, ToolStatus};
use toolgate_storage::ToolStore as _;

use crate::builders::{bearer, headers};

on_both_databases! { for crate::fixture::StorageFixture;
    async fn a_copy_has_the_original_s_fields_and_new_timestamps(fixture) {
        let server = fixture.server("S").await;
        let patch = ToolPatch {
            status: Some(ToolStatus::Paused),
            timeout: Some(std::time::Duration::from_secs(5)),
            description: Some("d".to_owned()),
            ..ToolPatch::default()
        };
        let original = fixture.tool_with(server.id, "x", patch).await;
        fixture.storage.toggle_tool(&fixture.next_actor(), fixture.as_alice(), original.id).await.unwrap();
        let original = fixture.storage.toggle_tool(&fixture.next_actor(), fixture.as_alice(), original.id).await.unwrap();
        let actor = fixture.next_actor();
        let copy = fixture.storage.duplicate_tool(&actor, fixture.as_alice(), original.id).await.unwrap();
        let stored = fixture.storage.tool(fixture.as_alice(), copy.id).await.unwrap();
        assert_eq!(format!("{copy:?}"), format!("{stored:?}"));
        assert_eq!((copy.server_id, copy.revision), (server.id, 1));
        assert_eq!((copy.created_at, copy.updated_at), (actor.at, actor.at));
        let mut expected = original.spec.clone();
        expected.name = "x (copy)".to_owned();
        assert_eq!(format!("{:?}", copy.spec), format!("{expected:?}"));
        assert_ne!(copy.id, original.id);
    }

    async fn the_copy_suffix_is_repeated_until_the_name_is_free(fixture) {
        let server = fixture.server("S").await;
        let tool = fixture.tool(server.id, "x").await;
        let mut names = Vec::new();
        let mut last = tool.id;
        for _ in 0..2 {
            last = fixture.storage.duplicate_tool(&fixture.next_actor(), fixture.as_alice(), tool.id).await.unwrap().id;
        }
        fixture.storage.duplicate_tool(&fixture.next_actor(), fixture.as_alice(), last).await.unwrap();
        names.extend(fixture.tool_names(server.id).await);
        assert_eq!(names, ["x", "x (copy)", "x (copy) (copy)", "x (copy) (copy) (copy)"]);
    }

    async fn a_copy_has_sort_order_99_or_follows_the_last_tool(fixture) {
        let server = fixture.server("S").await;
        let tool = fixture.tool(server.id, "x").await;
        let mut sort_orders = Vec::new();
        for _ in 0..3 {
            sort_orders.push(
                fixture.storage.duplicate_tool(&fixture.next_actor(), fixture.as_alice(), tool.id).await.unwrap().sort_order,
            );
        }
        assert_eq!(sort_orders, [99, 100, 101]);
        assert_eq!(fixture.tool(server.id, "next").await.sort_order, 102);
        fixture.storage.reorder_tools(&fixture.next_actor(), fixture.as_alice(), server.id, &[tool.id]).await.unwrap();
        assert_eq!(fixture.tool(server.id, "after").await.sort_order, 5);
    }

    async fn a_copy_has_the_original_s_secrets_even_after_the_original_is_deleted(fixture) {
        let server = fixture.server("S").await;
        let patch = ToolPatch { headers: Some(headers(r#"{"Cookie":"sid=1"}"#)), ..bearer("tok-1") };
        let tool = fixture.tool_with(server.id, "x", patch).await;
        let copy = fixture.storage.duplicate_tool(&fixture.next_actor(), fixture.as_alice(), tool.id).await.unwrap();
        let secrets = fixture.storage.tool_secrets(tool.id).await.unwrap().expose();
        assert_eq!(fixture.storage.tool_secrets(copy.id).await.unwrap().expose(), secrets);
        assert!(secrets.contains("tok-1") && secrets.contains("sid=1"));
        fixture.storage.delete_tool(&fixture.next_actor(), fixture.as_alice(), tool.id).await.unwrap();
        assert_eq!(fixture.storage.tool_secrets(copy.id).await.unwrap().expose(), secrets);
    }

    async fn a_copy_of_a_tool_without_secrets_has_none(fixture) {
        let server = fixture.server("S").await;
        let tool = fixture.tool(server.id, "x").await;
        let copy = fixture.storage.duplicate_tool(&fixture.next_actor(), fixture.as_alice(), tool.id).await.unwrap();
        assert!(fixture.storage.tool_secrets(copy.id).await.unwrap().is_empty());
    }
}
