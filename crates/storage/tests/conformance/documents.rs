//! Documents that tools were imported from, and their versions.

use secrecy::ExposeSecret as _;
use toolgate_domain::api_document::DocumentPatch;
use toolgate_domain::audit::ObjectKind;
use toolgate_domain::change::Change;
use toolgate_domain::ids::{DocumentId, ServerId};
use toolgate_domain::tool_import::ConflictRule;
use toolgate_storage::StorageError::{NotFound, Rejected, Sealing};
use toolgate_storage::{
    DocumentStore as _, ImportedDocument, SealError, ServerStore as _, Storage as _, ToolFilter, ToolImport,
    ToolImportStore as _, ToolStore as _,
};
use toolgate_testkit::secrets::find_secret;

use crate::builders::{headers, json, public_id};
use crate::fixture::{StorageFixture, key_id};
use crate::tool_imports::{document_target, imported_document, imported_tool};

const CONTENT: &str = r#"{"openapi":"3.1.0","x-token":"s3cr3t-of-the-document"}"#;

impl StorageFixture {
    /// Imports a document with one tool, or another version of the document that the server has, and returns its id.
    pub(crate) async fn import(&self, server_id: ServerId, content: &str) -> DocumentId {
        let documents = self.storage.list_documents(self.as_alice(), server_id, None).await.unwrap().items;
        let target = documents.first().map(document_target);
        let import = ToolImport {
            tools: vec![imported_tool("get_pet", "GET /pets/{id}")],
            on_conflict: ConflictRule::Skip,
            credentials: Vec::new(),
            document: Some(ImportedDocument { target, ..imported_document(content) }),
            changes: Vec::new(),
        };
        let outcomes = self.storage.import_tools(&self.next_actor(), self.as_alice(), server_id, import).await.unwrap();
        outcomes.document_id.unwrap()
    }

    /// The stored versions of a document, as texts.
    async fn versions(&self, id: DocumentId) -> Vec<String> {
        let mut versions = Vec::new();
        for revision in 1..10 {
            if let Ok(version) = self.storage.document_version(self.as_alice(), id, Some(revision)).await {
                versions.push(format!("{revision} {}", String::from_utf8(version.content).unwrap()));
            }
        }
        versions
    }
}

on_both_databases! { for crate::fixture::StorageFixture;
    async fn the_last_five_versions_of_a_document_are_stored(fixture) {
        let server = fixture.server("S").await.id;
        let id = fixture.import(server, "v1").await;
        assert_eq!(fixture.import(server, "v1").await, id, "the same version is stored once");
        for version in ["v2", "v3", "v4", "v5", "v6"] {
            assert_eq!(fixture.import(server, version).await, id, "{version} is of the same document");
        }
        assert_eq!(fixture.versions(id).await, ["2 v2", "3 v3", "4 v4", "5 v5", "6 v6"]);
        let newest = fixture.storage.document_version(fixture.as_alice(), id, None).await.unwrap();
        assert_eq!((newest.revision, newest.content.as_slice(), newest.sha256.as_str()), (6, &b"v6"[..], "digest of v6"));
        let listing = fixture.storage.list_documents(fixture.as_alice(), server, None).await.unwrap();
        assert_eq!((listing.total, listing.items[0].revision, listing.items[0].tools_count), (1, 6, 1));
    }

    async fn headers_are_sealed_survive_a_rotation_and_are_never_stored_in_plain_text(fixture) {
        let server = fixture.server("S").await.id;
        let id = fixture.import(server, "v1").await;
        let header = async || {
            let headers = fixture.storage.document_url_headers(id).await.unwrap();
            headers["X-Plain"].expose_secret().to_owned()
        };
        assert_eq!(header().await, "s3cr3t");
        let document = fixture.storage.document(fixture.as_alice(), id).await.unwrap();
        assert_eq!(document.url_headers["X-Plain"], "********");
        fixture.keys.replace(&[2, 1]);
        fixture.storage.reseal(fixture.next_actor().at).await.unwrap();
        fixture.keys.replace(&[2]);
        assert_eq!(header().await, "s3cr3t");
        let count = "SELECT COUNT(*) FROM documents WHERE url_headers LIKE '%s3cr3t%' OR options LIKE '%s3cr3t%'";
        assert_eq!(fixture.raw.int(count).await, 0);
    }

    async fn contents_are_sealed_and_bound_to_their_version(fixture) {
        let server = fixture.server("S").await.id;
        let id = fixture.import(server, CONTENT).await;
        fixture.import(server, "v2").await;
        fixture.storage.duplicate_server(&fixture.next_actor(), fixture.as_alice(), server, public_id()).await.unwrap();
        for stored in fixture.raw.blobs("SELECT content FROM document_versions").await {
            assert_eq!(find_secret(&stored, "s3cr3t-of-the-document"), None);
            assert_ne!(&stored[..1], b"\x78", "the first byte of compressed data");
        }
        for (from, to) in [(1, -1), (2, 1), (-1, 2)] {
            let sql = format!("UPDATE document_versions SET revision = {to} WHERE document_id = {id} AND revision = {from}");
            fixture.raw.execute(&sql).await;
        }
        for revision in [1, 2] {
            let version = fixture.storage.document_version(fixture.as_alice(), id, Some(revision)).await;
            assert_fails!(version, Sealing(SealError::Damaged));
        }
    }

    async fn contents_are_resealed_and_those_of_older_schemas_are_sealed(fixture) {
        let server = fixture.server("S").await.id;
        let id = fixture.import(server, "v1").await;
        fixture.import(server, "v2").await;
        // Schema version 8 stored compressed contents without a key; this is "v1".
        let compressed = "789c2b330400011f00a8";
        let literal =
            if fixture.raw.is_sqlite() { format!("x'{compressed}'") } else { format!("decode('{compressed}', 'hex')") };
        let sql = format!("UPDATE document_versions SET key_id = NULL, content = {literal} WHERE revision = 1");
        fixture.raw.execute(&sql).await;
        assert_eq!(fixture.versions(id).await, ["1 v1", "2 v2"]);
        let copy = fixture.storage.duplicate_server(&fixture.next_actor(), fixture.as_alice(), server, public_id()).await.unwrap();
        let sealed_with = |key| format!("SELECT COUNT(*) FROM document_versions WHERE key_id = '{}'", key_id(key));
        assert_eq!(fixture.raw.int(&sealed_with(1)).await, 3, "a copy is sealed");
        fixture.keys.replace(&[2, 1]);
        // Four contents, and the headers of two documents.
        assert_eq!(fixture.storage.reseal(fixture.next_actor().at).await.unwrap(), 6);
        assert_eq!(fixture.storage.reseal(fixture.next_actor().at).await.unwrap(), 0);
        assert_eq!(fixture.raw.int(&sealed_with(2)).await, 4);
        fixture.keys.replace(&[2]);
        let opened = fixture.open_again(&fixture.keys).await.unwrap();
        let documents = opened.list_documents(fixture.as_alice(), copy.id, None).await.unwrap().items;
        for id in [id, documents[0].id] {
            assert_eq!(fixture.versions(id).await, ["1 v1", "2 v2"]);
        }
    }

    async fn a_patch_changes_name_url_headers_and_overlay(fixture) {
        let (storage, as_alice) = (&fixture.storage, fixture.as_alice());
        let server = fixture.server("S").await.id;
        let id = fixture.import(server, "v1").await;
        let patch = DocumentPatch {
            name: Some("Pets".to_owned()),
            url: Change::Clear,
            url_headers: Some(headers(r#"{"X-Plain":"********","X-Other":"o"}"#)),
            overlay: Some(json(r#"{"*":{"timeout":5}}"#)),
        };
        let document = storage.update_document(&fixture.next_actor(), as_alice, id, patch, Vec::new(), Vec::new()).await.unwrap();
        assert_eq!((document.name.as_str(), document.url), ("Pets", None));
        assert_eq!((document.overlay.as_str(), document.revision), (r#"{"*":{"timeout":5}}"#, 1));
        let stored = storage.document_url_headers(id).await.unwrap();
        assert_eq!((stored["X-Plain"].expose_secret(), stored["X-Other"].expose_secret()), ("s3cr3t", "o"));
        let (actor, patch) = (fixture.next_actor(), DocumentPatch::default());
        let refused = storage.update_document(&actor, fixture.as_bob(), id, patch, Vec::new(), Vec::new());
        assert_fails!(refused.await, NotFound(ObjectKind::ApiDocument));
        assert_fails!(storage.document(fixture.as_bob(), id).await, NotFound(ObjectKind::ApiDocument));
        assert_fails!(storage.document_version(fixture.as_bob(), id, None).await, NotFound(ObjectKind::ApiDocument));
        assert_fails!(storage.document_version(as_alice, id, Some(9)).await, NotFound(ObjectKind::ApiDocument));
    }

    async fn headers_stay_only_if_a_new_url_has_the_same_scheme_host_and_port(fixture) {
        let (storage, as_alice, actor) = (&fixture.storage, fixture.as_alice(), fixture.next_actor());
        let server = fixture.server("S").await.id;
        let id = fixture.import(server, "v1").await;
        let at = |url: &str| DocumentPatch { url: Change::Set(url.to_owned()), ..DocumentPatch::default() };
        let moved = at("https://API.example:443/other.json");
        storage.update_document(&actor, as_alice, id, moved, Vec::new(), Vec::new()).await.unwrap();
        assert_eq!(storage.document_url_headers(id).await.unwrap()["X-Plain"].expose_secret(), "s3cr3t");
        for url in ["http://api.example/openapi.json", "https://api.example:8443/a.json", "https://evil.example/a.json"] {
            let masked = DocumentPatch { url_headers: Some(headers(r#"{"X-Plain":"********"}"#)), ..at(url) };
            let refused = storage.update_document(&actor, as_alice, id, masked, Vec::new(), Vec::new()).await;
            assert_fails!(refused, Rejected(faults) if faults.iter().all(|fault| fault.field == "url_headers[X-Plain]"));
        }
        let patch = DocumentPatch { url: Change::Clear, ..DocumentPatch::default() };
        storage.update_document(&actor, as_alice, id, patch, Vec::new(), Vec::new()).await.unwrap();
        let moved = at("https://evil.example/a.json");
        let document = storage.update_document(&actor, as_alice, id, moved, Vec::new(), Vec::new()).await.unwrap();
        assert!(document.url_headers.is_empty() && storage.document_url_headers(id).await.unwrap().is_empty());
    }

    async fn deleting_a_document_keeps_its_tools_unless_they_are_deleted_as_well(fixture) {
        let (storage, as_alice) = (&fixture.storage, fixture.as_alice());
        let server = fixture.server("S").await.id;
        let id = fixture.import(server, "v1").await;
        storage.delete_document(&fixture.next_actor(), as_alice, id, false).await.unwrap();
        let tools = storage.list_tools(as_alice, server, &ToolFilter::default(), None).await.unwrap().items;
        assert_eq!((tools.len(), &tools[0].origin), (1, &None));
        storage.delete_tool(&fixture.next_actor(), as_alice, tools[0].id).await.unwrap();
        let id = fixture.import(server, "v1").await;
        storage.delete_document(&fixture.next_actor(), as_alice, id, true).await.unwrap();
        assert_eq!(fixture.tool_names(server).await, [""; 0]);
        for table in ["documents", "document_versions", "secrets"] {
            assert_eq!(fixture.raw.int(&format!("SELECT COUNT(*) FROM {table}")).await, 0, "{table}");
        }
    }

    async fn a_copied_server_has_copies_of_the_documents_and_a_deleted_one_leaves_none(fixture) {
        let (storage, as_alice) = (&fixture.storage, fixture.as_alice());
        let server = fixture.server("S").await.id;
        let id = fixture.import(server, "v1").await;
        fixture.import(server, "v2").await;
        let copy = storage.duplicate_server(&fixture.next_actor(), as_alice, server, public_id()).await.unwrap().id;
        storage.delete_server(&fixture.next_actor(), as_alice, server).await.unwrap();
        assert_fails!(storage.document(as_alice, id).await, NotFound(ObjectKind::ApiDocument));
        let documents = storage.list_documents(as_alice, copy, None).await.unwrap().items;
        let [document] = documents.as_slice() else { panic!("{documents:?}") };
        assert_eq!(fixture.versions(document.id).await, ["1 v1", "2 v2"]);
        assert_eq!(storage.document_url_headers(document.id).await.unwrap()["X-Plain"].expose_secret(), "s3cr3t");
        let tools = storage.list_tools(as_alice, copy, &ToolFilter::default(), None).await.unwrap().items;
        let origin = tools[0].origin.clone().unwrap();
        assert_eq!((origin.document_id, origin.operation.as_str()), (document.id, "GET /pets/{id}"));
    }
}
