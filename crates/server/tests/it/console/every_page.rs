//! Every page, as somebody sees it who has weeks of calls: in light and dark, on a desk and in a hand.

use serde_json::json;

use super::browser::Browser;
use super::populated::PopulatedService;

#[tokio::test]
async fn every_page_is_well_made_in_light_and_dark_on_a_desk_and_in_a_hand() {
    let Some(browser) = Browser::find() else { return };
    let service = PopulatedService::start().await;
    service.make_calls().await;
    let output = browser.run("every_page.mjs", &service.app, &service.ids).await;
    output.assert_no_errors();
    assert_eq!(output["faults"], json!([]), "{output:#}");
    assert_eq!(output["visited"], json!([22, 22]));
}
