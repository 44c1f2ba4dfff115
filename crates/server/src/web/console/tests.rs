//! Tests of the console with fake assets and requests of browsers and programs.

use std::collections::BTreeMap;

use axum::body::to_bytes;
use http::Request;
use http::header::ACCEPT_ENCODING;

use super::*;

const PAGE: &str = "<!doctype html><meta name=\"toolgate-base-path\" content=\"/\">\
    <meta name=\"toolgate-api-base\" content=\"/wp-json/toolgate/v1\"><script src=\"/assets/index-BX3f9.js\"></script>";
const SCRIPT: &str = "/assets/index-BX3f9.js";
const BROWSER: (HeaderName, &str) = (ACCEPT, "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8");

/// Files by name; an `ETag` is derived from the length of the text.
struct FakeAssets(BTreeMap<&'static str, &'static str>);

impl Assets for FakeAssets {
    fn get(&self, name: &str) -> Option<Asset> {
        let text = self.0.get(name)?;
        Some(Asset { bytes: Cow::Borrowed(text.as_bytes()), etag: Some(format!("\"tag of {} bytes\"", text.len())) })
    }
}

fn fake_assets() -> FakeAssets {
    FakeAssets(BTreeMap::from([
        ("index.html", PAGE),
        ("index.html.gz", "page, gzip"),
        ("favicon.svg", "<svg/>"),
        ("assets/index-BX3f9.js", "a script of forty-four bytes, uncompressed.."),
        ("assets/index-BX3f9.js.br", "brotli"),
        ("assets/index-BX3f9.js.gz", "gzipped"),
    ]))
}

fn request(method: Method, path: &str, headers: &[(HeaderName, &str)]) -> Option<Response> {
    request_with_paths(paths("", DEFAULT_API_PATH), method, path, headers)
}

fn paths(base: &str, api: &str) -> PagePaths {
    PagePaths { base: base.to_owned(), api: api.to_owned() }
}

fn request_with_paths(
    paths: PagePaths,
    method: Method,
    path: &str,
    headers: &[(HeaderName, &str)],
) -> Option<Response> {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(name, *value);
    }
    let (parts, ()) = request.body(()).unwrap().into_parts();
    Console::new(fake_assets(), paths).respond(&parts)
}

fn get(path: &str, headers: &[(HeaderName, &str)]) -> Response {
    request(Method::GET, path, headers).unwrap_or_else(|| panic!("there is no response for {path}"))
}

fn header(response: &Response, name: impl AsRef<str>) -> &str {
    response.headers().get(name.as_ref()).map_or("", |value| value.to_str().unwrap())
}

async fn text(response: Response) -> String {
    String::from_utf8(to_bytes(response.into_body(), usize::MAX).await.unwrap().to_vec()).unwrap()
}

#[tokio::test]
async fn hashed_files_are_cached_forever_and_all_others_are_revalidated() {
    let script = get(SCRIPT, &[]);
    assert_eq!(header(&script, "cache-control"), "public, max-age=31536000, immutable");
    assert_eq!(header(&script, "content-type"), "text/javascript; charset=utf-8");
    assert_eq!(header(&script, "content-length"), "44");
    assert_eq!(text(script).await, "a script of forty-four bytes, uncompressed..");
    for (path, kind) in [
        ("/", "text/html; charset=utf-8"),
        ("/index.html", "text/html; charset=utf-8"),
        ("/favicon.svg", "image/svg+xml"),
    ] {
        let response = get(path, &[]);
        assert_eq!(
            (header(&response, "cache-control"), header(&response, "content-type")),
            ("no-cache", kind),
            "{path}"
        );
    }
}

#[tokio::test]
async fn every_path_of_the_console_returns_its_page() {
    for path in ["/servers", "/servers/7/tools/", "/calls?status=failed", "/tools/3/edit"] {
        let page = get(path, &[BROWSER]);
        assert_eq!(header(&page, "cache-control"), "no-cache", "{path}");
        assert_eq!(header(&page, "vary"), "accept, accept-encoding", "{path}");
        assert_eq!(text(page).await, PAGE, "{path}");
    }
}

#[test]
fn missing_files_and_reserved_paths_do_not_return_a_page() {
    for path in [
        "/assets/index-old.js",
        "/assets/index",
        "/assets/../index",
        "/assets/%2e%2e/index.html",
        "/..%2fCargo.toml",
        "/favicon.ico",
        "/assets/index-BX3f9.js.br",
        "/index.html.gz",
        "/.well-known/oauth-protected-resource",
        "/servers/.git/config",
        "/mcp",
        "/mcp/nothing",
        "/demo/books",
        "/authorize",
        "/signin",
        "/connect/x",
        "/healthz/x",
        "//",
        "//evil.example",
        "/servers//7",
    ] {
        assert!(request(Method::GET, path, &[BROWSER]).is_none(), "{path}");
    }
}

#[test]
fn programs_that_probe_for_paths_do_not_get_a_page() {
    for accept in [&[][..], &[(ACCEPT, "*/*")], &[(ACCEPT, "application/json, text/event-stream")]] {
        assert!(request(Method::GET, "/register", accept).is_none(), "{accept:?}");
        assert!(request(Method::POST, "/register", accept).is_none(), "{accept:?}");
    }
}

#[test]
fn methods_other_than_get_and_head_are_refused() {
    for method in [Method::POST, Method::PUT, Method::DELETE, Method::OPTIONS] {
        for path in ["/", "/servers", SCRIPT] {
            let refused = request(method.clone(), path, &[BROWSER]).unwrap();
            assert_eq!((refused.status().as_u16(), header(&refused, "allow")), (405, "GET, HEAD"), "{method} {path}");
        }
    }
}

#[tokio::test]
async fn head_returns_the_same_headers_without_the_body() {
    let (head, get) = (request(Method::HEAD, SCRIPT, &[]).unwrap(), get(SCRIPT, &[]));
    assert_eq!((head.status(), head.headers()), (get.status(), get.headers()));
    assert_eq!(text(head).await, "");
}

#[tokio::test]
async fn the_smallest_variant_that_the_client_accepts_is_sent() {
    for (accepted, encoding, sent) in [
        ("gzip, deflate, br", "br", "brotli"),
        ("gzip", "gzip", "gzipped"),
        ("br;q=0, gzip", "gzip", "gzipped"),
        ("zstd", "", "a script of forty-four bytes, uncompressed.."),
    ] {
        let script = get(SCRIPT, &[(ACCEPT_ENCODING, accepted)]);
        assert_eq!(header(&script, "content-encoding"), encoding, "{accepted}");
        assert_eq!(header(&script, "vary"), "accept-encoding");
        assert_eq!(header(&script, "content-type"), "text/javascript; charset=utf-8");
        assert_eq!(header(&script, "content-length"), sent.len().to_string());
        assert_eq!(text(script).await, sent);
    }
    let picture = get("/favicon.svg", &[(ACCEPT_ENCODING, "br, gzip")]);
    assert_eq!(header(&picture, "content-encoding"), "");
    assert_eq!(text(picture).await, "<svg/>");
}

#[tokio::test]
async fn a_cached_file_is_not_sent_again() {
    let tag = header(&get(SCRIPT, &[]), "etag").to_owned();
    for client_tag in [tag.clone(), format!("W/{tag}"), format!("\"other\", {tag}"), "*".to_owned()] {
        let response = get(SCRIPT, &[(IF_NONE_MATCH, &client_tag)]);
        assert_eq!((response.status().as_u16(), header(&response, "etag")), (304, tag.as_str()), "{client_tag}");
        assert!(header(&response, "cache-control").contains("immutable"), "{client_tag}");
        assert_eq!(text(response).await, "");
    }
    let compressed = get(SCRIPT, &[(IF_NONE_MATCH, &tag), (ACCEPT_ENCODING, "br")]);
    assert_eq!(compressed.status(), 200, "another variant has another ETag");
    assert_ne!(header(&compressed, "etag"), tag);
}

#[test]
fn every_file_has_a_strict_content_security_policy() {
    for path in ["/", SCRIPT, "/favicon.svg"] {
        let response = get(path, &[]);
        let policy = header(&response, "content-security-policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self'; "), "{policy}");
        assert!(policy.ends_with("base-uri 'none'; form-action 'none'; frame-ancestors 'none'"), "{policy}");
        assert!(!policy.contains("unsafe") && !policy.contains("http") && !policy.contains("  "), "{policy}");
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
        ] {
            assert_eq!(header(&response, name), value, "{path}");
        }
        assert!(header(&response, "permissions-policy").contains("camera=()"), "{path}");
    }
}

#[tokio::test]
async fn the_page_contains_the_configured_api_path() {
    let page = request_with_paths(paths("", "/api/mine/v1"), Method::GET, "/", &[(ACCEPT_ENCODING, "gzip")]).unwrap();
    assert_eq!((header(&page, "content-encoding"), header(&page, "etag")), ("", ""));
    assert_eq!(
        header(&page, "content-length"),
        (PAGE.len() - DEFAULT_API_PATH.len() + "/api/mine/v1".len()).to_string()
    );
    assert_eq!(text(page).await, PAGE.replace("/wp-json/toolgate/v1", "/api/mine/v1"));
    let page = get("/", &[(ACCEPT_ENCODING, "gzip")]);
    assert_eq!(text(page).await, "page, gzip", "the default path leaves the page unchanged");
}

#[tokio::test]
async fn the_page_contains_the_path_of_the_public_address() {
    let page = request_with_paths(paths("/gate", DEFAULT_API_PATH), Method::GET, "/servers/7", &[BROWSER]).unwrap();
    assert_eq!(header(&page, "etag"), "");
    let expected =
        PAGE.replace("\"/\"", "\"/gate/\"").replace("/wp-json/", "/gate/wp-json/").replace("/assets/", "/gate/assets/");
    assert_eq!(text(page).await, expected);
    let script = request_with_paths(paths("/gate", DEFAULT_API_PATH), Method::GET, SCRIPT, &[]).unwrap();
    assert_ne!(header(&script, "etag"), "", "other files are unchanged");
}

#[test]
fn without_a_build_there_is_no_console() {
    let (parts, ()) = Request::get("/").header(ACCEPT, "text/html").body(()).unwrap().into_parts();
    assert!(Console::new(FakeAssets(BTreeMap::new()), paths("", DEFAULT_API_PATH)).respond(&parts).is_none());
}
