//! What a hostile or broken upstream answers, one file for each kind of malice. These are answers like any other, to
//! be given by an [`Upstream`](crate::Upstream):
//!
//! ```ignore
//! let upstream = Upstream::builder().route("/bomb", large::gzip_bomb(100 << 20)).start();
//! ```

pub mod broken;
pub mod deaf;
pub mod interim;
pub mod large;
pub mod redirects;
pub mod slow;
pub mod text;

#[cfg(test)]
mod tests;
