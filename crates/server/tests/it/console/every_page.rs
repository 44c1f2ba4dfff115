//! Every page with weeks of calls: in light and dark mode, on desktop and mobile screens. A sample has one mode per
//! screen.

use serde_json::json;
use toolgate_testkit::volume;

use super::browser::Browser;
use super::populated::PopulatedService;

#[tokio::test]
async fn every_page_has_no_faults_in_light_and_dark_on_desktop_and_mobile() {
    let Some(browser) = Browser::find() else { return };
    let service = PopulatedService::start().await;
    service.make_calls().await;
    let mut input = service.ids.clone();
    input["is_full"] = volume::is_full().into();
    let output = browser.run("every_page.mjs", &service.app, &input).await;
    output.assert_no_errors();
    assert_eq!(output["faults"], json!([]), "{output:#}");
    assert_eq!(output["visited"], json!([23, 23]), "all pages are visited on desktop and on mobile: {output:#}");
}
