//! The bodies of commands as arguments.

use toolgate_domain::json;

use super::seen::by_name;
use crate::curl::body::{Field, WHOLE};
use crate::curl::infer::argument::{Argument, Location, Standing};
use crate::curl::infer::example::Example;
use crate::curl::infer::payload::Kind;
use crate::curl::infer::shape::Shape;
use crate::curl::infer::texts;

/// The arguments that make up bodies of this kind.
pub(super) fn arguments(commands: &[Example], kind: Kind) -> Vec<Argument> {
    if kind == Kind::Nothing {
        return vec![nothing()];
    }
    let fields = by_name(commands.iter().map(|command| command.payload.fields()));
    let fields = fields.into_iter().map(|(name, seen)| {
        let standing = seen.standing(commands.len(), |one, other| one == other);
        let mut argument = of_texts(Location::Body, name, &seen.values, standing);
        if seen.values.iter().any(|field| field.has_file) {
            argument.expect_file(standing);
        }
        argument
    });
    let members = by_name(commands.iter().map(|command| command.payload.members()));
    let members = members.into_iter().map(|(name, seen)| {
        let shape = Shape::common(seen.values.iter().map(|value| Shape::of(value))).unwrap_or(Shape::Any);
        let standing = seen.standing(commands.len(), |one, other| one.get() == other.get());
        let mut argument = Argument::new(Location::Body, name, shape, seen.first.clone(), standing);
        if kind.is_whole() {
            argument.be_whole_body();
        }
        if kind == Kind::Files {
            argument.expect_file(standing);
        }
        argument
    });
    fields.chain(members).collect()
}

/// An argument that is sent as text.
pub(super) fn of_texts(location: Location, name: &str, fields: &[&Field], standing: Standing) -> Argument {
    let shape = texts::shape(fields);
    let value = fields.first().map_or_else(|| json::raw_string(""), |first| texts::value(first, &shape));
    Argument::new(location, name, shape, value, standing)
}

/// An object without members: the same without arguments, and whoever has some can give them.
fn nothing() -> Argument {
    let value = json::raw("{}".to_owned());
    let standing = Standing { is_in_first: true, is_in_all: false, is_agreed: false };
    let mut argument = Argument::new(Location::Body, WHOLE, Shape::of(&value), value.clone(), standing);
    argument.be_whole_body();
    argument.default = Some(value);
    argument
}
