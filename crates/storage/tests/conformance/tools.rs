//! Creating, reading, listing, updating, toggling and deleting tools.

use std::time::Duration;

use toolgate_domain::audit::ObjectKind;
use toolgate_domain::change::Change;
use toolgate_domain::endpoint_url::EndpointUrl;
use toolgate_domain::ids::{DocumentId, ServerId, ToolId};
use toolgate_domain::parameters::ParameterMapping;
use toolgate_domain::tool::{BodyType, HttpMethod, ResponseType, Tags, ToolOrigin, ToolPatch, ToolStatus};
use toolgate_domain::upstream_auth::AuthType;
use toolgate_domain::user::Visibility;
use toolgate_storage::StorageError::{Exists, NotFound, Rejected};
use toolgate_storage::{NewTool, ServerStore as _, ToolFilter, ToolStore as _};

use crate::builders::{bearer, headers, json, new_tool, page};

fn rename(name: &str) -> ToolPatch {
    ToolPatch { name: Some(name.to_owned()), ..ToolPatch::default() }
}

/// A patch that sets every field but the name.
fn full_patch() -> ToolPatch {
    ToolPatch {
        name: None,
        description: Some("Fetches ☂".to_owned()),
        endpoint_url: Some(EndpointUrl::parse("endpoint_url", "https://other.example/{x}").unwrap()),
        http_method: Some(HttpMethod::Post),
        input_schema: Some(json(r#"{"type":"object","properties":{"z":{},"a":{"maximum":12345678901234567890123}}}"#)),
        auth_type: Some(AuthType::Basic),
        credential: Change::Keep,
        auth_credentials: Some(json(r#"{"username":"u","password":"p"}"#)),
        parameter_mapping: Some(ParameterMapping::from_stored(r#"{"z":{"location":"query"}}"#.to_owned())),
        headers: Some(headers(r#"{"Accept":"a/b","X-Api-Key":"s3"}"#)),
        body_type: Some(BodyType::Form),
        body_required: Some(false),
        cache_ttl: Some(Duration::from_mins(1)),
        timeout: Some(Duration::from_secs(5)),
        retry_count: Some(2),
        status: Some(ToolStatus::Paused),
        tags: Some(tags(&["pet", "two words"])),
        sort_order: Some(7),
        response_type: Some(ResponseType::Mcp),
        output_schema: Change::Set(json(r#"{"type":"object"}"#)),
        required_client_capabilities: Change::Set(json(r#"{"sampling":{}}"#)),
        annotations: Change::Set(json(r#"{"readOnlyHint":true}"#)),
        shaping: Change::Set(json(r#"{"max_tokens":4000}"#)),
        pinned: Some(true),
    }
}

fn tags(tags: &[&str]) -> Tags {
    let items: Vec<_> = tags.iter().map(|tag| toolgate_domain::json::raw_string(tag)).collect();
    Tags::parse("tags", &items).unwrap()
}

fn imported(name: &str) -> NewTool {
    let origin = ToolOrigin {
        document_id: DocumentId(7),
        operation: "GET /x".to_owned(),
        hash: "abc".to_owned(),
        base_revision: Some(2),
        is_removed: true,
    };
    NewTool { origin: Some(origin), ..new_tool(name) }
}

on_both_databases! { for crate::fixture::StorageFixture;
    async fn a_tool_has_the_documented_defaults(fixture) {
        let server = fixture.server("S").await;
        let actor = fixture.next_actor();
        let created = fixture.storage.create_tool(&actor, fixture.as_alice(), server.id, new_tool("t")).await.unwrap();
        let stored = fixture.storage.tool(fixture.as_alice(), created.id).await.unwrap();
        assert_eq!(format!("{created:?}"), format!("{stored:?}"));
        assert_eq!((stored.server_id, stored.sort_order, stored.revision), (server.id, 0, 1));
        assert_eq!((stored.created_at, stored.updated_at), (actor.at, actor.at));
        let spec = stored.spec;
        assert_eq!(
            (spec.description.as_str(), spec.http_method.as_str(), spec.body_type.as_str()),
            ("", "GET", "json")
        );
        assert!(spec.body_required);
        assert_eq!((spec.tags, stored.origin), (Tags::default(), None));
        assert_eq!((spec.cache_ttl.as_secs(), spec.timeout.as_secs(), spec.retry_count), (0, 30, 0));
        assert_eq!((spec.status, spec.auth_type), (ToolStatus::Active, AuthType::None));
        assert_eq!(spec.input_schema.as_str(), r#"{"type":"object","properties":{},"required":[]}"#);
        assert_eq!((spec.parameter_mapping.as_json().as_str(), spec.headers.len()), ("{}", 0));
        assert_eq!((spec.output_schema, spec.required_client_capabilities, spec.annotations), (None, None, None));
        assert_eq!((spec.shaping, spec.pinned), (None, false));
        let secrets = fixture.storage.tool_secrets(created.id).await.unwrap();
        assert!(secrets.is_empty());
    }

    async fn every_given_field_of_a_tool_is_stored(fixture) {
        let server = fixture.server("S").await;
        let created = fixture.tool_with(server.id, "t", full_patch()).await;
        let stored = fixture.storage.tool(fixture.as_alice(), created.id).await.unwrap();
        assert_eq!(format!("{created:?}"), format!("{stored:?}"));
        assert_eq!(stored.sort_order, 7);
        let spec = stored.spec;
        assert_eq!((spec.description.as_str(), spec.endpoint_url.as_str()), ("Fetches ☂", "https://other.example/{x}"));
        assert_eq!(
            spec.input_schema.as_str(),
            r#"{"type":"object","properties":{"z":{},"a":{"maximum":12345678901234567890123}}}"#
        );
        assert_eq!(spec.parameter_mapping.as_json().as_str(), r#"{"z":{"location":"query"}}"#);
        assert_eq!((spec.cache_ttl.as_secs(), spec.timeout.as_secs(), spec.retry_count), (60, 5, 2));
        assert_eq!((spec.http_method.as_str(), spec.body_type.as_str()), ("POST", "form"));
        assert!(!spec.body_required);
        assert_eq!(spec.tags.as_slice(), ["pet", "two words"]);
        assert_eq!((spec.response_type.as_str(), spec.status), ("mcp", ToolStatus::Paused));
        assert_eq!(
            spec.headers.into_iter().map(|(n, v)| n + "=" + &v).collect::<Vec<_>>(),
            ["Accept=a/b", "X-Api-Key=********"]
        );
        assert_eq!(spec.annotations.unwrap().as_str(), r#"{"readOnlyHint":true}"#);
        assert_eq!((spec.shaping.unwrap().as_str(), spec.pinned), (r#"{"max_tokens":4000}"#, true));
        let secrets = fixture.storage.tool_secrets(created.id).await.unwrap();
        let plain_text =
            r#"{"kind":"basic","credentials":{"username":"u","password":"p"},"headers":{"X-Api-Key":"s3"}}"#;
        assert_eq!(secrets.expose().as_str(), plain_text);
    }

    async fn an_update_changes_the_given_fields_and_increments_the_revision(fixture) {
        let server = fixture.server("S").await;
        let created = fixture.tool_with(server.id, "t", full_patch()).await;
        let actor = fixture.next_actor();
        let updated = fixture.storage.update_tool(&actor, fixture.as_alice(), created.id, rename("u")).await.unwrap();
        assert_eq!((updated.revision, updated.created_at, updated.updated_at), (2, created.created_at, actor.at));
        let stored = fixture.storage.tool(fixture.as_alice(), created.id).await.unwrap();
        assert_eq!(format!("{updated:?}"), format!("{stored:?}"));
        let mut expected = created;
        (expected.spec.name, expected.revision, expected.updated_at) = ("u".to_owned(), 2, actor.at);
        assert_eq!(format!("{stored:?}"), format!("{expected:?}"));
        assert!(!fixture.storage.tool_secrets(stored.id).await.unwrap().is_empty(), "the secrets do not change");
    }

    async fn an_update_clears_null_fields(fixture) {
        let server = fixture.server("S").await;
        let created = fixture.tool_with(server.id, "t", full_patch()).await;
        let patch = ToolPatch {
            output_schema: Change::Clear,
            required_client_capabilities: Change::Clear,
            annotations: Change::Clear,
            auth_credentials: Some(json("{}")),
            headers: Some(headers("{}")),
            sort_order: Some(3),
            ..ToolPatch::default()
        };
        fixture.storage.update_tool(&fixture.next_actor(), fixture.as_alice(), created.id, patch).await.unwrap();
        let stored = fixture.storage.tool(fixture.as_alice(), created.id).await.unwrap();
        assert_eq!((stored.sort_order, stored.spec.output_schema, stored.spec.annotations), (3, None, None));
        assert!(stored.spec.headers.is_empty());
        assert_eq!(fixture.raw.int("SELECT COUNT(*) FROM secrets").await, 0);
    }

    async fn names_are_unique_per_server_and_case_sensitive(fixture) {
        let (server, other) = (fixture.server("S").await, fixture.server("T").await);
        let tool = fixture.tool(server.id, "t").await;
        let (actor, as_alice) = (fixture.next_actor(), fixture.as_alice());
        let duplicate = fixture.storage.create_tool(&actor, as_alice, server.id, new_tool("t")).await;
        assert_fails!(duplicate, Exists { kind: ObjectKind::Tool, field: "name" });
        fixture.tool(server.id, "T").await;
        fixture.tool(other.id, "t").await;
        let renamed = fixture.storage.update_tool(&actor, as_alice, tool.id, rename("T")).await;
        assert_fails!(renamed, Exists { kind: ObjectKind::Tool, field: "name" });
        let stored = fixture.storage.tool(as_alice, tool.id).await.unwrap();
        assert_eq!((stored.spec.name.as_str(), stored.revision), ("t", 1));
    }

    async fn a_mask_without_a_stored_value_is_rejected(fixture) {
        let server = fixture.server("S").await;
        let patch = ToolPatch { headers: Some(headers(r#"{"Cookie":"********"}"#)), ..ToolPatch::default() };
        let new = NewTool { patch: patch.clone(), ..new_tool("t") };
        assert_fails!(
            fixture.storage.create_tool(&fixture.next_actor(), fixture.as_alice(), server.id, new).await,
            Rejected(_)
        );
        let tool = fixture.tool(server.id, "t").await;
        let updated = fixture.storage.update_tool(&fixture.next_actor(), fixture.as_alice(), tool.id, patch).await;
        assert_fails!(updated, Rejected(faults) if faults.iter().any(|fault| fault.field == "headers[Cookie]"));
        let stored = fixture.storage.tool(fixture.as_alice(), tool.id).await.unwrap();
        assert_eq!(format!("{stored:?}"), format!("{tool:?}"));
    }

    async fn credentials_of_the_wrong_shape_are_rejected(fixture) {
        let server = fixture.server("S").await;
        let patch = ToolPatch { auth_type: Some(AuthType::Basic), ..bearer("tok") };
        let new = NewTool { patch: patch.clone(), ..new_tool("t") };
        assert_fails!(
            fixture.storage.create_tool(&fixture.next_actor(), fixture.as_alice(), server.id, new).await,
            Rejected(_)
        );
        let tool = fixture.tool_with(server.id, "t", bearer("stored")).await;
        assert_fails!(
            fixture.storage.update_tool(&fixture.next_actor(), fixture.as_alice(), tool.id, patch).await,
            Rejected(_)
        );
        let credentials = json(r#"{"username":"u"}"#);
        let without_auth_type =
            ToolPatch { auth_type: None, auth_credentials: Some(credentials), ..ToolPatch::default() };
        let updated =
            fixture.storage.update_tool(&fixture.next_actor(), fixture.as_alice(), tool.id, without_auth_type).await;
        assert_fails!(updated, Rejected(_));
        let stored = fixture.storage.tool(fixture.as_alice(), tool.id).await.unwrap();
        assert_eq!(format!("{stored:?}"), format!("{tool:?}"));
        assert!(fixture.storage.tool_secrets(tool.id).await.unwrap().expose().contains("stored"));
    }

    async fn a_toggle_switches_between_active_and_paused(fixture) {
        let server = fixture.server("S").await;
        let tool = fixture.tool(server.id, "t").await;
        for (status, revision) in [(ToolStatus::Paused, 2), (ToolStatus::Active, 3)] {
            let actor = fixture.next_actor();
            let toggled = fixture.storage.toggle_tool(&actor, fixture.as_alice(), tool.id).await.unwrap();
            assert_eq!((toggled.spec.status, toggled.revision, toggled.updated_at), (status, revision, actor.at));
        }
    }

    async fn deleting_a_tool_deletes_its_secrets(fixture) {
        let server = fixture.server("S").await;
        let tool = fixture.tool_with(server.id, "t", bearer("tok")).await;
        let deleted = fixture.storage.delete_tool(&fixture.next_actor(), fixture.as_alice(), tool.id).await.unwrap();
        assert_eq!(format!("{deleted:?}"), format!("{tool:?}"));
        assert_fails!(fixture.storage.tool(fixture.as_alice(), tool.id).await, NotFound(ObjectKind::Tool));
        assert_eq!(fixture.raw.int("SELECT COUNT(*) FROM secrets").await, 0);
        assert!(fixture.storage.tool_secrets(tool.id).await.unwrap().is_empty());
    }

    async fn missing_and_foreign_tools_are_not_found(fixture) {
        let server = fixture.server("S").await;
        let tool = fixture.tool(server.id, "t").await;
        let (actor, storage) = (fixture.next_actor(), &fixture.storage);
        for (visibility, id) in
            [(fixture.as_bob(), tool.id), (fixture.as_alice(), ToolId(4711)), (Visibility::All, ToolId(-1))]
        {
            let results = [
                storage.tool(visibility, id).await,
                storage.update_tool(&actor, visibility, id, rename("x")).await,
                storage.delete_tool(&actor, visibility, id).await,
                storage.toggle_tool(&actor, visibility, id).await,
                storage.duplicate_tool(&actor, visibility, id).await,
            ];
            for result in results {
                assert_fails!(result, NotFound(ObjectKind::Tool));
            }
        }
        let untouched = storage.tool(Visibility::All, tool.id).await.unwrap();
        assert_eq!(format!("{untouched:?}"), format!("{tool:?}"));
    }

    async fn tools_of_a_foreign_or_missing_server_are_not_found(fixture) {
        let server = fixture.server("S").await;
        for (visibility, id) in [(fixture.as_bob(), server.id), (fixture.as_alice(), ServerId(4711))] {
            let listed = fixture.storage.list_tools(visibility, id, &ToolFilter::default(), None).await;
            assert_fails!(listed, NotFound(ObjectKind::Server));
            let created = fixture.storage.create_tool(&fixture.next_actor(), visibility, id, new_tool("x")).await;
            assert_fails!(created, NotFound(ObjectKind::Server));
        }
        assert_eq!(fixture.raw.int("SELECT COUNT(*) FROM tools").await, 0);
    }

    async fn tools_are_listed_by_sort_order_then_id_with_status_and_pages(fixture) {
        let server = fixture.server("S").await;
        for (name, sort_order, status) in [
            ("c", 5, ToolStatus::Active),
            ("a", 1, ToolStatus::Paused),
            ("b", 5, ToolStatus::Active),
            ("d", 0, ToolStatus::Active),
        ] {
            let patch = ToolPatch { sort_order: Some(sort_order), status: Some(status), ..ToolPatch::default() };
            fixture.tool_with(server.id, name, patch).await;
        }
        let names = async |status, page| {
            let filter = ToolFilter { status, tag: None };
            let listing = fixture.storage.list_tools(fixture.as_alice(), server.id, &filter, page).await.unwrap();
            (listing.items.into_iter().map(|tool| tool.spec.name).collect::<Vec<_>>().join(" "), listing.total)
        };
        assert_eq!(names(None, None).await, ("d a c b".to_owned(), 4));
        assert_eq!(names(Some(ToolStatus::Active), None).await, ("d c b".to_owned(), 3));
        assert_eq!(names(Some(ToolStatus::Paused), None).await, ("a".to_owned(), 1));
        assert_eq!(names(Some(ToolStatus::Active), Some(page(2, 2))).await, ("b".to_owned(), 3));
        assert_eq!(names(None, Some(page(2, 3))).await, ("b".to_owned(), 4));
    }

    async fn tools_are_listed_by_tag_with_status_and_pages(fixture) {
        let server = fixture.server("S").await;
        for (name, given, status) in [
            ("a", vec!["pet"], ToolStatus::Active),
            ("b", vec!["pets", "PET"], ToolStatus::Active),
            ("c", vec!["x", "pet", "%"], ToolStatus::Paused),
            ("d", vec![], ToolStatus::Active),
            ("e", vec!["pet"], ToolStatus::Active),
        ] {
            let patch = ToolPatch { tags: Some(tags(&given)), status: Some(status), ..ToolPatch::default() };
            fixture.tool_with(server.id, name, patch).await;
        }
        let names = async |tag: &str, status, page| {
            let filter = ToolFilter { status, tag: Some(tag.to_owned()) };
            let listing = fixture.storage.list_tools(fixture.as_alice(), server.id, &filter, page).await.unwrap();
            (listing.items.into_iter().map(|tool| tool.spec.name).collect::<String>(), listing.total)
        };
        assert_eq!(names("pet", None, None).await, ("ace".to_owned(), 3));
        assert_eq!(names("pet", Some(ToolStatus::Active), None).await, ("ae".to_owned(), 2));
        assert_eq!(names("pet", None, Some(page(2, 2))).await, ("e".to_owned(), 3));
        assert_eq!(names("%", None, None).await, ("c".to_owned(), 1));
        for unknown in ["pe", "", "pet\nx", "' OR 1=1"] {
            assert_eq!(names(unknown, None, None).await, (String::new(), 0), "{unknown:?}");
        }
    }

    async fn the_origin_of_a_tool_stays_and_copies_have_none(fixture) {
        let server = fixture.server("S").await;
        let (actor, as_alice, storage) = (fixture.next_actor(), fixture.as_alice(), &fixture.storage);
        let created = storage.create_tool(&actor, as_alice, server.id, imported("t")).await.unwrap();
        assert_eq!(created.origin, imported("t").origin);
        storage.update_tool(&actor, as_alice, created.id, full_patch()).await.unwrap();
        storage.toggle_tool(&actor, as_alice, created.id).await.unwrap();
        let stored = storage.tool(as_alice, created.id).await.unwrap();
        assert_eq!(stored.origin, created.origin);
        let copy = storage.duplicate_tool(&actor, as_alice, created.id).await.unwrap();
        assert_eq!((copy.origin, copy.spec.tags), (None, stored.spec.tags.clone()));
        let server_copy =
            storage.duplicate_server(&actor, as_alice, server.id, crate::builders::public_id()).await.unwrap();
        let tools = storage.list_tools(as_alice, server_copy.id, &ToolFilter::default(), None).await.unwrap().items;
        assert_eq!(tools.len(), 2);
        for tool in tools {
            assert_eq!((tool.origin, tool.spec.tags), (None, stored.spec.tags.clone()));
        }
    }

    async fn a_server_has_at_most_a_thousand_tools(fixture) {
        let server = fixture.server("S").await;
        fixture.fill_tools(server.id, 999).await;
        let last = fixture.tool(server.id, "last").await;
        assert_eq!(last.sort_order, 1000);
        let actor = fixture.next_actor();
        let one_too_many = fixture.storage.create_tool(&actor, fixture.as_alice(), server.id, new_tool("more")).await;
        assert_fails!(one_too_many, Rejected(_));
        assert_fails!(fixture.storage.duplicate_tool(&actor, fixture.as_alice(), last.id).await, Rejected(_));
        assert_eq!(fixture.storage.server(fixture.as_alice(), server.id).await.unwrap().tool_count, 1000);
        let copy =
            fixture.storage.duplicate_server(&actor, fixture.as_alice(), server.id, crate::builders::public_id()).await;
        assert_eq!(copy.unwrap().tool_count, 1000);
    }
}
