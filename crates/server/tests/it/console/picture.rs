//! The pictures of the console in the documentation; `make picture` takes them anew.

use std::fs;

use serde_json::json;

use super::browser::{Browser, repository};
use super::populated::PopulatedService;

const BYTES_MAX: usize = 300 * 1024;

#[tokio::test]
async fn the_pictures_of_the_documentation_are_of_a_fit_size() {
    if std::env::var_os("TOOLGATE_RENEW_PICTURE").is_some() {
        renew().await;
    }
    for name in ["console.png", "console-analytics.png"] {
        let picture = fs::read(repository().join("docs").join(name)).unwrap();
        // The width stands in the first chunk, after the signature and the chunk's length and type.
        assert_eq!(picture[16..20], 1440_u32.to_be_bytes(), "{name}");
        assert!(picture.len() < BYTES_MAX, "{name} has {} bytes", picture.len());
    }
}

async fn renew() {
    let browser = Browser::find().expect("a browser takes the pictures");
    let service = PopulatedService::start().await;
    let input = json!({"folder": repository().join("docs"), "server": service.ids["server"]});
    browser.run("picture.mjs", &service.app, &input).await.assert_no_errors();
}
