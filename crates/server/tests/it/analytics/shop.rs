//! A service with servers that clients call, and an upstream behind them.

use serde_json::{Value, json};
use toolgate_testkit::app::AppBuilder;
use toolgate_testkit::postgres::Database;
use toolgate_testkit::{Answer, App, Client, Mcp, Postgres, Reply, Upstream};

use super::log_filler::fill_log;

/// A running service. It ends before its database goes.
pub(super) struct Shop {
    pub(super) app: App,
    pub(super) api: Client,
    upstream: Upstream,
    database: Option<Database>,
}

/// A server of somebody's.
pub(super) struct Server {
    pub(super) id: i64,
    pub(super) url: String,
}

impl Shop {
    pub(super) fn sqlite() -> Self {
        Self::start(App::builder(env!("CARGO_BIN_EXE_toolgate")), None)
    }

    /// `None` where there is no `PostgreSQL`.
    pub(super) fn postgres() -> Option<Self> {
        let database = Postgres::fresh_database()?;
        let builder = App::builder(env!("CARGO_BIN_EXE_toolgate")).postgres(database.url());
        Some(Self::start(builder, Some(database)))
    }

    fn start(builder: AppBuilder, database: Option<Database>) -> Self {
        let upstream = Upstream::builder()
            .route("/good", Answer::text("hello"))
            .route("/bad", Answer::status(500))
            .route("/missing", Answer::status(404))
            .start();
        let app = builder.start();
        Self { api: app.client(), app, upstream, database }
    }

    /// A server that asks for no key and has no limit.
    pub(super) async fn server(&self, owner: &Client, name: &str) -> Server {
        let fields = json!({"name": name, "rate_limit_per_min": 0});
        let server = created(owner, "/servers", fields).await;
        Server { id: id(&server), url: server["endpoint_url"].as_str().unwrap().to_owned() }
    }

    /// A tool of that name: `good` answers, `bad` and `missing` fail.
    pub(super) async fn tool(&self, owner: &Client, server: &Server, name: &str) -> i64 {
        let fields = json!({"name": name, "endpoint_url": self.upstream.url(&format!("/{name}"))});
        id(&created(owner, &format!("/servers/{}/tools", server.id), fields).await)
    }

    /// A server with the tools `good` and `bad`.
    pub(super) async fn stocked(&self, owner: &Client, name: &str) -> (Server, i64, i64) {
        let server = self.server(owner, name).await;
        let (good, bad) = (self.tool(owner, &server, "good").await, self.tool(owner, &server, "bad").await);
        (server, good, bad)
    }

    /// Puts so many calls into the log of PostgreSQL.
    pub(super) async fn fill_log(&self, count: u64) {
        fill_log(self.database.as_ref().unwrap().url(), self.app.data_dir(), count).await;
    }

    /// A client of a new user.
    pub(super) async fn owner(&self, name: &str) -> Client {
        let user = created(&self.api, "/users", json!({"name": name, "role": "owner"})).await;
        let key = created(&self.api, "/api-keys", json!({"name": name, "user_id": user["id"]})).await;
        self.app.client_with(key["key"].as_str())
    }
}

impl Server {
    /// A caller of this name.
    pub(super) fn caller(&self, client: &str) -> Mcp {
        Mcp::at(&self.url).header("x-mcp-client", client)
    }

    /// Calls a tool so many times.
    pub(super) async fn call(&self, client: &str, tool: &str, times: usize) {
        let mcp = self.caller(client);
        for _ in 0..times {
            mcp.call(tool, json!({})).await;
        }
    }
}

pub(super) async fn created(api: &Client, path: &str, fields: Value) -> Value {
    api.post(path).json(fields).send().await.expect(201).json()
}

pub(super) async fn get(api: &Client, path: &str) -> Value {
    api.get(path).send().await.expect(200).json()
}

pub(super) fn id(object: &Value) -> i64 {
    object["id"].as_i64().unwrap()
}

/// The items of a list.
#[track_caller]
pub(super) fn items(list: &Value) -> &[Value] {
    list.as_array().unwrap()
}

/// What a field of all items adds up to.
pub(super) fn sum(list: &Value, field: &str) -> i64 {
    items(list).iter().map(|item| item[field].as_i64().unwrap()).sum()
}

/// A 503 with this code, and when to try again.
pub(super) async fn assert_no_room(api: &Client, code: &str, path: &str) {
    let refused = api.get(path).send().await.expect(503);
    assert_eq!(refused.json()["code"], code);
    assert!(refused.header("retry-after").is_some(), "{refused:?}");
}

/// A 400 that blames this field and says something about it.
#[track_caller]
pub(super) fn assert_blames(reply: &Reply, field: &str) {
    assert_eq!((reply.status, &reply.json()["code"]), (400, &json!("rest_invalid_param")), "{reply:?}");
    let message = reply.json()["data"]["params"][field].as_str().map(str::to_owned);
    assert!(message.is_some_and(|message| message.contains(field)), "{field}: {reply:?}");
}

/// Makes two tests of each `async fn name(shop: Shop)`: `sqlite::name` and `postgres::name`.
macro_rules! on_both_databases {
    ($($name:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test]
            async fn $name() {
                super::$name(super::Shop::sqlite()).await;
            })+
        }

        mod postgres {
            $(#[tokio::test]
            async fn $name() {
                if let Some(shop) = super::Shop::postgres() {
                    super::$name(shop).await;
                }
            })+
        }
    };
}
pub(super) use on_both_databases;
