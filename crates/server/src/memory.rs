//! Memory settings of the process.

/// Disables transparent huge pages. A huge page takes two megabytes of memory, however little of it is used: with huge
/// pages an idle service takes twenty megabytes instead of seven, and memory under load grows in large steps.
/// Some kernels use huge pages for every process that does not opt out. The allocator starts before this call, so its
/// own requests for huge pages are disabled with its feature `no_thp`.
pub(crate) fn disable_huge_pages() {
    // An error is ignored: it only costs some megabytes.
    #[cfg(target_os = "linux")]
    let _ = rustix::thread::disable_transparent_huge_pages(true);
}
