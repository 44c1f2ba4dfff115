//! Typed arguments: a struct declares each argument next to the field that receives its value.

use toolgate_domain::fault::Faults;
use toolgate_execution::egress::EgressRule;

use super::arg::Arg;
use super::args::Args;

/// The arguments of a route.
pub(crate) trait Arguments: Sized + Send + 'static {
    /// The declarations, in the order of the documentation.
    fn declare() -> Vec<Arg>;

    /// Moves the values out of `args`.
    fn read(args: &mut Args) -> Self;

    /// Validates the values by the rules of the domain. The dispatcher calls it only if a value has the wrong type, so
    /// that the error reply lists every fault.
    fn check(self, _egress: &EgressRule) -> Result<(), Faults> {
        Ok(())
    }
}

impl Arguments for () {
    fn declare() -> Vec<Arg> {
        Vec::new()
    }

    fn read(_: &mut Args) -> Self {}
}

/// Defines a struct of arguments: `field: Type = declaration`. The name of a field is the name of the argument, and a
/// declaration whose values do not have the type of the field does not compile.
///
/// `..field: Group` includes the arguments of another struct. Arguments in `ignoring` are accepted and documented, but
/// have no effect. `checked by` names the method for [`Arguments::check`].
macro_rules! arguments {
    (
        $(#[$meta:meta])* $vis:vis struct $name:ident $(checked by $check:ident)? {
            $(..$group:ident: $group_type:ty,)*
            $($field:ident: $type:ty = $arg:expr,)*
        }
        $(ignoring { $($ignored:ident = $ignored_arg:expr,)+ })?
    ) => {
        $(#[$meta])*
        $vis struct $name {
            $($vis $group: $group_type,)*
            $($vis $field: $type,)*
        }

        impl $crate::params::Arguments for $name {
            fn declare() -> Vec<$crate::params::Arg> {
                let mut args = Vec::new();
                $(args.extend(<$group_type as $crate::params::Arguments>::declare());)*
                args.extend([
                    $($arg.named(stringify!($field)),)*
                    $($($ignored_arg.named(stringify!($ignored)),)+)?
                ]);
                args
            }

            fn read(args: &mut $crate::params::Args) -> Self {
                Self {
                    $($group: $crate::params::Arguments::read(args),)*
                    $($field: args.take(stringify!($field), || $arg),)*
                }
            }

            $(fn check(
                self,
                egress: &toolgate_execution::egress::EgressRule,
            ) -> Result<(), toolgate_domain::fault::Faults> {
                self.$check(egress).map(drop)
            })?
        }
    };
}
pub(crate) use arguments;

/// Parses the value of a field by a rule of the domain, `fn(name, &value) -> Result`, and records the fault if the value
/// is invalid.
macro_rules! parse_field {
    ($args:ident.$field:ident, $rule:expr, $faults:ident) => {
        $args.$field.and_then(|value| $faults.ok_or_record($rule(stringify!($field), &value)))
    };
}
pub(crate) use parse_field;
