//! Creating, reading, updating, toggling, copying and deleting servers.

use toolgate_domain::audit::ObjectKind;
use toolgate_domain::change::Change;
use toolgate_domain::ids::ServerId;
use toolgate_domain::server::{EndpointAuth, ServerPatch, ServerStatus};
use toolgate_domain::tool::{ToolPatch, ToolStatus};
use toolgate_domain::user::Visibility;
use toolgate_storage::StorageError::{Exists, NotFound, Rejected};
use toolgate_storage::{
    NewServer, PromptStore as _, ResourceStore as _, ServerStore as _, Storage as _, ToolFilter, ToolStore as _,
};

use crate::builders::{new_server, public_id, settings, slug};

on_both_databases! { for crate::fixture::StorageFixture;
    async fn a_server_has_the_documented_defaults(fixture) {
        let actor = fixture.next_actor();
        let new = new_server(fixture.alice, "Weather API");
        let public_id = new.public_id.clone();
        let created = fixture.storage.create_server(&actor, new).await.unwrap();
        let stored = fixture.storage.server(fixture.as_alice(), created.id).await.unwrap();
        assert_eq!(format!("{created:?}"), format!("{stored:?}"));
        assert_eq!(
            (stored.user_id, stored.slug.as_str(), &stored.public_id),
            (fixture.alice, "weather-api", &public_id)
        );
        assert_eq!((stored.tool_count, stored.created_at, stored.updated_at), (0, actor.at, actor.at));
        assert_eq!((stored.spec.status, stored.spec.auth_type), (ServerStatus::Active, EndpointAuth::None));
        assert_eq!((stored.spec.rate_limit_per_min, stored.spec.settings), (60, None));
    }

    async fn a_request_overrides_every_default(fixture) {
        let patch = ServerPatch {
            slug: Some(slug("my-slug")),
            status: Some(ServerStatus::Draft),
            auth_type: Some(EndpointAuth::ApiKey),
            rate_limit_per_min: Some(0),
            settings: settings(r#"{"description":"d","z":12345678901234567890123,"a":[]}"#),
            ..ServerPatch::default()
        };
        let created = fixture.server_with("S", patch).await;
        let stored = fixture.storage.server(fixture.as_alice(), created.id).await.unwrap();
        assert_eq!((stored.slug.as_str(), stored.spec.status), ("my-slug", ServerStatus::Draft));
        assert_eq!((stored.spec.auth_type, stored.spec.rate_limit_per_min), (EndpointAuth::ApiKey, 0));
        let stored_settings = stored.spec.settings.unwrap();
        assert_eq!(stored_settings.as_str(), r#"{"description":"d","z":12345678901234567890123,"a":[]}"#);
    }

    async fn open_servers_are_the_active_ones_that_need_no_key(fixture) {
        let (open, other) = (fixture.server("Open").await, fixture.server("Other").await);
        let with_key = ServerPatch { auth_type: Some(EndpointAuth::ApiKey), ..ServerPatch::default() };
        fixture.server_with("With key", with_key).await;
        for status in [ServerStatus::Paused, ServerStatus::Draft] {
            fixture.server_with("Inactive", ServerPatch { status: Some(status), ..ServerPatch::default() }).await;
        }
        for (limit, expected) in [(0, vec![]), (1, vec![open.id]), (9, vec![open.id, other.id])] {
            let listing = fixture.storage.list_open_servers(limit).await.unwrap();
            let ids: Vec<ServerId> = listing.items.iter().map(|server| server.id).collect();
            assert_eq!((ids, listing.total), (expected, 2));
        }
    }

    async fn generated_slugs_are_numbered_and_given_ones_conflict(fixture) {
        let mut slugs = Vec::new();
        for _ in 0..6 {
            slugs.push(fixture.server("Weather API").await.slug.as_str().to_owned());
        }
        assert_eq!(
            slugs,
            ["weather-api", "weather-api-2", "weather-api-3", "weather-api-4", "weather-api-5", "weather-api-6"]
        );
        let patch = ServerPatch { slug: Some(slug("weather-api-3")), ..ServerPatch::default() };
        let new = NewServer { patch, ..new_server(fixture.alice, "Other") };
        let created = fixture.storage.create_server(&fixture.next_actor(), new).await;
        assert_fails!(created, Exists { kind: ObjectKind::Server, field: "slug" });
    }

    async fn slugs_are_unique_per_owner_only(fixture) {
        let server = fixture.server("Bob's").await;
        assert_eq!(server.slug.as_str(), fixture.foreign_server().await.slug.as_str());
    }

    async fn an_update_changes_the_given_fields_and_the_timestamp(fixture) {
        let created =
            fixture.server_with("S", ServerPatch { settings: settings(r#"{"x":1}"#), ..ServerPatch::default() }).await;
        let actor = fixture.next_actor();
        let patch = ServerPatch { name: Some("Renamed".to_owned()), ..ServerPatch::default() };
        let updated = fixture.storage.update_server(&actor, fixture.as_alice(), created.id, patch).await.unwrap();
        let stored = fixture.storage.server(fixture.as_alice(), created.id).await.unwrap();
        assert_eq!(format!("{updated:?}"), format!("{stored:?}"));
        assert_eq!((stored.spec.name.as_str(), stored.slug.as_str()), ("Renamed", "s"));
        assert_eq!((stored.created_at, stored.updated_at), (created.created_at, actor.at));
        assert_eq!(stored.spec.settings.unwrap().as_str(), r#"{"x":1}"#);
    }

    async fn an_update_can_change_every_field(fixture) {
        let created = fixture.server("S").await;
        let patch = ServerPatch {
            name: Some("T".to_owned()),
            slug: Some(slug("other")),
            status: Some(ServerStatus::Paused),
            auth_type: Some(EndpointAuth::ApiKey),
            rate_limit_per_min: Some(7),
            settings: settings(r#"{"x":1}"#),
            user_id: None,
        };
        fixture.storage.update_server(&fixture.next_actor(), fixture.as_alice(), created.id, patch).await.unwrap();
        let stored = fixture.storage.server(fixture.as_alice(), created.id).await.unwrap();
        assert_eq!((stored.spec.name.as_str(), stored.slug.as_str()), ("T", "other"));
        assert_eq!((stored.spec.status, stored.spec.auth_type), (ServerStatus::Paused, EndpointAuth::ApiKey));
        assert_eq!(stored.spec.rate_limit_per_min, 7);
        let patch = ServerPatch { settings: Change::Clear, ..ServerPatch::default() };
        fixture.storage.update_server(&fixture.next_actor(), fixture.as_alice(), created.id, patch).await.unwrap();
        assert_eq!(fixture.storage.server(fixture.as_alice(), created.id).await.unwrap().spec.settings, None);
    }

    async fn an_update_to_a_taken_slug_changes_nothing(fixture) {
        fixture.server("Taken").await;
        let server = fixture.server("S").await;
        let patch = ServerPatch { name: Some("New".to_owned()), slug: Some(slug("taken")), ..ServerPatch::default() };
        let updated = fixture.storage.update_server(&fixture.next_actor(), fixture.as_alice(), server.id, patch).await;
        assert_fails!(updated, Exists { kind: ObjectKind::Server, field: "slug" });
        let stored = fixture.storage.server(fixture.as_alice(), server.id).await.unwrap();
        assert_eq!(format!("{stored:?}"), format!("{server:?}"));
        let unchanged_slug = ServerPatch { slug: Some(slug("s")), ..ServerPatch::default() };
        fixture.storage.update_server(&fixture.next_actor(), fixture.as_alice(), server.id, unchanged_slug).await.unwrap();
    }

    async fn test_credentials_of_the_wrong_shape_are_rejected(fixture) {
        let server = fixture.server("S").await;
        let wrong_shape = r#"{"test_credentials":{"auth_type":"basic","auth_credentials":{"token":"t"}}}"#;
        let patch = ServerPatch { settings: settings(wrong_shape), ..ServerPatch::default() };
        let updated =
            fixture.storage.update_server(&fixture.next_actor(), fixture.as_alice(), server.id, patch.clone()).await;
        assert_fails!(updated, Rejected(_));
        assert_eq!(fixture.storage.server(fixture.as_alice(), server.id).await.unwrap().spec.settings, None);
        let new = NewServer { patch, ..new_server(fixture.alice, "New") };
        assert_fails!(fixture.storage.create_server(&fixture.next_actor(), new).await, Rejected(_));
        assert_eq!(fixture.raw.int("SELECT COUNT(*) FROM servers").await, 1);
    }

    async fn missing_and_foreign_servers_are_not_found(fixture) {
        let foreign = fixture.foreign_server().await;
        let (actor, missing) = (fixture.next_actor(), NotFound(ObjectKind::Server));
        for id in [foreign.id, ServerId(4711), ServerId(-1)] {
            let as_alice = fixture.as_alice();
            let results = [
                fixture.storage.server(as_alice, id).await,
                fixture.storage.update_server(&actor, as_alice, id, ServerPatch::default()).await,
                fixture.storage.delete_server(&actor, as_alice, id).await,
                fixture.storage.toggle_server(&actor, as_alice, id).await,
                fixture.storage.duplicate_server(&actor, as_alice, id, public_id()).await,
            ];
            for result in results {
                assert_eq!(format!("{:?}", result.unwrap_err()), format!("{missing:?}"));
            }
        }
        let untouched = fixture.storage.server(Visibility::All, foreign.id).await.unwrap();
        assert_eq!(format!("{untouched:?}"), format!("{foreign:?}"));
    }

    async fn an_administrator_can_change_every_server(fixture) {
        let id = fixture.foreign_server().await.id;
        fixture.storage.toggle_server(&fixture.next_actor(), Visibility::All, id).await.unwrap();
        let patch = ServerPatch { name: Some("N".to_owned()), ..ServerPatch::default() };
        fixture.storage.update_server(&fixture.next_actor(), Visibility::All, id, patch).await.unwrap();
        let copy = fixture.storage.duplicate_server(&fixture.next_actor(), Visibility::All, id, public_id()).await.unwrap();
        assert_eq!(copy.user_id, fixture.bob, "a copy belongs to the owner of the original");
        fixture.storage.delete_server(&fixture.next_actor(), Visibility::All, id).await.unwrap();
    }

    async fn a_toggle_pauses_an_active_server_and_activates_any_other(fixture) {
        for (before, after) in [
            (ServerStatus::Active, ServerStatus::Paused),
            (ServerStatus::Paused, ServerStatus::Active),
            (ServerStatus::Draft, ServerStatus::Active),
        ] {
            let server = fixture.server_with("S", ServerPatch { status: Some(before), ..ServerPatch::default() }).await;
            let actor = fixture.next_actor();
            let toggled = fixture.storage.toggle_server(&actor, fixture.as_alice(), server.id).await.unwrap();
            assert_eq!((toggled.spec.status, toggled.updated_at), (after, actor.at));
            assert_eq!(fixture.storage.server(fixture.as_alice(), server.id).await.unwrap().spec.status, after);
        }
    }

    async fn deleting_a_server_deletes_everything_in_it(fixture) {
        let patch = ServerPatch {
            settings: settings(r#"{"test_credentials":{"auth_type":"bearer","auth_credentials":{"token":"t"}}}"#),
            ..ServerPatch::default()
        };
        let server = fixture.server_with("S", patch).await;
        fixture.tool_with(server.id, "t", crate::builders::bearer("tok")).await;
        fixture.prompt(server.id, "p").await;
        fixture.resource(server.id, "r://1").await;
        let deleted = fixture.storage.delete_server(&fixture.next_actor(), fixture.as_alice(), server.id).await.unwrap();
        assert_eq!((deleted.id, deleted.tool_count), (server.id, 1));
        for table in ["servers", "tools", "prompts", "resources", "secrets", "server_search"] {
            assert_eq!(fixture.raw.int(&format!("SELECT COUNT(*) FROM {table}")).await, 0, "{table}");
        }
        assert_fails!(fixture.storage.server(fixture.as_alice(), server.id).await, NotFound(ObjectKind::Server));
    }

    async fn a_copy_is_a_draft_with_all_children_in_their_order(fixture) {
        let patch =
            ServerPatch { rate_limit_per_min: Some(5), settings: settings(r#"{"x":1}"#), ..ServerPatch::default() };
        let server = fixture.server_with("S", patch).await;
        let paused = ToolPatch { status: Some(ToolStatus::Paused), ..ToolPatch::default() };
        let (a, b) = (fixture.tool(server.id, "a").await, fixture.tool_with(server.id, "b", paused).await);
        fixture.storage.reorder_tools(&fixture.next_actor(), fixture.as_alice(), server.id, &[b.id, a.id]).await.unwrap();
        fixture.prompt(server.id, "p").await;
        fixture.resource(server.id, "r://1").await;
        let (actor, id) = (fixture.next_actor(), public_id());
        let copy = fixture.storage.duplicate_server(&actor, fixture.as_alice(), server.id, id.clone()).await.unwrap();
        let stored = fixture.storage.server(fixture.as_alice(), copy.id).await.unwrap();
        assert_eq!(format!("{copy:?}"), format!("{stored:?}"));
        assert_eq!((stored.spec.name.as_str(), stored.slug.as_str()), ("S (copy)", "s-copy"));
        assert_eq!((stored.spec.status, stored.public_id, stored.tool_count), (ServerStatus::Draft, id, 2));
        assert_eq!((stored.created_at, stored.updated_at), (actor.at, actor.at));
        assert_eq!((stored.spec.rate_limit_per_min, stored.spec.settings), (5, server.spec.settings));
        assert_eq!(fixture.tool_names(copy.id).await, ["b", "a"]);
        let active = ToolFilter { status: Some(ToolStatus::Active), tag: None };
        let tools = fixture.storage.list_tools(fixture.as_alice(), copy.id, &active, None).await.unwrap();
        assert_eq!((tools.total, tools.items[0].revision, tools.items[0].created_at), (1, 1, actor.at));
        assert_eq!(fixture.storage.list_prompts(fixture.as_alice(), copy.id, None).await.unwrap().total, 1);
        assert_eq!(fixture.storage.list_resources(fixture.as_alice(), copy.id, None).await.unwrap().total, 1);
    }

    async fn copies_of_one_server_have_different_slugs(fixture) {
        let server = fixture.server("S").await;
        let mut slugs = Vec::new();
        for _ in 0..3 {
            let copy =
                fixture.storage.duplicate_server(&fixture.next_actor(), fixture.as_alice(), server.id, public_id()).await;
            slugs.push(copy.unwrap().slug.as_str().to_owned());
        }
        assert_eq!(slugs, ["s-copy", "s-copy-2", "s-copy-3"]);
    }

    async fn the_name_of_a_copy_stays_within_the_limit(fixture) {
        let server = fixture.server(&"ö".repeat(200)).await;
        let copy = fixture
            .storage
            .duplicate_server(&fixture.next_actor(), fixture.as_alice(), server.id, public_id())
            .await
            .unwrap();
        assert_eq!(copy.spec.name.chars().count(), 200);
        assert!(copy.spec.name.ends_with("ö (copy)"));
    }

    async fn a_ping_succeeds_until_the_storage_is_closed(fixture) {
        fixture.storage.ping().await.unwrap();
        fixture.storage.close().await;
        assert_fails!(fixture.storage.ping().await, toolgate_storage::StorageError::Unavailable(_));
    }
}
