use super::*;

fn key(name: &str, location: KeyLocation, value: Option<&str>) -> RequestKey {
    RequestKey { name: name.to_owned(), location, value: value.map(str::to_owned) }
}

#[test]
fn keys_are_sent_together_with_other_credentials() {
    use KeyLocation::{Header, Query};
    let extra = || vec![key("X-Key", Header, Some("k"))];
    for (mut auth, expected) in [
        (RequestAuth::None, r#"{"key_name":"X-Key","key_location":"header","key_value":"k"}"#),
        (
            RequestAuth::Bearer { token: Some("t".to_owned()) },
            r#"{"keys":[{"key_name":"Authorization","key_location":"header","key_value":"Bearer t"},{"key_name":"X-Key","key_location":"header","key_value":"k"}]}"#,
        ),
        (
            RequestAuth::Basic { username: Some("u".to_owned()), password: Some("p".to_owned()) },
            r#"{"keys":[{"key_name":"Authorization","key_location":"header","key_value":"Basic dTpw"},{"key_name":"X-Key","key_location":"header","key_value":"k"}]}"#,
        ),
        (
            RequestAuth::Keys(vec![key("q", Query, None)]),
            r#"{"keys":[{"key_name":"q","key_location":"query"},{"key_name":"X-Key","key_location":"header","key_value":"k"}]}"#,
        ),
    ] {
        assert!(auth.add_keys(extra()).is_empty());
        assert_eq!(Value::Object(auth.members()).to_string(), expected);
        assert_eq!(auth.auth_type(), AuthType::ApiKey);
    }
    let mut oauth2 = RequestAuth::OAuth2 { token_url: None, client_id: None, client_secret: None, scope: None };
    assert_eq!(oauth2.add_keys(extra()).len(), 1);
}

#[test]
fn at_most_eight_valid_keys_are_sent() {
    let mut auth = RequestAuth::None;
    let keys = (0..10).map(|n| key(&format!("k{n}"), KeyLocation::Header, Some("v")));
    let invalid = [key("a b", KeyLocation::Header, None), key("K1", KeyLocation::Header, None)];
    let rejected = auth.add_keys(keys.chain(invalid).collect());
    assert_eq!(rejected.len(), 4);
}

#[test]
fn a_bearer_token_in_a_header_is_a_bearer_credential() {
    let mut auth = RequestAuth::None;
    auth.add_keys(vec![key("authorization", KeyLocation::Header, Some("bearer abc"))]);
    assert!(auth == RequestAuth::Bearer { token: Some("abc".to_owned()) });
}

#[test]
fn a_credential_is_listed_once_and_shows_no_secret() {
    let mut list = CredentialList::default();
    let one = RequestAuth::Keys(vec![key("X-Key", KeyLocation::Header, Some("s3cret"))]);
    let other = RequestAuth::Basic { username: Some("u".to_owned()), password: None };
    assert_eq!(list.add(&one, "api_key").as_deref(), Some("api_key"));
    assert_eq!(list.add(&one, "api_key").as_deref(), Some("api_key"));
    assert_eq!(list.add(&other, "api_key").as_deref(), Some("api_key_2"));
    assert_eq!(list.add(&RequestAuth::None, "x"), None);
    let list = list.into_list();
    let needs: Vec<_> = list.iter().map(|credential| credential.needs.clone()).collect();
    assert_eq!(needs, [vec![], vec!["password"]]);
    assert_eq!(Value::Object(list[0].open_members.clone()), json!({"key_name": "X-Key", "key_location": "header"}));
    assert_eq!(list[1].open_members.len(), 0);
    assert!(!format!("{list:?}").contains("s3cret"));
}

#[test]
fn a_token_that_cannot_be_sent_is_not_stored_and_is_listed_as_needed() {
    let mut list = CredentialList::default();
    list.add(&RequestAuth::Bearer { token: Some("a\nb".to_owned()) }, "bearer");
    let list = list.into_list();
    assert_eq!((list[0].needs.as_slice(), list[0].auth_credentials.as_str()), (&["token"][..], "{}"));
}
