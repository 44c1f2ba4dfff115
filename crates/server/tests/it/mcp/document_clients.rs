//! Third-party clients with a metadata document: the URL of the document is their id, and none of them registers.

use std::process::Command;

use serde_json::json;
use toolgate_testkit::mcp::{MODERN, NEWEST_LEGACY};

use super::client_programs::ClientPrograms;
use super::signed_in_clients::{call_after_sign_in, javascript};
use super::weather::WeatherServer;
use crate::oauth::document_host::DocumentHost;
use crate::toolgate;

/// Without a port, as in documents of programs on people's computers, which listen on another port in each run.
const CALLBACK: &str = "http://localhost/callback";

#[tokio::test]
async fn the_python_sdk_signs_in_with_a_document_after_a_handshake() {
    sign_in(|programs| programs.python("python_mcp_oauth.py"), "legacy", NEWEST_LEGACY).await;
}

#[tokio::test]
async fn the_python_sdk_signs_in_with_a_document_and_the_modern_revision() {
    sign_in(|programs| programs.python("python_mcp_oauth.py"), "auto", MODERN).await;
}

#[tokio::test]
async fn fastmcp_signs_in_with_a_document_after_a_handshake() {
    sign_in(|programs| programs.python("python_fastmcp_oauth.py"), "legacy", NEWEST_LEGACY).await;
}

#[tokio::test]
async fn fastmcp_signs_in_with_a_document_and_the_modern_revision() {
    sign_in(|programs| programs.python("python_fastmcp_oauth.py"), "auto", MODERN).await;
}

#[tokio::test]
async fn the_javascript_sdk_signs_in_with_a_document() {
    sign_in(|programs| javascript(programs, "sdk"), "legacy", NEWEST_LEGACY).await;
}

#[tokio::test]
async fn the_javascript_client_signs_in_with_a_document_after_a_handshake() {
    sign_in(|programs| javascript(programs, "client"), "legacy", NEWEST_LEGACY).await;
}

#[tokio::test]
async fn the_javascript_client_signs_in_with_a_document_and_the_modern_revision() {
    sign_in(|programs| javascript(programs, "client"), "auto", MODERN).await;
}

async fn sign_in(program: impl FnOnce(&ClientPrograms) -> Command, mode: &str, protocol: &str) {
    let Some(programs) = ClientPrograms::find() else { return };
    let host = DocumentHost::start().await;
    let url = host.url("/oauth/client.json");
    host.serve_document(&json!({"client_id": url, "client_name": "Document client", "redirect_uris": [CALLBACK]}));
    let weather = WeatherServer::start_in(toolgate().env("SSL_CERT_FILE", host.certificate_file())).await;
    let mut program = program(&programs);
    program.env("TOOLGATE_CLIENT_DOCUMENT", &url);
    let grant = call_after_sign_in(&weather, program, mode, protocol).await;
    assert_eq!((&grant["client_id"], &grant["client_kind"]), (&json!(url), &json!("metadata_document")), "{grant}");
    assert_eq!(grant["redirect_host"], "localhost", "{grant}");
    let clients = weather.fixture.api.read("/oauth/clients").await;
    assert_eq!(clients.as_array().map(Vec::len), Some(1), "the program has not registered: {clients}");
    assert_eq!(host.connection_count(), 1, "the document is fetched once");
}
