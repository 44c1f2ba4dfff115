//! The JSON form of objects.

mod call;
mod key;
mod me;
mod prompt;
mod report;
mod resource;
mod server;
mod settings;
mod test_result;
mod tool;
mod user;

pub(crate) use call::{CallOut, CapturedCallOut, ConnectedClientOut};
pub(crate) use key::{ApiKeyOut, CreatedApiKeyOut, CreatedEndpointKeyOut, EndpointKeyOut};
pub(crate) use me::MeOut;
pub(crate) use prompt::PromptOut;
pub(crate) use report::{ClientUsageOut, OverviewOut, ServerUsageOut, TimePointOut, ToolUsageOut};
pub(crate) use resource::ResourceOut;
pub(crate) use server::{ServerOut, TOGGLED_FIELDS};
pub(crate) use settings::{LimitsOut, RecordingOut, SettingsOut};
pub(crate) use test_result::{RawResponseOut, SentRequestOut, TestResultOut};
pub(crate) use tool::{COPIED_FIELDS, ToolOut};
pub(crate) use user::UserOut;
