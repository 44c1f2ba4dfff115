//! Parsing and validation of credentials.

use super::*;
use crate::json;

fn object(text: &str) -> JsonObject {
    JsonObject::from_raw(json::check(text.as_bytes()).unwrap()).unwrap()
}

#[test]
fn exposed_credentials_of_each_type_can_be_parsed() {
    for (auth_type, text) in [
        (AuthType::Bearer, r#"{"token":"t"}"#),
        (AuthType::Basic, r#"{"username":"u","password":"p"}"#),
        (AuthType::Basic, r#"{"username":"u","password":""}"#),
        (AuthType::Basic, r#"{"username":"","password":"p"}"#),
        (AuthType::ApiKey, r#"{"key_name":"X-Key","key_value":"v","key_location":"query"}"#),
        (AuthType::ApiKey, r#"{"key_name":"token","key_value":"a/b","key_location":"path"}"#),
        (AuthType::ApiKey, r#"{"key_name":"sid","key_value":"v","key_location":"cookie"}"#),
        (
            AuthType::ApiKey,
            r#"{"keys":[{"key_name":"X-A","key_value":"1","key_location":"header"},{"key_name":"b","key_value":"2","key_location":"query"}]}"#,
        ),
        (AuthType::OAuth2, r#"{"token_url":"https://a.example/t","client_id":"c","client_secret":"s","scope":null}"#),
        (
            AuthType::Bearer,
            r#"{"token":"t","keys":[{"key_name":"X-A","key_value":"1","key_location":"header"},{"key_name":"b","key_value":"2","key_location":"query"}]}"#,
        ),
        (
            AuthType::OAuth2,
            r#"{"token_url":"https://a.example/t","client_id":"c","client_secret":"s","scope":"x","keys":[{"key_name":"sid","key_value":"v","key_location":"cookie"}]}"#,
        ),
    ] {
        let credentials = Credentials::parse(auth_type, &object(text)).unwrap().unwrap();
        assert_eq!(credentials.expose().as_str(), text);
        assert_eq!(credentials.auth_type(), auth_type);
    }
}

#[test]
fn faults_name_the_invalid_and_the_missing_keys() {
    let broken = r#"{"token_url":7,"client_id":"c"}"#;
    let faults = Credentials::parse(AuthType::OAuth2, &object(broken)).unwrap_err();
    let fields: Vec<_> = faults.iter().map(|f| f.field.as_str()).collect();
    assert_eq!(fields, ["auth_credentials[token_url]", "auth_credentials[client_secret]"]);
    for auth_type in [AuthType::None, AuthType::Bearer, AuthType::Basic, AuthType::ApiKey, AuthType::OAuth2] {
        assert!(Credentials::parse(auth_type, &object("{}")).unwrap().is_none());
    }
    assert!(Credentials::parse(AuthType::None, &object(r#"{"token":"x"}"#)).is_err());
}

#[test]
fn a_user_or_a_password_may_be_empty_but_not_both() {
    for (text, field) in [
        (r#"{"username":""}"#, "auth_credentials[username]"),
        (r#"{"username":"","password":""}"#, "auth_credentials[username]"),
        (r#"{"username":null,"password":null}"#, "auth_credentials[username]"),
        (r#"{"password":7}"#, "auth_credentials[password]"),
    ] {
        let faults = Credentials::parse(AuthType::Basic, &object(text)).unwrap_err();
        let fields: Vec<_> = faults.iter().map(|f| f.field.as_str()).collect();
        assert_eq!(fields, [field], "{text}");
    }
    let password_only = Credentials::parse(AuthType::Basic, &object(r#"{"password":"p"}"#)).unwrap().unwrap();
    assert_eq!(password_only.expose().as_str(), r#"{"username":"","password":"p"}"#);
}

#[test]
fn keys_that_are_sent_with_a_token_follow_the_rules_of_keys() {
    for (text, field) in [
        (r#"{"token":"t","keys":[]}"#, "[keys]"),
        (r#"{"token":"t","keys":[{"key_name":"X"}]}"#, "[keys][0][key_value]"),
        (r#"{"token":"t","keys":[{"key_name":"authorization","key_value":"v"}]}"#, "[keys][0][key_name]"),
        (r#"{"keys":[{"key_value":"v"}]}"#, "[token]"),
    ] {
        let faults = Credentials::parse(AuthType::Bearer, &object(text)).unwrap_err();
        let fields: Vec<_> = faults.iter().map(|fault| fault.field.as_str()).collect();
        assert_eq!(fields, [format!("auth_credentials{field}")], "{text}");
    }
    let basic = r#"{"username":"u","password":"p","keys":[{"key_name":"k","key_value":"v","key_location":"path"}]}"#;
    let credentials = Credentials::parse(AuthType::Basic, &object(basic)).unwrap().unwrap();
    assert_eq!((credentials.auth_type(), credentials.path_key_names()), (AuthType::Basic, vec!["k".to_owned()]));
    assert!(!format!("{credentials:?}").contains("\"v\""));
}

#[test]
fn the_default_name_of_an_api_key_is_x_api_key() {
    let credentials = Credentials::parse(AuthType::ApiKey, &object(r#"{"key_value":"v"}"#)).unwrap().unwrap();
    assert!(credentials.expose().contains(r#""key_name":"X-API-Key""#));
}

#[test]
fn each_key_is_checked_by_the_rules_of_its_location() {
    let key =
        |index: usize| serde_json::json!({"key_name": format!("k{index}"), "key_value": "v", "key_location": "query"});
    let list = |count: usize| serde_json::json!({"keys": (0..count).map(key).collect::<Vec<_>>()}).to_string();
    for (text, field) in [
        (r#"{"key_value":"v","key_location":"body"}"#, "[key_location]"),
        (r#"{"key_value":"v","key_location":"path"}"#, "[key_name]"),
        (r#"{"key_name":"a b","key_value":"v","key_location":"path"}"#, "[key_name]"),
        (r#"{"key_name":"a","key_value":"..","key_location":"path"}"#, "[key_value]"),
        (r#"{"key_name":"a=","key_value":"v","key_location":"cookie"}"#, "[key_name]"),
        (r#"{"key_name":"a","key_value":"v; b=1","key_location":"cookie"}"#, "[key_value]"),
        (r#"{"keys":[]}"#, "[keys]"),
        (r#"{"keys":{}}"#, "[keys]"),
        (r#"{"keys":["v"]}"#, "[keys][0]"),
        (r#"{"keys":[{"key_value":"v"},{"key_name":"X"}]}"#, "[keys][1][key_value]"),
        (r#"{"keys":[{"key_value":"v"},{"key_name":"x-api-key","key_value":"w"}]}"#, "[keys][1][key_name]"),
        (r#"{"keys":[{"key_value":"v"}],"key_value":"v"}"#, "[key_value]"),
        (list(KEYS_MAX + 1).as_str(), "[keys]"),
    ] {
        let faults = Credentials::parse(AuthType::ApiKey, &object(text)).unwrap_err();
        let fields: Vec<_> = faults.iter().map(|fault| fault.field.as_str()).collect();
        assert_eq!(fields, [format!("auth_credentials{field}")], "{text}");
        assert!(faults.iter().all(|fault| fault.message.contains(&fault.field)), "{faults:?}");
    }
    assert!(Credentials::parse(AuthType::ApiKey, &object(&list(KEYS_MAX))).is_ok());
}
