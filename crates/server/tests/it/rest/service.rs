//! Settings and health of the service.

use serde_json::{Value, json};
use toolgate_testkit::running_service::ServiceBuilder;
use toolgate_testkit::{ApiFixture, Postgres};

use super::assertions::keys;
use crate::toolgate;

on_both_databases!(settings_show_the_configuration_and_no_secret, health_and_readiness_are_public);

async fn settings_show_the_configuration_and_no_secret(builder: &ServiceBuilder) {
    let service = ApiFixture::start(
        builder.clone().env("TOOLGATE_CORS_ORIGINS", "https://a.example").env("TOOLGATE_RETENTION_DAYS", "17"),
    );
    let reply = service.api.get("/settings").send().await.expect(200);
    let settings = reply.json();
    assert_eq!(settings["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(settings["retention_days"], 17);
    let recording = &settings["recording"];
    assert_eq!((&recording["pending_calls"], &recording["lost_calls"]), (&json!(0), &json!(0)));
    assert!(recording["journal_bytes"].is_u64(), "{recording}");
    assert_eq!(settings["cors_origins"], json!(["https://a.example"]));
    assert_eq!(settings["api_base"], service.app.api_base());
    assert_eq!(settings["base_url"], service.app.origin());
    assert!(settings["upstream_allow"].is_string());
    let limits = &settings["limits"];
    assert_eq!((&limits["rest_body_bytes"], &limits["json_depth"]), (&json!(2 * 1024 * 1024), &json!(64)));
    assert_eq!((&limits["tools_per_server"], &limits["per_page"]), (&json!(1000), &json!(100)));
    assert!(keys(&settings).iter().all(|key| !key.contains("key") && !key.contains("secret")), "{settings}");
    assert!(!reply.text().contains(&service.app.key()));
    service.anonymous().get("/settings").send().await.expect(401);
}

async fn health_and_readiness_are_public(service: &ApiFixture) {
    for path in ["/healthz", "/readyz"] {
        let reply = service.anonymous().get(&format!("{}{path}", service.app.origin())).send().await.expect(200);
        assert_eq!(reply.json(), json!({"status": "ok"}));
        service.anonymous().head(&format!("{}{path}", service.app.origin())).send().await.expect(200);
    }
}

#[tokio::test]
async fn settings_are_served_when_the_lost_calls_cannot_be_read() {
    let Some(database) = Postgres::fresh_database() else { return };
    let app = toolgate().postgres(database.url()).start();
    let recording = async || app.client().get("/settings").send().await.expect(200).json()["recording"].clone();
    database.psql("INSERT INTO lost_calls (day, calls) VALUES (0, 5), (86400000, 2)");
    assert_eq!(recording().await["lost_calls"], 7);
    database.psql("ALTER TABLE lost_calls RENAME TO lost_elsewhere");
    let recording = recording().await;
    assert_eq!((&recording["lost_calls"], &recording["pending_calls"]), (&Value::Null, &json!(0)), "{recording}");
}
