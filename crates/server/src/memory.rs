//! How the process takes memory.

/// Asks the kernel for pages of four kilobytes. Of a page of two megabytes all of it counts, however little is used: an
/// idle service then takes twenty megabytes instead of seven, and one under load grows by steps that nothing explains.
/// The allocator's own wish for large pages is off by its feature `no_thp`, for it allocates before we come to this;
/// some kernels give large pages to everybody who does not ask for small ones.
pub(crate) fn disable_huge_pages() {
    // Where that is refused, it is a matter of some megabytes.
    #[cfg(target_os = "linux")]
    let _ = rustix::thread::disable_transparent_huge_pages(true);
}
