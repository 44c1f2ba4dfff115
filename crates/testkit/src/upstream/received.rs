//! A request as the fake upstream heard it.

use bytes::Bytes;
use serde_json::Value;

/// One whole request, kept as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received {
    /// The method.
    pub method: String,
    /// What the request line asks for: path and query, every escape as it came.
    pub target: String,
    /// Names and values as they came, in their order.
    pub headers: Vec<(String, String)>,
    /// The body, without its framing.
    pub body: Bytes,
}

impl Received {
    /// Reads the lines before the empty one; `None` when this is no HTTP.
    pub(super) fn parse_head(head: &str) -> Option<Self> {
        let mut lines = head.split("\r\n").take_while(|line| !line.is_empty());
        let mut words = lines.next()?.split(' ');
        let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
        let headers = lines.map(|line| {
            let (name, value) = line.split_once(':')?;
            Some((name.to_owned(), value.trim().to_owned()))
        });
        Some(Self { method, target, headers: headers.collect::<Option<_>>()?, body: Bytes::new() })
    }

    /// The target before its query.
    pub fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }

    /// The target after its first question mark, as it came.
    pub fn query(&self) -> Option<&str> {
        self.target.split_once('?').map(|(_, query)| query)
    }

    /// The pairs of the query, without their escapes.
    pub fn query_pairs(&self) -> Vec<(String, String)> {
        form_urlencoded::parse(self.query().unwrap_or_default().as_bytes()).into_owned().collect()
    }

    /// The only header of this name; panics when there are several.
    #[track_caller]
    pub fn header(&self, name: &str) -> Option<&str> {
        let values = self.header_values(name);
        assert!(values.len() < 2, "{name} came {} times: {self:?}", values.len());
        values.first().copied()
    }

    /// The values of every header of this name, in their order.
    pub fn header_values(&self, name: &str) -> Vec<&str> {
        let named = self.headers.iter().filter(|(other, _)| other.eq_ignore_ascii_case(name));
        named.map(|(_, value)| value.as_str()).collect()
    }

    /// The body as text, whatever is not UTF-8 replaced.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("the body is not JSON ({error}): {self:?}"))
    }

    /// The pairs of a form in the body, without their escapes.
    pub fn form(&self) -> Vec<(String, String)> {
        form_urlencoded::parse(&self.body).into_owned().collect()
    }
}
