//! Reports on calls. They read rollups, never single calls, so that their cost does not depend on the number of calls.

mod client_breakdown;
mod keys;
mod overview;
mod servers;
mod timeseries;
mod tools;

use toolgate_domain::usage::UsageScope;
use toolgate_domain::user::Visibility;

pub use client_breakdown::{ClientUsage, client_breakdown};
pub use keys::{KEY_ROLLUPS_MAX, KeysQuery, keys};
pub use overview::{Overview, overview};
pub use servers::{SERVER_DAYS_MAX, SERVERS_MAX, ServerUsage, servers};
pub use timeseries::{Interval, POINTS_MAX, Point, TimeseriesQuery, TooManyPoints, timeseries};
pub use tools::{ROLLUPS_MAX, TOOLS_MAX, ToolsQuery, tools};

/// The scope of all calls that a user can see.
const fn visible_scope(visibility: Visibility) -> UsageScope {
    match visibility {
        Visibility::All => UsageScope::All,
        Visibility::User(user) => UsageScope::Owner(user),
    }
}
