//! The errors of the validator as sentences, each with the remedy for its argument.

mod variants;

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{JsonType, ValidationError};
use serde_json::{Map, Value};
use toolgate_domain::closest::closest_name;

use super::detail::Detail;
use super::expected;
use super::path::ArgumentPath;
use super::schema_view::SchemaView;
use super::shown;

/// Maximum depth of nested `anyOf` and `oneOf` whose errors are read.
const DEPTH_MAX: usize = 4;
/// How many unknown members one object lists.
const UNKNOWN_MAX: usize = 5;
/// How many accepted names are listed for an unknown one.
const NAMES_MAX: usize = 8;

/// One problem of the arguments.
#[derive(Debug)]
pub(super) struct ArgumentProblem {
    /// Where it is.
    pub(super) path: ArgumentPath,
    /// What is wrong, and what is accepted.
    pub(super) text: String,
    /// What to do.
    pub(super) remedy: Remedy,
}

/// What to do about a problem.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Remedy {
    /// Add the missing argument.
    Add,
    /// Use another name.
    Rename,
    /// Leave it out.
    Remove,
    /// Send the JSON instead of a text that contains it.
    Unquote,
    /// Send something else, named by the noun.
    Replace(&'static str),
    /// Any other change.
    Rewrite,
}

/// Writes the problems of one call.
pub(super) struct ProblemWriter<'v, 'a> {
    pub(super) view: &'v SchemaView<'a>,
    pub(super) arguments: &'v Value,
    pub(super) tool: &'v str,
    pub(super) detail: Detail,
}

impl<'a> ProblemWriter<'_, 'a> {
    /// The problems that `errors` report and the arguments that the tool does not have, at most one for each path. A
    /// missing argument that was sent under a misspelt name is one problem.
    pub(super) fn problems(&self, errors: &[ValidationError<'_>]) -> Vec<ArgumentProblem> {
        let mut problems = self.value_problems(errors);
        for name in self.undeclared_arguments() {
            let problem = self.unknown(&ArgumentPath::default(), Some(self.view.document), name);
            if !problems.iter().any(|known| known.path == problem.path) {
                problems.push(problem);
            }
        }
        problems
    }

    /// The problems that `errors` report, at most one for each path.
    pub(super) fn value_problems(&self, errors: &[ValidationError<'_>]) -> Vec<ArgumentProblem> {
        let mut problems: Vec<ArgumentProblem> = Vec::new();
        for error in errors {
            for problem in self.problems_of(error, 0) {
                if !problems.iter().any(|known| known.path == problem.path) {
                    problems.push(problem);
                }
            }
        }
        problems
    }

    /// The arguments that the schema neither declares nor forbids: the upstream would not get them.
    fn undeclared_arguments(&self) -> impl Iterator<Item = &str> {
        let declared = self.view.property_names(self.view.document);
        let is_open = ["additionalProperties", "patternProperties", "unevaluatedProperties"]
            .iter()
            .any(|keyword| self.view.document.get(*keyword).is_some());
        let allows_any_name = declared.is_empty() || is_open;
        let names = self.arguments.as_object().into_iter().flat_map(Map::keys).map(String::as_str);
        names.filter(move |name| !allows_any_name && !declared.contains(name)).take(UNKNOWN_MAX)
    }

    /// The problems that an error reports; the errors of alternatives are read down to [`DEPTH_MAX`].
    pub(super) fn problems_of(&self, error: &ValidationError<'_>, depth: usize) -> Vec<ArgumentProblem> {
        let path = ArgumentPath::from_pointer(error.instance_path().as_str(), self.arguments);
        let schema = self.view.schema_of_keyword(error.schema_path().as_str());
        match error.kind() {
            ValidationErrorKind::Required { property } => {
                vec![self.missing(&path, schema, property.as_str().unwrap_or_default())]
            }
            ValidationErrorKind::AdditionalProperties { unexpected }
            | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
                let names = unexpected.iter().take(UNKNOWN_MAX);
                names.map(|name| self.unknown(&path, schema, name)).collect()
            }
            ValidationErrorKind::FalseSchema if error.schema_path().as_str().ends_with("/additionalProperties") => {
                let members = path.value(self.arguments).and_then(Value::as_object).into_iter().flat_map(Map::keys);
                members.take(UNKNOWN_MAX).map(|name| self.unknown(&path, schema, name)).collect()
            }
            ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context }
                if depth < DEPTH_MAX =>
            {
                let alternatives = self.view.document.pointer(error.schema_path().as_str()).and_then(Value::as_array);
                variants::problems(self, &path, alternatives.map_or(&[][..], Vec::as_slice), context, depth + 1)
            }
            kind => {
                let (text, remedy) = self.about_value(&path, schema.unwrap_or(&Value::Null), kind, error);
                vec![ArgumentProblem { text: format!("{path} {text}"), path, remedy }]
            }
        }
    }

    /// A required member that is missing, or that was sent under a misspelt name.
    fn missing(&self, object: &ArgumentPath, schema: Option<&'a Value>, name: &str) -> ArgumentProblem {
        let path = object.member(name);
        let schema = schema.or_else(|| self.view.schema_at(object));
        let property = schema.and_then(|schema| self.view.property(schema, name));
        let property = property.or_else(|| self.view.schema_at(&path));
        let accepted = property.map(|property| expected::phrase(self.view, property, None, self.detail));
        if let Some(sent) = self.misspelt(object, schema, name) {
            let accepted = accepted.map_or_else(|| "required".to_owned(), |accepted| format!("required: {accepted}"));
            let text = format!(
                "{}: did you mean {} ({accepted})?",
                self.not_an_argument(&object.member(sent)),
                shown::quoted(name)
            );
            return ArgumentProblem { path: object.member(sent), text, remedy: Remedy::Rename };
        }
        let description = property.map(|property| self.view.resolve(property)).and_then(expected::description);
        let description = description.filter(|_| self.detail.has_description);
        let takes = match (accepted, description) {
            (Some(accepted), Some(description)) => format!(" It takes {accepted}: {description}."),
            (Some(accepted), None) => format!(" It takes {accepted}."),
            (None, _) => String::new(),
        };
        ArgumentProblem { text: format!("{path} is missing (required).{takes}"), path, remedy: Remedy::Add }
    }

    /// The undeclared member of an object that probably stands for `name`.
    fn misspelt(&self, object: &ArgumentPath, schema: Option<&'a Value>, name: &str) -> Option<&str> {
        let members = object.value(self.arguments)?.as_object()?;
        let declared = schema.map(|schema| self.view.property_names(schema)).unwrap_or_default();
        let undeclared = members.keys().map(String::as_str).filter(|sent| !declared.contains(sent)).take(50);
        closest_name(name, undeclared)
    }

    fn not_an_argument(&self, path: &ArgumentPath) -> String {
        format!("{path} is not an argument of {}", self.tool)
    }

    /// A member that the schema does not allow.
    pub(super) fn unknown(&self, object: &ArgumentPath, schema: Option<&'a Value>, name: &str) -> ArgumentProblem {
        let path = object.member(name);
        let names = schema.map(|schema| self.view.property_names(schema)).unwrap_or_default();
        let sent = object.value(self.arguments);
        let is_unused = |candidate: &&str| sent.is_none_or(|sent| sent.get(*candidate).is_none());
        let unused: Vec<&str> = names.into_iter().filter(is_unused).collect();
        let start = self.not_an_argument(&path);
        if let Some(meant) = closest_name(name, unused.iter().copied()) {
            let is_required = schema.is_some_and(|schema| self.view.required_names(schema).contains(&meant));
            let accepted = schema.and_then(|schema| self.view.property(schema, meant)).filter(|_| is_required);
            let accepted = accepted
                .map(|schema| format!(" (required: {})", expected::phrase(self.view, schema, None, self.detail)));
            let text = format!("{start}: did you mean {}{}?", shown::quoted(meant), accepted.unwrap_or_default());
            return ArgumentProblem { path, text, remedy: Remedy::Rename };
        }
        let offered: Vec<String> = unused.iter().take(NAMES_MAX).map(|name| shown::quoted(name)).collect();
        let more =
            if unused.len() > NAMES_MAX { format!(", … {} more", unused.len() - NAMES_MAX) } else { String::new() };
        let text = if offered.is_empty() { start } else { format!("{start}. It takes {}{more}", offered.join(", ")) };
        ArgumentProblem { path, text, remedy: Remedy::Remove }
    }

    /// What is wrong with a value, as the rest of a sentence that begins with its path.
    fn about_value(
        &self,
        path: &ArgumentPath,
        schema: &'a Value,
        kind: &ValidationErrorKind,
        error: &ValidationError<'_>,
    ) -> (String, Remedy) {
        let sent = path.value(self.arguments).filter(|_| !self.view.is_secret(path));
        if let Some(found) = self.about_parts(schema, kind, sent) {
            return found;
        }
        let not_value = sent.map(|sent| format!(", not {}", shown::value(sent))).unwrap_or_default();
        let must = |what: String| format!("must be {what}{not_value}");
        match kind {
            ValidationErrorKind::Type { kind } => self.wrong_type(path, schema, kind, &not_value),
            ValidationErrorKind::Enum { options } => {
                let options = options.as_array().map_or(&[][..], Vec::as_slice);
                (self.wrong_value(sent, options), Remedy::Replace("one of these values"))
            }
            ValidationErrorKind::Constant { expected_value } => {
                (must(shown::value(expected_value)), Remedy::Replace("this value"))
            }
            ValidationErrorKind::Minimum { .. }
            | ValidationErrorKind::Maximum { .. }
            | ValidationErrorKind::ExclusiveMinimum { .. }
            | ValidationErrorKind::ExclusiveMaximum { .. }
            | ValidationErrorKind::MultipleOf { .. } => {
                let range = expected::range(schema).unwrap_or_else(|| "in range".to_owned());
                let range = range.strip_prefix("of ").or_else(|| range.strip_prefix("that is ")).unwrap_or(&range);
                (must(range.to_owned()), Remedy::Replace("a number in this range"))
            }
            ValidationErrorKind::MinLength { .. } | ValidationErrorKind::MaxLength { .. } => {
                let length = expected::length(schema, "minLength", "maxLength", "character").unwrap_or_default();
                (must(format!("text {length}")), Remedy::Replace("a text of this length"))
            }
            ValidationErrorKind::Pattern { .. } => (self.wrong_form(sent, schema), Remedy::Replace("such a value")),
            ValidationErrorKind::Format { format } => {
                let form = expected::format_phrase(format);
                let form = form.map(|(noun, sample)| format!("{noun} such as {sample}"));
                (
                    must(form.unwrap_or_else(|| format!("a valid {}", shown::name(format)))),
                    Remedy::Replace("such a value"),
                )
            }
            ValidationErrorKind::OneOfMultipleValid { .. } => {
                ("fits more than one of the allowed forms: send the members of one only".to_owned(), Remedy::Rewrite)
            }
            ValidationErrorKind::Not { .. } => {
                let excluded = schema.get("not").map(|schema| expected::phrase(self.view, schema, None, self.detail));
                let excluded = excluded.filter(|phrase| phrase != "a value");
                (
                    format!("must not be {}", excluded.as_deref().unwrap_or("this value")),
                    Remedy::Replace("another value"),
                )
            }
            ValidationErrorKind::FalseSchema => ("is not allowed".to_owned(), Remedy::Remove),
            _ => (format!("is not valid: {}", shown::truncate(&error.masked().to_string(), 120)), Remedy::Rewrite),
        }
    }

    /// What is wrong with a list or an object as a whole, such as its number of items; `None` for any other error.
    fn about_parts(
        &self,
        schema: &'a Value,
        kind: &ValidationErrorKind,
        sent: Option<&Value>,
    ) -> Option<(String, Remedy)> {
        Some(match kind {
            ValidationErrorKind::MinItems { .. } | ValidationErrorKind::MaxItems { .. } => {
                let length = expected::length(schema, "minItems", "maxItems", "item").unwrap_or_default();
                let count = sent.and_then(Value::as_array).map_or(0, Vec::len);
                (format!("must be a list {length}, not of {count}"), Remedy::Replace("a list of this length"))
            }
            ValidationErrorKind::UniqueItems => {
                ("must not have an item twice".to_owned(), Remedy::Replace("each item once"))
            }
            ValidationErrorKind::Contains => {
                let item = schema.get("contains").map(|item| expected::phrase(self.view, item, None, self.detail));
                let item = item.unwrap_or_else(|| "another value".to_owned());
                (format!("must have an item that is {item}"), Remedy::Replace("such an item"))
            }
            ValidationErrorKind::AdditionalItems { .. } | ValidationErrorKind::UnevaluatedItems { .. } => {
                ("has more items than it takes".to_owned(), Remedy::Replace("fewer items"))
            }
            ValidationErrorKind::MinProperties { .. } | ValidationErrorKind::MaxProperties { .. } => {
                let count = expected::length(schema, "minProperties", "maxProperties", "member").unwrap_or_default();
                let count = count.strip_prefix("of ").unwrap_or(&count);
                (format!("must have {count}"), Remedy::Replace("such an object"))
            }
            ValidationErrorKind::PropertyNames { error } => {
                let name = sent.and(error.instance().as_str());
                (wrong_member_name(schema, name), Remedy::Rewrite)
            }
            _ => return None,
        })
    }

    fn wrong_type(&self, path: &ArgumentPath, schema: &'a Value, kind: &TypeKind, not_value: &str) -> (String, Remedy) {
        let sent = path.value(self.arguments);
        let names: Vec<JsonType> = match kind {
            TypeKind::Single(name) => vec![*name],
            TypeKind::Multiple(names) => names.iter().collect(),
        };
        let accepted = expected::phrase(self.view, schema, sent, self.detail);
        let accepts_list_or_object = names.iter().any(|name| matches!(name, JsonType::Array | JsonType::Object));
        if accepts_list_or_object && sent.is_some_and(Value::is_string) {
            return (format!("must be {accepted}, not a string"), Remedy::Unquote);
        }
        let noun = match names.iter().find(|name| **name != JsonType::Null).unwrap_or(&JsonType::Null) {
            JsonType::Null => "null",
            JsonType::Boolean => "true or false",
            JsonType::Integer => "a whole number",
            JsonType::Number => "a number",
            JsonType::String => "text",
            JsonType::Array => "a list",
            JsonType::Object => "an object",
        };
        (format!("must be {accepted}{not_value}"), Remedy::Replace(noun))
    }

    /// `cannot be "close": did you mean "closed"? It takes …`.
    fn wrong_value(&self, sent: Option<&Value>, options: &[Value]) -> String {
        let cannot = sent.map_or_else(
            || "has a value that is not accepted".to_owned(),
            |sent| format!("cannot be {}", shown::value(sent)),
        );
        let texts = options.iter().filter_map(Value::as_str).take(1000);
        let meant = sent.and_then(Value::as_str).and_then(|sent| closest_name(sent, texts));
        let meant = meant.map_or_else(|| ".".to_owned(), |meant| format!(": did you mean {}?", shown::quoted(meant)));
        format!("{cannot}{meant} It takes {}", expected::values(options, sent, self.detail))
    }

    /// `cannot be "Kim": it looks like agt_31c0 (^agt_[a-f0-9]+$)`.
    fn wrong_form(&self, sent: Option<&Value>, schema: &'a Value) -> String {
        let cannot =
            sent.map_or_else(|| "has the wrong form".to_owned(), |sent| format!("cannot be {}", shown::value(sent)));
        match (expected::sample_text(self.view, schema), expected::shown_pattern(schema)) {
            (Some(sample), Some(pattern)) => format!("{cannot}: it looks like {sample} ({pattern})"),
            (Some(sample), None) => format!("{cannot}: it looks like {sample}"),
            (None, Some(pattern)) => format!("{cannot}: it must match {pattern}"),
            (None, None) => format!("{cannot}: it must match the pattern of the schema"),
        }
    }
}

/// `has a member "Bad Key" whose name is not allowed: names match ^[a-z]+$`.
fn wrong_member_name(schema: &Value, name: Option<&str>) -> String {
    let name = name.map(|name| format!(" {}", shown::quoted(name))).unwrap_or_default();
    let pattern = expected::shown_pattern(schema.get("propertyNames").unwrap_or(schema));
    let rule = pattern.map(|pattern| format!(": names match {pattern}")).unwrap_or_default();
    format!("has a member{name} whose name is not allowed{rule}")
}
