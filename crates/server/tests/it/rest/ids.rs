//! Ids in paths: absent ones, malformed ones, and those of the wrong parent.

use serde_json::json;
use toolgate_testkit::ApiFixture;
use toolgate_testkit::objects::id;

use super::assertions::assert_error;

on_both_databases!(
    an_absent_object_gets_the_error_invalid_id,
    an_id_that_is_not_a_number_gets_the_error_no_route,
    a_child_of_another_server_is_absent,
);

async fn an_absent_object_gets_the_error_invalid_id(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    for number in ["0", "999", "00", "9223372036854775807", "9223372036854775808", "99999999999999999999999999"] {
        let child = |kind: &str| format!("/servers/{server_id}/{kind}/{number}");
        for (path, code, message) in [
            (format!("/servers/{number}"), "rest_server_invalid_id", "Invalid server ID."),
            (format!("/servers/{number}/tools"), "rest_server_invalid_id", "Invalid server ID."),
            (format!("/servers/{number}/prompts"), "rest_server_invalid_id", "Invalid server ID."),
            (format!("/servers/{number}/resources"), "rest_server_invalid_id", "Invalid server ID."),
            (format!("/tools/{number}"), "rest_tool_invalid_id", "Invalid tool ID."),
            (child("prompts"), "rest_prompt_invalid_id", "Invalid prompt ID."),
            (child("resources"), "rest_resource_invalid_id", "Invalid resource ID."),
        ] {
            let reply = service.api.get(&path).send().await;
            assert_error(&reply, 404, code);
            assert_eq!(reply.json()["message"], message, "{path}");
        }
        for (path, code) in [
            (format!("/servers/{number}/toggle"), "rest_server_invalid_id"),
            (format!("/servers/{number}/duplicate"), "rest_server_invalid_id"),
            (format!("/tools/{number}/duplicate"), "rest_tool_invalid_id"),
            (format!("/tools/{number}/toggle"), "rest_tool_invalid_id"),
            (format!("/tools/{number}/test"), "rest_tool_invalid_id"),
        ] {
            assert_error(&service.api.post(&path).send().await, 404, code);
        }
        assert_error(&service.api.delete(&format!("/tools/{number}")).send().await, 404, "rest_tool_invalid_id");
        assert_error(&service.api.delete(&format!("/servers/{number}")).send().await, 404, "rest_server_invalid_id");
    }
}

async fn an_id_that_is_not_a_number_gets_the_error_no_route(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    for word in ["abc", "-1", "+1", "1.0", "1.5", "1a", "0x1", "1e0", "%20", "1%20", "%D9%A1", "{id}"] {
        for path in [
            format!("/servers/{word}"),
            format!("/servers/{word}/tools"),
            format!("/servers/{server_id}/prompts/{word}"),
            format!("/tools/{word}"),
        ] {
            assert_error(&service.api.get(&path).send().await, 404, "rest_no_route");
        }
        assert_error(&service.api.post(&format!("/servers/{word}/toggle")).send().await, 404, "rest_no_route");
    }
}

async fn a_child_of_another_server_is_absent(service: &ApiFixture) {
    let (first, second) = (service.api.create_default_server().await, service.api.create_default_server().await);
    let prompt = json!({"name": "p", "template_content": "x"});
    let resource = json!({"uri": "doc://a", "name": "r", "data_source_config": {"content": "x"}});
    for (kind, body) in [("prompt", prompt), ("resource", resource)] {
        let object = service.api.create(&format!("/servers/{first}/{kind}s"), body).await;
        let code = format!("rest_{kind}_invalid_id");
        service.api.get(&format!("/servers/{first}/{kind}s/{}", id(&object))).send().await.expect(200);
        let wrong_path = format!("/servers/{second}/{kind}s/{}", id(&object));
        assert_error(&service.api.get(&wrong_path).send().await, 404, &code);
        assert_error(&service.api.post(&wrong_path).json(json!({"description": "x"})).send().await, 404, &code);
        assert_error(&service.api.delete(&wrong_path).send().await, 404, &code);
        service.api.get(&format!("/servers/{first}/{kind}s/{}", id(&object))).send().await.expect(200);
    }
}
