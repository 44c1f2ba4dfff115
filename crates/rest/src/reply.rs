//! What a handler answers: a status, a body, and the headers a list or a creation has.

use axum::body::Body;
use http::header::{CONTENT_DISPOSITION, LINK};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use serde::Serialize;
use serde_json::value::RawValue;
use toolgate_domain::page::{Listing, Page};
use utoipa::PartialSchema;

use crate::call::Call;
use crate::csv::Columns;
use crate::error::RestError;
use crate::fields;

pub(crate) const TOTAL: HeaderName = HeaderName::from_static("x-wp-total");
pub(crate) const TOTAL_PAGES: HeaderName = HeaderName::from_static("x-wp-totalpages");
pub(crate) const NEXT_BEFORE: HeaderName = HeaderName::from_static("x-next-before");

/// A successful reply.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) content: Content,
}

/// The body of a reply.
#[derive(Debug)]
pub(crate) enum Content {
    Json(Box<RawValue>),
    Csv(String),
    /// Whatever comes, as it comes: of this media type.
    Stream(&'static str, Body),
}

pub(crate) const CSV: &str = "text/csv; charset=utf-8";

impl Content {
    /// The media type.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Json(_) => "application/json; charset=UTF-8",
            Self::Csv(_) => CSV,
            Self::Stream(kind, _) => kind,
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

impl Reply {
    /// 200 with a body.
    pub(crate) fn ok(body: &impl Serialize) -> Result<Self, RestError> {
        let body = serde_json::value::to_raw_value(body).map_err(|error| RestError::internal(&error))?;
        Ok(Self::of(Content::Json(body)))
    }

    fn of(content: Content) -> Self {
        Self { status: StatusCode::OK, headers: HeaderMap::new(), content }
    }

    /// 200 with what comes, as it comes.
    pub(crate) fn stream(kind: &'static str, body: Body) -> Self {
        Self::of(Content::Stream(kind, body))
    }

    /// 200 with rows, as JSON or as the table that was asked for.
    pub(crate) fn rows<T: Serialize + PartialSchema>(call: &Call, name: &str, rows: &[T]) -> Result<Self, RestError> {
        if call.wants_csv() { Self::table(name, rows) } else { Self::ok(&rows) }
    }

    /// 200 with rows as a table.
    pub(crate) fn table<T: Serialize + PartialSchema>(name: &str, rows: &[T]) -> Result<Self, RestError> {
        let columns = Columns::of::<T>();
        let mut text = columns.head();
        for row in rows {
            columns.write(row, &mut text).map_err(|error| RestError::internal(&error))?;
        }
        Ok(Self::of(Content::Csv(text)).saved_as(name))
    }

    /// The same reply as something to save, under a name.
    pub(crate) fn saved_as(mut self, name: &str) -> Self {
        self.set(CONTENT_DISPOSITION, &format!("attachment; filename=\"{name}.csv\""));
        self
    }

    /// 201 with a body, and where the new thing is.
    pub(crate) fn created(body: &impl Serialize, location: &str) -> Result<Self, RestError> {
        let mut reply = Self { status: StatusCode::CREATED, ..Self::ok(body)? };
        reply.set(http::header::LOCATION, location);
        Ok(reply)
    }

    /// The same reply with only some fields of its body.
    pub(crate) fn only(mut self, fields: &[&str]) -> Self {
        if let Content::Json(body) = &self.content
            && let Some(kept) = fields::only(body, fields)
        {
            self.content = Content::Json(kept);
        }
        self
    }

    /// 200 with what was deleted.
    pub(crate) fn deleted(previous: &impl Serialize) -> Result<Self, RestError> {
        #[derive(Serialize)]
        struct Deleted<T> {
            deleted: bool,
            previous: T,
        }
        Self::ok(&Deleted { deleted: true, previous })
    }

    /// 200 with a list: its totals, and links to the pages beside this one.
    pub(crate) fn list<'a, T, O: Serialize>(
        call: &Call,
        listing: &'a Listing<T>,
        page: Option<Page>,
        out: impl Fn(&'a T) -> O,
    ) -> Result<Self, RestError> {
        let reply = Self::ok(&listing.items.iter().map(out).collect::<Vec<_>>())?;
        Ok(reply.counted(call, listing.total, page))
    }

    /// The same reply as a page of a list of so many.
    pub(crate) fn counted(mut self, call: &Call, total: i64, page: Option<Page>) -> Self {
        let pages = page.map_or(i64::from(total > 0), |page| page.count(total));
        self.set(TOTAL, &total.to_string());
        self.set(TOTAL_PAGES, &pages.to_string());
        if let Some(links) = page.and_then(|page| links(call, page, pages)) {
            self.set(LINK, &links);
        }
        self
    }

    /// The same reply as a page of a list whose next page begins before this id.
    pub(crate) fn followed_by(mut self, call: &Call, before: i64) -> Self {
        self.set(NEXT_BEFORE, &before.to_string());
        self.set(LINK, &link(call, "before", before, "next"));
        self
    }

    pub(crate) fn set(&mut self, name: HeaderName, value: &str) {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.insert(name, value);
        }
    }
}

/// A link to the same list from elsewhere, with every other argument of the query kept.
fn link(call: &Call, name: &str, value: i64, rel: &str) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(form_urlencoded::parse(call.query.as_bytes()).filter(|(other, _)| other != name));
    query.append_pair(name, &value.to_string());
    format!("<{}?{}>; rel=\"{rel}\"", call.link(&call.path), query.finish())
}

/// Links to the previous and next page.
fn links(call: &Call, page: Page, pages: i64) -> Option<String> {
    let link = |number, rel| link(call, "page", number, rel);
    let number = i64::from(page.number);
    let mut links = Vec::new();
    if number > 1 && pages > 0 {
        links.push(link((number - 1).min(pages), "prev"));
    }
    if number < pages {
        links.push(link(number + 1, "next"));
    }
    (!links.is_empty()).then(|| links.join(", "))
}
