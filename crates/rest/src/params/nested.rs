//! Arguments of a route that are read from an object inside a request: an entry of a manifest is a complete request
//! body for a tool.

use toolgate_domain::fault::{Fault, Faults};
use toolgate_domain::json::Members;
use toolgate_execution::egress::EgressRule;

use super::arg::Arg;
use super::args::Args;
use super::arguments::Arguments;
use super::body::Inputs;

/// Reads the arguments of a route that creates an object from the members of an object, which must have
/// passed the JSON check. The faults are all that the route would report, missing arguments included.
pub(crate) fn read_object<A: Arguments>(members: Members, egress: &EgressRule) -> Result<A, Faults> {
    read_members(members, egress, true)
}

/// Reads arguments that change an object: none is required.
pub(crate) fn read_changes<A: Arguments>(members: Members, egress: &EgressRule) -> Result<A, Faults> {
    read_members(members, egress, false)
}

fn read_members<A: Arguments>(members: Members, egress: &EgressRule, is_create: bool) -> Result<A, Faults> {
    let declared: Vec<Arg> = A::declare().into_iter().map(|arg| arg.for_route(is_create)).collect();
    let (mut args, mut faults, missing) = Args::read_all(&declared, &Inputs::from_members(members));
    for name in missing {
        faults.push(Fault::invalid_value(name, format!("{name} is missing.")));
    }
    if faults.is_empty() {
        return Ok(A::read(&mut args));
    }
    if let Err(rule_faults) = A::read(&mut args).check(egress) {
        faults.extend(rule_faults);
    }
    Err(faults)
}
