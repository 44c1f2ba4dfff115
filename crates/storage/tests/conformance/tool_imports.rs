//! Imports of several tools in one transaction.

use toolgate_domain::api_document::{ApiDocument, DocumentPatch};
use toolgate_domain::change::Change;
use toolgate_domain::member::{MemberRole, MemberUser};
use toolgate_domain::overlay_edit::OverlayEdit;
use toolgate_domain::tool::{ToolPatch, ToolStatus};
use toolgate_domain::tool_import::ConflictRule;
use toolgate_domain::upstream_auth::AuthType;
use toolgate_storage::StorageError::{Forbidden, NotFound, TooManyTools};
use toolgate_storage::{
    ChangeEvent, DocumentStore as _, DocumentTarget, ImportOutcome, ImportResult, ImportedCredential, ImportedDocument,
    ImportedTool, MemberStore as _, NewTool, SkipReason, StorageError, ToolChange, ToolChangeKind, ToolFilter,
    ToolImport, ToolImportStore as _, ToolStore as _, ToolUpdate,
};

use crate::builders::{bearer, headers, json, new_tool};
use crate::change_recorder::ChangeRecorder;

pub(crate) fn imported_tool(name: &str, operation: &str) -> ImportedTool {
    let mut new = new_tool(name);
    // A name that the tool already has would not be validated.
    new.spec.name = String::new();
    new.patch.name = Some(name.to_owned());
    ImportedTool { new, operation: operation.to_owned(), hash: format!("hash of {operation}") }
}

fn manifest(names: &[&str], on_conflict: ConflictRule) -> ToolImport {
    let tools = names.iter().map(|name| imported_tool(name, "")).collect();
    ToolImport { tools, on_conflict, credentials: Vec::new(), document: None, changes: Vec::new() }
}

pub(crate) fn imported_document(content: &str) -> ImportedDocument {
    ImportedDocument {
        target: None,
        name: "Petstore".to_owned(),
        url: Some("https://api.example/openapi.json".to_owned()),
        url_headers: Some(headers(r#"{"X-Plain":"s3cr3t"}"#)),
        format: "openapi".to_owned(),
        version: "3.1.0".to_owned(),
        title: "Petstore".to_owned(),
        sha256: format!("digest of {content}"),
        content: content.as_bytes().to_vec(),
        overlay: None,
        options: json(r#"{"names":"path"}"#),
    }
}

/// The stored document as the target of an import.
pub(crate) fn document_target(document: &ApiDocument) -> DocumentTarget {
    DocumentTarget::new(document)
}

/// A credential of the type bearer.
pub(crate) fn imported_credential(name: &str, token: Option<&str>, replaces_stored: bool) -> ImportedCredential {
    ImportedCredential {
        name: name.to_owned(),
        auth_type: AuthType::Bearer,
        auth_credentials: token.map(|token| json(&format!(r#"{{"token":"{token}"}}"#))),
        replaces_stored,
    }
}

fn summary(outcomes: &[ImportOutcome]) -> Vec<String> {
    let kind = |result: &ImportResult| match result {
        ImportResult::Created(_) => "created",
        ImportResult::Updated(_) => "updated",
        ImportResult::Paused(_) => "paused",
        ImportResult::Deleted(_) => "deleted",
        ImportResult::Skipped(SkipReason::UpToDate) => "up to date",
        ImportResult::Skipped(SkipReason::Breaking) => "breaking",
        ImportResult::Skipped(SkipReason::NotReadable) => "not readable",
        ImportResult::Skipped(SkipReason::NameTaken) => "name taken",
        ImportResult::Skipped(SkipReason::AlreadyImported) => "already imported",
        ImportResult::Skipped(SkipReason::OtherOrigin) => "other origin",
        ImportResult::Failed(_) => "failed",
    };
    outcomes.iter().map(|outcome| format!("{} {}", outcome.name, kind(&outcome.result))).collect()
}

on_both_databases! { for crate::fixture::StorageFixture;
    async fn an_import_adds_tools_in_order_with_secrets_and_one_notification(fixture) {
        let (storage, as_alice) = (&fixture.storage, fixture.as_alice());
        let server = fixture.server("S").await;
        fixture.tool(server.id, "first").await;
        let mut import = manifest(&["b", "a"], ConflictRule::Skip);
        import.tools[1].new.patch = ToolPatch { name: Some("a".to_owned()), ..bearer("t0ken") };
        let mut recorder = ChangeRecorder::start(storage).await;
        let outcomes = storage.import_tools(&fixture.next_actor(), as_alice, server.id, import).await.unwrap();
        assert_eq!(recorder.drain(), [ChangeEvent::Server(server.public_id.clone())]);
        assert_eq!((summary(&outcomes.tools), outcomes.document_id), (vec!["b created".to_owned(), "a created".to_owned()], None));
        assert_eq!(fixture.tool_names(server.id).await, ["first", "b", "a"]);
        let tools = storage.list_tools(as_alice, server.id, &ToolFilter::default(), None).await.unwrap();
        assert_eq!(tools.total, 3);
        assert!(storage.tool_secrets(tools.items[2].id).await.unwrap().credentials.is_some());
        let audit = "SELECT action || ' ' || object_kind || ' ' || fields FROM audit WHERE action IN ('create', 'import') \
                     AND object_kind IN ('tool', 'server') ORDER BY id DESC LIMIT 3";
        let rows = fixture.raw.texts(audit).await;
        assert_eq!(rows, ["import server created=2,updated=0,skipped=0,failed=0", "create tool ", "create tool "]);
    }

    async fn a_taken_name_is_skipped_or_numbered_and_a_faulty_tool_fails_alone(fixture) {
        let (storage, as_alice) = (&fixture.storage, fixture.as_alice());
        let server = fixture.server("S").await;
        fixture.tool(server.id, "a").await;
        let mut import = manifest(&["a", "b", "b", "bad name", "c"], ConflictRule::Skip);
        let outcomes = storage.import_tools(&fixture.next_actor(), as_alice, server.id, import.clone()).await.unwrap();
        assert_eq!(summary(&outcomes.tools), ["a name taken", "b created", "b name taken", "bad name failed", "c created"]);
        import.on_conflict = ConflictRule::Duplicate;
        let outcomes = storage.import_tools(&fixture.next_actor(), as_alice, server.id, import).await.unwrap();
        assert_eq!(summary(&outcomes.tools), ["a_2 created", "b_2 created", "b_3 created", "bad name failed", "c_2 created"]);
        let import = manifest(&["a"], ConflictRule::Update);
        let outcomes = storage.import_tools(&fixture.next_actor(), as_alice, server.id, import).await.unwrap();
        assert_eq!(summary(&outcomes.tools), ["a other origin"]);
    }

    async fn an_import_beyond_the_capacity_writes_nothing(fixture) {
        let (storage, as_alice) = (&fixture.storage, fixture.as_alice());
        let server = fixture.server("S").await;
        fixture.fill_tools(server.id, 998).await;
        let mut import = manifest(&["a", "b", "c"], ConflictRule::Skip);
        import.document = Some(imported_document("x"));
        import.credentials = vec![imported_credential("token", Some("t0ken"), true)];
        let refused = storage.import_tools(&fixture.next_actor(), as_alice, server.id, import).await;
        assert_fails!(refused, TooManyTools { present: 998, added: 3, max: 1000 });
        for table in ["documents", "server_credentials", "secrets"] {
            assert_eq!(fixture.raw.int(&format!("SELECT COUNT(*) FROM {table}")).await, 0, "{table}");
        }
        let import = manifest(&["a", "b", "t1"], ConflictRule::Skip);
        let outcomes = storage.import_tools(&fixture.next_actor(), as_alice, server.id, import).await.unwrap();
        assert_eq!(summary(&outcomes.tools), ["a created", "b created", "t1 name taken"]);
    }

    async fn credentials_are_written_with_the_tools_that_name_them(fixture) {
        let (storage, as_alice) = (&fixture.storage, fixture.as_alice());
        let server = fixture.server("S").await;
        let import = async |name: &str, credential: ImportedCredential| {
            let mut import = manifest(&[name], ConflictRule::Skip);
            import.tools[0].new.patch.credential = Change::Set("Token".to_owned());
            import.credentials = vec![credential];
            let outcomes = storage.import_tools(&fixture.next_actor(), as_alice, server.id, import).await?;
            let ImportResult::Created(id) = outcomes.tools[0].result else { panic!("{outcomes:?}") };
            Ok::<_, StorageError>(storage.tool_secrets(id).await.unwrap().expose().to_string())
        };
        assert!(!import("a", imported_credential("token", None, true)).await.unwrap().contains("token"));
        assert!(import("b", imported_credential("token", Some("first"), false)).await.unwrap().contains("first"));
        assert!(import("c", imported_credential("TOKEN", Some("second"), false)).await.unwrap().contains("first"));
        assert!(import("d", imported_credential("token", Some("second"), true)).await.unwrap().contains("second"));
        assert!(import("e", imported_credential("token", None, true)).await.unwrap().contains("second"));
        let mut bad = imported_credential("token", None, true);
        bad.auth_credentials = Some(json(r#"{"tokn":"x"}"#));
        let refused = import("f", bad).await;
        assert_fails!(&refused, StorageError::Rejected(faults) if faults.iter().all(|fault| fault.field.starts_with("credentials[token]")));
        assert_eq!(fixture.tool_names(server.id).await, ["a", "b", "c", "d", "e"]);
        assert_eq!(fixture.raw.int("SELECT COUNT(*) FROM server_credentials").await, 1);
    }

    async fn tools_of_a_document_are_changed_paused_skipped_and_deleted(fixture) {
        let (storage, as_alice) = (&fixture.storage, fixture.as_alice());
        let server = fixture.server("S").await.id;
        let names = ["a", "b", "c", "d"];
        let mut import = manifest(&[], ConflictRule::Skip);
        import.tools = names.map(|name| imported_tool(name, &format!("GET /{name}"))).into();
        import.document = Some(imported_document("1"));
        let outcomes = storage.import_tools(&fixture.next_actor(), as_alice, server, import).await.unwrap();
        let id = outcomes.document_id.unwrap();
        let tools = async || storage.list_tools(as_alice, server, &ToolFilter::default(), None).await.unwrap().items;
        let before = tools().await;
        let change = |position: usize, kind: ToolChangeKind| {
            ToolChange { tool_id: before[position].id, revision: before[position].revision, kind }
        };
        let patch = ToolPatch { description: Some("new".to_owned()), ..ToolPatch::default() };
        let update = ToolUpdate { patch, operation: "GET /moved".to_owned(), hash: "new".to_owned() };
        let refresh = async |content: &str, revision: i64, changes: Vec<ToolChange>| {
            let mut import = manifest(&[], ConflictRule::Skip);
            let document = storage.document(as_alice, id).await.unwrap();
            let target = Some(DocumentTarget { revision, ..document_target(&document) });
            import.document = Some(ImportedDocument { target, ..imported_document(content) });
            import.changes = changes;
            storage.import_tools(&fixture.next_actor(), as_alice, server, import).await
        };
        let changes = vec![
            change(0, ToolChangeKind::Update(Box::new(update.clone()))),
            change(1, ToolChangeKind::Pause),
            change(2, ToolChangeKind::Skip(SkipReason::Breaking)),
            change(3, ToolChangeKind::Delete),
        ];
        assert_fails!(refresh("2", 7, changes.clone()).await, StorageError::Outdated);
        let mut other = changes.clone();
        other[3].revision += 1;
        assert_fails!(refresh("2", 1, other).await, StorageError::Outdated);
        assert_eq!(tools().await.len(), 4, "nothing is written");
        let outcomes = refresh("2", 1, changes).await.unwrap();
        assert_eq!(summary(&outcomes.changes), ["a updated", "b paused", "c breaking", "d deleted"]);
        let after = tools().await;
        let origins: Vec<_> = after.iter().filter_map(|tool| tool.origin.clone()).collect();
        assert_eq!((after[0].spec.description.as_str(), origins[0].operation.as_str()), ("new", "GET /moved"));
        assert_eq!((after[1].spec.status, origins[1].is_removed), (ToolStatus::Paused, true));
        assert_eq!((after[2].revision, origins[2].base_revision), (before[2].revision, Some(1)));
        let document = storage.document(as_alice, id).await.unwrap();
        assert_eq!((document.revision, document.names.to_value()["GET /moved"].as_str()), (2, Some("a")));
        // A tool that is skipped again keeps its base revision; a tool that is up to date has none.
        let change_of_c = |kind| ToolChange { tool_id: after[2].id, revision: after[2].revision, kind };
        refresh("3", 2, vec![change_of_c(ToolChangeKind::Skip(SkipReason::Breaking))]).await.unwrap();
        assert_eq!(tools().await[2].origin.as_ref().unwrap().base_revision, Some(1));
        refresh("4", 3, vec![change_of_c(ToolChangeKind::MarkUpToDate)]).await.unwrap();
        let up_to_date = &tools().await[2];
        assert_eq!((up_to_date.revision, up_to_date.origin.as_ref().unwrap().base_revision), (before[2].revision, None));
        let gone = ToolChange { tool_id: before[3].id, revision: 1, kind: ToolChangeKind::MarkUpToDate };
        assert_fails!(refresh("5", 4, vec![gone]).await, StorageError::Outdated);
    }

    async fn only_the_tool_whose_new_name_is_taken_fails_and_keeps_its_base_revision(fixture) {
        let (storage, as_alice) = (&fixture.storage, fixture.as_alice());
        let server = fixture.server("S").await.id;
        let id = fixture.import(server, "1").await;
        fixture.tool(server, "taken").await;
        let tool = storage.list_tools(as_alice, server, &ToolFilter::default(), None).await.unwrap().items.remove(0);
        let patch = ToolPatch { name: Some("taken".to_owned()), ..ToolPatch::default() };
        let update = ToolUpdate { patch, operation: "GET /pets/{id}".to_owned(), hash: "new".to_owned() };
        let kind = ToolChangeKind::Update(Box::new(update));
        let mut import = manifest(&["other"], ConflictRule::Skip);
        let target = Some(document_target(&storage.document(as_alice, id).await.unwrap()));
        import.document = Some(ImportedDocument { target, ..imported_document("2") });
        import.changes = vec![ToolChange { tool_id: tool.id, revision: tool.revision, kind }];
        let outcomes = storage.import_tools(&fixture.next_actor(), as_alice, server, import).await.unwrap();
        assert_eq!(summary(&outcomes.changes), ["get_pet failed"]);
        assert_eq!(summary(&outcomes.tools), ["other created"]);
        let tool = storage.tool(as_alice, tool.id).await.unwrap();
        assert_eq!((tool.spec.name.as_str(), tool.origin.unwrap().base_revision), ("get_pet", Some(1)));
    }

    async fn a_new_document_that_the_server_has_already_is_refused(fixture) {
        let (storage, as_alice) = (&fixture.storage, fixture.as_alice());
        let server = fixture.server("S").await.id;
        let id = fixture.import(server, "1").await;
        let same_url = imported_document("2");
        let same_digest = ImportedDocument { url: None, ..imported_document("1") };
        for document in [same_url, same_digest] {
            let import = ToolImport { document: Some(document), ..manifest(&["other"], ConflictRule::Skip) };
            let refused = storage.import_tools(&fixture.next_actor(), as_alice, server, import).await;
            assert_fails!(refused, StorageError::Outdated);
        }
        assert_eq!(fixture.tool_names(server).await, ["get_pet"]);
        assert_eq!(storage.document(as_alice, id).await.unwrap().revision, 1);
    }

    async fn a_tool_of_another_document_is_not_changed(fixture) {
        let (storage, as_alice) = (&fixture.storage, fixture.as_alice());
        let server = fixture.server("S").await.id;
        fixture.import(server, "1").await;
        let other = ImportedDocument { url: None, ..imported_document("other") };
        let import = ToolImport { document: Some(other.clone()), ..manifest(&["other"], ConflictRule::Skip) };
        let outcomes = storage.import_tools(&fixture.next_actor(), as_alice, server, import).await.unwrap();
        let document = storage.document(as_alice, outcomes.document_id.unwrap()).await.unwrap();
        let target = Some(document_target(&document));
        let tools = async || storage.list_tools(as_alice, server, &ToolFilter::default(), None).await.unwrap().items;
        let before = tools().await;
        let change = ToolChange { tool_id: before[0].id, revision: before[0].revision, kind: ToolChangeKind::Pause };
        let mut import = manifest(&[], ConflictRule::Skip);
        (import.document, import.changes) = (Some(ImportedDocument { target, ..other }), vec![change]);
        let refused = storage.import_tools(&fixture.next_actor(), as_alice, server, import).await;
        assert_fails!(refused, StorageError::Outdated);
        assert_eq!(tools().await[0].revision, before[0].revision);
    }

    async fn an_overlay_change_computed_from_an_earlier_revision_of_a_tool_is_refused(fixture) {
        let (storage, as_alice) = (&fixture.storage, fixture.as_alice());
        let server = fixture.server("S").await.id;
        let id = fixture.import(server, "1").await;
        let tool = storage.list_tools(as_alice, server, &ToolFilter::default(), None).await.unwrap().items.remove(0);
        let patch = ToolPatch { description: Some("old".to_owned()), ..ToolPatch::default() };
        storage.update_tool(&fixture.next_actor(), as_alice, tool.id, patch).await.unwrap();
        let patch = ToolPatch { description: Some("new".to_owned()), ..ToolPatch::default() };
        let update = ToolUpdate { patch, operation: "GET /pets/{id}".to_owned(), hash: "new".to_owned() };
        let kind = ToolChangeKind::Edit(Box::new(update));
        let changes = vec![ToolChange { tool_id: tool.id, revision: tool.revision, kind }];
        let overlay = DocumentPatch { overlay: Some(json(r#"{"*":{"timeout":5}}"#)), ..DocumentPatch::default() };
        let refused = storage.update_document(&fixture.next_actor(), as_alice, id, overlay, changes, Vec::new()).await;
        assert_fails!(refused, StorageError::Outdated);
        assert_eq!(storage.tool(as_alice, tool.id).await.unwrap().spec.description, "old");
        assert_eq!(storage.document(as_alice, id).await.unwrap().overlay.as_str(), "{}");
    }

    async fn an_edit_of_a_tool_is_written_into_the_overlay_of_its_document(fixture) {
        let (storage, as_alice) = (&fixture.storage, fixture.as_alice());
        let server = fixture.server("S").await.id;
        let id = fixture.import(server, "1").await;
        let tool = storage.list_tools(as_alice, server, &ToolFilter::default(), None).await.unwrap().items.remove(0);
        let patch = ToolPatch { name: Some("renamed".to_owned()), ..ToolPatch::default() };
        let members = json(r#"{"name":"renamed"}"#).to_value().as_object().unwrap().clone();
        let edit = OverlayEdit { operation: tool.origin.unwrap().operation, members };
        let actor = fixture.next_actor();
        let bob = storage.update_tool_and_overlay(&actor, fixture.as_bob(), tool.id, patch.clone(), edit.clone());
        assert_fails!(bob.await, NotFound(_));
        storage.update_tool_and_overlay(&actor, as_alice, tool.id, patch, edit).await.unwrap();
        let document = storage.document(as_alice, id).await.unwrap();
        assert_eq!(document.overlay.as_str(), r#"{"GET /pets/{id}":{"name":"renamed"}}"#);
        assert_eq!(document.names.as_str(), r#"{"GET /pets/{id}":"renamed"}"#);
    }

    async fn only_editors_can_import_tools(fixture) {
        let (storage, server) = (&fixture.storage, fixture.server("S").await.id);
        let import = || manifest(&["a"], ConflictRule::Skip);
        assert_fails!(storage.import_tools(&fixture.next_actor(), fixture.as_bob(), server, import()).await, NotFound(_));
        let member = MemberUser::Id(fixture.bob);
        storage.add_member(&fixture.next_actor(), fixture.as_alice(), server, member, MemberRole::Viewer).await.unwrap();
        assert_fails!(storage.import_tools(&fixture.next_actor(), fixture.as_bob(), server, import()).await, Forbidden { .. });
    }

    async fn an_update_changes_the_tool_of_the_same_operation_and_keeps_the_fields_its_owner_set(fixture) {
        let (storage, as_alice) = (&fixture.storage, fixture.as_alice());
        let server = fixture.server("S").await;
        let import = |description: &str, on_conflict, target| {
            let mut tool = imported_tool("get_pet", "GET /pets/{id}");
            tool.new = NewTool {
                patch: ToolPatch {
                    name: Some("get_pet".to_owned()),
                    description: Some(description.to_owned()),
                    status: Some(ToolStatus::Paused),
                    ..ToolPatch::default()
                },
                ..tool.new
            };
            let document = Some(ImportedDocument { target, ..imported_document("x") });
            ToolImport { tools: vec![tool], on_conflict, credentials: Vec::new(), document, changes: Vec::new() }
        };
        let first = import("old", ConflictRule::Skip, None);
        let first = storage.import_tools(&fixture.next_actor(), as_alice, server.id, first).await.unwrap();
        let id = first.document_id.unwrap();
        let target = async || Some(document_target(&storage.document(as_alice, id).await.unwrap()));
        let ImportResult::Created(tool_id) = first.tools[0].result else { panic!("{first:?}") };
        let renamed = ToolPatch {
            name: Some("find_pet".to_owned()),
            status: Some(ToolStatus::Active),
            ..bearer("t0ken")
        };
        storage.update_tool(&fixture.next_actor(), as_alice, tool_id, renamed).await.unwrap();
        let skipped = import("new", ConflictRule::Skip, target().await);
        let skipped = storage.import_tools(&fixture.next_actor(), as_alice, server.id, skipped).await.unwrap();
        assert_eq!(summary(&skipped.tools), ["get_pet already imported"]);
        let updated = import("new", ConflictRule::Update, target().await);
        let updated = storage.import_tools(&fixture.next_actor(), as_alice, server.id, updated).await.unwrap();
        assert_eq!((summary(&updated.tools), updated.document_id), (vec!["find_pet updated".to_owned()], first.document_id));
        let tool = storage.tool(as_alice, tool_id).await.unwrap();
        assert_eq!((tool.spec.name.as_str(), tool.spec.description.as_str()), ("find_pet", "new"));
        assert_eq!((tool.spec.status, tool.origin.unwrap().operation.as_str()), (ToolStatus::Active, "GET /pets/{id}"));
        assert!(storage.tool_secrets(tool_id).await.unwrap().credentials.is_some());
        let document = storage.document(as_alice, id).await.unwrap();
        assert_eq!((document.names.as_str(), document.tools_count), (r#"{"GET /pets/{id}":"find_pet"}"#, 1));
    }
}
