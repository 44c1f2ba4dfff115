//! Creating, reading, listing, updating and deleting prompts.

use toolgate_domain::audit::ObjectKind;
use toolgate_domain::change::Change;
use toolgate_domain::ids::{PromptId, ServerId};
use toolgate_domain::prompt::{Messages, PromptArgument, PromptPatch, PromptSpec};
use toolgate_domain::user::Visibility;
use toolgate_storage::StorageError::{Exists, NotFound, Rejected};
use toolgate_storage::{PromptStore as _, ServerStore as _};

use crate::builders::{page, prompt_spec};

fn rename(name: &str) -> PromptPatch {
    PromptPatch { name: Some(name.to_owned()), ..PromptPatch::default() }
}

on_both_databases! { for crate::fixture::StorageFixture;
    async fn a_prompt_is_read_as_it_was_created(fixture) {
        let server = fixture.server("S").await;
        let argument = PromptArgument {
            name: "who".to_owned(),
            description: "d".to_owned(),
            required: true,
            values: Some(vec!["a".to_owned()]),
        };
        let messages = Messages::from_stored(r#"[{"role":"user","content":{"type":"text","text":"ü"}}]"#.to_owned());
        let spec = PromptSpec {
            description: "two\nlines".to_owned(),
            arguments: vec![argument.clone()],
            messages: Some(messages),
            ..prompt_spec("p")
        };
        let actor = fixture.next_actor();
        let created = fixture.storage.create_prompt(&actor, fixture.as_alice(), server.id, spec).await.unwrap();
        let stored = fixture.storage.prompt(fixture.as_alice(), server.id, created.id).await.unwrap();
        assert_eq!(format!("{created:?}"), format!("{stored:?}"));
        assert_eq!((stored.server_id, stored.created_at, stored.updated_at), (server.id, actor.at, actor.at));
        assert_eq!((stored.spec.arguments, stored.spec.description.as_str()), (vec![argument], "two\nlines"));
        assert!(stored.spec.messages.unwrap().as_str().contains('ü'));
    }

    async fn prompts_are_listed_by_id_in_pages(fixture) {
        let server = fixture.server("S").await;
        for name in ["c", "a", "b"] {
            fixture.prompt(server.id, name).await;
        }
        let names = async |page| {
            let listing = fixture.storage.list_prompts(fixture.as_alice(), server.id, page).await.unwrap();
            (listing.items.into_iter().map(|prompt| prompt.spec.name).collect::<Vec<_>>().join(" "), listing.total)
        };
        assert_eq!(names(None).await, ("c a b".to_owned(), 3));
        assert_eq!(names(Some(page(2, 2))).await, ("b".to_owned(), 3));
        assert_eq!(names(Some(page(9, 2))).await, (String::new(), 3));
    }

    async fn an_update_changes_the_given_fields_and_the_timestamp(fixture) {
        let server = fixture.server("S").await;
        let created = fixture.prompt(server.id, "p").await;
        let actor = fixture.next_actor();
        let patch = PromptPatch {
            description: Some("new".to_owned()),
            messages: Change::Set(Messages::from_stored("[]".to_owned())),
            ..PromptPatch::default()
        };
        let updated =
            fixture.storage.update_prompt(&actor, fixture.as_alice(), server.id, created.id, patch).await.unwrap();
        assert_eq!((updated.spec.name.as_str(), updated.spec.description.as_str()), ("p", "new"));
        assert_eq!((updated.created_at, updated.updated_at), (created.created_at, actor.at));
        let patch = PromptPatch { messages: Change::Clear, ..PromptPatch::default() };
        fixture.storage.update_prompt(&actor, fixture.as_alice(), server.id, created.id, patch).await.unwrap();
        let stored = fixture.storage.prompt(fixture.as_alice(), server.id, created.id).await.unwrap();
        assert!(stored.spec.messages.is_none());
        assert_eq!((stored.spec.template_content.as_str(), stored.spec.description.as_str()), ("Hello {{who}}", "new"));
    }

    async fn names_are_unique_per_server_and_case_sensitive(fixture) {
        let (server, other) = (fixture.server("S").await, fixture.server("T").await);
        let prompt = fixture.prompt(server.id, "p").await;
        let (actor, as_alice) = (fixture.next_actor(), fixture.as_alice());
        let duplicate = fixture.storage.create_prompt(&actor, as_alice, server.id, prompt_spec("p")).await;
        assert_fails!(duplicate, Exists { kind: ObjectKind::Prompt, field: "name" });
        fixture.prompt(server.id, "P").await;
        fixture.prompt(other.id, "p").await;
        let renamed = fixture.storage.update_prompt(&actor, as_alice, server.id, prompt.id, rename("P")).await;
        assert_fails!(renamed, Exists { kind: ObjectKind::Prompt, field: "name" });
        assert_eq!(fixture.storage.prompt(as_alice, server.id, prompt.id).await.unwrap().spec.name, "p");
    }

    async fn a_deleted_prompt_is_not_found(fixture) {
        let server = fixture.server("S").await;
        let prompt = fixture.prompt(server.id, "p").await;
        let deleted =
            fixture.storage.delete_prompt(&fixture.next_actor(), fixture.as_alice(), server.id, prompt.id).await.unwrap();
        assert_eq!(format!("{deleted:?}"), format!("{prompt:?}"));
        let found = fixture.storage.prompt(fixture.as_alice(), server.id, prompt.id).await;
        assert_fails!(found, NotFound(ObjectKind::Prompt));
        assert_eq!(fixture.storage.list_prompts(fixture.as_alice(), server.id, None).await.unwrap().total, 0);
    }

    async fn prompts_of_a_foreign_or_missing_server_are_not_found(fixture) {
        let server = fixture.server("S").await;
        let prompt = fixture.prompt(server.id, "p").await;
        let actor = fixture.next_actor();
        for (visibility, id) in [(fixture.as_bob(), server.id), (fixture.as_alice(), ServerId(4711))] {
            assert_fails!(fixture.storage.list_prompts(visibility, id, None).await, NotFound(ObjectKind::Server));
            let results = [
                fixture.storage.prompt(visibility, id, prompt.id).await,
                fixture.storage.create_prompt(&actor, visibility, id, prompt_spec("x")).await,
                fixture.storage.update_prompt(&actor, visibility, id, prompt.id, rename("x")).await,
                fixture.storage.delete_prompt(&actor, visibility, id, prompt.id).await,
            ];
            for result in results {
                assert_fails!(result, NotFound(ObjectKind::Server));
            }
        }
        let untouched = fixture.storage.prompt(Visibility::All, server.id, prompt.id).await.unwrap();
        assert_eq!(format!("{untouched:?}"), format!("{prompt:?}"));
    }

    async fn a_prompt_under_another_server_is_not_found(fixture) {
        let (server, other) = (fixture.server("S").await, fixture.server("T").await);
        let prompt = fixture.prompt(server.id, "p").await;
        let (actor, as_alice) = (fixture.next_actor(), fixture.as_alice());
        for (server_id, id) in [(other.id, prompt.id), (server.id, PromptId(4711))] {
            let results = [
                fixture.storage.prompt(as_alice, server_id, id).await,
                fixture.storage.update_prompt(&actor, as_alice, server_id, id, rename("x")).await,
                fixture.storage.delete_prompt(&actor, as_alice, server_id, id).await,
            ];
            for result in results {
                assert_fails!(result, NotFound(ObjectKind::Prompt));
            }
        }
        assert_eq!(fixture.storage.prompt(as_alice, server.id, prompt.id).await.unwrap().spec.name, "p");
    }

    async fn a_server_has_at_most_a_thousand_prompts(fixture) {
        let server = fixture.server("S").await;
        let columns = "server_id, name, description, arguments, template_content, created_at, updated_at";
        let values = format!("{}, 'p' || n, '', '[]', '', 1, 1", server.id);
        fixture.raw.fill("prompts", columns, &values, 999).await;
        let last = fixture.prompt(server.id, "last").await;
        let actor = fixture.next_actor();
        let one_too_many =
            fixture.storage.create_prompt(&actor, fixture.as_alice(), server.id, prompt_spec("more")).await;
        assert_fails!(one_too_many, Rejected(_));
        assert_eq!(fixture.storage.list_prompts(fixture.as_alice(), server.id, None).await.unwrap().items.len(), 1000);
        fixture.storage.delete_prompt(&actor, fixture.as_alice(), server.id, last.id).await.unwrap();
        fixture.prompt(server.id, "more").await;
        fixture.storage.delete_server(&actor, fixture.as_alice(), server.id).await.unwrap();
    }
}
