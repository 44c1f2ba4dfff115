//! Black-box tests: the service over real sockets, its commands, and the manifests and modules of the workspace.

#[cfg(test)]
#[macro_use]
extern crate toolgate_testkit;

#[cfg(test)]
mod analytics;
#[cfg(test)]
mod backup;
#[cfg(test)]
mod cluster_nodes;
#[cfg(test)]
mod concurrency;
#[cfg(test)]
mod console;
mod crate_dependencies;
#[cfg(test)]
mod demo;
#[cfg(test)]
mod dependencies;
#[cfg(test)]
mod durability;
#[cfg(test)]
mod execution;
#[cfg(test)]
mod external_tools;
#[cfg(test)]
mod faults;
#[cfg(test)]
mod fuzz_targets;
#[cfg(test)]
mod import;
#[cfg(test)]
mod mcp;
#[cfg(test)]
mod module_cycles;
#[cfg(test)]
mod monitoring;
#[cfg(test)]
mod oauth;
#[cfg(test)]
mod objects;
#[cfg(test)]
mod openapi_document;
#[cfg(test)]
mod packaging;
#[cfg(test)]
mod recorded;
#[cfg(test)]
mod recording;
#[cfg(test)]
mod rest;
#[cfg(test)]
mod start;
#[cfg(test)]
mod style;

/// A service of this build, not started yet.
#[cfg(test)]
fn toolgate() -> toolgate_testkit::running_service::ServiceBuilder {
    toolgate_testkit::RunningService::builder(env!("CARGO_BIN_EXE_toolgate"))
}
