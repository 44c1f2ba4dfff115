//! Pages for browsers: the console at every path without another route, or a page that explains how to build it.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::get;
use http::request::Parts;
use toolgate_rest::BaseUrl;
use url::Url;

use super::console::{Assets, Console, EmbeddedAssets, PagePaths};
use super::welcome;
use crate::reply;

/// The console, and the page shown without it.
struct Pages<A> {
    console: Console<A>,
    welcome: String,
}

pub(super) fn routes(base: &BaseUrl, api_path: &str) -> Router {
    routes_with(EmbeddedAssets, base, api_path)
}

fn routes_with<A: Assets>(assets: A, base: &BaseUrl, api_path: &str) -> Router {
    let console = Console::new(assets, PagePaths { base: base_path(base), api: api_path.to_owned() });
    let pages = Arc::new(Pages { console, welcome: welcome::page(base, api_path) });
    Router::new().route("/", get(root)).route("/welcome.css", get(welcome::style)).fallback(fallback).with_state(pages)
}

/// The path of a configured base URL as text of the page. Only `&` can be part of a parsed URL and needs to be escaped.
fn base_path(base: &BaseUrl) -> String {
    match base {
        BaseUrl::Fixed(url) => {
            Url::parse(url).map(|url| url.path().trim_end_matches('/').replace('&', "&amp;")).unwrap_or_default()
        }
        BaseUrl::FromRequest => String::new(),
    }
}

async fn root<A: Assets>(State(pages): State<Arc<Pages<A>>>, request: Parts) -> Response {
    let welcome = || welcome::page_response("text/html; charset=utf-8", pages.welcome.clone());
    pages.console.respond(&request).unwrap_or_else(welcome)
}

async fn fallback<A: Assets>(State(pages): State<Arc<Pages<A>>>, request: Parts) -> Response {
    pages.console.respond(&request).unwrap_or_else(reply::not_found)
}

#[cfg(test)]
mod tests {
    use axum::body::{Body, to_bytes};
    use axum::extract::Request;
    use http::Method;
    use tower::ServiceExt as _;

    use super::super::console::Asset;
    use super::*;

    struct NoAssets;

    impl Assets for NoAssets {
        fn get(&self, _: &str) -> Option<Asset> {
            None
        }
    }

    async fn request(method: Method, path: &str) -> (u16, String) {
        let pages = routes_with(NoAssets, &BaseUrl::FromRequest, "/wp-json/toolgate/v1");
        let request = Request::builder().method(method).uri(path).header("accept", "text/html");
        let response = pages.oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        let status = response.status().as_u16();
        let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        (status, String::from_utf8(body.to_vec()).unwrap())
    }

    #[test]
    fn the_base_path_is_the_path_of_a_configured_address() {
        for (url, path) in [
            ("https://tools.example.com", ""),
            ("https://tools.example.com/gate", "/gate"),
            ("https://tools.example.com/a/b&c\"<", "/a/b&amp;c%22%3C"),
        ] {
            assert_eq!(base_path(&BaseUrl::Fixed(url.to_owned())), path, "{url}");
        }
        assert_eq!(base_path(&BaseUrl::FromRequest), "");
    }

    #[tokio::test]
    async fn without_a_console_the_root_explains_how_to_build_it_and_other_paths_are_404() {
        let (status, page) = request(Method::GET, "/").await;
        assert!(status == 200 && page.contains("make console") && page.contains("/wp-json/toolgate/v1"), "{page}");
        assert_eq!(request(Method::GET, "/welcome.css").await.0, 200);
        let (status, error_reply) = request(Method::GET, "/servers").await;
        assert!(status == 404 && error_reply.contains("not_found"), "{error_reply}");
        assert_eq!(request(Method::POST, "/").await.0, 405);
    }
}
