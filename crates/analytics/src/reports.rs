//! What calls add up to, for whoever asks. Reports read sums, never single calls, so they cost the same however many
//! calls there were.

mod client_breakdown;
mod overview;
mod servers;
mod timeseries;
mod tools;

use toolgate_domain::usage::Scope;
use toolgate_domain::user::Visibility;

pub use client_breakdown::{ClientUsage, client_breakdown};
pub use overview::{Overview, overview};
pub use servers::{SERVER_DAYS_MAX, SERVERS_MAX, ServerUsage, servers};
pub use timeseries::{Interval, POINTS_MAX, Point, Series, TooManyPoints, timeseries};
pub use tools::{SUMS_MAX, TOOLS_MAX, ToolsQuery, tools};

/// Everything that somebody may see.
const fn all_of(visibility: Visibility) -> Scope {
    match visibility {
        Visibility::All => Scope::All,
        Visibility::OwnedBy(user) => Scope::Owner(user),
    }
}
