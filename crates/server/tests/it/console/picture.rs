//! The screenshots of the console in the documentation; `make picture` takes them again.

use std::fs;

use serde_json::json;

use super::browser::{Browser, repository};
use super::populated;

/// Width of the screenshots, in pixels.
const WIDTH: u32 = 1440;
const BYTES_MAX: usize = 300 * 1024;

#[tokio::test]
async fn the_screenshots_of_the_documentation_have_the_right_size() {
    if std::env::var_os("TOOLGATE_RENEW_PICTURE").is_some() {
        take_screenshots().await;
    }
    for name in ["console.png", "console-analytics.png"] {
        let picture = fs::read(repository().join("docs").join(name)).unwrap();
        // The width is in the first chunk, after the signature and the chunk's length and type.
        assert_eq!(picture[16..20], WIDTH.to_be_bytes(), "{name}");
        assert!(picture.len() < BYTES_MAX, "{name} has {} bytes", picture.len());
    }
}

async fn take_screenshots() {
    let browser = Browser::find().expect("a browser takes the screenshots");
    let (service, ids) = populated::start().await;
    let input = json!({"folder": repository().join("docs"), "server": ids["server"]});
    browser.run("picture.mjs", &service.app, &input).await.assert_no_errors();
}
