//! Secrets at rest: each is encrypted and bound to its row.

use toolgate_domain::data_source::DataSourceType;
use toolgate_domain::resource::ResourcePatch;
use toolgate_domain::server::ServerPatch;
use toolgate_domain::tool::ToolPatch;
use toolgate_domain::upstream_auth::AuthType;
use toolgate_storage::StorageError::Sealing;
use toolgate_storage::{ResourceStore as _, SealError, ServerStore as _, Storage as _, ToolStore as _};
use toolgate_testkit::secrets::{find_secret, find_secret_in_files};

use crate::builders::{bearer, headers, json, public_id, settings, with_credential};
use crate::fixture::StorageFixture;

const TOKEN: &str = "tool-token/4f9a+Q~1";
const COOKIE: &str = "sid=c00kie;va?ue&7781";
const PASSWORD: &str = "res0urce pa%ssword!52";
const SHARED_TOKEN: &str = "shared-t0ken{42}/+";
const TEST_TOKEN: &str = "server-test-t0ken<991>";

/// Creates one object of each kind that can have secrets, and copies all of them.
async fn store_secrets(fixture: &StorageFixture) {
    let test_settings =
        format!(r#"{{"test_credentials":{{"auth_type":"bearer","auth_credentials":{{"token":"{TEST_TOKEN}"}}}}}}"#);
    let server =
        fixture.server_with("S", ServerPatch { settings: settings(&test_settings), ..ServerPatch::default() }).await;
    let patch = ToolPatch { headers: Some(headers(&format!(r#"{{"Cookie":"{COOKIE}"}}"#))), ..bearer(TOKEN) };
    let tool = fixture.tool_with(server.id, "t", patch).await;
    let config = format!(
        r#"{{"url":"https://a.example/","auth_type":"basic","auth_credentials":{{"username":"u","password":"{PASSWORD}"}}}}"#
    );
    let patch = ResourcePatch {
        data_source_type: Some(DataSourceType::Url),
        data_source_config: Some(json(&config)),
        ..ResourcePatch::default()
    };
    let resource = fixture.resource_with(server.id, "r://1", patch).await;
    fixture.credential(server.id, "shared", SHARED_TOKEN).await;
    fixture.tool_with(server.id, "u", with_credential("shared")).await;
    assert!(fixture.storage.resource_secrets(resource.id).await.unwrap().expose().contains(PASSWORD));
    fixture.storage.duplicate_tool(&fixture.next_actor(), fixture.as_alice(), tool.id).await.unwrap();
    fixture.storage.duplicate_server(&fixture.next_actor(), fixture.as_alice(), server.id, public_id()).await.unwrap();
    // The server, the tool, its copy, the resource and the credential have secrets, and so do their copies in the
    // second server. A tool that uses the credential has none.
    assert_eq!(fixture.raw.int("SELECT COUNT(*) FROM secrets").await, 10);
}

/// The content of every column in which a secret could appear.
async fn stored_bytes(fixture: &StorageFixture) -> Vec<u8> {
    let mut all = Vec::new();
    for (table, row) in [
        ("servers", "name || COALESCE(settings, '')"),
        ("server_search", "text"),
        ("tools", "headers || endpoint_url || parameter_mapping || description"),
        ("resources", "data_source_config || description"),
        ("server_credentials", "name || auth_type"),
        ("audit", "action || object_kind || fields"),
    ] {
        all.extend(fixture.raw.texts(&format!("SELECT {row} FROM {table}")).await.concat().into_bytes());
    }
    all.extend(fixture.raw.blobs("SELECT sealed FROM secrets").await.concat());
    all
}

fn to_plain_text(secrets: &toolgate_domain::secrets::Secrets) -> String {
    secrets.expose().as_str().to_owned()
}

on_both_databases! { for crate::fixture::StorageFixture;
    async fn no_secret_is_stored_in_plain_text_or_a_simple_encoding(fixture) {
        store_secrets(fixture).await;
        for secret in [TOKEN, COOKIE, PASSWORD, SHARED_TOKEN, TEST_TOKEN] {
            if let Some(folder) = fixture.folder() {
                assert_eq!(find_secret_in_files(folder, secret), []);
            }
            assert_eq!(find_secret(&stored_bytes(fixture).await, secret), None);
        }
        fixture.storage.close().await;
        if let Some(folder) = fixture.folder() {
            assert_eq!(find_secret_in_files(folder, TOKEN), []);
        }
    }

    async fn a_copied_server_has_its_own_secrets(fixture) {
        store_secrets(fixture).await;
        let copy = fixture.raw.int("SELECT MAX(id) FROM servers").await;
        let original = copy - 1;
        let kinds =
            fixture.raw.texts(&format!("SELECT kind FROM secrets WHERE server_id = {copy} ORDER BY kind")).await;
        assert_eq!(kinds, ["credential", "resource", "server", "tool", "tool"]);
        fixture
            .storage
            .delete_server(&fixture.next_actor(), fixture.as_alice(), toolgate_domain::ids::ServerId(original))
            .await
            .unwrap();
        let tool = fixture.raw.int(&format!("SELECT MIN(id) FROM tools WHERE server_id = {copy}")).await;
        let plain_text =
            to_plain_text(&fixture.storage.tool_secrets(toolgate_domain::ids::ToolId(tool)).await.unwrap());
        assert!(plain_text.contains(TOKEN) && plain_text.contains(COOKIE));
        let resource = fixture.raw.int(&format!("SELECT id FROM resources WHERE server_id = {copy}")).await;
        let plain_text =
            fixture.storage.resource_secrets(toolgate_domain::ids::ResourceId(resource)).await.unwrap().expose();
        assert!(plain_text.contains(PASSWORD));
    }

    async fn ciphertexts_swapped_between_rows_do_not_open(fixture) {
        let server = fixture.server("S").await;
        let a = fixture.tool_with(server.id, "a", bearer("tok-a")).await;
        let b = fixture.tool_with(server.id, "b", bearer("tok-b")).await;
        let swap = async || {
            for (from, to) in [(a.id.0, -1), (b.id.0, a.id.0), (-1, b.id.0)] {
                fixture.raw.execute(&format!("UPDATE secrets SET object_id = {to} WHERE object_id = {from}")).await;
            }
        };
        swap().await;
        for id in [a.id, b.id] {
            assert_fails!(fixture.storage.tool_secrets(id).await, Sealing(SealError::Damaged));
            let duplicated = fixture.storage.duplicate_tool(&fixture.next_actor(), fixture.as_alice(), id).await;
            assert_fails!(duplicated, Sealing(SealError::Damaged));
            let patch = ToolPatch { headers: Some(headers(r#"{"Cookie":"x"}"#)), ..ToolPatch::default() };
            let updated = fixture.storage.update_tool(&fixture.next_actor(), fixture.as_alice(), id, patch).await;
            assert_fails!(updated, Sealing(SealError::Damaged));
        }
        assert_eq!(fixture.tool_names(server.id).await, ["a", "b"]);
        swap().await;
        assert!(to_plain_text(&fixture.storage.tool_secrets(a.id).await.unwrap()).contains("tok-a"));
    }

    async fn a_damaged_ciphertext_is_an_error_and_not_an_empty_secret(fixture) {
        let server = fixture.server("S").await;
        let tool = fixture.tool_with(server.id, "t", bearer("tok")).await;
        let empty = if fixture.raw.is_sqlite() { "x''" } else { "''::bytea" };
        fixture.raw.execute(&format!("UPDATE secrets SET sealed = {empty}")).await;
        assert_fails!(fixture.storage.tool_secrets(tool.id).await, Sealing(SealError::Damaged));
    }

    async fn a_tool_s_ciphertext_does_not_open_as_a_resource_s(fixture) {
        let server = fixture.server("S").await;
        let tool = fixture.tool_with(server.id, "t", bearer("tok")).await;
        fixture.raw.execute("UPDATE secrets SET kind = 'resource'").await;
        let opened = fixture.storage.resource_secrets(toolgate_domain::ids::ResourceId(tool.id.0)).await;
        assert_fails!(opened, Sealing(SealError::Damaged));
    }

    async fn a_mask_preserves_the_stored_value_and_a_new_value_replaces_it(fixture) {
        let server = fixture.server("S").await;
        let patch = ToolPatch { headers: Some(headers(r#"{"Cookie":"one","X-Token":"two"}"#)), ..bearer("tok") };
        let tool = fixture.tool_with(server.id, "t", patch).await;
        let patch =
            ToolPatch { headers: Some(headers(r#"{"cookie":"********","X-Token":"three"}"#)), ..ToolPatch::default() };
        fixture.storage.update_tool(&fixture.next_actor(), fixture.as_alice(), tool.id, patch).await.unwrap();
        let plain_text = to_plain_text(&fixture.storage.tool_secrets(tool.id).await.unwrap());
        assert_eq!(
            plain_text,
            r#"{"kind":"bearer","credentials":{"token":"tok"},"headers":{"cookie":"one","X-Token":"three"}}"#
        );
    }

    async fn credentials_are_preserved_cleared_or_dropped_as_requested(fixture) {
        let server = fixture.server("S").await;
        let tool = fixture.tool_with(server.id, "t", bearer("tok")).await;
        let has_credentials_after = async |patch: ToolPatch| {
            fixture.storage.update_tool(&fixture.next_actor(), fixture.as_alice(), tool.id, patch).await.unwrap();
            fixture.storage.tool_secrets(tool.id).await.unwrap().credentials.is_some()
        };
        assert!(has_credentials_after(ToolPatch { timeout: Some(std::time::Duration::from_secs(3)), ..ToolPatch::default() }).await);
        assert!(has_credentials_after(ToolPatch { auth_type: Some(AuthType::Bearer), ..ToolPatch::default() }).await);
        assert!(!has_credentials_after(ToolPatch { auth_credentials: Some(json("{}")), ..ToolPatch::default() }).await);
        assert!(has_credentials_after(bearer("again")).await);
        assert!(!has_credentials_after(ToolPatch { auth_type: Some(AuthType::Basic), ..ToolPatch::default() }).await);
        assert_eq!(fixture.raw.int("SELECT COUNT(*) FROM secrets").await, 0);
    }

    async fn test_credentials_survive_an_update_that_sends_the_masked_settings_back(fixture) {
        let test_settings = r#"{"test_credentials":{"auth_type":"bearer","auth_credentials":{"token":"tok"}}}"#;
        let server =
            fixture.server_with("S", ServerPatch { settings: settings(test_settings), ..ServerPatch::default() }).await;
        let shown = server.spec.settings.unwrap();
        assert_eq!(shown.as_str(), r#"{"test_credentials":{"auth_type":"bearer","auth_credentials":null}}"#);
        let secrets_after_update = async |text: &str| {
            let patch = ServerPatch { settings: settings(text), ..ServerPatch::default() };
            fixture.storage.update_server(&fixture.next_actor(), fixture.as_alice(), server.id, patch).await.unwrap();
            fixture.raw.int("SELECT COUNT(*) FROM secrets").await
        };
        assert_eq!(secrets_after_update(shown.as_str()).await, 1);
        assert_eq!(secrets_after_update(r#"{"test_credentials":null}"#).await, 0);
    }
}
