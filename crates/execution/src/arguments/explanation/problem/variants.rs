//! A value that fits none of several alternatives. The alternative that the caller meant is chosen by a discriminator,
//! a member that has one constant in each alternative, else by the number of errors.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind;
use serde_json::{Map, Value};

use super::{ArgumentProblem, ProblemWriter, Remedy};
use crate::arguments::explanation::path::ArgumentPath;
use crate::arguments::explanation::{expected, shown};

/// How many alternatives are read.
const ALTERNATIVES_MAX: usize = 50;
/// How many members of an object may be discriminators.
const MEMBERS_MAX: usize = 50;
/// How many alternatives a text names.
const NAMED_MAX: usize = 4;

/// The errors of each alternative.
type VariantErrors = [Vec<ValidationError<'static>>];

/// The problems of a value that fits none of the alternatives.
pub(super) fn problems<'a>(
    writer: &ProblemWriter<'_, 'a>,
    path: &ArgumentPath,
    alternatives: &'a [Value],
    errors: &VariantErrors,
    depth: usize,
) -> Vec<ArgumentProblem> {
    let value = path.value(writer.arguments);
    let discriminator =
        value.and_then(Value::as_object).and_then(|members| discriminator(writer, alternatives, members));
    if let Some(discriminator) = discriminator {
        return match discriminator.chosen {
            Some(chosen) => chosen_variant(writer, path, alternatives, errors, &discriminator, chosen, depth),
            None => vec![unknown_variant(writer, path, &discriminator)],
        };
    }
    if let Some(problem) = needs_one(writer, path, errors) {
        return vec![problem];
    }
    let is_type_error = |error: &ValidationError<'_>| {
        matches!(error.kind(), ValidationErrorKind::Type { .. }) && is_at(writer, error, path)
    };
    let candidates = errors.iter().filter(|errors| !errors.iter().any(is_type_error));
    match candidates.min_by_key(|errors| errors.len()) {
        Some(fewest) => fewest.iter().flat_map(|error| writer.problems_of(error, depth)).collect(),
        None => vec![no_variant(writer, path, alternatives)],
    }
}

/// `The call needs "id" or "email"`. `None` unless each alternative reports only missing members, and no member twice.
fn needs_one(writer: &ProblemWriter<'_, '_>, path: &ArgumentPath, errors: &VariantErrors) -> Option<ArgumentProblem> {
    let mut groups: Vec<Vec<&str>> = Vec::new();
    for errors in errors.iter().take(NAMED_MAX) {
        let names = errors.iter().map(|error| match error.kind() {
            ValidationErrorKind::Required { property } if is_at(writer, error, path) => property.as_str(),
            _ => None,
        });
        groups.push(names.collect::<Option<Vec<&str>>>()?);
    }
    let names: Vec<&str> = groups.iter().flatten().copied().collect();
    let is_disjoint =
        names.iter().enumerate().all(|(index, name)| !names.iter().skip(index + 1).any(|other| other == name));
    if groups.len() < 2 || !is_disjoint || groups.iter().any(Vec::is_empty) {
        return None;
    }
    let quoted =
        |names: &Vec<&str>| shown::enumeration(&names.iter().map(|name| shown::quoted(name)).collect::<Vec<_>>());
    let groups: Vec<String> = groups.iter().map(quoted).collect();
    let text = format!("{path} needs {}", shown::alternatives(&groups));
    Some(ArgumentProblem { path: path.clone(), text, remedy: Remedy::Rewrite })
}

fn is_at(writer: &ProblemWriter<'_, '_>, error: &ValidationError<'_>, path: &ArgumentPath) -> bool {
    ArgumentPath::from_pointer(error.instance_path().as_str(), writer.arguments) == *path
}

/// A member that selects an alternative.
struct Discriminator<'a> {
    name: &'a str,
    /// Its constant in each alternative.
    constants: Vec<Option<&'a str>>,
    /// The alternative that the sent value selects.
    chosen: Option<usize>,
}

/// The member of the alternatives that has a constant in at least two of them.
fn discriminator<'a>(
    writer: &ProblemWriter<'_, 'a>,
    alternatives: &'a [Value],
    sent: &Map<String, Value>,
) -> Option<Discriminator<'a>> {
    let alternatives = alternatives.get(..alternatives.len().min(ALTERNATIVES_MAX))?;
    let first_names = alternatives.iter().flat_map(|schema| writer.view.property_names(schema)).take(MEMBERS_MAX);
    let candidates = first_names.filter_map(|name| {
        let constant =
            |schema| writer.view.property(schema, name).and_then(|schema| constant(writer.view.resolve(schema)));
        let constants: Vec<Option<&'a str>> = alternatives.iter().map(constant).collect();
        if constants.iter().flatten().count() < 2 {
            return None;
        }
        let text = sent.get(name)?.as_str()?;
        let chosen = constants.iter().position(|constant| *constant == Some(text));
        Some(Discriminator { name, constants, chosen })
    });
    let mut candidates: Vec<Discriminator<'a>> = candidates.collect();
    let best = candidates.iter().position(|candidate| candidate.chosen.is_some()).unwrap_or(0);
    (best < candidates.len()).then(|| candidates.swap_remove(best))
}

/// The only text that a schema accepts.
fn constant(schema: &Value) -> Option<&str> {
    let options = schema.get("enum").and_then(Value::as_array);
    schema.get("const").or_else(|| options.filter(|options| options.len() == 1)?.first())?.as_str()
}

/// `contact with "type":"mail" needs "address"; "number" belongs to "type":"phone"`.
fn chosen_variant<'a>(
    writer: &ProblemWriter<'_, 'a>,
    path: &ArgumentPath,
    alternatives: &'a [Value],
    errors: &VariantErrors,
    discriminator: &Discriminator<'a>,
    chosen: usize,
    depth: usize,
) -> Vec<ArgumentProblem> {
    let errors = errors.get(chosen).map_or(&[][..], Vec::as_slice);
    let needs = errors.iter().filter(|error| is_at(writer, error, path)).filter_map(|error| match error.kind() {
        ValidationErrorKind::Required { property } => property.as_str().map(shown::quoted),
        _ => None,
    });
    let needs: Vec<String> = needs.take(NAMED_MAX).collect();
    let foreign = foreign_members(writer, path, alternatives, discriminator, chosen);
    if needs.is_empty() && foreign.is_empty() {
        return errors.iter().flat_map(|error| writer.problems_of(error, depth)).collect();
    }
    let constant = |index: usize| discriminator.constants.get(index).copied().flatten().unwrap_or_default();
    let selector = |index: usize| format!("{}:{}", shown::quoted(discriminator.name), shown::quoted(constant(index)));
    let subject = if path.is_root() { "A call".to_owned() } else { path.to_string().trim_matches('"').to_owned() };
    let mut parts = Vec::new();
    if !needs.is_empty() {
        parts.push(format!("{subject} with {} needs {}", selector(chosen), shown::enumeration(&needs)));
    }
    for (name, index) in foreign {
        let start = if parts.is_empty() { format!("in {subject}, ") } else { String::new() };
        parts.push(format!("{start}{} belongs to {}", shown::quoted(name), selector(index)));
    }
    vec![ArgumentProblem { path: path.clone(), text: parts.join("; "), remedy: Remedy::Rewrite }]
}

/// The sent members that only other alternatives declare, each with the first such alternative.
fn foreign_members<'w, 'a>(
    writer: &'w ProblemWriter<'_, 'a>,
    path: &ArgumentPath,
    alternatives: &'a [Value],
    discriminator: &Discriminator<'a>,
    chosen: usize,
) -> Vec<(&'w str, usize)> {
    let declares = |index: usize, name: &str| {
        alternatives.get(index).is_some_and(|schema| writer.view.property(schema, name).is_some())
    };
    let members = path.value(writer.arguments).and_then(Value::as_object);
    let names = members.into_iter().flat_map(Map::keys).take(MEMBERS_MAX).map(String::as_str);
    let foreign = names.filter(|name| !declares(chosen, name)).filter_map(|name| {
        let others = discriminator.constants.iter().enumerate().filter(|(_, constant)| constant.is_some());
        others.map(|(index, _)| index).find(|index| declares(*index, name)).map(|index| (name, index))
    });
    foreign.take(NAMED_MAX).collect()
}

/// The discriminator has a value that no alternative has.
fn unknown_variant(
    writer: &ProblemWriter<'_, '_>,
    path: &ArgumentPath,
    discriminator: &Discriminator<'_>,
) -> ArgumentProblem {
    let path = path.member(discriminator.name);
    let options: Vec<Value> = discriminator.constants.iter().flatten().map(|text| Value::from(*text)).collect();
    let sent = path.value(writer.arguments).filter(|_| !writer.view.is_secret(&path));
    let cannot = sent.map_or_else(
        || "has a value that is not accepted".to_owned(),
        |sent| format!("cannot be {}", shown::value(sent)),
    );
    let text = format!("{path} {cannot}. It takes {}", expected::values(&options, sent, writer.detail));
    ArgumentProblem { path, text, remedy: Remedy::Replace("one of these values") }
}

/// No alternative accepts the type of the value.
fn no_variant<'a>(writer: &ProblemWriter<'_, 'a>, path: &ArgumentPath, alternatives: &'a [Value]) -> ArgumentProblem {
    let mut phrases: Vec<String> = Vec::new();
    for schema in alternatives.iter().take(NAMED_MAX) {
        let phrase = expected::phrase(writer.view, schema, None, writer.detail);
        if phrase != "null" && !phrases.contains(&phrase) {
            phrases.push(phrase);
        }
    }
    let sent = path.value(writer.arguments).filter(|_| !writer.view.is_secret(path));
    let not_value = sent.map(|sent| format!(", not {}", shown::value(sent))).unwrap_or_default();
    let text = format!("{path} must be {}{not_value}", shown::alternatives(&phrases));
    ArgumentProblem { path: path.clone(), text, remedy: Remedy::Rewrite }
}
