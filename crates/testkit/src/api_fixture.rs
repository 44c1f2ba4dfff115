//! A running service without any MCP server.

use crate::database_fixture::{DatabaseFixture, DatabaseTarget};
use crate::http::Client;
use crate::running_service::{RunningService, ServiceBuilder};

/// A running service and a client of its management API.
#[derive(Debug)]
pub struct ApiFixture {
    /// A client with the administrator's key.
    pub api: Client,
    /// The process.
    pub app: RunningService,
}

impl ApiFixture {
    /// Starts a service.
    #[track_caller]
    pub fn start(builder: ServiceBuilder) -> Self {
        let app = builder.start();
        Self { api: app.client(), app }
    }

    /// A client without a key.
    pub fn anonymous(&self) -> Client {
        self.app.client_with_key(None)
    }
}

impl DatabaseFixture for ApiFixture {
    async fn open(target: DatabaseTarget) -> Self {
        Self::start(target.service())
    }
}
