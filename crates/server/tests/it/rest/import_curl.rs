//! Importing a pasted curl command as the configuration of a tool.

use serde_json::{Value, json};
use toolgate_testkit::objects::id;
use toolgate_testkit::running_service::ServiceBuilder;
use toolgate_testkit::{ApiFixture, TestResponse};

use super::assertions::{assert_invalid, assert_invalid_fields, keys};
use crate::openapi_document;

on_both_databases!(
    the_reply_has_the_documented_keys_in_order,
    credentials_of_every_type_are_found,
    infer_names_and_describes_the_tool,
    infer_reads_several_commands,
    every_reply_matches_the_documentation,
    a_reply_can_be_sent_back_to_create_the_tool,
    the_warning_for_a_blocked_url_contains_the_error_of_saving_it,
    an_invalid_command_is_refused_with_its_position,
    text_without_a_command_and_text_that_is_too_long_are_refused,
    random_text_is_parsed_or_refused_and_never_an_internal_error,
);

const PATH: &str = "/tools/import-curl";

const COMMAND: &str = "curl -X POST 'https://api.example.com/v1/users?active=1' \\\n  \
    -H 'Content-Type: application/json' -H 'Authorization: Bearer tok_123' \\\n  \
    -d '{\"name\": \"Ann\", \"age\": 30}'";

async fn import(service: &ApiFixture, text: &str) -> TestResponse {
    service.api.post(PATH).json(json!({"curl": text})).send().await
}

async fn infer(service: &ApiFixture, text: &str) -> TestResponse {
    service.api.post(PATH).query("infer", "1").json(json!({"curl": text})).send().await
}

async fn the_reply_has_the_documented_keys_in_order(service: &ApiFixture) {
    let reply = import(service, COMMAND).await.expect(200);
    let expected = json!({
        "endpoint_url": "https://api.example.com/v1/users?active=1",
        "http_method": "POST",
        "headers": {"Content-Type": "application/json"},
        "auth_type": "bearer",
        "auth_credentials": {"token": "tok_123"},
        "body": {"name": "Ann", "age": 30},
        "input_schema": {
            "type": "object",
            "properties": {
                "name": {"type": "string", "description": "name"},
                "age": {"type": "string", "description": "age"},
            },
            "required": [],
        },
        "parameter_mapping": {"name": {"location": "body"}, "age": {"location": "body"}},
        "body_type": "json",
    });
    // Compared as text, because the order matters.
    assert_eq!(reply.text(), expected.to_string());
    assert!(reply.header("cache-control").is_some_and(|value| value.contains("no-store")), "{reply:?}");

    // Arguments are accepted in the query, too, and nothing is created.
    let again = service.api.post(PATH).query("curl", COMMAND).send().await.expect(200);
    assert_eq!(again.text(), reply.text());
    assert_eq!(service.api.read("/analytics/overview").await["total_tools"], 0);

    let plain = import(service, "curl https://api.example.com/").await.expect(200).json();
    let expected = json!({
        "endpoint_url": "https://api.example.com/",
        "http_method": "GET",
        "headers": {},
        "auth_type": "none",
        "auth_credentials": {},
        "body": {},
        "input_schema": {"type": "object", "properties": {}, "required": []},
        "parameter_mapping": {},
    });
    assert_eq!(plain, expected, "a plain command has no body type, timeout or warnings");
}

async fn credentials_of_every_type_are_found(service: &ApiFixture) {
    let url = "https://a.example/x";
    for (arguments, auth_type, credentials) in [
        (format!("-H 'Authorization: Bearer t' {url}"), "bearer", json!({"token": "t"})),
        (format!("-H 'Authorization: Basic dTpw' {url}"), "basic", json!({"username": "u", "password": "p"})),
        (format!("--user u:p {url}"), "basic", json!({"username": "u", "password": "p"})),
        (format!("-u :TOKEN {url}"), "basic", json!({"username": "", "password": "TOKEN"})),
        (
            format!("-H 'Authorization: ApiKey k' {url}"),
            "api-key",
            json!({"key_name": "Authorization", "key_value": "ApiKey k", "key_location": "header"}),
        ),
        (
            format!("-H 'X-API-Key: k' {url}"),
            "api-key",
            json!({"key_name": "X-API-Key", "key_value": "k", "key_location": "header"}),
        ),
        (
            format!("'{url}?api_key=k'"),
            "api-key",
            json!({"key_name": "api_key", "key_value": "k", "key_location": "query"}),
        ),
    ] {
        let body = import(service, &format!("curl {arguments}")).await.expect(200).json();
        assert_eq!((&body["auth_type"], &body["auth_credentials"]), (&json!(auth_type), &credentials), "{arguments}");
        assert_eq!(body["headers"], json!({}), "a credential is removed from the headers: {arguments}");
        assert_eq!(body["endpoint_url"], url, "a credential is removed from the URL: {arguments}");
    }
}

async fn infer_names_and_describes_the_tool(service: &ApiFixture) {
    let imported = import(service, COMMAND).await.expect(200).json();
    for value in ["1", "true"] {
        let request = service.api.post(PATH).query("infer", value).json(json!({"curl": COMMAND}));
        let tool = request.send().await.expect(200).json();
        assert_eq!(keys(&tool)[..2], ["name", "description"], "{tool}");
        assert_eq!(keys(&tool)[2..10], keys(&imported)[..8], "infer changes none of the other keys: {tool}");
        assert!(tool["name"].as_str().is_some_and(|name| !name.is_empty()), "{tool}");
        assert_eq!(tool["input_schema"]["properties"]["age"]["type"], "integer", "{tool}");
    }
    let without_infer = service.api.post(PATH).query("infer", "0").json(json!({"curl": COMMAND})).send().await;
    assert_eq!(without_infer.expect(200).json(), imported);
    let invalid_value = service.api.post(PATH).query("infer", "perhaps").json(json!({"curl": COMMAND})).send().await;
    assert_invalid(&invalid_value, "infer", "rest_invalid_type");
}

const TWO_COMMANDS: &str = "curl https://a.example/users\ncurl -X DELETE https://a.example/orders/latest";

async fn infer_reads_several_commands(service: &ApiFixture) {
    let several = infer(service, TWO_COMMANDS).await.expect(200).json();
    assert_eq!(keys(&several), ["tools"]);
    let tools = several["tools"].as_array().unwrap();
    let calls: Vec<_> = tools.iter().map(|tool| (&tool["http_method"], &tool["endpoint_url"])).collect();
    let (get, delete) = (json!("GET"), json!("DELETE"));
    let (users, latest) = (json!("https://a.example/users"), json!("https://a.example/orders/latest"));
    assert_eq!(calls, [(&get, &users), (&delete, &latest)]);
    assert_ne!(tools[0]["name"], tools[1]["name"]);
    // Without infer, only the first command is parsed.
    assert_eq!(import(service, TWO_COMMANDS).await.expect(200).json()["endpoint_url"], users);
}

async fn every_reply_matches_the_documentation(service: &ApiFixture) {
    let served = service.anonymous().get("/openapi.json").send().await.expect(200).json();
    let document = openapi_document::without_references(&served);
    let operation = &document["paths"][PATH]["post"];
    let schema = &operation["responses"]["200"]["content"]["application/json"]["schema"];
    let validator = jsonschema::validator_for(schema).unwrap();
    let documented = keys(&schema["oneOf"][0]["properties"]);
    let all_fields = format!("{COMMAND} -m 7 --insecure");
    for reply in [
        import(service, "curl https://a.example").await,
        import(service, &all_fields).await,
        infer(service, &all_fields).await,
        infer(service, TWO_COMMANDS).await,
    ] {
        let body = reply.expect(200).json();
        let violations: Vec<String> = validator.iter_errors(&body).map(|error| error.to_string()).collect();
        assert!(violations.is_empty(), "{violations:?}: {body}");
        let tools = body["tools"].as_array().map_or_else(|| vec![&body], |tools| tools.iter().collect());
        for tool in tools {
            assert!(keys(tool).iter().all(|key| documented.contains(key)), "{tool}");
        }
    }
    let body = import(service, &all_fields).await.json();
    assert_eq!(body["timeout"], 7);
    assert_eq!(body["warnings"].as_array().map(Vec::len), Some(1), "{body}");
}

async fn a_reply_can_be_sent_back_to_create_the_tool(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let path = format!("/servers/{server_id}/tools");
    let create = async |fields: Value| service.api.create(&path, fields).await;
    let mut draft = import(service, COMMAND).await.expect(200).json();
    draft["name"] = "create_user".into();
    let tool = create(draft.clone()).await;
    for field in ["endpoint_url", "http_method", "headers", "auth_type", "input_schema", "parameter_mapping"] {
        assert_eq!(tool[field], draft[field], "{field}");
    }
    // With an inferred name the draft is complete.
    let inferred = infer(service, "curl -u :TOKEN https://a.example/orders -d 'a=1&b=2'").await.expect(200).json();
    let tool = create(inferred.clone()).await;
    assert_eq!((&tool["name"], &tool["body_type"]), (&inferred["name"], &json!("form")));
    assert!(id(&tool) > 0);
}

async fn the_warning_for_a_blocked_url_contains_the_error_of_saving_it(builder: &ServiceBuilder) {
    let service = ApiFixture::start(builder.clone().env("TOOLGATE_UPSTREAM_ALLOW", ""));
    let path = format!("/servers/{}/tools", service.api.create_default_server().await);
    for host in ["127.0.0.1:9", "[::1]", "169.254.169.254"] {
        let url = format!("http://{host}/x");
        let refused = service.api.post(&path).json(json!({"name": "x", "endpoint_url": url})).send().await.expect(400);
        let reason = refused.json()["data"]["params"]["endpoint_url"].as_str().unwrap().to_owned();
        let expected = json!([format!("A tool cannot be saved with this: {reason}")]);
        let command = format!("curl {url}");
        assert_eq!(import(&service, &command).await.expect(200).json()["warnings"], expected, "{host}");
        assert_eq!(infer(&service, &command).await.expect(200).json()["warnings"], expected, "{host}");
        let several = infer(&service, &format!("curl https://a.example/\n{command}")).await.expect(200).json();
        assert_eq!(several["tools"][1]["warnings"], expected, "{host}");
        assert_eq!(several["tools"][0].get("warnings"), None, "host names are checked when they are resolved");
    }
}

async fn an_invalid_command_is_refused_with_its_position(service: &ApiFixture) {
    for (text, line, column) in [
        ("curl 'https://a.example/", 1, 6),
        ("  curl https://a.example/ \\\n  -H \"Accept: a/b", 2, 6),
        ("curl https://ü.example/ü -d $'ü", 1, 29),
        ("curl https://a.example/ \\\n  --request", 2, 3),
    ] {
        for reply in [import(service, text).await, infer(service, text).await] {
            assert_invalid(&reply, "curl", "rest_invalid_param");
            let data = &reply.json()["data"];
            assert_eq!(keys(data), ["status", "params", "details", "position"], "{text}");
            assert_eq!(data["position"], json!({"line": line, "column": column}), "{text}: {data}");
            let reason = data["params"]["curl"].as_str().unwrap();
            assert!(reason.ends_with(&format!("(line {line}, column {column})")), "{reason}");
        }
    }
}

async fn text_without_a_command_and_text_that_is_too_long_are_refused(service: &ApiFixture) {
    for text in ["", " \r\n\t "] {
        assert_invalid(&import(service, text).await, "curl", "rest_too_short");
    }
    for text in ["wget https://a.example/", "https://a.example/", "echo curl https://a.example/"] {
        let reply = import(service, text).await;
        assert_invalid(&reply, "curl", "rest_invalid_param");
        assert_eq!(keys(&reply.json()["data"]), ["status", "params", "details"], "the error has no position: {text}");
    }
    // The text has fewer characters than the limit, but more bytes.
    let long = format!("curl https://a.example/ -d {}", "é".repeat(128 * 1024));
    let reply = import(service, &long).await;
    assert_invalid(&reply, "curl", "rest_too_long");
    assert_eq!(reply.json()["data"]["params"]["curl"], "curl must be at most 262144 bytes long.");
}

/// Tokens that are special to a shell, to curl or to JSON.
const SHORT_TOKENS: &[&str] = &[
    "curl", " ", "\n", "\r\n", "\t", "'", "\"", "\\", "\\\n", "`", "`\n", "^", "^\"", "^\n", "$'", "$\"", "$(", "${",
    "$X", "\\u", "\\ud83d", "\\x", "\\777", "\\c", "<<EOF", "<<<", "EOF", "|", "||", "&", "&&", ";", ">", "2>&1", "#",
    "-", "--", "-X", "-XPOST", "-d", "--json", "-F", "-H", "A: b", "-u", ":", "u:p", "-G", "-I", "-T", "--next", "-b",
    "--ma", "-m", "1e999", "-1", "ftp://x", "{", "}", "[", "]", "[[[[[[[[", "%zz", "é", "😀",
];
const LONG_TOKENS: &[&str] = &[
    "curl.exe",
    "--data-urlencode",
    "a=@b;type=c",
    "Authorization: Basic %%%",
    "Authorization:",
    "--url-query",
    "--aws-sigv4",
    "https://a.example/",
    "https://[",
    "http://u:%ff@h/{a}/{{b}}?api_key=",
    "{\"a\":1}",
    "{\"a\":",
    "a=1&a=2&b[]=3&=&",
    "--boundary\r\n",
    "Content-Type: multipart/form-data; boundary=x",
    "PS C:\\>",
    "```sh\n",
    "\u{feff}",
    "\u{a0}",
    "\u{202e}",
];

async fn random_text_is_parsed_or_refused_and_never_an_internal_error(service: &ApiFixture) {
    let tokens = [SHORT_TOKENS, LONG_TOKENS].concat();
    // Xorshift with a fixed seed, so that failures are reproducible.
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random_below = move |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % u64::try_from(limit).unwrap()).unwrap()
    };
    let mut parsed = 0;
    for number in 0..400 {
        let prefix = if number % 4 == 0 { "" } else { "curl https://a.example/ " };
        let text = (0..=random_below(24)).fold(prefix.to_owned(), |text, _| text + tokens[random_below(tokens.len())]);
        for reply in [import(service, &text).await, infer(service, &text).await] {
            match reply.status {
                200 => parsed += 1,
                _ => assert_invalid_fields(&reply, &["curl"]),
            }
        }
    }
    assert!(parsed > 50, "too few texts were parsed: {parsed}");
    // A form may contain invalid UTF-8.
    for _ in 0..100 {
        let bytes = (0..random_below(200)).fold(String::new(), |text, _| text + &format!("%{:02x}", random_below(256)));
        let request = service.api.post(PATH).header("content-type", "application/x-www-form-urlencoded");
        let reply = request.body(format!("curl=curl%20{bytes}")).send().await;
        assert!([200, 400].contains(&reply.status), "{bytes}: {reply:?}");
    }
    service.api.read("/servers").await;
    let logs = service.app.logs();
    assert!(!logs.contains("panicked") && !logs.contains("ERROR"), "{logs}");
}
