//! The fields of an object that its owner sets, declared once: the macro derives the stored struct, its defaults and
//! the struct of a request that changes it.

/// Defines a stored struct and its patch.
///
/// - `required`: `new` takes them as arguments.
/// - `optional`: have a default, and a patch replaces them.
/// - `nullable`: are `None` by default, and `null` in a patch clears them.
/// - `resolved`: have another type in the patch. `apply`, written by hand for each struct, computes their new value
///   from the sent and the stored one.
/// - `patch_only`: exist only in the patch.
///
/// `apply_fields` assigns every field except the resolved ones.
macro_rules! owner_fields {
    (
        $(#[$spec_meta:meta])* pub struct $spec:ident;
        $(#[$patch_meta:meta])* pub struct $patch:ident;
        required { $($(#[$required_doc:meta])* $required:ident: $required_type:ty,)* }
        optional { $($(#[$optional_doc:meta])* $optional:ident: $optional_type:ty = $default:expr,)* }
        nullable { $($(#[$nullable_doc:meta])* $nullable:ident: $nullable_type:ty,)* }
        $(resolved {
            $($(#[$resolved_doc:meta])* $resolved:ident: $resolved_type:ty = $initial:expr, from $sent_type:ty;)*
        })?
        $(patch_only { $($(#[$patch_only_doc:meta])* $patch_only:ident: $patch_only_type:ty,)* })?
    ) => {
        $(#[$spec_meta])*
        #[derive(Clone, Debug)]
        pub struct $spec {
            $($(#[$required_doc])* pub $required: $required_type,)*
            $($(#[$optional_doc])* pub $optional: $optional_type,)*
            $($(#[$nullable_doc])* pub $nullable: Option<$nullable_type>,)*
            $($($(#[$resolved_doc])* pub $resolved: $resolved_type,)*)?
        }

        $(#[$patch_meta])*
        #[derive(Clone, Debug, Default)]
        pub struct $patch {
            $($(#[$required_doc])* pub $required: Option<$required_type>,)*
            $($(#[$optional_doc])* pub $optional: Option<$optional_type>,)*
            $($(#[$nullable_doc])* pub $nullable: $crate::change::Change<$nullable_type>,)*
            $($($(#[$resolved_doc])* pub $resolved: $sent_type,)*)?
            $($($(#[$patch_only_doc])* pub $patch_only: $patch_only_type,)*)?
        }

        impl $spec {
            /// With default values, except for the required fields.
            pub fn new($($required: $required_type),*) -> Self {
                Self {
                    $($required,)*
                    $($optional: $default,)*
                    $($nullable: None,)*
                    $($($resolved: $initial,)*)?
                }
            }

            fn apply_fields(&mut self, patch: $patch) {
                $($crate::change::set(&mut self.$required, patch.$required);)*
                $($crate::change::set(&mut self.$optional, patch.$optional);)*
                $(patch.$nullable.apply_to(&mut self.$nullable);)*
            }
        }
    };
}

pub(crate) use owner_fields;
