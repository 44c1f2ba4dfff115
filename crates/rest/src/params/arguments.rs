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
/// have no effect. `checked by` names the method for [`Arguments::check`]; `valid if` names a function and the text
/// fields that it checks.
///
/// `into Patch` also defines `into_patch`, which moves each field to the field of the same name in `Patch`. A field
/// with `=> rule` is parsed by that rule of the domain, `fn(name, &value) -> Result`; an invalid value is recorded as a
/// fault. Rules can use the egress rule by the name after `with`.
macro_rules! arguments {
    (
        $(#[$meta:meta])* $vis:vis struct $name:ident checked by $check:ident into $patch:ident $(with $egress:ident)? {
            $($field:ident: $type:ty = $arg:expr $(=> $rule:expr)?,)*
        }
        $(ignoring $ignored:tt)?
    ) => {
        $crate::params::arguments! {
            $(#[$meta])* $vis struct $name checked by $check { $($field: $type = $arg,)* } $(ignoring $ignored)?
        }

        impl $name {
            /// The patch that the request makes, without the rules that concern several fields.
            fn into_patch(
                self,
                faults: &mut toolgate_domain::fault::Faults,
                $($egress: &toolgate_execution::egress::EgressRule,)?
            ) -> $patch {
                $patch { $($field: $crate::params::patch_field!(self.$field, faults $(, $rule)?),)* }
            }
        }
    };
    (
        $(#[$meta:meta])* $vis:vis struct $name:ident
        $(checked by $check:ident)? $(valid if $module:ident::$rule:ident($($text:ident),+))? {
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

            $(fn check(
                self,
                _egress: &toolgate_execution::egress::EgressRule,
            ) -> Result<(), toolgate_domain::fault::Faults> {
                $module::$rule($(self.$text.as_deref()),+).map(drop)
            })?
        }
    };
}
pub(crate) use arguments;

/// The value of a field in a patch: as sent, or parsed by a rule.
macro_rules! patch_field {
    ($args:ident.$field:ident, $faults:ident) => {
        $args.$field
    };
    ($args:ident.$field:ident, $faults:ident, $rule:expr) => {
        $args.$field.and_then(|value| $faults.ok_or_record($rule(stringify!($field), &value)))
    };
}
pub(crate) use patch_field;
