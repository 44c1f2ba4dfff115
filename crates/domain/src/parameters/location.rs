//! The part of the upstream request that a rule of the mapping names.

use crate::closed_set::closed_set;

/// Values of `location`. The last one, `headers`, is accepted as an alias of `header`.
pub const LOCATIONS: [&str; 6] = ["path", "query", "body", "header", "cookie", "headers"];

closed_set! {
    /// The part of the upstream request that a rule names.
    pub enum ParameterLocation {
        /// A placeholder of the URL.
        Path = "path",
        /// A query parameter.
        Query = "query",
        /// A member of the body, or all of it.
        Body = "body",
        /// A header.
        Header = "header" | "headers",
        /// A cookie.
        Cookie = "cookie",
    }
}
