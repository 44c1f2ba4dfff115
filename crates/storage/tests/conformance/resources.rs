//! Creating, reading, listing, updating and deleting resources.

use toolgate_domain::audit::ObjectKind;
use toolgate_domain::change::Change;
use toolgate_domain::data_source::DataSourceType;
use toolgate_domain::ids::{ResourceId, ServerId};
use toolgate_domain::resource::{ResourcePatch, ResourceSpec};
use toolgate_domain::user::Visibility;
use toolgate_storage::StorageError::{Exists, NotFound, Rejected};
use toolgate_storage::{ResourceStore as _, ServerStore as _};

use crate::builders::{json, page};

fn spec(uri: &str) -> ResourceSpec {
    ResourceSpec::new(uri.to_owned(), "A resource".to_owned())
}

fn rename(name: &str) -> ResourcePatch {
    ResourcePatch { name: Some(name.to_owned()), ..ResourcePatch::default() }
}

fn change_uri(uri: &str) -> ResourcePatch {
    ResourcePatch { uri: Some(uri.to_owned()), ..ResourcePatch::default() }
}

fn with_url_source(config: &str) -> ResourcePatch {
    ResourcePatch {
        data_source_type: Some(DataSourceType::Url),
        data_source_config: Some(json(config)),
        ..ResourcePatch::default()
    }
}

const CONFIG_WITH_SECRETS: &str = r#"{"url":"https://a.example/","headers":{"X-Token":"h-1"},
    "auth_type":"bearer","auth_credentials":{"token":"t-1"}}"#;

on_both_databases! { for crate::fixture::StorageFixture;
    async fn a_resource_has_the_documented_defaults(fixture) {
        let server = fixture.server("S").await;
        let actor = fixture.next_actor();
        let created = fixture
            .storage
            .create_resource(&actor, fixture.as_alice(), server.id, spec("docs://g"), ResourcePatch::default())
            .await
            .unwrap();
        let stored = fixture.storage.resource(fixture.as_alice(), server.id, created.id).await.unwrap();
        assert_eq!(format!("{created:?}"), format!("{stored:?}"));
        assert_eq!((stored.server_id, stored.created_at, stored.updated_at), (server.id, actor.at, actor.at));
        let spec = stored.spec;
        assert_eq!(
            (spec.uri.as_str(), spec.description.as_str(), spec.mime_type.as_str()),
            ("docs://g", "", "text/plain")
        );
        assert_eq!((spec.data_source_type, spec.data_source_config.as_str()), (DataSourceType::Static, "{}"));
        assert_eq!(spec.template_uri, None);
        assert!(fixture.storage.resource_secrets(created.id).await.unwrap().is_empty());
    }

    async fn every_given_field_of_a_resource_is_stored(fixture) {
        let server = fixture.server("S").await;
        let patch = ResourcePatch {
            description: Some("d".to_owned()),
            mime_type: Some("text/html".to_owned()),
            template_uri: Change::Set("docs://{x}".to_owned()),
            ..with_url_source(CONFIG_WITH_SECRETS)
        };
        let created = fixture.resource_with(server.id, "docs://g", patch).await;
        let stored = fixture.storage.resource(fixture.as_alice(), server.id, created.id).await.unwrap();
        assert_eq!(format!("{created:?}"), format!("{stored:?}"));
        assert_eq!((stored.spec.description.as_str(), stored.spec.mime_type.as_str()), ("d", "text/html"));
        assert_eq!(stored.spec.template_uri.as_deref(), Some("docs://{x}"));
        let shown = stored.spec.data_source_config.as_str();
        assert!(!shown.contains("h-1") && !shown.contains("t-1"), "{shown}");
        let secrets = fixture.storage.resource_secrets(created.id).await.unwrap().expose();
        assert!(secrets.contains("h-1") && secrets.contains("t-1"));
    }

    async fn an_update_changes_the_given_fields_and_preserves_the_secrets(fixture) {
        let server = fixture.server("S").await;
        let created = fixture.resource_with(server.id, "docs://g", with_url_source(CONFIG_WITH_SECRETS)).await;
        let actor = fixture.next_actor();
        let updated = fixture
            .storage
            .update_resource(&actor, fixture.as_alice(), server.id, created.id, rename("N"))
            .await
            .unwrap();
        let mut expected = created.clone();
        (expected.spec.name, expected.updated_at) = ("N".to_owned(), actor.at);
        assert_eq!(format!("{updated:?}"), format!("{expected:?}"));
        assert!(fixture.storage.resource_secrets(created.id).await.unwrap().expose().contains("t-1"));
        let patch = ResourcePatch { data_source_type: Some(DataSourceType::Static), ..ResourcePatch::default() };
        fixture.storage.update_resource(&actor, fixture.as_alice(), server.id, created.id, patch).await.unwrap();
        assert!(
            fixture.storage.resource_secrets(created.id).await.unwrap().is_empty(),
            "another source type deletes the secrets"
        );
    }

    async fn rejected_sources_change_nothing(fixture) {
        let server = fixture.server("S").await;
        let (actor, as_alice) = (fixture.next_actor(), fixture.as_alice());
        let masked = with_url_source(r#"{"url":"https://a.example/","headers":{"X-Token":"********"}}"#);
        let malformed =
            with_url_source(r#"{"url":"https://a.example/","auth_type":"basic","auth_credentials":{"token":"t"}}"#);
        let created = fixture.resource(server.id, "docs://existing").await;
        for patch in [masked, malformed, with_url_source("{}")] {
            let new =
                fixture.storage.create_resource(&actor, as_alice, server.id, spec("docs://new"), patch.clone()).await;
            assert_fails!(new, Rejected(_));
            let updated = fixture.storage.update_resource(&actor, as_alice, server.id, created.id, patch).await;
            assert_fails!(updated, Rejected(_));
        }
        let listed = fixture.storage.list_resources(as_alice, server.id, None).await.unwrap();
        assert_eq!(format!("{:?}", listed.items), format!("{:?}", [created]));
    }

    async fn resources_are_listed_by_id_in_pages(fixture) {
        let server = fixture.server("S").await;
        for uri in ["r://c", "r://a", "r://b"] {
            fixture.resource(server.id, uri).await;
        }
        let uris = async |page| {
            let listing = fixture.storage.list_resources(fixture.as_alice(), server.id, page).await.unwrap();
            (listing.items.into_iter().map(|resource| resource.spec.uri).collect::<Vec<_>>().join(" "), listing.total)
        };
        assert_eq!(uris(None).await, ("r://c r://a r://b".to_owned(), 3));
        assert_eq!(uris(Some(page(2, 2))).await, ("r://b".to_owned(), 3));
    }

    async fn uris_are_unique_per_server_and_case_sensitive(fixture) {
        let (server, other) = (fixture.server("S").await, fixture.server("T").await);
        let resource = fixture.resource(server.id, "r://1").await;
        fixture.resource(server.id, "R://1").await;
        fixture.resource(other.id, "r://1").await;
        let (actor, as_alice) = (fixture.next_actor(), fixture.as_alice());
        let duplicate =
            fixture.storage.create_resource(&actor, as_alice, server.id, spec("r://1"), ResourcePatch::default()).await;
        assert_fails!(duplicate, Exists { kind: ObjectKind::Resource, field: "uri" });
        let updated =
            fixture.storage.update_resource(&actor, as_alice, server.id, resource.id, change_uri("R://1")).await;
        assert_fails!(updated, Exists { kind: ObjectKind::Resource, field: "uri" });
        assert_eq!(fixture.storage.resource(as_alice, server.id, resource.id).await.unwrap().spec.uri, "r://1");
    }

    async fn deleting_a_resource_deletes_its_secrets(fixture) {
        let server = fixture.server("S").await;
        let created = fixture.resource_with(server.id, "docs://g", with_url_source(CONFIG_WITH_SECRETS)).await;
        let deleted =
            fixture.storage.delete_resource(&fixture.next_actor(), fixture.as_alice(), server.id, created.id).await.unwrap();
        assert_eq!(format!("{deleted:?}"), format!("{created:?}"));
        let found = fixture.storage.resource(fixture.as_alice(), server.id, created.id).await;
        assert_fails!(found, NotFound(ObjectKind::Resource));
        assert_eq!(fixture.raw.int("SELECT COUNT(*) FROM secrets").await, 0);
    }

    async fn resources_of_a_foreign_or_missing_server_are_not_found(fixture) {
        let server = fixture.server("S").await;
        let resource = fixture.resource(server.id, "r://1").await;
        let actor = fixture.next_actor();
        for (visibility, id) in [(fixture.as_bob(), server.id), (fixture.as_alice(), ServerId(4711))] {
            assert_fails!(fixture.storage.list_resources(visibility, id, None).await, NotFound(ObjectKind::Server));
            let results = [
                fixture.storage.resource(visibility, id, resource.id).await,
                fixture.storage.create_resource(&actor, visibility, id, spec("r://2"), ResourcePatch::default()).await,
                fixture.storage.update_resource(&actor, visibility, id, resource.id, rename("x")).await,
                fixture.storage.delete_resource(&actor, visibility, id, resource.id).await,
            ];
            for result in results {
                assert_fails!(result, NotFound(ObjectKind::Server));
            }
        }
        let untouched = fixture.storage.resource(Visibility::All, server.id, resource.id).await.unwrap();
        assert_eq!(format!("{untouched:?}"), format!("{resource:?}"));
    }

    async fn a_resource_under_another_server_is_not_found(fixture) {
        let (server, other) = (fixture.server("S").await, fixture.server("T").await);
        let resource = fixture.resource(server.id, "r://1").await;
        let (actor, as_alice) = (fixture.next_actor(), fixture.as_alice());
        for (server_id, id) in [(other.id, resource.id), (server.id, ResourceId(4711))] {
            let results = [
                fixture.storage.resource(as_alice, server_id, id).await,
                fixture.storage.update_resource(&actor, as_alice, server_id, id, rename("x")).await,
                fixture.storage.delete_resource(&actor, as_alice, server_id, id).await,
            ];
            for result in results {
                assert_fails!(result, NotFound(ObjectKind::Resource));
            }
        }
        fixture.storage.resource(as_alice, server.id, resource.id).await.unwrap();
    }

    async fn a_server_has_at_most_a_thousand_resources(fixture) {
        let server = fixture.server("S").await;
        let columns = "server_id, uri, name, description, mime_type, data_source_type, data_source_config, \
            created_at, updated_at";
        let values = format!("{}, 'r://' || n, '', '', '', 'static', '{{}}', 1, 1", server.id);
        fixture.raw.fill("resources", columns, &values, 999).await;
        fixture.resource(server.id, "docs://last").await;
        let (actor, as_alice) = (fixture.next_actor(), fixture.as_alice());
        let one_too_many = fixture
            .storage
            .create_resource(&actor, as_alice, server.id, spec("r://more"), ResourcePatch::default())
            .await;
        assert_fails!(one_too_many, Rejected(_));
        assert_eq!(fixture.storage.list_resources(as_alice, server.id, None).await.unwrap().items.len(), 1000);
        fixture.storage.delete_server(&actor, as_alice, server.id).await.unwrap();
    }
}
