//! Redirects that never reach a response.

use toolgate_testkit::hostile::redirects;

use super::{CallOrder, HostileUpstreamCase, assert_all_fail, case};

#[tokio::test]
async fn endless_redirects_and_invalid_locations_are_errors() {
    let (too_many, bad) = ("redirects the call", "bad_response");
    let cases = vec![
        HostileUpstreamCase {
            name: "circle",
            response: Box::new(redirects::redirect_loop),
            message: too_many,
            reason: bad,
        },
        HostileUpstreamCase {
            name: "onward",
            response: Box::new(redirects::endless_chain),
            message: too_many,
            reason: bad,
        },
        case("nowhere", redirects::invalid_location(), "redirects the call", bad),
        case("file", redirects::file_url(), "redirects the call", bad),
        case("forbidden", redirects::to("http://0.0.0.0:9/"), "destination not allowed", "blocked_destination"),
    ];
    assert_all_fail(cases, CallOrder::Concurrent).await;
}
