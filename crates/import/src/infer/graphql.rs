//! GraphQL requests: the name and the variables of an operation.

use serde_json::value::RawValue;
use toolgate_domain::json::{self, Members};

use crate::request::path::UrlPath;
use crate::shape::Shape;
use crate::spelling::{is_plural, to_snake_case};
use crate::tables::{READING_VERBS, WRITING_VERBS};

/// The member of a body that holds the text of the operation.
pub(super) const QUERY_MEMBER: &str = "query";
/// The member of a body that holds the values of the variables.
pub(super) const VARIABLES_MEMBER: &str = "variables";

/// A GraphQL operation.
#[derive(Debug, PartialEq)]
pub(super) struct GraphQlOperation {
    /// The name in snake case, with a verb first.
    pub(super) name: String,
    /// Whether the operation only reads.
    pub(super) is_query: bool,
    pub(super) variables: Vec<GraphQlVariable>,
}

/// A declared variable of an operation.
#[derive(Debug, PartialEq)]
pub(super) struct GraphQlVariable {
    pub(super) name: String,
    /// `None` for a type that only the schema of the upstream defines.
    pub(super) shape: Option<Shape>,
    pub(super) is_required: bool,
    /// A scalar default of the operation, as JSON.
    pub(super) default: Option<String>,
}

impl GraphQlOperation {
    /// The operation of a request; `None` if it is not GraphQL.
    pub(super) fn from_request(path: &UrlPath, body: &Members) -> Option<Self> {
        let last = path.segments.iter().rfind(|segment| !segment.is_empty())?.to_ascii_lowercase();
        let is_graphql = last.trim_end_matches(".json").ends_with("graphql");
        let text = body.get(QUERY_MEMBER).and_then(|text| json::as_string(text));
        let text = text.filter(|text| is_graphql || begins_with_keyword(text));
        let member = body.get("operationName").and_then(|name| json::as_string(name));
        match (text, member) {
            (Some(text), member) => Some(Self::parse(&text, member.as_deref())),
            (None, Some(name)) if is_graphql && !body.contains_key(QUERY_MEMBER) => Self::persisted(&name),
            _ => None,
        }
    }

    /// A persisted operation, whose text only the upstream has. It is treated as a mutation, because it may write.
    fn persisted(operation_name: &str) -> Option<Self> {
        let name = to_snake_case(operation_name);
        let is_name = name.starts_with(|c: char| c.is_ascii_lowercase());
        is_name.then(|| Self { name: with_verb_first(&name), is_query: false, variables: Vec::new() })
    }

    /// Parses the text of an operation; `operation_name` is the name that the request selects.
    pub(super) fn parse(text: &str, operation_name: Option<&str>) -> Self {
        let tokens = tokens(text);
        let mut rest = tokens.as_slice();
        let mut is_query = true;
        let mut name = operation_name;
        if let [keyword @ ("query" | "mutation" | "subscription"), after @ ..] = rest {
            is_query = *keyword == "query";
            rest = after;
            if let [declared, after @ ..] = rest
                && is_name(declared)
            {
                name = name.or(Some(*declared));
                rest = after;
            }
        }
        let (variables, rest) = parse_variables(rest);
        let field = first_field(rest);
        let name = name.map(to_snake_case).filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase()));
        let name = name.map_or_else(|| field_name(&field, is_query), |name| with_verb_first(&name));
        Self { name, is_query, variables }
    }
}

/// Whether a text begins with the keyword of an operation: `query {` or `mutation Create(`.
fn begins_with_keyword(text: &str) -> bool {
    let tokens = tokens(text);
    let after = match tokens.as_slice() {
        ["query" | "mutation" | "subscription", name, after @ ..] if is_name(name) => after,
        ["query" | "mutation" | "subscription", after @ ..] => after,
        _ => return false,
    };
    matches!(after, ["{" | "(", ..]) && tokens.last() == Some(&"}")
}

/// The first field of a selection in snake case. A field that is only a verb is followed by the field in it:
/// `{ Get { Article { title } } }` is `get_article`.
fn first_field(tokens: &[&str]) -> String {
    let mut names = tokens.iter().enumerate().filter(|(_, token)| is_name(token));
    let Some((index, first)) = names.next() else { return String::new() };
    let is_verb = READING_VERBS.contains(&first.to_ascii_lowercase()) && tokens.get(index + 1) == Some(&"{");
    let inner = names.next().filter(|_| is_verb).map(|(_, inner)| format!("{first}_{inner}"));
    to_snake_case(&inner.unwrap_or_else(|| (*first).to_owned()))
}

/// The name for an anonymous operation, derived from its first field in snake case.
fn field_name(field: &str, is_query: bool) -> String {
    let has_verb = field.split_once('_').is_some_and(|(first, _)| READING_VERBS.contains(first));
    match (is_query, field.is_empty()) {
        (_, true) => "graphql".to_owned(),
        (true, false) if has_verb => field.to_owned(),
        (true, false) if is_plural(field) => format!("list_{field}"),
        (true, false) => format!("get_{field}"),
        (false, false) => with_verb_first(field),
    }
}

/// A name with the verb at its end moved to the front: `issue_create` is `create_issue`.
fn with_verb_first(name: &str) -> String {
    let is_verb = |word: &str| READING_VERBS.contains(word) || WRITING_VERBS.contains(word);
    let first = name.split('_').next().unwrap_or_default();
    match name.rsplit_once('_') {
        Some((object, verb)) if is_verb(verb) && !is_verb(first) => format!("{verb}_{object}"),
        _ => name.to_owned(),
    }
}

/// Parses `($name: Type = default, …)`; returns the variables and the tokens after them.
fn parse_variables<'a, 'b>(tokens: &'b [&'a str]) -> (Vec<GraphQlVariable>, &'b [&'a str]) {
    let Some(("(", inner)) = tokens.split_first().map(|(first, inner)| (*first, inner)) else {
        return (Vec::new(), tokens);
    };
    let end = inner.iter().position(|token| *token == ")").unwrap_or(inner.len());
    let (declarations, rest) = inner.split_at_checked(end).unwrap_or((inner, &[]));
    let variables = declarations.split(|token| *token == "$").filter_map(parse_variable).collect();
    (variables, rest)
}

/// Parses `name : Type = default`.
fn parse_variable(tokens: &[&str]) -> Option<GraphQlVariable> {
    let [name, ":", kind @ ..] = tokens else { return None };
    let end = kind.iter().position(|token| matches!(*token, "=" | "@")).unwrap_or(kind.len());
    let (kind, after) = kind.split_at_checked(end)?;
    let default = match after {
        ["=", literal, ..] => Some(*literal),
        _ => None,
    };
    let is_non_null = kind.last() == Some(&"!");
    Some(GraphQlVariable {
        name: (*name).to_owned(),
        shape: parse_type(kind),
        is_required: is_non_null && default.is_none(),
        default: default.and_then(literal_json),
    })
}

/// The shape of a type; `None` for a type that only the schema of the upstream defines.
fn parse_type(tokens: &[&str]) -> Option<Shape> {
    match tokens {
        [kind @ .., "!"] => parse_type(kind),
        ["[", item @ .., "]"] => Some(Shape::Array(Some(Box::new(parse_type(item)?)))),
        ["Int"] => Some(Shape::Integer),
        ["Float"] => Some(Shape::Number),
        ["Boolean"] => Some(Shape::Boolean),
        ["String" | "ID"] => Some(Shape::String(None)),
        _ => None,
    }
}

/// A scalar literal as JSON. An enum value is a string; lists and objects are not converted, so the default of the
/// operation applies.
fn literal_json(literal: &str) -> Option<String> {
    let is_json = serde_json::from_str::<&RawValue>(literal).is_ok() && !literal.starts_with(['[', '{', 'n']);
    if is_json {
        Some(literal.to_owned())
    } else {
        (is_name(literal) && literal != "null").then(|| format!("\"{literal}\""))
    }
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// Splits a text into names, numbers, strings and punctuation, without comments, commas and white space.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-' | '+');
        let length = match first {
            '#' => rest.find('\n').unwrap_or(rest.len()),
            '"' => string_length(rest),
            c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        let (token, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        if !matches!(first, '#' | ',') {
            tokens.push(token);
        }
        rest = after.trim_start();
    }
    tokens
}

/// The length of the string at the start of a text, with its quotes.
fn string_length(text: &str) -> usize {
    let mut is_escaped = false;
    let end = text.char_indices().skip(1).find(|(_, c)| {
        let is_end = *c == '"' && !is_escaped;
        is_escaped = *c == '\\' && !is_escaped;
        is_end
    });
    end.map_or(text.len(), |(offset, _)| offset + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> String {
        GraphQlOperation::parse(text, None).name
    }

    #[test]
    fn an_operation_is_named_by_its_own_name_or_its_first_field() {
        for (text, expected) in [
            ("query GetUserById($id: ID!) { user(id: $id) { name } }", "get_user_by_id"),
            ("mutation IssueCreate { x }", "create_issue"),
            ("mutation { customerCreate(input: $input) { id } }", "create_customer"),
            ("mutation { addToCart { id } }", "add_to_cart"),
            ("{ viewer { login } }", "get_viewer"),
            ("query { issues { id } }", "list_issues"),
            ("{ Get { Article(limit: 3) { title } } }", "get_article"),
            ("{ search(text: 1) { id } }", "get_search"),
            ("# a comment\n{ a: user { id } }", "get_a"),
            ("", "graphql"),
            ("{", "graphql"),
        ] {
            assert_eq!(name(text), expected, "{text}");
        }
        assert_eq!(GraphQlOperation::parse("query A { a } query B { b }", Some("B")).name, "b");
        assert!(!GraphQlOperation::parse("mutation { a }", None).is_query);
    }

    #[test]
    fn variables_have_their_declared_types() {
        let operation = GraphQlOperation::parse(
            r#"query ($a: Int!, $b: [String!]! = ["x"], $c: Float = 1.5, $d: Sort = ASC @x, $e: ID = "a,b)", $f: In, $g: Int! = 5) { a }"#,
            None,
        );
        let variable = |name: &str, shape, is_required, default: Option<&str>| GraphQlVariable {
            name: name.to_owned(),
            shape,
            is_required,
            default: default.map(str::to_owned),
        };
        let strings = Some(Shape::Array(Some(Box::new(Shape::String(None)))));
        assert_eq!(
            operation.variables,
            [
                variable("a", Some(Shape::Integer), true, None),
                variable("b", strings, false, None),
                variable("c", Some(Shape::Number), false, Some("1.5")),
                variable("d", None, false, Some("\"ASC\"")),
                variable("e", Some(Shape::String(None)), false, Some("\"a,b)\"")),
                variable("f", None, false, None),
                variable("g", Some(Shape::Integer), false, Some("5")),
            ]
        );
        for text in ["query (", "query ($", "query ($a", "query ($a:", "query ($a: = )", "query(\"", "\""] {
            GraphQlOperation::parse(text, None);
        }
    }
}
