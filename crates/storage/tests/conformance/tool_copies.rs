//! Copies of tools (rows 68, 70 and 71 of the decisions).

use toolgate_domain::tool::{ToolPatch, ToolStatus};
use toolgate_storage::Tools as _;

use crate::make::{bearer, headers};

on_both_databases! {
    async fn a_copy_has_the_original_s_fields_and_times_of_its_own(bench) {
        let server = bench.server("S").await;
        let patch = ToolPatch {
            status: Some(ToolStatus::Paused),
            timeout: Some(5),
            description: Some("d".to_owned()),
            ..ToolPatch::default()
        };
        let original = bench.tool_with(server.id, "x", patch).await;
        bench.storage.toggle_tool(&bench.actor(), bench.mine(), original.id).await.unwrap();
        let original = bench.storage.toggle_tool(&bench.actor(), bench.mine(), original.id).await.unwrap();
        let actor = bench.actor();
        let copy = bench.storage.duplicate_tool(&actor, bench.mine(), original.id).await.unwrap();
        let read = bench.storage.tool(bench.mine(), copy.id).await.unwrap();
        assert_eq!(format!("{copy:?}"), format!("{read:?}"));
        assert_eq!((copy.server_id, copy.revision), (server.id, 1));
        assert_eq!((copy.created_at, copy.updated_at), (actor.at, actor.at));
        let mut expected = original.spec.clone();
        expected.name = "x (copy)".to_owned();
        assert_eq!(format!("{:?}", copy.spec), format!("{expected:?}"));
        assert_ne!(copy.id, original.id);
    }

    async fn copies_append_again_until_the_name_is_free(bench) {
        let server = bench.server("S").await;
        let tool = bench.tool(server.id, "x").await;
        let mut names = Vec::new();
        let mut last = tool.id;
        for _ in 0..2 {
            last = bench.storage.duplicate_tool(&bench.actor(), bench.mine(), tool.id).await.unwrap().id;
        }
        bench.storage.duplicate_tool(&bench.actor(), bench.mine(), last).await.unwrap();
        names.extend(bench.tool_names(server.id).await);
        assert_eq!(names, ["x", "x (copy)", "x (copy) (copy)", "x (copy) (copy) (copy)"]);
    }

    async fn a_copy_stands_at_99_or_behind_the_last(bench) {
        let server = bench.server("S").await;
        let tool = bench.tool(server.id, "x").await;
        let mut places = Vec::new();
        for _ in 0..3 {
            places.push(bench.storage.duplicate_tool(&bench.actor(), bench.mine(), tool.id).await.unwrap().sort_order);
        }
        assert_eq!(places, [99, 100, 101]);
        assert_eq!(bench.tool(server.id, "next").await.sort_order, 102);
        bench.storage.reorder_tools(&bench.actor(), bench.mine(), server.id, &[tool.id]).await.unwrap();
        assert_eq!(bench.tool(server.id, "after").await.sort_order, 5);
    }

    async fn a_copy_has_the_secrets_of_the_original_and_keeps_them(bench) {
        let server = bench.server("S").await;
        let patch = ToolPatch { headers: Some(headers(r#"{"Cookie":"sid=1"}"#)), ..bearer("tok-1") };
        let tool = bench.tool_with(server.id, "x", patch).await;
        let copy = bench.storage.duplicate_tool(&bench.actor(), bench.mine(), tool.id).await.unwrap();
        let clear = bench.storage.tool_secrets(tool.id).await.unwrap().expose();
        assert_eq!(bench.storage.tool_secrets(copy.id).await.unwrap().expose(), clear);
        assert!(clear.contains("tok-1") && clear.contains("sid=1"));
        bench.storage.delete_tool(&bench.actor(), bench.mine(), tool.id).await.unwrap();
        assert_eq!(bench.storage.tool_secrets(copy.id).await.unwrap().expose(), clear);
    }

    async fn a_tool_without_secrets_has_a_copy_without(bench) {
        let server = bench.server("S").await;
        let tool = bench.tool(server.id, "x").await;
        let copy = bench.storage.duplicate_tool(&bench.actor(), bench.mine(), tool.id).await.unwrap();
        assert!(bench.storage.tool_secrets(copy.id).await.unwrap().is_empty());
    }
}
