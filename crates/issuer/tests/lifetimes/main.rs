//! Lifetimes of codes, refresh tokens and clients, with a clock that the test sets and a real database.

#[cfg(test)]
extern crate toolgate_issuer as issuer;
#[cfg(test)]
#[macro_use]
extern crate toolgate_testkit;

#[cfg(test)]
mod browser;
#[cfg(test)]
mod cleaning;
#[cfg(test)]
mod decisions;
#[cfg(test)]
mod fixture;
#[cfg(test)]
mod registration;
#[cfg(test)]
mod tokens;
