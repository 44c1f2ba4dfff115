//! Enumerations that are serialised by name. One list of names per enumeration serves parsing, printing, validation and
//! documentation.

/// Defines an enumeration with `NAMES`, `parse` and `as_str`. An alias is parsed but never printed.
macro_rules! closed_set {
    (
        $(#[$doc:meta])*
        pub enum $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal $(| $alias:literal)?),+ $(,)? }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $($(#[$variant_doc])* $variant),+ }

        impl $name {
            /// All names, as in the API.
            pub const NAMES: &[&str] = &[$($text),+];

            /// Parses a name.
            pub fn parse(text: &str) -> Option<Self> {
                Some(match text {
                    $($text $(| $alias)? => Self::$variant,)+
                    _ => return None,
                })
            }

            /// The name.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }
        }
    };
}

pub(crate) use closed_set;
