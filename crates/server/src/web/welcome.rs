//! The page at `/` in a build without the console: the version, the API's address, and how to build the console.

use axum::response::{IntoResponse, Response};
use http::HeaderName;
use http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use toolgate_rest::BaseUrl;

const PAGE: &str = include_str!("../../assets/welcome.html");
const STYLE: &str = include_str!("../../assets/welcome.css");
/// Allows the page's own style sheet and nothing else: no scripts, frames or forms.
const CONTENT_POLICY: &str =
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

pub(super) async fn style() -> Response {
    page_response("text/css; charset=utf-8", STYLE.to_owned())
}

/// The page that replaces the console.
pub(super) fn page(base: &BaseUrl, api_path: &str) -> String {
    let api_base = match base {
        BaseUrl::Fixed(url) => format!("{url}{api_path}"),
        BaseUrl::FromRequest => api_path.to_owned(),
    };
    PAGE.replace("{api_base}", &escape(&api_base)).replace("{version}", env!("CARGO_PKG_VERSION"))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

pub(super) fn page_response(content_type: &'static str, body: String) -> Response {
    let headers: [(HeaderName, &str); 4] = [
        (CONTENT_TYPE, content_type),
        (CONTENT_SECURITY_POLICY, CONTENT_POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
    ];
    (headers, body).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_shows_the_api_address_and_complies_with_its_policy() {
        let text = page(&BaseUrl::Fixed("https://x.example/a&b".to_owned()), "/wp-json/toolgate/v1");
        assert!(text.contains("https://x.example/a&amp;b/wp-json/toolgate/v1"));
        assert!(!text.contains("<script") && !text.contains("style=") && !text.contains("<style"));
        assert!(!text.contains('{'), "every placeholder is filled");
    }
}
