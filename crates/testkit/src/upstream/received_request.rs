//! A request as the fake upstream received it.

use bytes::Bytes;
use serde_json::Value;

/// One complete request. Target, header names and body are byte for byte as they were sent; header values are trimmed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceivedRequest {
    /// The method.
    pub method: String,
    /// The request target: path and query, with all escapes unchanged.
    pub target: String,
    /// Names and values in the order they arrived.
    pub headers: Vec<(String, String)>,
    /// The body, without its framing.
    pub body: Bytes,
}

impl ReceivedRequest {
    /// Parses the request line and headers; `None` if this is not HTTP.
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

    /// The target without its query.
    pub fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }

    /// The target after the first question mark, still encoded.
    pub fn query(&self) -> Option<&str> {
        self.target.split_once('?').map(|(_, query)| query)
    }

    /// The decoded pairs of the query.
    pub fn query_pairs(&self) -> Vec<(String, String)> {
        form_urlencoded::parse(self.query().unwrap_or_default().as_bytes()).into_owned().collect()
    }

    /// The only header of this name; panics if there are several.
    #[track_caller]
    pub fn header(&self, name: &str) -> Option<&str> {
        let values = self.header_values(name);
        assert!(values.len() < 2, "{name} was sent {} times: {self:?}", values.len());
        values.first().copied()
    }

    /// The values of all headers of this name, in order.
    pub fn header_values(&self, name: &str) -> Vec<&str> {
        let matching = self.headers.iter().filter(|(other, _)| other.eq_ignore_ascii_case(name));
        matching.map(|(_, value)| value.as_str()).collect()
    }

    /// The body as text, with invalid UTF-8 replaced.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("the body is not JSON ({error}): {self:?}"))
    }

    /// The decoded pairs of a form body.
    pub fn form(&self) -> Vec<(String, String)> {
        form_urlencoded::parse(&self.body).into_owned().collect()
    }
}
