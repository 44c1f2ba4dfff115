//! What browsers see: the console at every address that is nobody else's, or a word on how to get one.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::response::Response;
use axum::routing::get;
use toolgate_rest::BaseUrl;

use super::console::{Assets, Console, Embedded};
use super::reply;
use super::welcome::{self, Welcome};

/// The console, and what is shown in its place.
struct Pages<A> {
    console: Console<A>,
    welcome: Welcome,
}

pub(super) fn routes(base: &BaseUrl, api_path: &str) -> Router {
    from(Embedded, base, api_path)
}

fn from<A: Assets>(assets: A, base: &BaseUrl, api_path: &str) -> Router {
    let console = Console::new(assets, api_path.to_owned());
    let pages = Arc::new(Pages { console, welcome: Welcome::new(base, api_path) });
    Router::new().route("/", get(root)).route("/welcome.css", get(welcome::style)).fallback(elsewhere).with_state(pages)
}

async fn root<A: Assets>(State(pages): State<Arc<Pages<A>>>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    pages.console.answer(&parts).unwrap_or_else(|| pages.welcome.page())
}

async fn elsewhere<A: Assets>(State(pages): State<Arc<Pages<A>>>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    pages.console.answer(&parts).unwrap_or_else(reply::not_found)
}

#[cfg(test)]
mod tests {
    use axum::body::{Body, to_bytes};
    use http::Method;
    use tower::ServiceExt as _;

    use super::super::console::Asset;
    use super::*;

    struct NotBuilt;

    impl Assets for NotBuilt {
        fn get(&self, _: &str) -> Option<Asset> {
            None
        }
    }

    async fn ask(method: Method, path: &str) -> (u16, String) {
        let pages = from(NotBuilt, &BaseUrl::FromRequest, "/wp-json/toolgate/v1");
        let request = Request::builder().method(method).uri(path).header("accept", "text/html");
        let response = pages.oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        let status = response.status().as_u16();
        let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        (status, String::from_utf8(body.to_vec()).unwrap())
    }

    #[tokio::test]
    async fn without_a_console_the_root_says_how_to_get_one_and_nothing_else_is_there() {
        let (status, page) = ask(Method::GET, "/").await;
        assert!(status == 200 && page.contains("make console") && page.contains("/wp-json/toolgate/v1"), "{page}");
        assert_eq!(ask(Method::GET, "/welcome.css").await.0, 200);
        let (status, refusal) = ask(Method::GET, "/servers").await;
        assert!(status == 404 && refusal.contains("not_found"), "{refusal}");
        assert_eq!(ask(Method::POST, "/").await.0, 405);
    }
}
