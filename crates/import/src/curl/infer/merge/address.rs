//! The addresses of commands as one with placeholders, and arguments.

use std::collections::{HashMap, HashSet};

use toolgate_domain::json;

use super::body::of_texts;
use super::seen::by_name;
use crate::curl::body::Field;
use crate::curl::infer::argument::{Argument, Location, Standing};
use crate::curl::infer::discretion;
use crate::curl::infer::example::Example;
use crate::curl::infer::names::{self, Names};
use crate::curl::infer::path::{self, Path};
use crate::curl::infer::query::{self, QueryPiece};
use crate::curl::infer::shape::Shape;
use crate::curl::infer::spelling;
use crate::curl::infer::texts;
use crate::curl::request::Url;
use crate::curl::warnings::Warnings;

/// How much of a segment becomes part of a name, in characters.
const OWNER_MAX: usize = 50;

/// The address of a tool.
pub(super) struct Address {
    pub(super) path: Path,
    /// The path with what stays of the query.
    pub(super) url: Url,
    /// What fills the placeholders, then what goes into the query.
    pub(super) arguments: Vec<Argument>,
}

/// The query of a tool.
struct Query {
    fixed: Option<String>,
    arguments: Vec<Argument>,
}

impl Address {
    pub(super) fn of(commands: &[Example], first: &Example, warnings: &mut Warnings) -> Self {
        let query = Query::of(commands, first, warnings);
        let differing: Vec<bool> = (0..first.path.segments.len())
            .map(|at| commands.iter().any(|command| segment(command, at) != segment(first, at)))
            .collect();
        let staying = first.path.segments.iter().zip(&differing).filter(|(_, is_differing)| !**is_differing);
        let staying: Vec<&str> = staying.map(|(segment, _)| segment.as_str()).collect();
        let staying = Url { base: staying.join("/"), query: query.fixed.clone() };
        let mut names = Names::default();
        for name in staying.placeholders() {
            names.take(name);
        }
        let mut ids: HashMap<String, Argument> = HashMap::new();
        let segments = differing.iter().enumerate().map(|(at, is_differing)| {
            if !is_differing {
                return segment(first, at).to_owned();
            }
            let name = names.take(&id_name(commands, first, at));
            let placeholder = format!("{{{name}}}");
            ids.insert(name.clone(), id(&name, commands, at));
            placeholder
        });
        let path = first.path.with(segments.collect());
        let url = Url { base: path.base(), query: query.fixed };
        let fillings = url.placeholders().into_iter().map(|name| {
            let own = || Argument::placeholder(name, Shape::String(None), json::raw_string(name));
            ids.remove(name).unwrap_or_else(own)
        });
        Self { arguments: fillings.chain(query.arguments).collect(), path, url }
    }
}

impl Query {
    fn of(commands: &[Example], first: &Example, warnings: &mut Warnings) -> Self {
        let staying: HashSet<&str> = commands
            .iter()
            .flat_map(|command| &command.query.fixed)
            .filter_map(|piece| piece.name.as_deref())
            .collect();
        let mut pieces: Vec<&QueryPiece> = first.query.fixed.iter().collect();
        let parameters = commands.iter().map(|command| &command.query.parameters);
        let parameters = by_name(parameters.map(|own| own.iter().map(|(name, own)| (name.as_str(), own))));
        let mut arguments = Vec::new();
        for (name, seen) in parameters {
            let fields: Vec<&Field> = seen.values.iter().map(|own| &own.field).collect();
            let standing = seen.standing(commands.len(), |one, other| one.field == other.field);
            if staying.contains(name) || (standing.is_agreed && !discretion::sounds_secret(name)) {
                pieces.extend(seen.first.pieces.iter().filter(|_| standing.is_in_first));
            } else {
                // the address is where a query is fixed, so nothing of it is a constant
                let standing = Standing { is_agreed: false, ..standing };
                arguments.push(of_texts(Location::Query, name, &fields, standing));
            }
        }
        let kept = fixed(first, &staying);
        if commands.iter().any(|command| fixed(command, &staying) != kept) {
            warnings.add(
                "The commands differ in a part of the query that cannot be an argument; what the first says was kept.",
            );
        }
        Self { fixed: query::written(pieces), arguments }
    }
}

/// What of a command's query cannot be an argument of any.
fn fixed(command: &Example, staying: &HashSet<&str>) -> Option<String> {
    let parameters = command.query.parameters.iter().filter(|(name, _)| staying.contains(name.as_str()));
    query::written(parameters.flat_map(|(_, own)| &own.pieces).chain(&command.query.fixed).collect())
}

fn segment(command: &Example, at: usize) -> &str {
    command.path.segments.get(at).map_or("", String::as_str)
}

/// What to call an id: as one command does, else after what it is the id of.
fn id_name(commands: &[Example], first: &Example, at: usize) -> String {
    let named = commands.iter().find_map(|command| path::placeholder(segment(command, at)));
    let before = at.checked_sub(1).map(|at| segment(first, at)).filter(|before| !path::is_id(before));
    let before = before.filter(|before| !path::is_prefix(before));
    let owner = before.map(|before| spelling::snake_singular(&names::cut(&spelling::snake(before), OWNER_MAX)));
    let owner = owner.filter(|owner| owner.starts_with(|c: char| c.is_ascii_lowercase()));
    match (named, owner) {
        (Some(named), _) => named.to_owned(),
        (None, Some(owner)) => format!("{owner}_id"),
        (None, None) => "id".to_owned(),
    }
}

/// An id that commands differ in. A command with a placeholder in its place sends the name of that.
fn id(name: &str, commands: &[Example], at: usize) -> Argument {
    let texts = commands.iter().map(|command| segment(command, at));
    let fields: Vec<Field> = texts
        .map(|text| Field { values: vec![path::placeholder(text).unwrap_or(text).to_owned()], ..Field::default() })
        .collect();
    let shape = texts::shape(&fields.iter().collect::<Vec<_>>());
    let value = fields.first().map_or_else(|| json::raw_string(name), |first| texts::value(first, &shape));
    Argument::placeholder(name, shape, value)
}
