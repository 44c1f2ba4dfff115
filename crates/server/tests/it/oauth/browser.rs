//! Sign-in and consent in Chromium: the pages work without scripts, their policy lets the browser open a program
//! afterwards, and they cannot be framed.

use serde_json::{Value, json};
use toolgate_testkit::{MockResponse, Upstream};

use super::flow::OAuthFixture;
use crate::console::browser::Browser;
use crate::toolgate;

const PROGRAM: &str = "cursor://anysphere.cursor-mcp/oauth/callback";

#[tokio::test]
async fn a_person_connects_a_program_in_a_browser() {
    let Some(browser) = Browser::find() else { return };
    let mut fixture = OAuthFixture::start(toolgate()).await;
    let request = format!("{}{}", fixture.app.origin(), fixture.authorize_path(&[]));
    let site = Upstream::with_handler(move |received| match received.path() {
        "/chain" => MockResponse::bytes("text/plain", "").with_status(302).header("location", "claude://connected"),
        "/frame" => {
            MockResponse::bytes("text/html", format!("<iframe src=\"{}\"></iframe>", request.replace('&', "&amp;")))
        }
        _ => MockResponse::bytes("text/html", "<p>You are connected</p>"),
    });
    let (callback, chain) = (site.url("/callback"), site.url("/chain"));
    fixture.client_id = fixture.register("Cursor", &[&callback, &chain, PROGRAM]).await;
    let request = |redirect_uri: &str| {
        format!("{}{}", fixture.app.origin(), fixture.authorize_path(&[("redirect_uri", Some(redirect_uri))]))
    };
    let input = json!({"site": request(&callback), "program": request(PROGRAM), "chain": request(&chain),
        "frame": site.url("/frame")});
    let output = browser.run("oauth.mjs", &fixture.app, &input).await;
    let redirect = url::Url::parse(output.text("/site")).unwrap();
    let parameters: std::collections::HashMap<_, _> = redirect.query_pairs().into_owned().collect();
    assert!(parameters["code"].starts_with("tgc_"), "{output:#}");
    for part in ["Cursor", "Weather", "a program on this computer", "It registered itself"] {
        assert!(output.text("/consent").contains(part), "{part}: {output:#}");
    }
    let launches = [output.text("/launches/0"), output.text("/launches/1")];
    assert!(launches[0].starts_with(&format!("{PROGRAM}?code=tgc_")), "{output:#}");
    assert_eq!(launches[1], "claude://connected", "{output:#}");
    assert_eq!(output["errors"].as_array().map(Vec::len), Some(1), "only the refused frame: {output:#}");
    assert_eq!(output["refused"], "net::ERR_BLOCKED_BY_RESPONSE", "{output:#}");
    assert!(output.text("/frames/1").starts_with("chrome-error:"), "{output:#}");
    assert_eq!((&output["overflow"], &output["dialogs"]), (&json!([]), &json!([])), "{output:#}");
    let cookie = &output["cookies"][0];
    assert_eq!((&cookie["httpOnly"], &cookie["sameSite"]), (&Value::Bool(true), &json!("Lax")), "{output:#}");
}
