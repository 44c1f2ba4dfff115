//! Serves the console: the files built from `console/`, and one page for all of its paths. Files with a content hash in
//! their name are cached forever, all others are revalidated.

mod assets;
mod content_type;
mod encoding;

use std::borrow::Cow;

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::header::{
    ACCEPT, ALLOW, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG,
    IF_NONE_MATCH, REFERRER_POLICY, VARY, X_CONTENT_TYPE_OPTIONS,
};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};

pub(super) use assets::{Asset, Assets, EmbeddedAssets};
use encoding::Encoding;

use crate::{reply, route_segments};

const INDEX_PAGE: &str = "index.html";
/// The folder of files with a content hash in their name.
const HASHED_ASSETS: &str = "assets/";
/// The API path in the built page; it is replaced if the operator configured another one.
const DEFAULT_API_PATH: &str = "/wp-json/toolgate/v1";

/// Allows the page only files and API requests of its own origin.
const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
     connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const PERMISSIONS_POLICY: &str = "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()";

/// The console of this build.
pub(super) struct Console<A> {
    assets: A,
    paths: PagePaths,
}

/// The paths that the service writes into the page.
pub(super) struct PagePaths {
    /// The path of the base URL without a trailing slash, escaped for HTML: empty, or for example `/gate`.
    pub(super) base: String,
    /// The path of the management API below `base`.
    pub(super) api: String,
}

/// A file to send.
struct ConsoleFile<'a> {
    name: &'a str,
    asset: Asset,
    /// The request headers that select the response.
    vary: &'static str,
}

impl<A: Assets> Console<A> {
    pub(super) fn new(assets: A, paths: PagePaths) -> Self {
        Self { assets, paths }
    }

    /// The response for a path of the console; `None` for other paths.
    pub(super) fn respond(&self, request: &Parts) -> Option<Response> {
        let file = self.find_file(request.uri.path(), &request.headers)?;
        Some(match request.method {
            Method::GET => self.reply(file, &request.headers),
            Method::HEAD => self.reply(file, &request.headers).map(|_| Body::empty()),
            _ => not_allowed(),
        })
    }

    fn find_file<'a>(&self, path: &'a str, headers: &HeaderMap) -> Option<ConsoleFile<'a>> {
        let name = path.strip_prefix('/')?;
        if name.is_empty() || name == INDEX_PAGE {
            return self.file(INDEX_PAGE);
        }
        if is_file_name(name) {
            return self.file(name);
        }
        // Programs that probe for paths (MCP clients probe for several) must get 404 and not a page.
        let page = (is_page_path(name) && accepts_html(headers)).then(|| self.file(INDEX_PAGE))?;
        page.map(|page| ConsoleFile { vary: "accept, accept-encoding", ..page })
    }

    fn file<'a>(&self, name: &'a str) -> Option<ConsoleFile<'a>> {
        let asset = self.assets.get(name)?;
        Some(ConsoleFile { name, asset, vary: "accept-encoding" })
    }

    fn reply(&self, file: ConsoleFile<'_>, request_headers: &HeaderMap) -> Response {
        let ConsoleFile { name, asset, vary } = self.with_paths(file);
        let (asset, encoding) = self.smallest_variant(name, asset, request_headers);
        let mut headers = fixed_headers(name);
        headers.insert(VARY, HeaderValue::from_static(vary));
        if let Some(tag) = asset.etag.as_ref().and_then(|tag| HeaderValue::from_str(tag).ok()) {
            headers.insert(ETAG, tag);
        }
        if asset.etag.is_some_and(|tag| matches_etag(&tag, request_headers)) {
            return (StatusCode::NOT_MODIFIED, headers).into_response();
        }
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type::from_name(name)));
        headers.insert(CONTENT_LENGTH, asset.bytes.len().into());
        if let Some(encoding) = encoding {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static(encoding.name));
        }
        (headers, Body::from(asset.bytes)).into_response()
    }

    /// Replaces the API path in the page, and adds the base path to every address. A changed page has no `ETag` and no
    /// precompressed variant.
    fn with_paths<'a>(&self, mut file: ConsoleFile<'a>) -> ConsoleFile<'a> {
        let PagePaths { base, api } = &self.paths;
        if file.name == INDEX_PAGE && (!base.is_empty() || api != DEFAULT_API_PATH) {
            let page = String::from_utf8_lossy(&file.asset.bytes)
                .replace(DEFAULT_API_PATH, api)
                .replace("=\"/", &format!("=\"{base}/"));
            file.asset = Asset { bytes: Cow::Owned(page.into_bytes()), etag: None };
        }
        file
    }

    /// The smallest variant of a file that the build created and the client accepts.
    fn smallest_variant(&self, name: &str, asset: Asset, request_headers: &HeaderMap) -> (Asset, Option<Encoding>) {
        // Without an `ETag`, the page was changed, and the compressed variants contain the unchanged one.
        let accepted =
            Encoding::ALL.into_iter().filter(|encoding| asset.etag.is_some() && encoding.is_accepted(request_headers));
        let compressed =
            accepted.filter_map(|encoding| Some((encoding, self.assets.get(&format!("{name}{}", encoding.suffix))?)));
        match compressed.min_by_key(|(_, asset)| asset.bytes.len()) {
            Some((encoding, compressed)) => (compressed, Some(encoding)),
            None => (asset, None),
        }
    }
}

/// Whether the name has the form of a file name and not of a page's path; the file may not exist.
fn is_file_name(name: &str) -> bool {
    let is_plain = |segment: &str| {
        !segment.starts_with('.') && segment.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
    };
    let has_extension = name.rsplit('/').next().is_some_and(|last| last.contains('.'));
    has_extension
        && !Encoding::ALL.iter().any(|encoding| name.ends_with(encoding.suffix))
        && name.split('/').all(is_plain)
}

fn is_page_path(name: &str) -> bool {
    let mut segments = name.trim_end_matches('/').split('/');
    let is_plain = |segment: &str| !segment.is_empty() && !segment.contains('.');
    let first = segments.clone().next().unwrap_or_default();
    !route_segments::is_reserved(first) && segments.all(is_plain)
}

/// Whether the client is a browser that navigates: it accepts HTML.
fn accepts_html(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accepted.flat_map(|value| value.split(',')).any(|content_type| content_type.trim_start().starts_with("text/html"))
}

/// Whether the client has this version cached.
fn matches_etag(tag: &str, request_headers: &HeaderMap) -> bool {
    let tags = request_headers.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    tags.flat_map(|value| value.split(',')).map(str::trim).any(|client_tag| {
        let client_tag = client_tag.strip_prefix("W/").unwrap_or(client_tag);
        client_tag == tag || client_tag == "*"
    })
}

fn fixed_headers(name: &str) -> HeaderMap {
    let cache_control =
        if name.starts_with(HASHED_ASSETS) { "public, max-age=31536000, immutable" } else { "no-cache" };
    let headers = [
        (CACHE_CONTROL, cache_control),
        (CONTENT_SECURITY_POLICY, CONTENT_POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("permissions-policy"), PERMISSIONS_POLICY),
    ];
    headers.into_iter().map(|(name, value)| (name, HeaderValue::from_static(value))).collect()
}

fn not_allowed() -> Response {
    let mut response = reply::method_not_allowed();
    response.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
    response
}

#[cfg(test)]
mod tests;
