//! What is known about a route. Everything that happens to a request before its handler, and everything
//! that is said about the route, comes from here.

use futures_util::future::BoxFuture;
use http::Method;
use serde_json::{Value, json};
use toolgate_domain::fault::Faults;

use crate::call::Call;
use crate::config::Config;
use crate::error::RestError;
use crate::params::{Arg, Args};
use crate::reply::Reply;

/// What a caller needs to be allowed to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Nothing: open to everyone.
    Public,
    /// Reading.
    Read,
    /// Changing.
    Write,
    /// Managing users, keys and the service.
    Admin,
}

/// Holds arguments to the rules of the domain.
pub(crate) type Rules = fn(&Args, &Config) -> Result<(), Faults>;

/// A handler: extract, call, convert.
pub(crate) type Handler = fn(Call) -> BoxFuture<'static, Result<Reply, RestError>>;

/// Turns an async function into a [`Handler`].
macro_rules! handler {
    ($function:path) => {
        |call| Box::pin($function(call))
    };
}
pub(crate) use handler;

/// One route.
pub(crate) struct Route {
    /// Methods it answers; HEAD comes with GET, OPTIONS always.
    pub(crate) methods: &'static [Method],
    /// Path below `api_base`, with `{name}` for numeric ids.
    pub(crate) path: &'static str,
    /// What it does, in one sentence.
    pub(crate) summary: &'static str,
    /// Name of the operation for generated clients.
    pub(crate) operation: &'static str,
    /// What the caller must be allowed to do.
    pub(crate) access: Access,
    /// Arguments beside the ids of the path.
    pub(crate) args: Vec<Arg>,
    /// The rules its handler holds the arguments to; asked when a value is of the wrong kind already, so that the
    /// caller learns of every fault at once.
    pub(crate) rules: Option<Rules>,
    /// What it answers when all goes well.
    pub(crate) reply: ReplyDoc,
    /// Error statuses beyond those every route has.
    pub(crate) errors: &'static [u16],
    /// What carries it out.
    pub(crate) handler: Handler,
}

/// A successful reply as documented.
#[derive(Clone, Debug)]
pub(crate) struct ReplyDoc {
    /// Status.
    pub(crate) status: u16,
    /// JSON Schema of the body.
    pub(crate) schema: Value,
    /// How the rest of a list is reached.
    pub(crate) paging: Paging,
    /// What the body can be.
    pub(crate) format: Format,
    /// Whether the same may come with 200, because it was there already.
    pub(crate) existing: bool,
}

/// How the rest of a list is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paging {
    /// There is no rest.
    None,
    /// Pages have numbers, and are counted.
    Pages,
    /// Each page says where the next begins.
    Cursor,
}

/// What a body can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Json,
    /// JSON, or a table where the caller asks for one.
    JsonOrCsv,
    /// Server-sent events.
    Events,
}

impl ReplyDoc {
    /// JSON of this schema.
    pub(crate) fn json(status: u16, schema: Value) -> Self {
        Self { status, schema, paging: Paging::None, format: Format::Json, existing: false }
    }

    pub(crate) fn paging(mut self, paging: Paging) -> Self {
        self.paging = paging;
        self
    }

    /// The same with 200, where it was there already.
    pub(crate) fn or_existing(mut self) -> Self {
        self.existing = true;
        self
    }

    pub(crate) fn format(mut self, format: Format) -> Self {
        self.format = format;
        self
    }
}

impl Route {
    /// A route that reads.
    pub(crate) fn read(path: &'static str, operation: &'static str, summary: &'static str, handler: Handler) -> Self {
        Self::new(&[Method::GET], Access::Read, path, operation, summary, handler)
    }

    /// A route that creates or does something.
    pub(crate) fn create(path: &'static str, operation: &'static str, summary: &'static str, handler: Handler) -> Self {
        Self::new(&[Method::POST], Access::Write, path, operation, summary, handler)
    }

    /// A route that updates: with any of three methods, and the same meaning with each.
    pub(crate) fn update(path: &'static str, operation: &'static str, summary: &'static str, handler: Handler) -> Self {
        let methods = &[Method::POST, Method::PUT, Method::PATCH];
        Self::new(methods, Access::Write, path, operation, summary, handler)
    }

    /// A route that deletes.
    pub(crate) fn delete(path: &'static str, operation: &'static str, summary: &'static str, handler: Handler) -> Self {
        Self::new(&[Method::DELETE], Access::Write, path, operation, summary, handler)
    }

    fn new(
        methods: &'static [Method],
        access: Access,
        path: &'static str,
        operation: &'static str,
        summary: &'static str,
        handler: Handler,
    ) -> Self {
        let reply = ReplyDoc::json(200, json!({"type": "object"}));
        Self { methods, path, summary, operation, access, args: vec![], rules: None, reply, errors: &[], handler }
    }

    pub(crate) fn args(mut self, args: Vec<Arg>) -> Self {
        self.args = args;
        self
    }

    pub(crate) fn rules(mut self, rules: Rules) -> Self {
        self.rules = Some(rules);
        self
    }

    pub(crate) fn reply(mut self, reply: ReplyDoc) -> Self {
        self.reply = reply;
        self
    }

    /// Error statuses beyond those every route has.
    pub(crate) fn errors(mut self, errors: &'static [u16]) -> Self {
        self.errors = errors;
        self
    }

    /// For administrators only.
    pub(crate) fn admin(mut self) -> Self {
        self.access = Access::Admin;
        self
    }

    /// Open to everyone.
    pub(crate) fn public(mut self) -> Self {
        self.access = Access::Public;
        self
    }

    /// The ids of the path, when `segments` is an address of this route.
    pub(crate) fn match_path(&self, segments: &[&str]) -> Option<Vec<(&'static str, i64)>> {
        let pattern: Vec<&'static str> = self.path.split('/').filter(|segment| !segment.is_empty()).collect();
        if pattern.len() != segments.len() {
            return None;
        }
        let mut ids = Vec::new();
        for (expected, segment) in pattern.into_iter().zip(segments) {
            match placeholder(expected) {
                Some(name) => ids.push((name, read_id(segment)?)),
                None if expected == *segment => {}
                None => return None,
            }
        }
        Some(ids)
    }

    /// The names of the ids in the path.
    pub(crate) fn path_ids(&self) -> impl Iterator<Item = &'static str> {
        self.path.split('/').filter_map(placeholder)
    }
}

fn placeholder(segment: &'static str) -> Option<&'static str> {
    segment.strip_prefix('{')?.strip_suffix('}')
}

/// Digits only; what is too large for an id is nobody's id: 0.
fn read_id(segment: &str) -> Option<i64> {
    let is_number = !segment.is_empty() && segment.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| segment.parse().unwrap_or(0))
}

impl std::fmt::Debug for Route {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} {}", self.methods, self.path)
    }
}
