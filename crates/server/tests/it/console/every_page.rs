//! Every page and dialog with weeks of calls: in light and dark mode, on desktop and mobile screens. A sample has one
//! mode per screen.

use serde_json::json;
use toolgate_testkit::volume;

use super::browser::Browser;
use super::{imported_shop, populated};

#[tokio::test]
async fn every_page_and_dialog_has_no_faults_in_light_and_dark_on_desktop_and_mobile() {
    let Some(browser) = Browser::find() else { return };
    let (service, mut input) = populated::start().await;
    populated::make_calls(&service).await;
    input["is_full"] = volume::is_full().into();
    input["imports"] = imported_shop::create(&service.api).await;
    let output = browser.run("every_page.mjs", &service.app, &input).await;
    output.assert_no_errors();
    assert_eq!(output["faults"], json!([]), "{output:#}");
    let visited = json!([[44, 22], [44, 22]]);
    assert_eq!(output["visited"], visited, "all pages and dialogs are visited on desktop and on mobile: {output:#}");
}
