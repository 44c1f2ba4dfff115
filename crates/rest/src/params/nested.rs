//! Reads the arguments of a route from an object inside another request: an entry of a manifest has the same fields as
//! a request that creates a tool.

use toolgate_domain::fault::{Fault, Faults};
use toolgate_domain::json::Members;
use toolgate_execution::egress::EgressRule;

use super::arg::Arg;
use super::args::Args;
use super::arguments::Arguments;
use super::body::Inputs;

/// Reads `members`, which must have passed `json::check`, as the arguments of a route that creates an object. The
/// faults are those that the route would report, and missing arguments.
pub(crate) fn read_create_arguments<A: Arguments>(members: Members, egress: &EgressRule) -> Result<A, Faults> {
    read_members(members, egress, true)
}

/// Like [`read_create_arguments`], for a route that updates an object: no argument is required.
pub(crate) fn read_update_arguments<A: Arguments>(members: Members, egress: &EgressRule) -> Result<A, Faults> {
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
