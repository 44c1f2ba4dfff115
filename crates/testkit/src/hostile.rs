//! Responses of a hostile or broken upstream, one file for each kind. An [`Upstream`](crate::Upstream) sends them like
//! any other response:
//!
//! ```ignore
//! let upstream = Upstream::builder().route("/bomb", large::gzip_bomb(100 << 20)).start();
//! ```

pub mod broken;
pub mod full_backlog;
pub mod interim;
pub mod large;
pub mod redirects;
pub mod slow;
pub mod text;

#[cfg(test)]
mod tests;
