//! Queries as authors write them, and values as untrusted clients send them.

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn url(config: &Value, variables: &[(&str, &str)]) -> Result<String, WpQueryError> {
    let variables: Vec<_> = variables.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
    request_url(&JsonObject::from_stored(config.to_string()), &variables)
}

fn query(query: &Value, variables: &[(&str, &str)]) -> String {
    let url = url(&json!({"site_url": "https://a.example", "query": query}), variables).unwrap();
    url.strip_prefix("https://a.example/wp-json/wp/v2/").unwrap().to_owned()
}

#[test]
fn the_path_consists_of_site_and_collection() {
    for (site, expected) in [
        ("https://a.example", "https://a.example/wp-json/wp/v2/posts"),
        ("https://a.example/", "https://a.example/wp-json/wp/v2/posts"),
        ("http://a.example:8080/blog/", "http://a.example:8080/blog/wp-json/wp/v2/posts"),
        ("https://a.example/{lang}", "https://a.example/de/wp-json/wp/v2/posts"),
        ("https://a.example/?x=1#top", "https://a.example/wp-json/wp/v2/posts?x=1"),
    ] {
        assert_eq!(url(&json!({"site_url": site}), &[("lang", "de")]).as_deref(), Ok(expected));
    }
    for (post_type, expected) in
        [("post", "posts"), ("page", "pages"), ("attachment", "media"), ("posts", "posts"), ("my_type", "my_type")]
    {
        assert_eq!(query(&json!({"post_type": post_type}), &[]), expected);
        assert_eq!(query(&json!({"post_type": [post_type]}), &[]), expected);
        assert_eq!(query(&json!({"post_type": "{{t}}"}), &[("t", post_type)]), expected);
    }
    assert_eq!(query(&json!({"post_type": "{{t}}"}), &[]), "posts");
    assert_eq!(query(&json!([]), &[]), "posts");
}

#[test]
fn names_of_wp_query_become_those_of_the_rest_api() {
    for (sent, expected) in [
        (json!({"posts_per_page": 5, "s": "a b", "paged": 2}), "per_page=5&search=a%20b&page=2"),
        (json!({"per_page": 5, "search": "x", "page": 2}), "per_page=5&search=x&page=2"),
        (json!({"p": 7}), "include=7"),
        (json!({"include": [1, 2, "3"]}), "include=1,2,3"),
        (json!({"post__in": [1], "post__not_in": [2]}), "include=1&exclude=2"),
        (json!({"orderby": "ID", "order": "DESC"}), "orderby=id&order=desc"),
        (json!({"posts_per_page": -1}), "per_page=100"),
        (json!({"post_status": ["publish", "draft"], "name": "hello"}), "status=publish,draft&slug=hello"),
        (json!({"sticky": true, "author": null, "tags": []}), "sticky=true"),
        (json!({"search": ""}), "search="),
        (
            json!({"categories": {"terms": [1, 2], "operator": "AND"}}),
            "categories%5Bterms%5D=1,2&categories%5Boperator%5D=AND",
        ),
        (json!({"x": [{"y": 1}, [2, 3]]}), "x%5B0%5D%5By%5D=1&x%5B1%5D=2,3"),
    ] {
        assert_eq!(query(&sent, &[]), format!("posts?{expected}"), "{sent}");
    }
}

#[test]
fn fields_are_the_last_parameter() {
    for fields in [json!(["id", "title.rendered"]), json!(["id", "{{f}}"])] {
        let config = json!({"fields": fields, "site_url": "https://a.example", "query": {"page": 1}});
        let url = url(&config, &[("f", "title.rendered")]).unwrap();
        assert_eq!(url, "https://a.example/wp-json/wp/v2/posts?page=1&_fields=id,title.rendered");
    }
}

#[test]
fn values_are_filled_with_variables_and_omitted_if_these_are_absent() {
    let sent = json!({"search": "{{ q }}", "slug": "a-{{q}}", "page": "{{n}}", "include": ["{{n}}", 3]});
    assert_eq!(
        query(&sent, &[("q", "é&x=1,{{n}}"), ("n", "2")]),
        "posts?search=%C3%A9%26x%3D1%2C%7B%7Bn%7D%7D&slug=a-%C3%A9%26x%3D1%2C%7B%7Bn%7D%7D&page=2&include=2,3"
    );
    assert_eq!(query(&sent, &[]), "posts?slug=a-&include=3");
}

#[test]
fn queries_without_a_valid_url_are_refused() {
    for site in ["", "nowhere", "mailto:a@b.example", "https://a.example/{"] {
        assert_eq!(url(&json!({"site_url": site}), &[]), Err(WpQueryError::SiteUrl), "{site}");
    }
    for post_type in [json!("../users"), json!("a/b"), json!(".."), json!(["post", "page"]), json!("é"), json!("a?b")]
    {
        let config = json!({"site_url": "https://a.example", "query": {"post_type": post_type}});
        assert_eq!(url(&config, &[]), Err(WpQueryError::PostType), "{post_type}");
    }
    assert_eq!(url(&json!({"site_url": "https://a.example/x/{v}"}), &[("v", "..")]), Err(WpQueryError::SiteUrl));
    for text in ["{{v}}".to_owned(), "{{v}}".repeat(1000), "é".repeat(2000)] {
        let config = json!({"site_url": "https://a.example", "query": {"search": text}});
        assert_eq!(url(&config, &[("v", &"é".repeat(8000))]), Err(WpQueryError::TooLong));
    }
    let config = json!({"site_url": "https://a.example", "query": {"include": vec!["{{v}}"; 40_000]}});
    assert_eq!(url(&config, &[("v", &"x".repeat(8000))]), Err(WpQueryError::TooLong));
}

proptest! {
    #[test]
    fn a_value_is_one_parameter_and_decodes_to_itself(value in ".{1,20}", name in "[a-z]{2,8}") {
        prop_assume!(rest_name(&name) == name && !name.starts_with("order"));
        let url = url(&json!({"site_url": "https://a.example", "query": {&name: "{{v}}"}}), &[("v", &value)]).unwrap();
        let url = Url::parse(&url).unwrap();
        prop_assert_eq!(url.path(), "/wp-json/wp/v2/posts");
        prop_assert_eq!(url.query_pairs().into_owned().collect::<Vec<_>>(), vec![(name, value)]);
    }

    #[test]
    fn no_value_makes_the_url_leave_the_site(value in ".{0,20}") {
        let config = json!({"site_url": "https://a.example/x/{v}", "query": {"post_type": "{{v}}"}});
        if let Ok(url) = url(&config, &[("v", &value)]) {
            prop_assert!(url.starts_with("https://a.example/x/"), "{}", url);
        }
    }
}
