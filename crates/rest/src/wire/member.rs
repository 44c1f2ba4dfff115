//! Members of servers in replies.

use toolgate_domain::member::ServerMember;
use toolgate_domain::time::Timestamp;

use crate::reply_object::reply_object;

reply_object! {
    /// A user with whom a server is shared.
    pub(crate) struct MemberOut<'a>(member: &'a ServerMember) {
        server_id: i64 = member.server_id.0,
        user_id: i64 = member.user_id.0,
        user_name: &'a str = &member.user_name,
        role: &'static str = member.role.as_str(),
        created_at: Timestamp = member.created_at,
        updated_at: Timestamp = member.updated_at,
    }
}
