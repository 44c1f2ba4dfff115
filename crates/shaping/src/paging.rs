//! Detects whether the upstream has further pages of results, by the members of a response and by its `Link` header.

use crate::lexer::JsonLexer;
use crate::projection::unescaped;

/// Names of members that hold the address or the cursor of the next page, in lower case.
const NEXT_NAMES: &[&str] = &[
    "next",
    "next_page",
    "nextpage",
    "next_cursor",
    "nextcursor",
    "next_page_token",
    "nextpagetoken",
    "next_token",
    "nexttoken",
    "next_url",
    "nexturl",
    "next_link",
    "nextlink",
    "@odata.nextlink",
    "next_offset",
    "nextoffset",
    "continuation_token",
    "end_cursor",
    "endcursor",
];
/// Names of members that say whether there is a further page, in lower case.
const MORE_NAMES: &[&str] = &["has_more", "hasmore", "has_next", "hasnext", "has_next_page", "hasnextpage", "more"];
/// Names of objects that may hold such members, in lower case.
const HOLDER_NAMES: &[&str] = &[
    "links",
    "_links",
    "paging",
    "pagination",
    "page_info",
    "pageinfo",
    "meta",
    "metadata",
    "response_metadata",
    "next",
];
/// Maximum nesting of such objects.
const HOLDER_DEPTH: usize = 3;
/// Maximum length of an address or a cursor, in bytes.
const VALUE_MAX: usize = 2000;

/// Whether members of this name say where the next page is, or whether there is one.
pub(crate) fn is_paging_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    NEXT_NAMES.contains(&name.as_str()) || MORE_NAMES.contains(&name.as_str())
}

/// How to get the next page from the upstream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextPage {
    /// By this address.
    Url(String),
    /// By a value, which the member `name` holds.
    Cursor {
        /// The name of the member.
        name: String,
        /// Its value.
        value: String,
    },
    /// There is a further page, but the response does not say how to get it.
    Unknown,
}

impl NextPage {
    /// Reads the next page from the members of a JSON object.
    pub fn from_body(body: &str) -> Option<Self> {
        let mut lexer = JsonLexer::new(body, 0);
        lexer.skip_space();
        let found = PagingMembers::read(body, &mut lexer, 0, false)?;
        match (found.next, found.has_more) {
            // Some APIs also return a cursor on the last page.
            (Some(_), Some(false)) => None,
            (Some(next), _) => Some(next),
            (None, has_more) => has_more.filter(|more| *more).map(|_| Self::Unknown),
        }
    }

    /// Reads the next page from a `Link` header (RFC 8288).
    pub fn from_link_header(value: &str) -> Option<Self> {
        let is_next = |parameters: &str| {
            parameters.split(';').any(|parameter| {
                let (name, value) = parameter.split_once('=').unwrap_or_default();
                let relations = value.trim().trim_matches('"');
                name.trim().eq_ignore_ascii_case("rel")
                    && relations.split_ascii_whitespace().any(|relation| relation.eq_ignore_ascii_case("next"))
            })
        };
        let mut rest = value;
        while let Some((_, after)) = rest.split_once('<') {
            let (url, after) = after.split_once('>')?;
            let parameters = after.split('<').next().unwrap_or_default();
            if is_next(parameters.trim_end().trim_end_matches(',')) {
                return Some(Self::Url(url.trim().to_owned()));
            }
            rest = after;
        }
        None
    }

    fn from_value(name: &str, value: &str) -> Option<Self> {
        if value.is_empty() || value.len() > VALUE_MAX {
            return None;
        }
        let is_url = value.contains("://") || (value.starts_with(['/', '?']) && value.contains('='));
        let name = name.to_owned();
        let value = value.to_owned();
        Some(if is_url { Self::Url(value) } else { Self::Cursor { name, value } })
    }
}

/// The paging information in the members of an object.
#[derive(Default)]
struct PagingMembers {
    next: Option<NextPage>,
    has_more: Option<bool>,
}

impl PagingMembers {
    /// Reads the members of the object that starts here; `is_next` if the object is the link to the next page.
    fn read(body: &str, lexer: &mut JsonLexer<'_>, depth: usize, is_next: bool) -> Option<Self> {
        let mut members = Self::default();
        lexer.expect(b'{')?;
        lexer.skip_space();
        if lexer.expect(b'}').is_some() {
            return Some(members);
        }
        loop {
            let (start, end) = lexer.key()?;
            let key = unescaped(body.get(start..end)?);
            if is_next && key == "href" {
                members.link(&key, body, lexer)?;
            } else {
                members.member(&key, body, lexer, depth)?;
            }
            lexer.skip_space();
            if lexer.expect(b'}').is_some() {
                return Some(members);
            }
            lexer.expect(b',')?;
            lexer.skip_space();
        }
    }

    fn member(&mut self, key: &str, body: &str, lexer: &mut JsonLexer<'_>, depth: usize) -> Option<()> {
        let name = key.to_ascii_lowercase();
        let at = lexer.at;
        let first = lexer.peek()?;
        if first == b'{' && depth < HOLDER_DEPTH && HOLDER_NAMES.contains(&name.as_str()) {
            let inner = Self::read(body, lexer, depth + 1, name == "next")?;
            self.next = self.next.take().or(inner.next);
            self.has_more = self.has_more.or(inner.has_more);
        } else if NEXT_NAMES.contains(&name.as_str()) {
            self.link(key, body, lexer)?;
        } else {
            lexer.skip_value()?;
            let raw = body.get(at..lexer.at)?;
            if MORE_NAMES.contains(&name.as_str()) && matches!(raw, "true" | "false") {
                self.has_more = self.has_more.or(Some(raw == "true"));
            }
        }
        Some(())
    }

    /// Reads the value of a member that leads to the next page.
    fn link(&mut self, key: &str, body: &str, lexer: &mut JsonLexer<'_>) -> Option<()> {
        let (at, first) = (lexer.at, lexer.peek()?);
        lexer.skip_value()?;
        let raw = body.get(at..lexer.at)?;
        let next = match first {
            b'"' => NextPage::from_value(key, &unescaped(raw.get(1..raw.len() - 1)?)),
            b'0'..=b'9' => NextPage::from_value(key, raw),
            _ => None,
        };
        self.next = self.next.take().or(next);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cursor(name: &str, value: &str) -> NextPage {
        NextPage::Cursor { name: name.to_owned(), value: value.to_owned() }
    }

    fn url(value: &str) -> NextPage {
        NextPage::Url(value.to_owned())
    }

    #[test]
    fn members_name_the_next_page() {
        for (body, expected) in [
            (r#"{"items":[1],"next":"https://a.example/x?page=2"}"#, Some(url("https://a.example/x?page=2"))),
            (r#"{"next":"\/x?page=2"}"#, Some(url("/x?page=2"))),
            (r#"{"next":null,"previous":"x"}"#, None),
            (r#"{"next_page":3}"#, Some(cursor("next_page", "3"))),
            (r#"{"meta":{"next_cursor":"abc"},"data":[]}"#, Some(cursor("next_cursor", "abc"))),
            (r#"{"nextPageToken":"t","items":[{"next":"no"}]}"#, Some(cursor("nextPageToken", "t"))),
            (r#"{"_links":{"self":{"href":"a?b=1"},"next":{"href":"/n?page=4"}}}"#, Some(url("/n?page=4"))),
            (r#"{"has_more":true}"#, Some(NextPage::Unknown)),
            (r#"{"has_more":false,"next_cursor":"abc"}"#, None),
            (r#"{"pageInfo":{"hasNextPage":true,"endCursor":"c"}}"#, Some(cursor("endCursor", "c"))),
            (r#"{"next":""}"#, None),
            (r#"{"next":"", "x"}"#, None),
            ("[1]", None),
            ("", None),
        ] {
            assert_eq!(NextPage::from_body(body), expected, "{body}");
        }
    }

    #[test]
    fn a_link_header_names_the_next_page() {
        let header = r#"<https://a.example/x?page=1>; rel="prev", <https://a.example/x?a=1,2&page=3>; title="n"; rel="next last""#;
        assert_eq!(NextPage::from_link_header(header), Some(url("https://a.example/x?a=1,2&page=3")));
        for none in ["", "<a>; rel=prev", "<a", "next"] {
            assert_eq!(NextPage::from_link_header(none), None, "{none}");
        }
    }
}
