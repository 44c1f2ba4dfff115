//! CPU-bound work inside a request.

/// Runs `work` inline if it is quick, else with `block_in_place` so that other tasks of this worker are not delayed.
/// `block_in_place` may start another thread, which costs memory, so quick work must not use it.
pub(crate) fn run_blocking_unless<T>(is_quick: bool, work: impl FnOnce() -> T) -> T {
    if is_quick { work() } else { tokio::task::block_in_place(work) }
}
