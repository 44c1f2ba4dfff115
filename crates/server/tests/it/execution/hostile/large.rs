//! Answers that are too large: they are given up at the limit, whether they say so, hide it or have no end.

use toolgate_testkit::Answer;
use toolgate_testkit::hostile::large;

use super::{Case, assert_all, case};

const MIB: usize = 1024 * 1024;

/// What is refused for its size.
pub(super) fn too_large(name: &'static str, answer: Answer) -> Case {
    case(name, answer, "larger than 8 MiB", "too_large")
}

/// What is refused for its head.
pub(super) fn large_head(name: &'static str, answer: Answer) -> Case {
    case(name, answer, "headers", "too_large")
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        too_large("endless-chunks", large::endless_chunks()),
        too_large("endless-body", large::endless_body()),
        too_large("announced", large::announced(8 * MIB + 1)),
        too_large("beyond-memory", large::announced_beyond_memory()),
        too_large("bomb", large::gzip_bomb(100 * MIB)),
        large_head("large-header", large::header(2 * MIB)),
        large_head("many-headers", large::headers(20_000)),
        large_head("endless-head", large::endless_head()),
        case("endless-trailers", large::endless_trailers(), "not valid HTTP", "bad_response"),
        case("endless-extension", large::endless_chunk_extension(), "not valid HTTP", "bad_response"),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_too_large_is_given_up_at_the_limit() {
    assert_all(cases(), false).await;
}
