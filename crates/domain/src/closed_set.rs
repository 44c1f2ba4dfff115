//! Enumerations that are serialised by name. One list of names per enumeration serves parsing, printing, validation and
//! documentation.

/// Re-exported for the code that the macro generates.
#[doc(hidden)]
pub use serde;

/// An enumeration that is serialised by name.
pub trait ClosedSet: Copy + 'static {
    /// All names, as in the API.
    const NAMES: &'static [&'static str];

    /// Parses a name.
    fn parse(text: &str) -> Option<Self>;
}

/// Defines an enumeration with `NAMES`, `parse` and `as_str`. An alias is parsed but never printed.
#[macro_export]
macro_rules! closed_set {
    (
        $(#[$doc:meta])*
        $vis:vis enum $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal $(| $alias:literal)?),+ $(,)? }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis enum $name { $($(#[$variant_doc])* $variant),+ }

        impl $name {
            /// All names, as in the API.
            $vis const NAMES: &[&str] = &[$($text),+];

            /// Parses a name.
            $vis fn parse(text: &str) -> Option<Self> {
                Some(match text {
                    $($text $(| $alias)? => Self::$variant,)+
                    _ => return None,
                })
            }

            /// The name.
            $vis fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }
        }

        impl $crate::closed_set::serde::Serialize for $name {
            fn serialize<S: $crate::closed_set::serde::Serializer>(&self, serializer: S) -> ::core::result::Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl $crate::closed_set::ClosedSet for $name {
            const NAMES: &'static [&'static str] = Self::NAMES;

            fn parse(text: &str) -> Option<Self> {
                Self::parse(text)
            }
        }
    };
}

pub(crate) use closed_set;
