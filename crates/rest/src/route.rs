//! The definition of a route. The dispatcher and the documentation are both driven by it.

use futures_util::future::BoxFuture;
use http::Method;
use serde_json::{Value, json};
use toolgate_domain::fault::Faults;
use toolgate_execution::egress::EgressRule;

use crate::access::Access;
use crate::error::RestError;
use crate::params::{Arg, ArgLocation, Args, Arguments, BodyFormat};
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::schema::{NamedSchema, ReplyObject};

/// Runs a route: reads the arguments, calls the storage or a service, converts the result.
pub(crate) type RouteHandler =
    Box<dyn Fn(ApiRequest, Args) -> BoxFuture<'static, Result<ApiReply, RestError>> + Send + Sync>;

/// An async function that handles a request: `fn(ApiRequest)`, or `fn(ApiRequest, A)` with the arguments `A`. `M` only
/// distinguishes the two forms.
pub(crate) trait Handler<M>: Send + Sync + 'static {
    type Args: Arguments;

    fn call(&self, request: ApiRequest, args: Self::Args) -> BoxFuture<'static, Result<ApiReply, RestError>>;
}

impl<F, R> Handler<()> for F
where
    F: Fn(ApiRequest) -> R + Send + Sync + 'static,
    R: Future<Output = Result<ApiReply, RestError>> + Send + 'static,
{
    type Args = ();

    fn call(&self, request: ApiRequest, (): ()) -> BoxFuture<'static, Result<ApiReply, RestError>> {
        Box::pin(self(request))
    }
}

impl<F, A, R> Handler<(A,)> for F
where
    F: Fn(ApiRequest, A) -> R + Send + Sync + 'static,
    A: Arguments,
    R: Future<Output = Result<ApiReply, RestError>> + Send + 'static,
{
    type Args = A;

    fn call(&self, request: ApiRequest, args: A) -> BoxFuture<'static, Result<ApiReply, RestError>> {
        Box::pin(self(request, args))
    }
}

/// An operation of the API.
pub(crate) struct Operation {
    /// Id in the OpenAPI document.
    pub(crate) id: &'static str,
    /// One sentence for the documentation.
    pub(crate) summary: &'static str,
}

impl Operation {
    pub(crate) fn new(id: &'static str, summary: &'static str) -> Self {
        Self { id, summary }
    }

    /// A route that reads.
    pub(crate) fn read<M>(self, path: &'static str, handler: impl Handler<M>) -> Route {
        self.route(&[Method::GET], Access::Read, path, handler)
    }

    /// A route that creates an object or runs an action.
    pub(crate) fn create<M>(self, path: &'static str, handler: impl Handler<M>) -> Route {
        self.route(&[Method::POST], Access::Write, path, handler)
    }

    /// A route that updates; POST, PUT and PATCH have the same effect.
    pub(crate) fn update<M>(self, path: &'static str, handler: impl Handler<M>) -> Route {
        self.route(&[Method::POST, Method::PUT, Method::PATCH], Access::Write, path, handler)
    }

    /// A route that deletes.
    pub(crate) fn delete<M>(self, path: &'static str, handler: impl Handler<M>) -> Route {
        self.route(&[Method::DELETE], Access::Write, path, handler)
    }

    fn route<M, H: Handler<M>>(
        self,
        methods: &'static [Method],
        access: Access,
        path: &'static str,
        handler: H,
    ) -> Route {
        let is_create = methods == [Method::POST];
        Route {
            operation: self,
            methods,
            path,
            access,
            args: H::Args::declare().into_iter().map(|arg| arg.for_route(is_create)).collect(),
            body_format: BodyFormat::Arguments,
            body_parts: Vec::new(),
            check: |args, egress| H::Args::read(args).check(egress),
            reply: ReplyDoc::json(200, json!({"type": "object"})),
            errors: &[],
            handler: Box::new(move |request, mut args| handler.call(request, H::Args::read(&mut args))),
        }
    }
}

/// One route.
pub(crate) struct Route {
    pub(crate) operation: Operation,
    /// Supported methods; GET includes HEAD, and every route has OPTIONS.
    pub(crate) methods: &'static [Method],
    /// Path below `api_base`, with `{name}` for numeric ids.
    pub(crate) path: &'static str,
    /// The access the caller needs.
    pub(crate) access: Access,
    /// Arguments, except the ids in the path.
    pub(crate) args: Vec<Arg>,
    /// How the request body is read.
    pub(crate) body_format: BodyFormat,
    /// The parts of the request body that have names in the OpenAPI document.
    pub(crate) body_parts: Vec<NamedSchema>,
    /// [`Arguments::check`] of the arguments.
    pub(crate) check: fn(&mut Args, &EgressRule) -> Result<(), Faults>,
    /// The successful reply.
    pub(crate) reply: ReplyDoc,
    /// Error statuses in addition to those of every route.
    pub(crate) errors: &'static [u16],
    pub(crate) handler: RouteHandler,
}

/// The documentation of a successful reply.
#[derive(Clone, Debug)]
pub(crate) struct ReplyDoc {
    /// HTTP status.
    pub(crate) status: u16,
    /// JSON Schema of the body.
    pub(crate) schema: Value,
    /// The schema and its parts that have names in the OpenAPI document.
    pub(crate) named_schemas: Vec<NamedSchema>,
    /// How a client gets further pages of a list.
    pub(crate) paging: Paging,
    /// The formats of the body.
    pub(crate) format: Format,
    /// Whether the route replies 200 with the same body if the object exists already.
    pub(crate) may_exist: bool,
    /// Whether a reply with status 201 names the URL of the new object.
    pub(crate) has_location: bool,
}

/// How a client gets further pages of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paging {
    /// The list is complete.
    None,
    /// Numbered pages, with totals.
    Pages,
    /// Each page has a cursor for the next.
    Cursor,
}

/// The formats of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Json,
    /// JSON, or CSV on request.
    JsonOrCsv,
    /// JSON; CSV or NDJSON on request.
    JsonCsvOrNdjson,
    /// A document of an API, JSON or YAML.
    Document,
    /// Server-sent events.
    Events,
}

impl ReplyDoc {
    /// A JSON reply with this schema.
    pub(crate) fn json(status: u16, schema: Value) -> Self {
        Self {
            status,
            schema,
            named_schemas: Vec::new(),
            paging: Paging::None,
            format: Format::Json,
            may_exist: false,
            has_location: status == 201,
        }
    }

    /// A JSON reply with this schema, which has a name in the OpenAPI document.
    pub(crate) fn named(status: u16, name: impl Into<String>, schema: Value) -> Self {
        let named_schema = NamedSchema::new(name, schema.clone());
        Self::json(status, schema).part(named_schema)
    }

    /// The new object cannot be read again, so the reply has no `Location`.
    pub(crate) fn without_location(mut self) -> Self {
        self.has_location = false;
        self
    }

    /// Names a part of the schema.
    pub(crate) fn part(mut self, part: NamedSchema) -> Self {
        self.named_schemas.push(part);
        self
    }

    /// Names the parts of the schema that are a `T`.
    pub(crate) fn part_type<T: ReplyObject>(self) -> Self {
        self.part(NamedSchema::new(T::name(), T::schema()))
    }

    pub(crate) fn paging(mut self, paging: Paging) -> Self {
        self.paging = paging;
        self
    }

    /// Also replies 200 if the object exists already.
    pub(crate) fn or_existing(mut self) -> Self {
        self.may_exist = true;
        self
    }

    pub(crate) fn format(mut self, format: Format) -> Self {
        self.format = format;
        self
    }
}

impl Route {
    pub(crate) fn reply(mut self, reply: ReplyDoc) -> Self {
        self.reply = reply;
        self
    }

    /// Sets how the request body is read.
    pub(crate) fn body_format(mut self, body_format: BodyFormat) -> Self {
        self.body_format = body_format;
        self
    }

    /// Names a part of the request body.
    pub(crate) fn body_part(mut self, name: &str, schema: Value) -> Self {
        self.body_parts.push(NamedSchema::new(name, schema));
        self
    }

    /// Error statuses in addition to those of every route.
    pub(crate) fn errors(mut self, errors: &'static [u16]) -> Self {
        self.errors = errors;
        self
    }

    /// Restricts the route to administrators.
    pub(crate) fn admin(mut self) -> Self {
        self.access = Access::Admin;
        self
    }

    /// Makes the route available to every user, for the user's own objects.
    pub(crate) fn own(mut self) -> Self {
        self.access = if self.access == Access::Read { Access::ReadOwn } else { Access::ChangeOwn };
        self
    }

    /// Makes the route available without authentication.
    pub(crate) fn public(mut self) -> Self {
        self.access = Access::Public;
        self
    }

    /// The ids in the path, if `segments` matches this route.
    pub(crate) fn match_path(&self, segments: &[&str]) -> Option<Vec<(&'static str, i64)>> {
        let pattern: Vec<&'static str> = self.path.split('/').filter(|segment| !segment.is_empty()).collect();
        if pattern.len() != segments.len() {
            return None;
        }
        let mut ids = Vec::new();
        for (expected, segment) in pattern.into_iter().zip(segments) {
            match placeholder(expected) {
                Some(name) => ids.push((name, parse_id(segment)?)),
                None if expected == *segment => {}
                None => return None,
            }
        }
        Some(ids)
    }

    /// Whether the object that the route writes and returns has this field. A client may send back an object that it
    /// has read, including the fields that only the service sets.
    pub(crate) fn is_field_of_object(&self, name: &str) -> bool {
        let Some(fields) = self.reply.schema["properties"].as_object() else { return false };
        let writes_object =
            self.args.iter().any(|arg| arg.location == ArgLocation::Body && fields.contains_key(arg.name));
        writes_object && fields.contains_key(name)
    }

    /// The names of the ids in the route's path.
    pub(crate) fn path_ids(&self) -> impl Iterator<Item = &'static str> {
        self.path.split('/').filter_map(placeholder)
    }
}

fn placeholder(segment: &'static str) -> Option<&'static str> {
    segment.strip_prefix('{')?.strip_suffix('}')
}

/// Accepts digits only. A number too large for an id becomes 0, which no object has.
fn parse_id(segment: &str) -> Option<i64> {
    let is_number = !segment.is_empty() && segment.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| segment.parse().unwrap_or(0))
}

impl std::fmt::Debug for Route {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} {}", self.methods, self.path)
    }
}
