//! Pagination and sorting of lists.

use crate::closed_set::closed_set;

/// One page of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Number of the page, from 1.
    pub number: u32,
    /// Items per page.
    pub size: u32,
}

impl Page {
    /// Number of items before this page.
    pub fn offset(self) -> i64 {
        i64::from(self.number.saturating_sub(1)) * i64::from(self.size)
    }

    /// Number of pages for `total` items.
    pub fn count(self, total: i64) -> i64 {
        let size = i64::from(self.size.max(1));
        (total + size - 1) / size
    }
}

/// The items of one page, and the total number of items.
#[derive(Clone, Debug)]
pub struct Listing<T> {
    /// The items of the page.
    pub items: Vec<T>,
    /// Number of items on all pages.
    pub total: i64,
}

closed_set! {
    /// Sort direction.
    pub enum Direction {
        /// Smallest first.
        Asc = "ASC",
        /// Largest first.
        Desc = "DESC",
    }
}
