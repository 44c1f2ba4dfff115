//! Work that takes its time.

/// Does it here where it is quick; else beside the requests, which would have to wait for it. That takes a thread, and
/// every thread memory of its own, so what is quick must not go there.
pub(crate) fn unless<T>(is_quick: bool, work: impl FnOnce() -> T) -> T {
    if is_quick { work() } else { tokio::task::block_in_place(work) }
}
