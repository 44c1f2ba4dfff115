//! Builds the WordPress REST API URL for the configuration of a `wp_query` resource.
//!
//! Both the parameter names of `WP_Query` in PHP (`posts_per_page`, `s`) and those of the REST API (`per_page`,
//! `search`) are accepted. Texts may contain `{{variable}}`s of the resource's `template_uri`. Their values are
//! untrusted: they can become the value of a parameter or the name of a collection, but never another parameter or
//! another path.

#[cfg(test)]
mod tests;

use indexmap::IndexMap;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value};
use url::Url;

use crate::json::JsonObject;
use crate::prompt_template::{TooLong, fill};
use crate::uri_template::{UriTemplate, Variables};

/// Maximum length of a request URL, in bytes; servers commonly reject longer ones.
pub const REQUEST_URL_MAX: usize = 8 * 1024;

/// The collection of a query without `post_type`.
const DEFAULT_COLLECTION: &str = "posts";

/// The highest page size of the REST API, used for `posts_per_page: -1` (all posts).
const PER_PAGE_MAX: &str = "100";

/// All characters except the unreserved ones of RFC 3986.
const PERCENT_ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Why no URL can be built for a query.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WpQueryError {
    /// `site_url` is not the URL of a site.
    #[error("site_url is not the URL of a site")]
    SiteUrl,
    /// The collection is not a single word.
    #[error("post_type must name one collection, like posts or pages")]
    PostType,
    /// The values of the variables are too long.
    #[error("the URL of the query would be longer than {REQUEST_URL_MAX} bytes")]
    TooLong,
}

impl From<TooLong> for WpQueryError {
    fn from(_: TooLong) -> Self {
        Self::TooLong
    }
}

/// The URL for a configuration, with the variables that matched its resource's `template_uri`.
///
/// A variable without a value is empty, and a parameter that becomes empty this way is omitted.
pub fn request_url(config: &JsonObject, variables: &[(String, String)]) -> Result<String, WpQueryError> {
    let config = config.to_value();
    let mut query = QueryParameters { variables, texts: IndexMap::new(), len: 0 };
    for (name, value) in config.get("query").and_then(Value::as_object).into_iter().flatten() {
        query.add(rest_name(name), value)?;
    }
    if let Some(fields) = config.get("fields") {
        query.add("_fields", fields)?;
    }
    let collection = collection(query.texts.shift_remove("post_type").as_deref())?;
    let mut url = site_url(&config, variables)?;
    let path = ["wp-json", "wp", "v2", &collection];
    url.path_segments_mut().map_err(|()| WpQueryError::SiteUrl)?.pop_if_empty().extend(path);
    let site_query = url.query().filter(|query| !query.is_empty()).map(str::to_owned);
    let pairs: Vec<String> = site_query.into_iter().chain(query.pairs()).collect();
    url.set_query(Some(pairs.join("&")).as_deref().filter(|text| !text.is_empty()));
    url.set_fragment(None);
    Some(String::from(url)).filter(|text| text.len() <= REQUEST_URL_MAX).ok_or(WpQueryError::TooLong)
}

/// Expands `site_url`, which may be an RFC 6570 template. Writes ensure that variables occur only after its host.
fn site_url(config: &Value, variables: &[(String, String)]) -> Result<Url, WpQueryError> {
    let text = config.get("site_url").and_then(Value::as_str).unwrap_or_default();
    let template = UriTemplate::parse(text).map_err(|_| WpQueryError::SiteUrl)?;
    let variables: Variables = variables.iter().cloned().collect();
    let text = template.expand(&variables);
    if text.split('/').any(|segment| matches!(segment, "." | "..")) {
        // Expansion does not encode dots, so a value of `..` would change the path.
        return Err(WpQueryError::SiteUrl);
    }
    Url::parse(&text).map_err(|_| WpQueryError::SiteUrl)
}

/// The last path segment: the collection of the REST API for this post type.
fn collection(post_type: Option<&[String]>) -> Result<String, WpQueryError> {
    let name = match post_type {
        None => DEFAULT_COLLECTION,
        Some([one]) => match one.as_str() {
            "post" => "posts",
            "page" => "pages",
            "attachment" => "media",
            other => other,
        },
        Some(_) => return Err(WpQueryError::PostType),
    };
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    if name.is_empty() || !name.bytes().all(is_word) {
        return Err(WpQueryError::PostType);
    }
    Ok(name.to_owned())
}

/// The REST API's name for an argument of `WP_Query`; other names stay unchanged.
fn rest_name(name: &str) -> &str {
    match name {
        "posts_per_page" => "per_page",
        "s" => "search",
        "paged" => "page",
        "p" | "page_id" | "post__in" => "include",
        "post__not_in" => "exclude",
        "post_parent" => "parent",
        "post_status" => "status",
        "name" => "slug",
        "cat" => "categories",
        "tag_id" => "tags",
        "fields" => "_fields",
        other => other,
    }
}

/// Adapts values that `WP_Query` accepts and the REST API does not.
fn rest_value(name: &str, text: String) -> String {
    match (name, text.as_str()) {
        ("order", _) => text.to_ascii_lowercase(),
        ("orderby", "ID") => "id".to_owned(),
        ("orderby", "post__in") => "include".to_owned(),
        ("orderby", "name") => "slug".to_owned(),
        ("per_page", "-1") => PER_PAGE_MAX.to_owned(),
        _ => text,
    }
}

/// The query parameters of a request by name, each a list of texts.
struct QueryParameters<'a> {
    variables: &'a [(String, String)],
    texts: IndexMap<String, Vec<String>>,
    /// Total size of the texts in bytes, limited because a configuration may repeat a long value many times.
    len: usize,
}

impl QueryParameters<'_> {
    /// Adds a value; it replaces an earlier one of the same name. Objects are encoded as PHP expects: `name[key]`.
    fn add(&mut self, name: &str, value: &Value) -> Result<(), WpQueryError> {
        match value {
            Value::Object(members) => self.add_members(name, members),
            Value::Array(items) if items.iter().any(|item| item.is_object() || item.is_array()) => {
                let members = items.iter().enumerate().map(|(index, item)| (index.to_string(), item.clone()));
                self.add_members(name, &members.collect())
            }
            Value::Array(items) => self.add_texts(name, items),
            scalar => self.add_texts(name, std::slice::from_ref(scalar)),
        }
    }

    fn add_members(&mut self, name: &str, members: &Map<String, Value>) -> Result<(), WpQueryError> {
        members.iter().try_for_each(|(key, member)| self.add(&format!("{name}[{key}]"), member))
    }

    fn add_texts(&mut self, name: &str, items: &[Value]) -> Result<(), WpQueryError> {
        let mut texts = Vec::with_capacity(items.len());
        for item in items {
            let text = self.filled_text(item)?.map(|text| rest_value(name, text));
            self.len += text.as_ref().map_or(0, String::len);
            if self.len > REQUEST_URL_MAX {
                return Err(WpQueryError::TooLong);
            }
            texts.extend(text);
        }
        if !texts.is_empty() {
            self.texts.insert(name.to_owned(), texts);
        }
        Ok(())
    }

    /// A value as text; `None` for null, and for a text that is empty only because its variables are empty.
    fn filled_text(&self, value: &Value) -> Result<Option<String>, WpQueryError> {
        let Value::String(text) = value else {
            return Ok(Some(value).filter(|value| !value.is_null()).map(Value::to_string));
        };
        let value_of =
            |name: &str| self.variables.iter().find(|(variable, _)| variable == name).map(|(_, value)| value);
        let filled = fill(text, |name| Some(value_of(name).map_or("", String::as_str)))?;
        Ok(Some(filled).filter(|filled| text.is_empty() || !filled.is_empty()))
    }

    /// Encoded `name=value` pairs; the items of a list are separated by commas.
    fn pairs(&self) -> impl Iterator<Item = String> {
        let encoded = |text: &str| utf8_percent_encode(text, PERCENT_ENCODED).to_string();
        self.texts.iter().map(move |(name, texts)| {
            let texts: Vec<String> = texts.iter().map(|text| encoded(text)).collect();
            format!("{}={}", encoded(name), texts.join(","))
        })
    }
}
