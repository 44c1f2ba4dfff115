//! The parameter `querystring` of OpenAPI 3.2, which describes the whole query.

use toolgate_domain::parameters::ParameterLocation;

use crate::api::argument::ArgumentDraft;
use crate::api::openapi::body::properties;
use crate::api::openapi::failure::OperationError;
use crate::api::openapi::media_type::MediaKind;
use crate::api::openapi::scope::OperationScope;
use crate::api::problem::ProblemCode;
use crate::api::reference::Located;

/// The arguments of a query that is described as a form: one for each property. A query of another kind cannot be sent.
pub(super) fn drafts<'a>(
    scope: &mut OperationScope<'_, 'a>,
    parameter: &Located<'a>,
) -> Result<Vec<ArgumentDraft>, OperationError> {
    let unsupported = |message: &str| {
        Err(OperationError::new(ProblemCode::ParameterUnsupported, &parameter.pointer, message.to_owned()))
    };
    let content = parameter.member("content");
    let form = content.as_ref().and_then(|content| {
        content.members().find(|(media_type, _)| MediaKind::from_media_type(media_type) == MediaKind::Form)
    });
    let Some((_, form)) = form else {
        return unsupported("The query is not a form, so it cannot be sent as query parameters.");
    };
    let form = scope.resolve(form)?;
    let is_required = parameter.value.get("required") == Some(&true.into());
    match properties::form_drafts(scope, &form, ParameterLocation::Query, is_required)? {
        Some(drafts) => Ok(drafts),
        None => unsupported(
            "The query is a form without a fixed list of properties, so it cannot be sent as query parameters.",
        ),
    }
}
