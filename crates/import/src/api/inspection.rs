//! Converts every schema of a document without mapping operations to tools, to measure and to fuzz the conversion.

use serde_json::Value;
use toolgate_domain::json::JsonObject;

use crate::api::document::{Document, DocumentError};
use crate::api::reference::{Located, ReferenceResolver};
use crate::api::schema::{ArgumentSchema, SchemaContext, SchemaConverter, SchemaDetail, SchemaDirection};

/// The results of converting all operations of a document.
#[derive(Debug, Default)]
pub struct Inspection {
    /// The version of the format.
    pub version: String,
    /// Number of operations.
    pub operations: usize,
    /// Number of schemas with a reference that cannot be resolved.
    pub broken_references: usize,
    /// Number of schemas that exceed the limits of a tool.
    pub too_large: usize,
    /// The codes and pointers of all warnings.
    pub warnings: Vec<(&'static str, String)>,
    /// Two schemas for each operation: of its arguments and of its responses.
    pub schemas: Vec<JsonObject>,
    /// The size of all schemas in full detail, in bytes.
    pub full_bytes: usize,
}

/// Converts the schemas of all operations.
pub fn inspect(bytes: &[u8], detail: SchemaDetail) -> Result<Inspection, DocumentError> {
    let document = Document::parse(bytes)?;
    let warnings = document.warnings.iter().map(|warning| (warning.code, warning.pointer.to_string())).collect();
    let mut inspection = Inspection { version: document.version(), warnings, ..Inspection::default() };
    let resolver = ReferenceResolver::new(&document);
    let context = SchemaContext::new(&resolver);
    for (_, path_item) in resolver.root().member("paths").iter().flat_map(Located::members) {
        let Ok(path_item) = resolver.resolve(path_item) else { continue };
        for (method, operation) in path_item.members() {
            if is_method(method) {
                inspection.operations += 1;
                inspection.add(
                    &context,
                    request_schemas(&context, &path_item, &operation),
                    SchemaDirection::Request,
                    detail,
                );
                inspection.add(&context, response_schemas(&context, &operation), SchemaDirection::Response, detail);
            }
        }
    }
    Ok(inspection)
}

fn is_method(name: &str) -> bool {
    matches!(name, "get" | "put" | "post" | "delete" | "options" | "head" | "patch" | "trace" | "query")
}

/// The schemas of the parameters and of the body.
fn request_schemas<'a>(
    context: &SchemaContext<'a>,
    path_item: &Located<'a>,
    operation: &Located<'a>,
) -> Vec<Located<'a>> {
    let resolver = context.resolver();
    let lists = [path_item.member("parameters"), operation.member("parameters")];
    let parameters = lists.iter().flatten().flat_map(Located::items);
    let parameters = parameters.filter_map(|parameter| resolver.resolve(parameter).ok());
    let mut schemas: Vec<Located<'a>> =
        parameters.flat_map(|parameter| media_schemas(&parameter).unwrap_or_else(|| vec![parameter])).collect();
    let body = operation.member("requestBody").and_then(|body| resolver.resolve(body).ok());
    schemas.extend(body.and_then(|body| media_schemas(&body)).into_iter().flatten().take(1));
    schemas
}

fn response_schemas<'a>(context: &SchemaContext<'a>, operation: &Located<'a>) -> Vec<Located<'a>> {
    let responses = operation.member("responses");
    let responses = responses.iter().flat_map(Located::members).take(2);
    let responses = responses.filter_map(|(_, response)| context.resolver().resolve(response).ok());
    responses.filter_map(|response| media_schemas(&response)).flatten().collect()
}

/// The schema of a parameter, a body or a response.
fn media_schemas<'a>(holder: &Located<'a>) -> Option<Vec<Located<'a>>> {
    if let Some(schema) = holder.member("schema") {
        return Some(vec![schema]);
    }
    let content = holder.member("content")?;
    Some(content.members().filter_map(|(_, media)| media.member("schema")).collect())
}

impl Inspection {
    fn add<'a>(
        &mut self,
        context: &SchemaContext<'a>,
        sources: Vec<Located<'a>>,
        direction: SchemaDirection,
        detail: SchemaDetail,
    ) {
        let mut converter = SchemaConverter::new(context, direction);
        let mut arguments = Vec::new();
        for (index, source) in sources.into_iter().enumerate() {
            let Ok(members) = Self::members(&mut converter, &source) else {
                self.broken_references += 1;
                continue;
            };
            arguments.extend(members.into_iter().map(|(name, schema)| ArgumentSchema {
                name: format!("{name}_{index}"),
                schema,
                required: index % 2 == 0,
                pointer: source.pointer.clone(),
            }));
        }
        match converter.input_schema(arguments, detail) {
            Ok(input) => {
                let warnings = input.warnings.iter().map(|warning| (warning.code, warning.pointer.to_string()));
                self.warnings.extend(warnings);
                self.full_bytes += input.full_bytes;
                self.schemas.push(input.schema);
            }
            Err(_) => self.too_large += 1,
        }
    }

    /// One argument for each member of an object, or a single one for the whole value.
    fn members<'a>(
        converter: &mut SchemaConverter<'_, 'a>,
        source: &Located<'a>,
    ) -> Result<Vec<(String, Value)>, crate::api::reference::ReferenceError> {
        match converter.object_members(source)? {
            Some(members) if !members.is_open && !members.is_nullable => members
                .properties
                .iter()
                .map(|(name, property)| Ok((name.clone(), converter.convert_property(property)?)))
                .collect(),
            _ => Ok(vec![("value".to_owned(), converter.convert(source)?)]),
        }
    }
}
