//! Static headers of a tool: validation, and masked secrets.

use serde_json::{Value, json};
use toolgate_testkit::ApiFixture;
use toolgate_testkit::objects::id;
use toolgate_testkit::secrets::{find_secret, find_secret_in_files};

use super::assertions::assert_invalid_fields;

on_both_databases!(secret_headers_are_masked_and_encrypted, a_mask_leaves_the_secret_unchanged, headers_are_validated,);

const MASK: &str = "********";

async fn create_tool(service: &ApiFixture, server_id: i64, headers: Value) -> toolgate_testkit::TestResponse {
    let count = service.api.read(&format!("/servers/{server_id}")).await["tool_count"].clone();
    let body = json!({"name": format!("t{count}"), "endpoint_url": "https://a.example/x", "headers": headers});
    service.api.post(&format!("/servers/{server_id}/tools")).json(body).send().await
}

async fn secret_headers_are_masked_and_encrypted(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let secret = "very-secret-value-0123456789";
    let names =
        ["Cookie", "Authorization", "X-Auth-Token", "x-client-secret", "X-API-Key", "Ocp-Apim-Subscription-Key"];
    let mut headers = json!({"Accept": "application/json", "X-Number": 5, "X-Flag": true});
    for name in names {
        headers[name] = secret.into();
    }
    let created = create_tool(service, server_id, headers).await.expect(201);
    let tool = created.json();
    assert_eq!(tool["headers"]["Accept"], "application/json");
    assert_eq!((&tool["headers"]["X-Number"], &tool["headers"]["X-Flag"]), (&json!("5"), &json!("true")));
    for name in names {
        assert_eq!(tool["headers"][name], MASK, "{name}");
    }
    let path = format!("/tools/{}", id(&tool));
    let replies = [
        created,
        service.api.get(&path).send().await,
        service.api.get(&format!("/servers/{server_id}/tools")).send().await,
        service.api.patch(&path).json(json!({"timeout": 5})).send().await,
        service.api.delete(&path).send().await,
    ];
    for reply in replies {
        assert_eq!(find_secret(&reply.body, secret), None, "{reply:?}");
    }
    assert_eq!(find_secret_in_files(service.app.data_dir(), secret), []);
}

async fn a_mask_leaves_the_secret_unchanged(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let tool =
        create_tool(service, server_id, json!({"X-Api-Key": "secret", "Accept": "a/b"})).await.expect(201).json();
    let path = format!("/tools/{}", id(&tool));
    let update = async |headers: Value| service.api.patch(&path).json(json!({"headers": headers})).send().await;
    assert_eq!(update(tool["headers"].clone()).await.expect(200).json()["headers"], tool["headers"]);
    let renamed = json!({"x-api-key": MASK});
    assert_eq!(update(renamed.clone()).await.expect(200).json()["headers"], renamed, "headers are replaced as a whole");
    assert_eq!(update(json!({})).await.expect(200).json()["headers"], json!({}));
    // No stored secret is left that the mask could refer to.
    assert_invalid_fields(&update(json!({"X-Api-Key": MASK})).await, &["headers"]);
    assert_invalid_fields(&create_tool(service, server_id, json!({"Cookie": MASK})).await, &["headers"]);
    let plain = update(json!({"X-Plain": MASK})).await.expect(200).json();
    assert_eq!(plain["headers"], json!({"X-Plain": MASK}), "the mask has no meaning for a header that is not secret");
}

async fn headers_are_validated(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    for good in [json!({}), json!({"Accept": ""}), json!({"X-A": "ünï"}), json!({"X-A": "x".repeat(16 * 1024)})] {
        assert_eq!(create_tool(service, server_id, good.clone()).await.expect(201).json()["headers"], good);
    }
    for bad in [
        json!("Accept: a/b"),
        json!(["Accept: a/b"]),
        json!({"": "x"}),
        json!({"X A": "x"}),
        json!({"X:A": "x"}),
        json!({"X-Ünï": "x"}),
        json!({"X-A": "a\r\nX-B: b"}),
        json!({"X-A": "a\nb"}),
        json!({"X-A": "a\u{0}b"}),
        json!({"X-A": null}),
        json!({"X-A": ["a"]}),
        json!({"X-A": {"b": "c"}}),
        json!({"X-A": "1", "x-a": "2"}),
        json!({"X-A": "x".repeat(16 * 1024 + 1)}),
    ] {
        assert_invalid_fields(&create_tool(service, server_id, bad).await, &["headers"]);
    }
}
