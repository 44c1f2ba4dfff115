//! The console in a real browser, served by the real service. What is done there stands in `tests/browser`, what is
//! asked of it here.

mod browser;
mod every_page;
mod first_visit;
mod furnished;
mod hostile;
mod keys;
mod long_lists;
mod long_numbers;
mod office;
mod one_minute;
mod order;
mod picture;
mod session;
mod weight;
