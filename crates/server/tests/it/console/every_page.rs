//! Every page, as somebody sees it who has weeks of calls: in light and dark, on a desk and in a hand.

use serde_json::json;

use super::browser::Browser;
use super::furnished::Furnished;

#[tokio::test]
async fn every_page_is_well_made_in_light_and_dark_on_a_desk_and_in_a_hand() {
    let Some(browser) = Browser::find() else { return };
    let service = Furnished::start().await;
    service.call_for_real().await;
    let seen = browser.run("every_page.mjs", &service.app, &service.ids).await;
    seen.assert_no_trouble();
    assert_eq!(seen["faults"], json!([]), "{seen:#}");
    assert_eq!(seen["visited"], json!([22, 22]));
}
