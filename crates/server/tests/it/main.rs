//! Everything that can be seen from outside: the service over real sockets, its commands, its manifests.

#[cfg(test)]
mod analytics;
#[cfg(test)]
mod backup;
#[cfg(test)]
mod concurrency;
#[cfg(test)]
mod console;
#[cfg(test)]
mod demo;
#[cfg(test)]
mod dependencies;
#[cfg(test)]
mod durability;
#[cfg(test)]
mod execution;
#[cfg(test)]
mod faults;
mod house;
#[cfg(test)]
mod import;
#[cfg(test)]
mod left_out;
#[cfg(test)]
mod mcp;
#[cfg(test)]
mod objects;
#[cfg(test)]
mod recorded;
#[cfg(test)]
mod recording;
#[cfg(test)]
mod rest;
#[cfg(test)]
mod shared;
#[cfg(test)]
mod start;
