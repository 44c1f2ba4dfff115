//! The operations of a document, in its order.

use serde_json::Value;
use toolgate_domain::tool::HttpMethod;

use crate::api::openapi::failure::OperationError;
use crate::api::pointer::Pointer;
use crate::api::problem::{Problem, ProblemCode};
use crate::api::reference::{Located, ReferenceResolver};

/// The keys of a path item that are methods.
const METHOD_KEYS: [&str; 9] = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

/// Maximum number of operations that are read.
pub(super) const OPERATIONS_MAX: usize = 20_000;

/// Maximum number of tags of an operation that are read.
const TAGS_READ_MAX: usize = 200;

/// An operation with the path item that contains it.
pub(super) struct ApiOperation<'a> {
    /// The method, in upper case.
    pub(super) method: String,
    pub(super) path: &'a str,
    /// The position in `paths`, even if the path item is a reference.
    pub(super) pointer: Pointer,
    pub(super) path_item: Located<'a>,
    pub(super) operation: Located<'a>,
}

/// The operations of a document.
#[derive(Default)]
pub(super) struct OperationList<'a> {
    pub(super) operations: Vec<ApiOperation<'a>>,
    /// The number of operations, including those beyond the maximum.
    pub(super) count: usize,
    /// Operations that cannot be tools because of their method or form.
    pub(super) refused: Vec<(ApiOperation<'a>, OperationError)>,
    /// Broken path items.
    pub(super) problems: Vec<Problem>,
    /// The number of broken path items beyond the maximum, which are not listed.
    pub(super) unlisted_problems: usize,
}

impl<'a> ApiOperation<'a> {
    /// `METHOD /path`.
    pub(super) fn key(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    /// A text of the operation, else of the path item, else empty.
    pub(super) fn inherited_text(&self, key: &str) -> &'a str {
        self.operation.text(key).or_else(|| self.path_item.text(key)).unwrap_or_default()
    }

    pub(super) fn operation_id(&self) -> Option<&'a str> {
        self.operation.text("operationId").filter(|id| !id.trim().is_empty())
    }

    pub(super) fn tags(&self) -> Vec<String> {
        let tags = self.operation.value.get("tags").and_then(Value::as_array).into_iter().flatten();
        tags.filter_map(Value::as_str).map(str::to_owned).take(TAGS_READ_MAX).collect()
    }

    pub(super) fn is_deprecated(&self) -> bool {
        self.operation.value.get("deprecated") == Some(&Value::Bool(true))
    }

    pub(super) fn problem(&self, error: OperationError) -> Problem {
        let OperationError { code, message, pointer } = error;
        Problem { pointer, operation: Some(self.key()), code, message }
    }
}

impl<'a> OperationList<'a> {
    /// Lists the operations of `paths`. Methods that tools do not have, and broken path items, are problems.
    pub(super) fn collect(resolver: &ReferenceResolver<'a>, paths: &Located<'a>) -> Self {
        let mut list = Self::default();
        for (path, item) in paths.members().filter(|(path, _)| !path.starts_with("x-")) {
            let pointer = item.pointer.clone();
            match resolver.resolve(item) {
                Ok(item) if item.value.is_object() => list.add_path_item(path, &pointer, &item),
                Ok(_) => list.add_problem(path, OperationError::malformed(&pointer, "The path item is not an object.")),
                Err(error) => list.add_problem(path, error.into()),
            }
        }
        list
    }

    fn add_path_item(&mut self, path: &'a str, pointer: &Pointer, item: &Located<'a>) {
        for (key, operation) in item.members() {
            let method = key.to_ascii_lowercase();
            if METHOD_KEYS.contains(&method.as_str()) {
                self.add(method.to_ascii_uppercase(), path, pointer.member(key), item, operation);
            } else if key == "additionalOperations" {
                for (method, operation) in operation.members() {
                    let pointer = pointer.member(key).member(method);
                    self.add(method.to_owned(), path, pointer, item, operation);
                }
            }
        }
    }

    fn add(&mut self, method: String, path: &'a str, pointer: Pointer, item: &Located<'a>, operation: Located<'a>) {
        self.count += 1;
        if self.count > OPERATIONS_MAX {
            return;
        }
        let one = ApiOperation { method, path, pointer, path_item: item.clone(), operation };
        let error = if HttpMethod::parse(&one.method).is_none() {
            let message = format!("Tools do not have the method {}.", one.method);
            Some(OperationError::new(ProblemCode::MethodUnsupported, &one.pointer, message))
        } else if !one.operation.value.is_object() {
            Some(OperationError::malformed(&one.pointer, "The operation is not an object."))
        } else {
            None
        };
        match error {
            Some(error) => self.refused.push((one, error)),
            None => self.operations.push(one),
        }
    }

    fn add_problem(&mut self, path: &str, error: OperationError) {
        if self.problems.len() >= OPERATIONS_MAX {
            self.unlisted_problems += 1;
            return;
        }
        let OperationError { code, message, pointer } = error;
        self.problems.push(Problem { pointer, operation: Some(path.to_owned()), code, message });
    }
}
