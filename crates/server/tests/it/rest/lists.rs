//! Lists of servers: pages, totals, links, filters, sorting, searching.

use serde_json::{Value, json};
use toolgate_testkit::ApiFixture;
use toolgate_testkit::objects::id;

use super::assertions::{assert_invalid, column, ids_of};

on_both_databases!(
    a_page_has_twenty_servers_by_default,
    page_and_per_page_must_be_within_bounds,
    a_page_beyond_the_last_is_empty,
    an_empty_list_has_no_pages,
    links_lead_to_adjacent_pages_with_every_argument,
    a_status_filters_the_list_and_an_empty_status_does_not,
    the_newest_server_comes_first_by_default,
    the_list_can_be_sorted_by_every_field_in_both_directions,
    names_sort_case_insensitively,
    invalid_sorting_is_refused,
    search_covers_name_slug_and_description,
    search_reflects_changes,
);

/// Creates ten servers, `s0` to `s9`.
async fn create_ten_servers(service: &ApiFixture) {
    for number in 0..10 {
        service.api.create_server(json!({"name": format!("s{number}")})).await;
    }
}

/// The list at a path, and its `X-WP-Total` and `X-WP-TotalPages`.
async fn list_and_totals(service: &ApiFixture, path: &str) -> (Value, Option<String>, Option<String>) {
    let reply = service.api.get(path).send().await.expect(200);
    let header = |name| reply.header(name).map(str::to_owned);
    (reply.json(), header("x-wp-total"), header("x-wp-totalpages"))
}

async fn a_page_has_twenty_servers_by_default(service: &ApiFixture) {
    for number in 0..21 {
        service.api.create_server(json!({"name": format!("s{number}")})).await;
    }
    let (list, total, pages) = list_and_totals(service, "/servers").await;
    assert_eq!((list.as_array().unwrap().len(), total.as_deref(), pages.as_deref()), (20, Some("21"), Some("2")));
    let (second, total, pages) = list_and_totals(service, "/servers?page=2").await;
    assert_eq!((column(&second, "name"), total.as_deref(), pages.as_deref()), (vec!["s0"], Some("21"), Some("2")));
    let (all, _, pages) = list_and_totals(service, "/servers?per_page=100").await;
    assert_eq!((all.as_array().unwrap().len(), pages.as_deref()), (21, Some("1")));
}

async fn page_and_per_page_must_be_within_bounds(service: &ApiFixture) {
    for (query, field, code) in [
        ("per_page=0", "per_page", "rest_out_of_bounds"),
        ("per_page=101", "per_page", "rest_out_of_bounds"),
        ("per_page=-1", "per_page", "rest_out_of_bounds"),
        ("per_page=", "per_page", "rest_invalid_type"),
        ("per_page=1.5", "per_page", "rest_invalid_type"),
        ("per_page=ten", "per_page", "rest_invalid_type"),
        ("page=0", "page", "rest_out_of_bounds"),
        ("page=-1", "page", "rest_out_of_bounds"),
        ("page=one", "page", "rest_invalid_type"),
        ("page=", "page", "rest_invalid_type"),
    ] {
        assert_invalid(&service.api.get(&format!("/servers?{query}")).send().await, field, code);
    }
    for good in ["per_page=1", "per_page=100", "per_page=10.0", "page=1"] {
        service.api.get(&format!("/servers?{good}")).send().await.expect(200);
    }
}

async fn a_page_beyond_the_last_is_empty(service: &ApiFixture) {
    create_ten_servers(service).await;
    for page in ["3", "1000", "2147483648", "4294967296", "9223372036854775807"] {
        let (list, total, pages) = list_and_totals(service, &format!("/servers?per_page=5&page={page}")).await;
        assert_eq!((list, total.as_deref(), pages.as_deref()), (json!([]), Some("10"), Some("2")), "page {page}");
    }
}

async fn an_empty_list_has_no_pages(service: &ApiFixture) {
    for path in ["/servers", "/servers?page=2", "/servers?status=draft"] {
        let (list, total, pages) = list_and_totals(service, path).await;
        assert_eq!((list, total.as_deref(), pages.as_deref()), (json!([]), Some("0"), Some("0")), "{path}");
    }
    assert_eq!(service.api.get("/servers").send().await.header("link"), None);
}

async fn links_lead_to_adjacent_pages_with_every_argument(service: &ApiFixture) {
    create_ten_servers(service).await;
    let query = "per_page=4&orderby=name&order=asc&search=s&_fields=name&other=a%26b";
    let first = service.api.get(&format!("/servers?{query}")).send().await.expect(200);
    let links = links(first.header("link").unwrap());
    assert_eq!(links.len(), 1);
    assert_eq!(links[0].0, "next");
    assert!(links[0].1.starts_with(&format!("{}/servers?", service.app.api_base())), "{links:?}");
    for argument in ["per_page=4", "orderby=name", "order=asc", "search=s", "_fields=name", "other=a%26b", "page=2"] {
        assert!(links[0].1.split(['?', '&']).any(|part| part == argument), "{argument}: {links:?}");
    }
    // The links lead through the whole list.
    let mut names = column(&first.json(), "name").iter().map(ToString::to_string).collect::<Vec<_>>();
    let mut next = Some(links[0].1.clone());
    let mut last = first;
    while let Some(url) = next {
        last = service.api.get(&url).send().await.expect(200);
        names.extend(column(&last.json(), "name").iter().map(ToString::to_string));
        next = self::links(last.header("link").unwrap()).into_iter().find(|(rel, _)| rel == "next").map(|(_, url)| url);
    }
    assert_eq!(names, (0..10).map(|number| format!("s{number}")).collect::<Vec<_>>());
    let last_links = self::links(last.header("link").unwrap());
    assert_eq!(last_links.iter().map(|(rel, _)| rel.as_str()).collect::<Vec<_>>(), ["prev"]);
    let middle = service.api.get("/servers?per_page=4&page=2").send().await;
    let rels: Vec<String> = self::links(middle.header("link").unwrap()).into_iter().map(|(rel, _)| rel).collect();
    assert_eq!(rels, ["prev", "next"]);
    let beyond = service.api.get("/servers?per_page=4&page=50").send().await;
    assert!(
        self::links(beyond.header("link").unwrap())[0].1.ends_with("page=3"),
        "prev leads to the last existing page"
    );
}

/// The relation and the URL of each link, from `<url>; rel="name", …`.
fn links(header: &str) -> Vec<(String, String)> {
    let parts = header.split(", <").map(|part| part.trim_start_matches('<'));
    let parse_link = |part: &str| {
        let (address, rel) = part.split_once(">; rel=\"").unwrap();
        (rel.trim_end_matches('"').to_owned(), address.to_owned())
    };
    parts.map(parse_link).collect()
}

async fn a_status_filters_the_list_and_an_empty_status_does_not(service: &ApiFixture) {
    for (name, status) in [("a", "active"), ("b", "paused"), ("c", "draft"), ("d", "active")] {
        service.api.create_server(json!({"name": name, "status": status})).await;
    }
    for (query, names) in [
        ("status=active", vec!["d", "a"]),
        ("status=paused", vec!["b"]),
        ("status=draft", vec!["c"]),
        ("status=", vec!["d", "c", "b", "a"]),
        ("", vec!["d", "c", "b", "a"]),
        ("status=active&per_page=1", vec!["d"]),
    ] {
        let (list, total, _) = list_and_totals(service, &format!("/servers?{query}")).await;
        assert_eq!(column(&list, "name"), names, "{query}");
        let expected = if query.starts_with("status=active") { 2 } else { names.len() };
        assert_eq!(total, Some(expected.to_string()), "{query}");
    }
    for bad in ["deleted", "Active", "active,paused", "all", "%20"] {
        let reply = service.api.get(&format!("/servers?status={bad}")).send().await;
        assert_invalid(&reply, "status", "rest_not_in_enum");
    }
}

async fn the_newest_server_comes_first_by_default(service: &ApiFixture) {
    create_ten_servers(service).await;
    let mut ids = ids_of(&service.api.read("/servers").await);
    assert!(ids.is_sorted_by(|a, b| a > b), "{ids:?}");
    ids.reverse();
    assert_eq!(ids_of(&service.api.read("/servers?order=ASC").await), ids);
    let paged = [
        ids_of(&service.api.read("/servers?order=ASC&per_page=6").await),
        ids_of(&service.api.read("/servers?order=ASC&per_page=6&page=2").await),
    ];
    assert_eq!(paged.concat(), ids, "servers created in the same second have the same order on all pages");
}

async fn the_list_can_be_sorted_by_every_field_in_both_directions(service: &ApiFixture) {
    for (name, slug, status) in [("b", "x", "paused"), ("c", "z", "active"), ("a", "y", "draft"), ("b", "w", "active")]
    {
        service.api.create_server(json!({"name": name, "slug": slug, "status": status})).await;
    }
    let slugs = async |query: &str| {
        let list = service.api.read(&format!("/servers?{query}")).await;
        column(&list, "slug").concat()
    };
    for (field, ascending) in
        [("id", "xzyw"), ("name", "yxwz"), ("slug", "wxyz"), ("status", "zwyx"), ("created_at", "xzyw")]
    {
        let descending: String = ascending.chars().rev().collect();
        for (order, expected) in [("ASC", ascending), ("asc", ascending), ("DESC", &descending), ("Desc", &descending)]
        {
            assert_eq!(slugs(&format!("orderby={field}&order={order}")).await, expected, "{field} {order}");
        }
        assert_eq!(slugs(&format!("orderby={field}")).await, descending, "{field} is descending without a direction");
    }
    service.api.get("/servers?orderby=updated_at&order=asc").send().await.expect(200);
}

async fn names_sort_case_insensitively(service: &ApiFixture) {
    for name in ["banana", "Apple", "cherry", "BANANA", "Éclair", "éclaira"] {
        service.api.create_server(json!({"name": name})).await;
    }
    let list = service.api.read("/servers?orderby=name&order=asc").await;
    assert_eq!(column(&list, "name"), ["Apple", "banana", "BANANA", "cherry", "Éclair", "éclaira"]);
}

async fn invalid_sorting_is_refused(service: &ApiFixture) {
    for bad in ["user_id", "settings", "NAME", "name,id", "name;drop table servers", ""] {
        let reply = service.api.get("/servers").query("orderby", bad).send().await;
        assert_invalid(&reply, "orderby", "rest_not_in_enum");
    }
    for bad in ["up", "ascending", "1", "", " asc"] {
        let reply = service.api.get("/servers").query("order", bad).send().await;
        assert_invalid(&reply, "order", "rest_not_in_enum");
    }
}

async fn search_covers_name_slug_and_description(service: &ApiFixture) {
    service
        .api
        .create_server(
            json!({"name": "Weather", "slug": "one", "settings": {"description": "Rain and 100% sun", "x": "hidden"}}),
        )
        .await;
    service.api.create_server(json!({"name": "Čeština", "slug": "two-rain"})).await;
    service.api.create_server(json!({"name": "under_score", "slug": "three", "status": "paused"})).await;
    let found_slugs = async |search: &str| {
        let request = service.api.get("/servers?orderby=id&order=asc").query("search", search);
        let reply = request.send().await.expect(200);
        let list = reply.json();
        assert_eq!(reply.header("x-wp-total"), Some(list.as_array().unwrap().len().to_string().as_str()));
        column(&list, "slug").join(" ")
    };
    for (search, slugs) in [
        ("weather", "one"),
        ("EATH", "one"),
        ("rain", "one two-rain"),
        ("ČEŠTINA", "two-rain"),
        ("čeština", "two-rain"),
        ("%", "one"),
        ("_", "three"),
        ("r_in", ""),
        ("hidden", ""),
        ("100% s", "one"),
        ("\\", ""),
        ("nothing like it", ""),
        ("", "one two-rain three"),
        ("  ", "one two-rain three"),
    ] {
        assert_eq!(found_slugs(search).await, slugs, "{search:?}");
    }
    let paused = service.api.read("/servers?search=e&status=paused").await;
    assert_eq!(column(&paused, "slug"), ["three"]);
}

async fn search_reflects_changes(service: &ApiFixture) {
    let server_id = id(&service.api.create_server(json!({"name": "Alpha"})).await);
    let path = format!("/servers/{server_id}");
    let count = async |query: &str| list_and_totals(service, &format!("/servers?{query}")).await.1.unwrap();
    service.api.post(&format!("{path}/toggle")).send().await.expect(200);
    assert_eq!(count("search=alpha&status=paused").await, "1");
    assert_eq!(count("search=alpha&status=active").await, "0");
    let change = json!({"name": "Beta", "slug": "gamma", "status": "draft", "settings": {"description": "delta"}});
    service.api.patch(&path).json(change).send().await.expect(200);
    assert_eq!(count("search=alpha").await, "0");
    for word in ["beta", "gamma", "delta"] {
        assert_eq!(count(&format!("search={word}&status=draft")).await, "1", "{word}");
    }
    service.api.patch(&path).json(json!({"settings": {"description": null}})).send().await.expect(200);
    assert_eq!(count("search=delta").await, "0");
    service.api.delete(&path).send().await.expect(200);
    assert_eq!(count("search=beta").await, "0");
}
