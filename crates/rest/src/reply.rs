//! The reply of a handler: status, body, and the headers of a list or of a created object.

use axum::body::Body;
use http::header::{CONTENT_DISPOSITION, LINK};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use serde::Serialize;
use serde_json::value::RawValue;
use toolgate_domain::page::{Listing, Page};

use crate::csv::CsvColumns;
use crate::error::RestError;
use crate::fields;
use crate::request::ApiRequest;
use crate::schema::ReplyObject;

pub(crate) const TOTAL_HEADER: HeaderName = HeaderName::from_static("x-wp-total");
pub(crate) const TOTAL_PAGES_HEADER: HeaderName = HeaderName::from_static("x-wp-totalpages");
pub(crate) const NEXT_BEFORE_HEADER: HeaderName = HeaderName::from_static("x-next-before");

/// Names the fields of the request that were ignored.
pub(crate) const IGNORED_HEADER: HeaderName = HeaderName::from_static("x-toolgate-ignored");

/// A successful reply.
#[derive(Debug)]
pub(crate) struct ApiReply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) content: ReplyContent,
}

/// The body of a reply.
#[derive(Debug)]
pub(crate) enum ReplyContent {
    Json(Box<RawValue>),
    Csv(String),
    /// A streamed body with its media type.
    Stream(&'static str, Body),
}

pub(crate) const CSV_MEDIA_TYPE: &str = "text/csv; charset=utf-8";
pub(crate) const NDJSON_MEDIA_TYPE: &str = "application/x-ndjson";

impl ReplyContent {
    /// The media type.
    pub(crate) fn media_type(&self) -> &'static str {
        match self {
            Self::Json(_) => "application/json; charset=UTF-8",
            Self::Csv(_) => CSV_MEDIA_TYPE,
            Self::Stream(media_type, _) => media_type,
        }
    }

    pub(crate) fn into_body(self) -> Body {
        match self {
            Self::Json(json) => Body::from(String::from(Box::<str>::from(json))),
            Self::Csv(text) => Body::from(text),
            Self::Stream(_, body) => body,
        }
    }
}

impl ApiReply {
    /// 200 with a body.
    pub(crate) fn ok(body: &impl Serialize) -> Result<Self, RestError> {
        let body = serde_json::value::to_raw_value(body).map_err(|error| RestError::internal(&error))?;
        Ok(Self::new(ReplyContent::Json(body)))
    }

    fn new(content: ReplyContent) -> Self {
        Self { status: StatusCode::OK, headers: HeaderMap::new(), content }
    }

    /// 200 with a streamed body.
    pub(crate) fn stream(media_type: &'static str, body: Body) -> Self {
        Self::new(ReplyContent::Stream(media_type, body))
    }

    /// 200 with rows, as JSON or as CSV.
    pub(crate) fn rows<T: ReplyObject>(is_csv: bool, name: &str, rows: &[T]) -> Result<Self, RestError> {
        if is_csv { Self::csv(name, rows) } else { Self::ok(&rows) }
    }

    /// 200 with rows as CSV.
    pub(crate) fn csv<T: ReplyObject>(name: &str, rows: &[T]) -> Result<Self, RestError> {
        let columns = CsvColumns::from_schema::<T>();
        let mut text = columns.header();
        for row in rows {
            columns.write_row(row, &mut text).map_err(|error| RestError::internal(&error))?;
        }
        Ok(Self::new(ReplyContent::Csv(text)).into_download(&format!("{name}.csv")))
    }

    /// Makes the reply a download with this file name.
    pub(crate) fn into_download(mut self, file: &str) -> Self {
        self.set_header(CONTENT_DISPOSITION, &format!("attachment; filename=\"{file}\""));
        self
    }

    /// 201 with a body and the URL of the new object.
    pub(crate) fn created(body: &impl Serialize, location: &str) -> Result<Self, RestError> {
        let mut reply = Self { status: StatusCode::CREATED, ..Self::ok(body)? };
        reply.set_header(http::header::LOCATION, location);
        Ok(reply)
    }

    /// 201 without a URL: the body, such as a secret, is shown only in this reply.
    pub(crate) fn created_once(body: &impl Serialize) -> Result<Self, RestError> {
        Ok(Self { status: StatusCode::CREATED, ..Self::ok(body)? })
    }

    /// Removes fields from the body.
    pub(crate) fn without_fields(mut self, names: &[&str]) -> Self {
        if let ReplyContent::Json(body) = &self.content
            && let Some(remaining) = fields::remove(body, names)
        {
            self.content = ReplyContent::Json(remaining);
        }
        self
    }

    /// 200 with the deleted object.
    pub(crate) fn deleted(previous: &impl Serialize) -> Result<Self, RestError> {
        #[derive(Serialize)]
        struct Deleted<T> {
            deleted: bool,
            previous: T,
        }
        Self::ok(&Deleted { deleted: true, previous })
    }

    /// 200 with a list, its totals, and links to the previous and next page.
    pub(crate) fn list<'a, T, O: Serialize>(
        request: &ApiRequest,
        listing: &'a Listing<T>,
        page: Option<Page>,
        convert: impl Fn(&'a T) -> O,
    ) -> Result<Self, RestError> {
        let reply = Self::ok(&listing.items.iter().map(convert).collect::<Vec<_>>())?;
        Ok(reply.with_totals(request, listing.total, page))
    }

    /// Adds the headers of one page of a list with `total` items.
    pub(crate) fn with_totals(mut self, request: &ApiRequest, total: i64, page: Option<Page>) -> Self {
        let page_count = page.map_or(i64::from(total > 0), |page| page.count(total));
        self.set_header(TOTAL_HEADER, &total.to_string());
        self.set_header(TOTAL_PAGES_HEADER, &page_count.to_string());
        if let Some(links) = page.and_then(|page| links(request, page, page_count)) {
            self.set_header(LINK, &links);
        }
        self
    }

    /// Adds the headers for the next page, whose items have ids below `before`.
    pub(crate) fn with_next_page(mut self, request: &ApiRequest, before: i64) -> Self {
        self.set_header(NEXT_BEFORE_HEADER, &before.to_string());
        self.set_header(LINK, &link(request, "before", before, "next"));
        self
    }

    pub(crate) fn set_header(&mut self, name: HeaderName, value: &str) {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.insert(name, value);
        }
    }
}

/// A link to the same list with one query argument replaced.
fn link(request: &ApiRequest, name: &str, value: i64, rel: &str) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(form_urlencoded::parse(request.query.as_bytes()).filter(|(other, _)| other != name));
    query.append_pair(name, &value.to_string());
    format!("<{}?{}>; rel=\"{rel}\"", request.link(&request.path), query.finish())
}

/// Links to the previous and next page.
fn links(request: &ApiRequest, page: Page, page_count: i64) -> Option<String> {
    let link = |number, rel| link(request, "page", number, rel);
    let number = i64::from(page.number);
    let mut links = Vec::new();
    if number > 1 && page_count > 0 {
        links.push(link((number - 1).min(page_count), "prev"));
    }
    if number < page_count {
        links.push(link(number + 1, "next"));
    }
    (!links.is_empty()).then(|| links.join(", "))
}
