//! Paging and sorting of lists.

/// One page of a list, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Number of the page, from 1.
    pub number: u32,
    /// Items on a page.
    pub size: u32,
}

impl Page {
    /// How many items come before this page.
    pub fn offset(self) -> i64 {
        i64::from(self.number.saturating_sub(1)) * i64::from(self.size)
    }

    /// How many pages `total` items fill.
    pub fn count(self, total: i64) -> i64 {
        let size = i64::from(self.size.max(1));
        (total + size - 1) / size
    }
}

/// Items of one page, and how many there are in all.
#[derive(Clone, Debug)]
pub struct Listing<T> {
    /// The items asked for.
    pub items: Vec<T>,
    /// How many match, over all pages.
    pub total: i64,
}

/// Ascending or descending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Smallest first.
    Asc,
    /// Largest first.
    Desc,
}
