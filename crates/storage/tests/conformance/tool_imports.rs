//! Imports of several tools in one transaction.

use toolgate_domain::change::Change;
use toolgate_domain::member::{MemberRole, MemberUser};
use toolgate_domain::tool::{ToolPatch, ToolStatus};
use toolgate_domain::tool_import::ConflictRule;
use toolgate_domain::upstream_auth::AuthType;
use toolgate_storage::StorageError::{Forbidden, NotFound, TooManyTools};
use toolgate_storage::{
    ChangeEvent, DocumentStore as _, ImportOutcome, ImportResult, ImportedCredential, ImportedDocument, ImportedTool,
    MemberStore as _, NewTool, SkipReason, StorageError, ToolFilter, ToolImport, ToolImportStore as _, ToolStore as _,
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
        let outcomes = storage.import_tools(&fixture.actor(), as_alice, server.id, import).await.unwrap();
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
        let outcomes = storage.import_tools(&fixture.actor(), as_alice, server.id, import.clone()).await.unwrap();
        assert_eq!(summary(&outcomes.tools), ["a name taken", "b created", "b name taken", "bad name failed", "c created"]);
        import.on_conflict = ConflictRule::Duplicate;
        let outcomes = storage.import_tools(&fixture.actor(), as_alice, server.id, import).await.unwrap();
        assert_eq!(summary(&outcomes.tools), ["a_2 created", "b_2 created", "b_3 created", "bad name failed", "c_2 created"]);
        let import = manifest(&["a"], ConflictRule::Update);
        let outcomes = storage.import_tools(&fixture.actor(), as_alice, server.id, import).await.unwrap();
        assert_eq!(summary(&outcomes.tools), ["a other origin"]);
    }

    async fn an_import_beyond_the_capacity_writes_nothing(fixture) {
        let (storage, as_alice) = (&fixture.storage, fixture.as_alice());
        let server = fixture.server("S").await;
        fixture.fill_tools(server.id, 998).await;
        let mut import = manifest(&["a", "b", "c"], ConflictRule::Skip);
        import.document = Some(imported_document("x"));
        import.credentials = vec![imported_credential("token", Some("t0ken"), true)];
        let refused = storage.import_tools(&fixture.actor(), as_alice, server.id, import).await;
        assert_fails!(refused, TooManyTools { present: 998, added: 3, max: 1000 });
        for table in ["documents", "server_credentials", "secrets"] {
            assert_eq!(fixture.raw.int(&format!("SELECT COUNT(*) FROM {table}")).await, 0, "{table}");
        }
        let import = manifest(&["a", "b", "t1"], ConflictRule::Skip);
        let outcomes = storage.import_tools(&fixture.actor(), as_alice, server.id, import).await.unwrap();
        assert_eq!(summary(&outcomes.tools), ["a created", "b created", "t1 name taken"]);
    }

    async fn credentials_are_written_with_the_tools_that_name_them(fixture) {
        let (storage, as_alice) = (&fixture.storage, fixture.as_alice());
        let server = fixture.server("S").await;
        let import = async |name: &str, credential: ImportedCredential| {
            let mut import = manifest(&[name], ConflictRule::Skip);
            import.tools[0].new.patch.credential = Change::Set("Token".to_owned());
            import.credentials = vec![credential];
            let outcomes = storage.import_tools(&fixture.actor(), as_alice, server.id, import).await?;
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

    async fn only_editors_import(fixture) {
        let (storage, server) = (&fixture.storage, fixture.server("S").await.id);
        let import = || manifest(&["a"], ConflictRule::Skip);
        assert_fails!(storage.import_tools(&fixture.actor(), fixture.as_bob(), server, import()).await, NotFound(_));
        let member = MemberUser::Id(fixture.bob);
        storage.add_member(&fixture.actor(), fixture.as_alice(), server, member, MemberRole::Viewer).await.unwrap();
        assert_fails!(storage.import_tools(&fixture.actor(), fixture.as_bob(), server, import()).await, Forbidden { .. });
    }

    async fn an_update_changes_the_tool_of_the_same_operation_and_keeps_what_its_owner_set(fixture) {
        let (storage, as_alice) = (&fixture.storage, fixture.as_alice());
        let server = fixture.server("S").await;
        let import = |description: &str, on_conflict| {
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
            let document = Some(imported_document("x"));
            ToolImport { tools: vec![tool], on_conflict, credentials: Vec::new(), document, changes: Vec::new() }
        };
        let first = storage.import_tools(&fixture.actor(), as_alice, server.id, import("old", ConflictRule::Skip)).await.unwrap();
        let ImportResult::Created(id) = first.tools[0].result else { panic!("{first:?}") };
        let renamed = ToolPatch {
            name: Some("find_pet".to_owned()),
            status: Some(ToolStatus::Active),
            ..bearer("t0ken")
        };
        storage.update_tool(&fixture.actor(), as_alice, id, renamed).await.unwrap();
        let skipped = storage.import_tools(&fixture.actor(), as_alice, server.id, import("new", ConflictRule::Skip)).await.unwrap();
        assert_eq!(summary(&skipped.tools), ["get_pet already imported"]);
        let updated = storage.import_tools(&fixture.actor(), as_alice, server.id, import("new", ConflictRule::Update)).await.unwrap();
        assert_eq!((summary(&updated.tools), updated.document_id), (vec!["find_pet updated".to_owned()], first.document_id));
        let tool = storage.tool(as_alice, id).await.unwrap();
        assert_eq!((tool.spec.name.as_str(), tool.spec.description.as_str()), ("find_pet", "new"));
        assert_eq!((tool.spec.status, tool.origin.unwrap().operation.as_str()), (ToolStatus::Active, "GET /pets/{id}"));
        assert!(storage.tool_secrets(id).await.unwrap().credentials.is_some());
        let document = storage.document(as_alice, first.document_id.unwrap()).await.unwrap();
        assert_eq!((document.names.as_str(), document.tools_count), (r#"{"GET /pets/{id}":"find_pet"}"#, 1));
    }
}
