//! The console in a real browser, served by the real service. What is done there stands in `tests/browser`, what is
//! asked of it here.

mod browser;
mod first_visit;
mod one_minute;
