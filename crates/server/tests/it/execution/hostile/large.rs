//! Oversized responses: they fail at the limit, whether they announce their size, hide it or never end.

use toolgate_testkit::MockResponse;
use toolgate_testkit::hostile::large;

use super::{CallOrder, HostileUpstreamCase, assert_all_fail, case};

const MIB: usize = 1024 * 1024;

/// A case that fails because of its body size.
pub(super) fn too_large(name: &'static str, response: MockResponse) -> HostileUpstreamCase {
    case(name, response, "larger than 8 MiB", "too_large")
}

/// A case that fails because of its head.
pub(super) fn large_head(name: &'static str, response: MockResponse) -> HostileUpstreamCase {
    case(name, response, "headers", "too_large")
}

pub(super) fn cases() -> Vec<HostileUpstreamCase> {
    vec![
        too_large("endless-chunks", large::endless_chunks()),
        too_large("endless-body", large::endless_body()),
        too_large("announced", large::declared_length(8 * MIB + 1)),
        too_large("beyond-memory", large::declared_length_beyond_memory()),
        too_large("bomb", large::gzip_bomb(100 * MIB)),
        large_head("large-header", large::header(2 * MIB)),
        large_head("many-headers", large::headers(20_000)),
        large_head("endless-head", large::endless_head()),
        case("endless-trailers", large::endless_trailers(), "cannot be read", "bad_response"),
        case("endless-extension", large::endless_chunk_extension(), "cannot be read", "bad_response"),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn oversized_responses_fail_at_the_limit() {
    assert_all_fail(cases(), CallOrder::Sequential).await;
}
