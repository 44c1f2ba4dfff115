//! What a handler answers: a status, a JSON body, and the headers a list or a creation has.

use domain::page::{Listing, Page};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::call::Call;
use crate::error::RestError;
use crate::fields;

pub(crate) const TOTAL: HeaderName = HeaderName::from_static("x-wp-total");
pub(crate) const TOTAL_PAGES: HeaderName = HeaderName::from_static("x-wp-totalpages");

/// A successful reply.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Box<RawValue>,
}

impl Reply {
    /// 200 with a body.
    pub(crate) fn ok(body: &impl Serialize) -> Result<Self, RestError> {
        let body = serde_json::value::to_raw_value(body).map_err(|error| RestError::internal(&error))?;
        Ok(Self { status: StatusCode::OK, headers: HeaderMap::new(), body })
    }

    /// 201 with a body, and where the new thing is.
    pub(crate) fn created(body: &impl Serialize, location: &str) -> Result<Self, RestError> {
        let mut reply = Self { status: StatusCode::CREATED, ..Self::ok(body)? };
        reply.set(http::header::LOCATION, location);
        Ok(reply)
    }

    /// The same reply with only some fields of its body.
    pub(crate) fn only(mut self, fields: &[&str]) -> Self {
        self.body = fields::only(&self.body, fields).unwrap_or(self.body);
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
        let mut reply = Self::ok(&listing.items.iter().map(out).collect::<Vec<_>>())?;
        let pages = page.map_or(i64::from(listing.total > 0), |page| page.count(listing.total));
        reply.set(TOTAL, &listing.total.to_string());
        reply.set(TOTAL_PAGES, &pages.to_string());
        if let Some(links) = page.and_then(|page| links(call, page, pages)) {
            reply.set(http::header::LINK, &links);
        }
        Ok(reply)
    }

    fn set(&mut self, name: HeaderName, value: &str) {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.insert(name, value);
        }
    }
}

/// Links to the previous and next page, with every other argument of the query kept.
fn links(call: &Call, page: Page, pages: i64) -> Option<String> {
    let link = |number: i64, rel: &str| {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(form_urlencoded::parse(call.query.as_bytes()).filter(|(name, _)| name != "page"));
        query.append_pair("page", &number.to_string());
        format!("<{}?{}>; rel=\"{rel}\"", call.link(&call.path), query.finish())
    };
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
