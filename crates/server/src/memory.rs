//! How the process takes memory.

/// Asks the kernel for pages of four kilobytes. The allocator asks for pages of two megabytes wherever the kernel lets it,
/// and of each that it touches all of it counts: an idle service then takes twenty megabytes instead of seven, and
/// one under load grows by steps that nothing explains. Calls cost the same with either.
pub(crate) fn in_small_pages() {
    // Where that is refused, it is a matter of some megabytes.
    #[cfg(target_os = "linux")]
    let _ = rustix::thread::disable_transparent_huge_pages(true);
}
