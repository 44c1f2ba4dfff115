//! Lists of servers, compared with a model in plain Rust that uses neither indexes nor SQL.

use toolgate_domain::page::{Direction, Listing};
use toolgate_domain::server::{Server, ServerPatch, ServerSort, ServerStatus};
use toolgate_domain::user::Visibility;
use toolgate_storage::{NewServer, ServerQuery, ServerStore as _};

use crate::builders::{new_server, page, settings};
use crate::fixture::StorageFixture;
use crate::seeded_rng::SeededRng;

const SORTS: [ServerSort; 6] = [
    ServerSort::Id,
    ServerSort::Name,
    ServerSort::Slug,
    ServerSort::Status,
    ServerSort::CreatedAt,
    ServerSort::UpdatedAt,
];
const STATUSES: [Option<ServerStatus>; 4] =
    [None, Some(ServerStatus::Active), Some(ServerStatus::Paused), Some(ServerStatus::Draft)];
const NAMES: [&str; 12] = [
    "alpha",
    "Alpha",
    "ALPHA beta",
    "Ünïcode",
    "ünïcode two",
    "100% sure",
    "under_score",
    "back\\slash",
    "O'Brien",
    "Straße 日本",
    "ΟΔΟΣ",
    "zulu",
];

fn query(search: Option<&str>, sort: ServerSort, direction: Direction) -> ServerQuery {
    ServerQuery { status: None, search: search.map(str::to_owned), sort, direction, page: page(1, 5000) }
}

/// Creates forty servers of two owners and changes some of them. Returns all servers, ordered by id.
async fn populate(fixture: &StorageFixture) -> Vec<Server> {
    let mut rng = SeededRng::new(7);
    for number in 0..40 {
        let owner = *rng.pick(&[fixture.alice, fixture.bob]);
        let status = *rng.pick(&STATUSES[1..]);
        let settings = match number % 3 {
            0 => settings(r#"{"description":"Größe 50% of_it \\ \"quoted\""}"#),
            _ => toolgate_domain::change::Change::Keep,
        };
        let patch = ServerPatch { status, settings, ..ServerPatch::default() };
        // Most servers share a timestamp, because ties reveal errors in the sort order.
        let actor = if number % 4 == 0 { fixture.next_actor() } else { fixture.current_actor() };
        let new = NewServer { patch, ..new_server(owner, NAMES[rng.below(NAMES.len())]) };
        let server = fixture.storage.create_server(&actor, new).await.unwrap();
        if number % 5 == 0 {
            fixture.storage.toggle_server(&fixture.next_actor(), Visibility::All, server.id).await.unwrap();
        }
        if number % 7 == 0 {
            let patch = ServerPatch { name: Some(format!("Renamed {number}")), ..ServerPatch::default() };
            fixture.storage.update_server(&fixture.next_actor(), Visibility::All, server.id, patch).await.unwrap();
        }
    }
    let all = query(None, ServerSort::Id, Direction::Asc);
    fixture.storage.list_servers(Visibility::All, all).await.unwrap().items
}

/// The ids and the total that a list should have.
fn model(all: &[Server], visibility: Visibility, query: &ServerQuery) -> (Vec<i64>, i64) {
    let folded = |text: &str| text.to_lowercase().replace('ς', "σ");
    let mut matching: Vec<&Server> = all
        .iter()
        .filter(|server| visibility == Visibility::All || visibility == Visibility::User(server.user_id))
        .filter(|server| query.status.is_none_or(|status| status == server.spec.status))
        .filter(|server| {
            let search = folded(query.search.as_deref().unwrap_or_default());
            let settings = server.spec.settings.as_ref();
            let description =
                settings.and_then(|settings| settings.to_value()["description"].as_str().map(str::to_owned));
            [server.spec.name.as_str(), server.slug.as_str(), description.as_deref().unwrap_or_default()]
                .iter()
                .any(|field| folded(field).contains(&search))
        })
        .collect();
    matching.sort_by_key(|server| {
        let text = match query.sort {
            ServerSort::Name => server.spec.name.to_lowercase(),
            ServerSort::Slug => server.slug.as_str().to_owned(),
            ServerSort::Status => server.spec.status.as_str().to_owned(),
            ServerSort::Id | ServerSort::CreatedAt | ServerSort::UpdatedAt => String::new(),
        };
        let number = match query.sort {
            ServerSort::CreatedAt => server.created_at.as_millis(),
            ServerSort::UpdatedAt => server.updated_at.as_millis(),
            _ => 0,
        };
        (text, number, server.id)
    });
    if query.direction == Direction::Desc {
        matching.reverse();
    }
    let total = i64::try_from(matching.len()).unwrap();
    let offset = usize::try_from(query.page.offset()).unwrap();
    let size = usize::try_from(query.page.size).unwrap();
    (matching.into_iter().skip(offset).take(size).map(|server| server.id.0).collect(), total)
}

async fn assert_agrees(fixture: &StorageFixture, all: &[Server], visibility: Visibility, query: ServerQuery) {
    let expected = model(all, visibility, &query);
    let Listing { items, total } = fixture.storage.list_servers(visibility, query.clone()).await.unwrap();
    let found: Vec<i64> = items.iter().map(|server| server.id.0).collect();
    assert_eq!((found, total), expected, "{visibility:?} {query:?}");
}

async fn assert_every_list_agrees(
    fixture: &StorageFixture,
    all: &[Server],
    search: Option<&str>,
    pages: &[(u32, u32)],
) {
    for visibility in [Visibility::All, fixture.as_alice(), fixture.as_bob()] {
        for status in STATUSES {
            for sort in SORTS {
                for direction in [Direction::Asc, Direction::Desc] {
                    for (number, size) in pages {
                        let query =
                            ServerQuery { status, page: page(*number, *size), ..query(search, sort, direction) };
                        assert_agrees(fixture, all, visibility, query).await;
                    }
                }
            }
        }
    }
}

on_both_databases! { for crate::fixture::StorageFixture;
    async fn every_sort_status_owner_and_page_agrees_with_the_model(fixture) {
        let all = populate(fixture).await;
        assert_eq!(all.len(), 40);
        assert_every_list_agrees(fixture, &all, None, &[(1, 1000), (1, 7), (3, 3), (99, 10)]).await;
    }

    async fn every_search_agrees_with_the_model_in_every_order(fixture) {
        let all = populate(fixture).await;
        for search in ["ALPHA", "%"] {
            assert_every_list_agrees(fixture, &all, Some(search), &[(1, 1000), (2, 3)]).await;
        }
    }

    async fn searches_are_literal_and_ignore_case(fixture) {
        let all = populate(fixture).await;
        let searches = [
            "",
            " ",
            "%",
            "_",
            "\\",
            "'",
            "\"",
            "0%",
            "r_s",
            "k\\s",
            "o'b",
            "O'B",
            "ÜNÏ",
            "ünï",
            "größe",
            "GRÖSSE",
            "GRÖßE",
            "日",
            "straße",
            "οδος",
            "ΟΔΟΣ",
            "οδοσ",
            "οδ",
            "alpha-2",
            "nothing like it",
            "a%a",
            "%%",
            "__",
            "' OR '1'='1",
        ];
        for search in searches {
            for visibility in [Visibility::All, fixture.as_alice()] {
                assert_agrees(fixture, &all, visibility, query(Some(search), ServerSort::Name, Direction::Asc)).await;
            }
        }
    }

    async fn a_search_with_a_nul_character_finds_nothing(fixture) {
        populate(fixture).await;
        let found =
            fixture.storage.list_servers(fixture.as_alice(), query(Some("a\0b"), ServerSort::Id, Direction::Asc)).await;
        assert_eq!(found.unwrap().total, 0);
    }

    async fn a_search_follows_changes_of_name_slug_description_and_status(fixture) {
        let server = fixture.server("Before").await;
        let total = async |search: &str, status| {
            let query = ServerQuery { status, ..query(Some(search), ServerSort::Id, Direction::Asc) };
            fixture.storage.list_servers(fixture.as_alice(), query).await.unwrap().total
        };
        assert_eq!(total("before", Some(ServerStatus::Active)).await, 1);
        let patch = ServerPatch {
            name: Some("After".to_owned()),
            slug: Some(crate::builders::slug("other")),
            status: Some(ServerStatus::Draft),
            settings: settings(r#"{"description":"Words"}"#),
            ..ServerPatch::default()
        };
        fixture.storage.update_server(&fixture.next_actor(), fixture.as_alice(), server.id, patch).await.unwrap();
        for search in ["after", "other", "words"] {
            assert_eq!(total(search, Some(ServerStatus::Draft)).await, 1, "{search}");
        }
        assert_eq!(total("before", None).await, 0);
        fixture.storage.toggle_server(&fixture.next_actor(), fixture.as_alice(), server.id).await.unwrap();
        assert_eq!(
            (total("after", Some(ServerStatus::Draft)).await, total("after", Some(ServerStatus::Active)).await),
            (0, 1)
        );
        fixture.storage.delete_server(&fixture.next_actor(), fixture.as_alice(), server.id).await.unwrap();
        assert_eq!(total("after", None).await, 0);
    }

    async fn a_search_that_matches_thousands_agrees_with_the_model(fixture) {
        let columns =
            "user_id, name, name_key, slug, public_id, status, auth_type, rate_limit_per_min, created_at, updated_at";
        let values = format!(
            "CASE n % 5 WHEN 0 THEN {bob} ELSE {alice} END, 'Many ' || (n % 100), 'many ' || (n % 100), 'many-' || n, \
             'x' || n, CASE n % 3 WHEN 0 THEN 'draft' ELSE 'active' END, 'none', 60, n % 50, n % 70",
            alice = fixture.alice,
            bob = fixture.bob,
        );
        fixture.raw.fill("servers", columns, &values, 2500).await;
        let sql = "INSERT INTO server_search (server_id, user_id, status, text) \
            SELECT id, user_id, status, name_key || ' ' || slug FROM servers";
        fixture.raw.execute(sql).await;
        let everything = query(None, ServerSort::Id, Direction::Asc);
        let all = fixture.storage.list_servers(Visibility::All, everything).await.unwrap().items;
        assert_eq!(all.len(), 2500);
        assert_every_list_agrees(fixture, &all, Some("MANY"), &[(1, 100), (13, 100), (40, 100)]).await;
        assert_every_list_agrees(fixture, &all, Some("many-1"), &[(2, 100)]).await;
        assert_every_list_agrees(fixture, &all, None, &[(13, 100)]).await;
    }

    async fn the_page_with_the_largest_number_is_empty(fixture) {
        populate(fixture).await;
        let largest = ServerQuery { page: page(u32::MAX, 100), ..query(None, ServerSort::Id, Direction::Asc) };
        assert_eq!(fixture.storage.list_servers(Visibility::All, largest).await.unwrap().items.len(), 0);
    }
}
