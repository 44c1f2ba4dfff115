//! Everything that can be seen from outside: the service over real sockets, its commands, its manifests.

mod house;
#[cfg(test)]
mod start;
