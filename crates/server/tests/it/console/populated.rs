//! A service after some use: the demo and other servers, with sixty days of calls.

use serde_json::{Value, json};
use toolgate_testkit::objects::id;
use toolgate_testkit::{ApiFixture, Client, McpClient, MockResponse, ServiceFixture, Upstream};

use super::sample_calls;
use crate::recorded;
use crate::toolgate;

/// A tool, with its share of the calls (relative to the shares of the other tools) and its failure rate.
pub(super) struct SampleToolUsage {
    pub(super) server: i64,
    pub(super) tool: i64,
    pub(super) share: u64,
    pub(super) failures_percent: u64,
}

/// Starts the service. Returns it with the server `Weather` and these ids: `server` of `Weather`, `tool`, `prompt` and
/// `resource` in it, `sign_in` of a server that requires sign-in, and `client` of an OAuth client.
pub(super) async fn start() -> (ServiceFixture, Value) {
    let upstream = Upstream::builder()
        .route("/v1/forecast", MockResponse::json(json!({"city": "Bern", "days": [{"sky": "sunny", "high": 21}]})))
        .route("/v1/alerts", MockResponse::json(json!([])))
        .route("/v1/tickets", MockResponse::status(503).body("Down for maintenance, back at 6"))
        .start();
    let ApiFixture { mut app, api: admin } = ApiFixture::start(toolgate());
    let mut usage = add_demo(&admin).await;
    let (weather, mut ids) = create_weather(&admin, &upstream).await;
    usage.extend(weather);
    (ids["sign_in"], ids["client"]) = create_sign_in(&admin).await;
    usage.extend(create_support_desk(&admin, &upstream).await);
    create_inactive_servers(&admin).await;
    create_users_and_keys(&admin).await;
    app.terminate();
    let database = format!("sqlite://{}", app.data_dir().join("toolgate.db").display());
    recorded::insert_calls(&database, app.data_dir(), sample_calls::calls(&usage)).await;
    app.restart();
    let api = app.client();
    let server = api.read(&format!("/servers/{}", ids["server"])).await;
    (ServiceFixture { app, api, upstream, server }, ids)
}

/// Makes two calls with captured content; the last one fails.
pub(super) async fn make_calls(service: &ServiceFixture) {
    let weather = service.caller().bearer(&service.app.key()).header("x-mcp-client", "Claude Desktop");
    weather.call("get_forecast", json!({"city": "Bern", "days": 2})).await;
    let servers = service.api.read("/servers").await;
    let desk = servers.as_array().unwrap().iter().find(|server| server["name"] == "Support desk").unwrap();
    let desk = McpClient::new(desk["endpoint_url"].as_str().unwrap()).bearer(&service.app.key());
    desk.header("x-mcp-client", "Cursor").call("create_ticket", json!({})).await;
}

async fn add_demo(admin: &Client) -> Vec<SampleToolUsage> {
    let server = id(&admin.post("/demo").send().await.expect(201).json());
    let tools = admin.get(&format!("/servers/{server}/tools")).send().await.expect(200).json();
    let shares = [30, 12, 6, 4, 2];
    let usage = tools.as_array().unwrap().iter().zip(shares);
    usage.map(|(tool, share)| SampleToolUsage { server, tool: id(tool), share, failures_percent: 1 }).collect()
}

async fn create_weather(admin: &Client, api: &Upstream) -> (Vec<SampleToolUsage>, Value) {
    let settings = json!({"description": "Forecasts and warnings for the field teams.", "capture": "all"});
    let fields = json!({"name": "Weather", "auth_type": "api-key", "status": "active", "settings": settings});
    let server = admin.create_returning_id("/servers", fields).await;
    let path = |part: &str| format!("/servers/{server}/{part}");
    let schema = json!({"type": "object", "required": ["city"], "properties": {
        "city": {"type": "string", "description": "Name of a city, in English"},
        "days": {"type": "integer", "minimum": 1, "maximum": 14, "default": 3, "description": "How many days ahead"},
        "units": {"type": "string", "enum": ["metric", "imperial"]}}});
    let forecast = admin
        .create_returning_id(
            &path("tools"),
            json!({"name": "get_forecast",
        "description": "The forecast of a city for the next days: sky, temperatures, rain and wind.",
        "endpoint_url": api.url("/v1/forecast"), "input_schema": schema, "auth_type": "bearer",
        "auth_credentials": {"token": "weather-api-token"}, "timeout": 10, "cache_ttl": 60}),
        )
        .await;
    let alerts = admin
        .create_returning_id(
            &path("tools"),
            json!({"name": "list_alerts",
        "description": "Severe weather warnings that are in force now.", "endpoint_url": api.url("/v1/alerts")}),
        )
        .await;
    let prompt = admin.create_returning_id(&path("prompts"), json!({"name": "plan_trip",
        "description": "A packing list for a trip, by the forecast.",
        "arguments": [{"name": "city", "description": "Where to", "required": true}, {"name": "days", "required": false}],
        "template_content": "Plan {{days}} days in {{city}}. Ask for the forecast first, then say what to pack."})).await;
    let resource = admin
        .create_returning_id(
            &path("resources"),
            json!({"uri": "docs://stations", "name": "Weather stations",
        "description": "Where measurements come from.", "data_source_type": "static",
        "data_source_config": {"content": "Bern, 553 m\nZürich, 556 m\nJungfraujoch, 3,571 m"}}),
        )
        .await;
    admin.create_returning_id(&path("keys"), json!({"name": "Cursor on the laptop"})).await;
    let credential =
        json!({"name": "weather-api", "auth_type": "bearer", "auth_credentials": {"token": "weather-api-token"}});
    admin.create_returning_id(&path("credentials"), credential).await;
    admin.create_returning_id(&path("credentials"), json!({"name": "stations", "auth_type": "oauth2"})).await;
    let ids = json!({"server": server, "tool": forecast, "prompt": prompt, "resource": resource});
    let usage = vec![
        SampleToolUsage { server, tool: forecast, share: 22, failures_percent: 2 },
        SampleToolUsage { server, tool: alerts, share: 9, failures_percent: 0 },
    ];
    (usage, ids)
}

async fn create_support_desk(admin: &Client, api: &Upstream) -> Vec<SampleToolUsage> {
    let server = admin
        .create_returning_id(
            "/servers",
            json!({"name": "Support desk", "status": "active", "settings": {"capture": "failures"}}),
        )
        .await;
    let path = format!("/servers/{server}/tools");
    let mut usage = Vec::new();
    for (name, method, share, failures_percent) in
        [("search_tickets", "GET", 14, 3), ("create_ticket", "POST", 4, 24), ("close_ticket", "PATCH", 2, 0)]
    {
        let fields = json!({"name": name, "http_method": method, "endpoint_url": api.url("/v1/tickets")});
        usage.push(SampleToolUsage {
            server,
            tool: admin.create_returning_id(&path, fields).await,
            share,
            failures_percent,
        });
    }
    usage
}

/// A server that requires sign-in, with a member, and an OAuth client.
async fn create_sign_in(admin: &Client) -> (Value, Value) {
    let settings = json!({"oauth": {"access": "members"}});
    let fields = json!({"name": "Team calendar", "auth_type": "oauth", "status": "active", "settings": settings});
    let server = admin.create_returning_id("/servers", fields).await;
    let ada = admin.create_user("Ada", "member").await;
    admin.create(&format!("/servers/{server}/members"), json!({"user_id": ada})).await;
    let client = json!({"name": "n8n", "redirect_uris": ["https://n8n.example/rest/oauth2-credential/callback"]});
    (server.into(), admin.create_returning_id("/oauth/clients", client).await.into())
}

async fn create_inactive_servers(admin: &Client) {
    admin.create_returning_id("/servers", json!({"name": "Billing", "status": "paused"})).await;
    admin.create_returning_id("/servers", json!({"name": "Warehouse", "status": "draft"})).await;
}

async fn create_users_and_keys(admin: &Client) {
    let team = admin.create_returning_id("/users", json!({"name": "Field team", "role": "owner"})).await;
    admin.create_returning_id("/api-keys", json!({"name": "Deploy script", "user_id": team})).await;
}
