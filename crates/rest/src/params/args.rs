//! The validated arguments of a request.

use indexmap::IndexMap;
use toolgate_domain::fault::Faults;

use super::arg::{Arg, Requirement};
use super::body::Inputs;
use super::coerce::{ArgValue, coerce};
use super::input::Input;
use super::typed_arg::{FromArg, TypedArg};
use crate::error::RestError;

/// Arguments by name, each of the type its route declares. [`Arguments`](super::Arguments) reads them.
#[derive(Default)]
pub(crate) struct Args(IndexMap<&'static str, ArgValue>);

impl Args {
    /// Reads the declared arguments. A missing required argument is an error. Values of the wrong type are left out and
    /// returned as faults, so that the rules of the route can add theirs to the same reply.
    pub(crate) fn read(declared: &[Arg], inputs: &Inputs) -> Result<(Self, Faults), RestError> {
        let (args, faults, missing) = Self::read_all(declared, inputs);
        if missing.is_empty() { Ok((args, faults)) } else { Err(RestError::missing_params(&missing)) }
    }

    /// Like [`Args::read`], with the names of the missing required arguments instead of an error.
    pub(super) fn read_all(declared: &[Arg], inputs: &Inputs) -> (Self, Faults, Vec<&'static str>) {
        let mut args = IndexMap::new();
        let mut faults = Faults::default();
        let mut missing = Vec::new();
        for arg in declared {
            match inputs.get(arg.name).map(|input| coerce(arg, input)) {
                Some(Ok(Some(value))) => drop(args.insert(arg.name, value)),
                Some(Err(fault)) => faults.push(fault),
                Some(Ok(None)) | None if is_missing(arg, inputs) => missing.push(arg.name),
                Some(Ok(None)) | None => {}
            }
        }
        (Self(args), faults, missing)
    }

    /// The names of the arguments that were sent.
    pub(crate) fn names(&self) -> Vec<&'static str> {
        self.0.keys().copied().collect()
    }

    /// Moves the value of an argument out. `declaration` is not called: it only determines the kind of the argument.
    pub(crate) fn take<K, T: FromArg<K>>(&mut self, name: &str, _declaration: impl Fn() -> TypedArg<K>) -> T {
        T::from_arg(self.0.swap_remove(name))
    }
}

/// Whether an argument that was not sent is required.
fn is_missing(arg: &Arg, inputs: &Inputs) -> bool {
    let is_null = |input: &Input| matches!(input, Input::Json(value) if toolgate_domain::json::is_null(value));
    match arg.requirement {
        Requirement::Always => true,
        Requirement::OnCreateWithout(other) => inputs.get(other).is_none_or(is_null),
        Requirement::Optional | Requirement::OnCreate => false,
    }
}
