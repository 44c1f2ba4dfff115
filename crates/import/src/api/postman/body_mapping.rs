//! The body of a tool that is made of a request.

use serde_json::{Map, Value};
use toolgate_domain::parameters::ParameterLocation;
use toolgate_domain::tool::BodyType;

use crate::api::argument::{ArgumentDraft, WHOLE_BODY};
use crate::api::pointer::Pointer;
use crate::api::postman::argument;

/// The body of a tool.
#[derive(Debug)]
pub(super) struct PostmanBody {
    pub(super) body_type: BodyType,
    /// Whether a body is sent even if a call has no argument for it.
    pub(super) is_required: bool,
    /// The header `Content-Type`, unless the request has one or the body type implies it.
    pub(super) content_type: Option<&'static str>,
    pub(super) arguments: Vec<ArgumentDraft>,
}

/// The parts of a request that the reading of its body depends on.
pub(super) struct BodyContext<'c> {
    pub(super) method: &'c str,
    /// The URL with its placeholders, without a query.
    pub(super) endpoint_url: &'c str,
    /// The static `Content-Type` header.
    pub(super) content_type: Option<&'c str>,
}

impl PostmanBody {
    pub(super) fn none() -> Self {
        Self { body_type: BodyType::Json, is_required: false, content_type: None, arguments: Vec::new() }
    }

    pub(super) fn new(body_type: BodyType, arguments: Vec<ArgumentDraft>) -> Self {
        Self { body_type, is_required: true, content_type: None, arguments }
    }
}

/// A required argument that is the whole body.
pub(super) fn whole_body_draft(
    schema: Map<String, Value>,
    mut rule: Map<String, Value>,
    pointer: &Pointer,
) -> ArgumentDraft {
    rule.insert("whole".to_owned(), true.into());
    let draft = argument::draft(ParameterLocation::Body, WHOLE_BODY, schema, pointer);
    ArgumentDraft { rule, required: true, ..draft }
}
