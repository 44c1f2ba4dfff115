//! Fields that a route does not know: ignored and named in a header, or refused in strict mode.

use serde_json::{Value, json};
use toolgate_testkit::objects::id;
use toolgate_testkit::{ApiFixture, TestResponse};

use super::assertions::keys;
use crate::toolgate;

const HEADER: &str = "x-toolgate-ignored";

fn ignored(reply: &TestResponse) -> Option<&str> {
    reply.header(HEADER)
}

#[tokio::test]
async fn an_unknown_field_is_ignored_and_named_with_a_suggestion() {
    let service = ApiFixture::start(toolgate());
    let server_id = service.api.create_default_server().await;
    let tools = format!("/servers/{server_id}/tools");
    let body = json!({"name": "t", "endpoint_url": "https://a.example/", "timout": 5, "colour": "red"});
    let created = service.api.post(&tools).json(body).send().await.expect(201);
    assert_eq!(ignored(&created), Some("timout (did you mean timeout?), colour"));
    assert_eq!(created.json()["timeout"], 30);
    let path = format!("/tools/{}", created.json()["id"]);
    for method in ["POST", "PUT", "PATCH"] {
        let request = service.api.request(method.parse().unwrap(), &format!("{path}?retires=1"));
        let reply = request.json(json!({"retryCount": 2})).send().await.expect(200);
        assert_eq!(ignored(&reply), Some("retires, retryCount (did you mean retry_count?)"), "{method}");
    }
    let form =
        service.api.patch(&path).header("content-type", "application/x-www-form-urlencoded").body("headres[a]=b");
    assert_eq!(ignored(&form.send().await.expect(200)), Some("headres (did you mean headers?)"));
    let deleted = service.api.delete(&format!("{path}?froce=1")).send().await.expect(200);
    assert_eq!(ignored(&deleted), Some("froce (did you mean force?)"));
    let refused = service.api.post("/servers").json(json!({"nmae": "A"})).send().await.expect(400);
    assert_eq!(ignored(&refused), Some("nmae (did you mean name?)"), "an error reply names it, too");
    let read = service.api.get("/servers?serach=x").send().await.expect(200);
    assert_eq!(ignored(&read), Some("serach (did you mean search?)"));
}

#[tokio::test]
async fn known_fields_and_parameters_of_wordpress_are_not_named() {
    let service = ApiFixture::start(toolgate());
    let query = "?_fields=id&context=edit&_embed=1&_locale=user&_wpnonce=a&_jsonp=b&_=1&strict=1";
    let body = json!({"name": "A", "transport_type": "streamable-http", "settings": {"own_key": 1}});
    let created = service.api.post(&format!("/servers{query}")).json(body).send().await.expect(201);
    assert_eq!(ignored(&created), None);
    let path = format!("/servers/{}", created.json()["id"]);
    // An action takes no fields, so those of the object have no effect either.
    let toggled = service.api.post(&format!("{path}/toggle")).json(json!({"status": "draft", "id": 1})).send().await;
    assert_eq!(ignored(&toggled.expect(200)), Some("status"));
    let enveloped = service.api.patch(&format!("{path}?_envelope")).json(json!({"nam": "B"})).send().await.expect(200);
    assert_eq!(enveloped.json()["headers"]["X-Toolgate-Ignored"], "nam (did you mean name?)");
}

#[tokio::test]
async fn members_of_prompt_arguments_that_are_dropped_are_named() {
    let service = ApiFixture::start(toolgate());
    let server_id = service.api.create_default_server().await;
    let path = format!("/servers/{server_id}/prompts");
    let arguments = json!([{"name": "city", "requierd": true}]);
    let body = json!({"name": "p", "template_content": "{{city}}", "arguments": arguments});
    let created = service.api.post(&path).json(body.clone()).send().await.expect(201);
    assert_eq!(ignored(&created), Some("arguments[0][requierd] (did you mean required?)"));
    let refused = service.api.post(&format!("{path}?strict=1")).json(body).send().await.expect(400).json();
    let message = "arguments[0][requierd] is not a known field; did you mean required?";
    assert_eq!(refused["data"]["params"], json!({"arguments": message}));
}

#[tokio::test]
async fn strict_mode_refuses_unknown_fields_together_with_invalid_ones() {
    let service = ApiFixture::start(toolgate());
    let server = service.api.create_server(json!({})).await;
    let path = format!("/servers/{}", id(&server));
    let body = json!({"name": "B", "rate_limt_per_min": 5, "colour": 1, "auth_type": "oauth2"});
    for strict in ["strict=1", "strict=true"] {
        let reply = service.api.patch(&format!("{path}?{strict}&pag=2")).json(body.clone()).send().await.expect(400);
        let error = reply.json();
        assert_eq!(error["code"], "rest_invalid_param");
        let params = &error["data"]["params"];
        assert_eq!(keys(params), ["pag", "rate_limt_per_min", "colour", "auth_type"], "{error}");
        let message = "rate_limt_per_min is not a known field; did you mean rate_limit_per_min?";
        assert_eq!(params["rate_limt_per_min"], message);
        let details = json!({"code": "rest_unknown_param", "message": message, "data": {"param": "rate_limt_per_min"}});
        assert_eq!(error["data"]["details"]["rate_limt_per_min"], details);
    }
    assert_eq!(service.api.read(&path).await, server, "a refused update changes nothing");
    let missing = service.api.post("/servers?strict=1").json(json!({"nmae": "A"})).send().await.expect(400).json();
    assert_eq!(missing["data"]["params"], json!({"nmae": "nmae is not a known field; did you mean name?"}));
    let read = service.api.get("/servers?strict=1&serach=x").send().await.expect(400).json();
    assert_eq!(keys(&read["data"]["params"]), ["serach"]);
    for lenient in ["strict=0", "strict=false"] {
        service.api.patch(&format!("{path}?{lenient}")).json(json!({"colour": 1})).send().await.expect(200);
    }
    let invalid = service.api.patch(&format!("{path}?strict=maybe")).json(json!({})).send().await.expect(400).json();
    assert_eq!(keys(&invalid["data"]["params"]), ["strict"]);
}

#[tokio::test]
async fn the_header_is_short_printable_ascii() {
    let service = ApiFixture::start(toolgate());
    let path = format!("/servers/{}", service.api.create_default_server().await);
    let body: serde_json::Map<String, Value> =
        (0..500).map(|n| (format!("{n},\r\nX-Evil: é{}", "y".repeat(500)), json!(1))).collect();
    let reply = service.api.patch(&path).json(Value::Object(body)).send().await.expect(200);
    let value = ignored(&reply).unwrap();
    assert!(value.starts_with("0???X-Evil: ?yyy") && value.ends_with(", and 480 more"), "{value}");
    assert!(value.len() < 2000, "{value}");
    assert_eq!(reply.header("x-evil"), None);
}
