//! Redirects that lead nowhere.

use toolgate_testkit::hostile::redirects;

use super::{Case, assert_all, case};

#[tokio::test]
async fn redirects_without_end_or_without_a_place_are_errors() {
    let (too_many, bad) = ("redirected more than 5 times", "bad_response");
    let cases = vec![
        Case { name: "circle", answer: Box::new(redirects::circle), message: too_many, reason: bad },
        Case { name: "onward", answer: Box::new(redirects::onward), message: too_many, reason: bad },
        case("nowhere", redirects::nowhere(), "not an address", bad),
        case("file", redirects::file(), "neither http nor https", bad),
        case("forbidden", redirects::to("http://0.0.0.0:9/"), "destination not allowed", "blocked_destination"),
    ];
    assert_all(cases, true).await;
}
