//! The conformance tests that every database of `storage` must pass. Each test runs on SQLite in a temporary file and
//! on a real PostgreSQL (`scripts/with-postgres cargo nextest run -p toolgate-storage`).

#[cfg(test)]
extern crate toolgate_storage as storage;
#[cfg(test)]
#[macro_use]
extern crate toolgate_testkit;

/// Asserts that a result is the expected kind of error. The panic message shows the actual result.
#[cfg(test)]
macro_rules! assert_fails {
    ($result:expr, $pattern:pat $(if $guard:expr)?) => {
        match $result {
            Err($pattern) $(if $guard)? => {}
            other => panic!("expected {}, got {other:?}", stringify!($pattern $(if $guard)?)),
        }
    };
}

#[cfg(test)]
mod backups;
#[cfg(test)]
mod builders;
#[cfg(test)]
mod change_recorder;
#[cfg(test)]
mod fixture;
#[cfg(test)]
mod raw;
#[cfg(test)]
mod seeded_rng;
#[cfg(test)]
mod traffic;

#[cfg(test)]
mod api_keys;
#[cfg(test)]
mod audit;
#[cfg(test)]
mod call_log;
#[cfg(test)]
mod calls;
#[cfg(test)]
mod cancellation;
#[cfg(test)]
mod changes;
#[cfg(test)]
mod concurrency;
#[cfg(test)]
mod counters;
#[cfg(test)]
mod deadlocks;
#[cfg(test)]
mod documents;
#[cfg(test)]
mod ended_sessions;
#[cfg(test)]
mod endpoint_keys;
#[cfg(test)]
mod grants;
#[cfg(test)]
mod hand_over;
#[cfg(test)]
mod identities;
#[cfg(test)]
mod key_usage;
#[cfg(test)]
mod members;
#[cfg(test)]
mod migrations;
#[cfg(test)]
mod nodes;
#[cfg(test)]
mod oauth_clients;
#[cfg(test)]
mod opening;
#[cfg(test)]
mod other_processes;
#[cfg(test)]
mod prompts;
#[cfg(test)]
mod published_servers;
#[cfg(test)]
mod refusals;
#[cfg(test)]
mod resources;
#[cfg(test)]
mod retention;
#[cfg(test)]
mod rolling_upgrades;
#[cfg(test)]
mod rotation;
#[cfg(test)]
mod secrets;
#[cfg(test)]
mod server_credentials;
#[cfg(test)]
mod server_list;
#[cfg(test)]
mod servers;
#[cfg(test)]
mod sign_in;
#[cfg(test)]
mod subjects;
#[cfg(test)]
mod tool_copies;
#[cfg(test)]
mod tool_imports;
#[cfg(test)]
mod tool_order;
#[cfg(test)]
mod tools;
#[cfg(test)]
mod usage;
#[cfg(test)]
mod users;
