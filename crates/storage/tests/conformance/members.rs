//! Members of servers: who sees a shared server, what each role may do, and how memberships end.

use toolgate_domain::audit::ObjectKind;
use toolgate_domain::ids::{ServerId, UserId};
use toolgate_domain::member::{MemberRole, MemberUser, ServerRole};
use toolgate_domain::refusal::RefusalReason;
use toolgate_domain::server::{ServerPatch, ServerSort, ServerStatus};
use toolgate_domain::time::Timestamp;
use toolgate_domain::tool::ToolPatch;
use toolgate_domain::usage::Grain;
use toolgate_domain::user::{NewUser, Role, UserPatch, Visibility};
use toolgate_storage::StorageError::{Exists, Forbidden, NotFound, Rejected};
use toolgate_storage::{
    AccessStore as _, AuditQuery, AuditReader as _, ChangeEvent, KeyUsageQuery, MemberStore as _,
    OwnerCountsReader as _, RefusalCount, RefusalQuery, ServerQuery, ServerStore as _, ToolStore as _, UsageByKey,
    UsageReader as _, UserStore as _,
};

use crate::builders::{new_tool, page, public_id};
use crate::change_recorder::ChangeRecorder;
use crate::fixture::StorageFixture;
use crate::traffic::{BASE_MILLIS, DAY_MILLIS, TestJournal, TestTarget};

impl StorageFixture {
    /// Shares a server of Alice with Bob.
    async fn share_with_bob(&self, server: ServerId, role: MemberRole) {
        self.share_with(server, self.bob, role).await;
    }

    async fn share_with(&self, server: ServerId, user: UserId, role: MemberRole) {
        let (actor, user) = (self.next_actor(), MemberUser::Id(user));
        self.storage.add_member(&actor, self.as_alice(), server, user, role).await.unwrap();
    }

    async fn user_with_role(&self, name: &str, role: Role) -> UserId {
        self.storage.create_user(&self.next_actor(), NewUser { name: name.to_owned(), role }).await.unwrap().id
    }

    /// The servers that Bob sees in the audit log, in the report on refusals, and in the report by key.
    async fn servers_in_bobs_reports(&self) -> [Vec<ServerId>; 3] {
        let (visibility, day) = (self.as_bob(), Grain::Day.start_of(Timestamp::from_millis(BASE_MILLIS)));
        let (from, until) = (day, Timestamp::from_millis(BASE_MILLIS + DAY_MILLIS));
        let audit = AuditQuery {
            visibility,
            user: None,
            server: None,
            object_kind: None,
            object_id: None,
            action: None,
            from: None,
            until: None,
            page: page(1, 20),
        };
        let audit = self.storage.audit_entries(&audit).await.unwrap().items;
        let refusals = RefusalQuery { visibility, server: None, from, until, page: None };
        let refusals = self.storage.refusals(&refusals).await.unwrap().items;
        let keys = KeyUsageQuery { visibility, server: None, from, until, rollups_max: 1000 };
        let UsageByKey::Keys(keys) = self.storage.usage_by_key(&keys).await.unwrap() else {
            panic!("too many rollups")
        };
        [
            audit.iter().filter_map(|entry| entry.server_id).collect(),
            refusals.iter().filter_map(|refusal| refusal.server).collect(),
            keys.iter().map(|key| key.server_id).collect(),
        ]
    }

    /// The names of the servers in Bob's list, and their total.
    async fn bobs_list(&self, status: Option<ServerStatus>, search: Option<&str>) -> (String, i64) {
        let query = ServerQuery {
            status,
            search: search.map(str::to_owned),
            sort: ServerSort::Name,
            direction: toolgate_domain::page::Direction::Asc,
            page: page(1, 20),
        };
        let listing = self.storage.list_servers(self.as_bob(), query).await.unwrap();
        let names: Vec<String> = listing.items.into_iter().map(|server| server.spec.name).collect();
        (names.join(" "), listing.total)
    }
}

on_both_databases! { for crate::fixture::StorageFixture;
    async fn a_shared_server_is_in_lists_searches_and_counts_of_its_member(fixture) {
        let shared = fixture.server("Shared").await;
        fixture.tool(shared.id, "t").await;
        let other = fixture.server_with("Other", ServerPatch { status: Some(ServerStatus::Draft), ..ServerPatch::default() }).await;
        assert_eq!(fixture.bobs_list(None, None).await, (String::new(), 0));
        fixture.share_with_bob(shared.id, MemberRole::Viewer).await;
        fixture.foreign_server().await;
        assert_eq!(fixture.bobs_list(None, None).await, ("Bob's Shared".to_owned(), 2));
        assert_eq!(fixture.bobs_list(None, Some("share")).await, ("Shared".to_owned(), 1));
        assert_eq!(fixture.bobs_list(None, Some("other")).await, (String::new(), 0));
        fixture.share_with_bob(other.id, MemberRole::Editor).await;
        assert_eq!(fixture.bobs_list(Some(ServerStatus::Draft), None).await, ("Other".to_owned(), 1));
        assert_eq!(fixture.bobs_list(Some(ServerStatus::Active), None).await, ("Bob's Shared".to_owned(), 2));
        let counts = fixture.storage.owner_counts(fixture.as_bob()).await.unwrap();
        assert_eq!((counts.servers(), counts.draft_servers, counts.tools, counts.active_tools), (3, 1, 1, 1));
        let all = fixture.storage.owner_counts(Visibility::All).await.unwrap();
        assert_eq!((all.servers(), all.tools), (3, 1), "a shared server counts once");
    }

    async fn each_role_permits_its_operations_and_no_others(fixture) {
        let (storage, as_bob) = (&fixture.storage, fixture.as_bob());
        let server = fixture.server("S").await.id;
        let tool = fixture.tool(server, "t").await.id;
        assert_fails!(storage.server_role(as_bob, server).await, NotFound(ObjectKind::Server));
        assert_eq!(storage.server_role(fixture.as_alice(), server).await.unwrap(), ServerRole::Owner);
        assert_eq!(storage.server_role(Visibility::All, server).await.unwrap(), ServerRole::Admin);

        fixture.share_with_bob(server, MemberRole::Viewer).await;
        storage.server(as_bob, server).await.unwrap();
        storage.tool(as_bob, tool).await.unwrap();
        let actor = &fixture.next_actor();
        let renamed = || ServerPatch { name: Some("x".to_owned()), ..ServerPatch::default() };
        assert_fails!(storage.update_server(actor, as_bob, server, renamed()).await, Forbidden { .. });
        assert_fails!(storage.toggle_server(actor, as_bob, server).await, Forbidden { .. });
        assert_fails!(storage.create_tool(actor, as_bob, server, new_tool("n")).await, Forbidden { .. });
        assert_fails!(storage.update_tool(actor, as_bob, tool, ToolPatch::default()).await, Forbidden { .. });
        assert_fails!(storage.delete_tool(actor, as_bob, tool).await, Forbidden { .. });

        storage.update_member(actor, fixture.as_alice(), server, fixture.bob, MemberRole::Editor).await.unwrap();
        storage.update_server(actor, as_bob, server, renamed()).await.unwrap();
        storage.create_tool(actor, as_bob, server, new_tool("n")).await.unwrap();
        storage.toggle_tool(actor, as_bob, tool).await.unwrap();
        let carol = fixture.user_with_role("carol", Role::Owner).await;
        let add = storage.add_member(actor, as_bob, server, MemberUser::Id(carol), MemberRole::Viewer).await;
        assert_fails!(add, Forbidden { role: ServerRole::Editor, required: ServerRole::Owner });
        fixture.share_with(server, carol, MemberRole::Viewer).await;
        assert_fails!(storage.remove_member(actor, as_bob, server, carol).await, Forbidden { .. });
        assert_fails!(storage.delete_server(actor, as_bob, server).await, Forbidden { .. });
        assert_fails!(storage.duplicate_server(actor, as_bob, server, public_id()).await, Forbidden { .. });
        let stolen = ServerPatch { user_id: Some(fixture.bob), ..ServerPatch::default() };
        assert_fails!(storage.update_server(actor, as_bob, server, stolen).await, Forbidden { .. });
        storage.remove_member(actor, as_bob, server, fixture.bob).await.unwrap();
        assert_fails!(storage.server_role(as_bob, server).await, NotFound(ObjectKind::Server));
    }

    async fn a_member_sees_changes_refusals_and_key_usage_of_a_shared_server(fixture) {
        let (shared, other) = (fixture.server("Shared").await.id, fixture.server("Other").await.id);
        let nothing: [Vec<ServerId>; 3] = Default::default();
        let calls = [shared, other].map(|server| TestTarget::new(fixture.alice, server.0, server.0).call(BASE_MILLIS));
        TestJournal::open(&*fixture.storage, "j").await.ingest(&*fixture.storage, &calls).await;
        for server in [shared, other] {
            let count = RefusalCount { server: Some(server), reason: RefusalReason::RateLimit, requests: 1 };
            let hour = Grain::Hour.start_of(Timestamp::from_millis(BASE_MILLIS));
            fixture.storage.add_refusals(hour, &[count]).await.unwrap();
        }
        assert_eq!(fixture.servers_in_bobs_reports().await, nothing);
        fixture.share_with_bob(shared, MemberRole::Viewer).await;
        assert_eq!(fixture.servers_in_bobs_reports().await, [vec![shared, shared], vec![shared], vec![shared]]);
        fixture.storage.remove_member(&fixture.next_actor(), fixture.as_alice(), shared, fixture.bob).await.unwrap();
        assert_eq!(fixture.servers_in_bobs_reports().await, nothing);
    }

    async fn only_users_who_may_have_the_role_become_members(fixture) {
        let (storage, as_alice) = (&fixture.storage, fixture.as_alice());
        let server = fixture.server("S").await.id;
        let viewer = fixture.user_with_role("viewer", Role::Viewer).await;
        let disabled = fixture.user_with_role("disabled", Role::Owner).await;
        let patch = UserPatch { is_disabled: Some(true), ..UserPatch::default() };
        storage.update_user(&fixture.next_actor(), disabled, patch).await.unwrap();
        let add = async |user: MemberUser, role| storage.add_member(&fixture.next_actor(), as_alice, server, user, role).await;
        for user in [UserId(4711), fixture.alice, disabled] {
            assert_fails!(add(MemberUser::Id(user), MemberRole::Viewer).await, Rejected(_));
        }
        assert_fails!(add(MemberUser::Name("nemo".to_owned()), MemberRole::Viewer).await, Rejected(_));
        assert_fails!(add(MemberUser::Id(viewer), MemberRole::Editor).await, Rejected(_));
        let member = add(MemberUser::Name("viewer".to_owned()), MemberRole::Viewer).await.unwrap();
        assert_eq!((member.user_id, member.user_name.as_str(), member.role), (viewer, "viewer", MemberRole::Viewer));
        assert_fails!(add(MemberUser::Id(viewer), MemberRole::Viewer).await, Exists { kind: ObjectKind::Member, .. });
        let change = storage.update_member(&fixture.next_actor(), as_alice, server, viewer, MemberRole::Editor).await;
        assert_fails!(change, Rejected(_));
        assert_eq!(storage.member(as_alice, server, viewer).await.unwrap(), member);
        fixture.share_with_bob(server, MemberRole::Editor).await;
        storage.update_user(&fixture.next_actor(), fixture.bob, UserPatch { is_disabled: Some(true), ..UserPatch::default() }).await.unwrap();
        let reduced = storage.update_member(&fixture.next_actor(), as_alice, server, fixture.bob, MemberRole::Viewer).await;
        assert_eq!(reduced.unwrap().role, MemberRole::Viewer, "rights of a disabled member can be reduced");
        storage.remove_member(&fixture.next_actor(), as_alice, server, fixture.bob).await.unwrap();
        let absent = storage.remove_member(&fixture.next_actor(), as_alice, server, fixture.bob).await;
        assert_fails!(absent, NotFound(ObjectKind::Member));
    }

    async fn a_membership_ends_with_its_removal_its_user_and_its_server(fixture) {
        let (storage, as_alice) = (&fixture.storage, fixture.as_alice());
        let servers = [fixture.server("A").await.id, fixture.server("B").await.id, fixture.server("C").await.id];
        for server in servers {
            fixture.share_with_bob(server, MemberRole::Viewer).await;
        }
        let mut recorder = ChangeRecorder::start(storage).await;
        storage.remove_member(&fixture.next_actor(), as_alice, servers[0], fixture.bob).await.unwrap();
        assert_eq!(recorder.drain(), [ChangeEvent::OwnerKeys(fixture.bob)], "open streams of the member are notified");
        assert_fails!(storage.server(fixture.as_bob(), servers[0]).await, NotFound(ObjectKind::Server));
        storage.delete_server(&fixture.next_actor(), as_alice, servers[1]).await.unwrap();
        assert_eq!(storage.memberships(fixture.bob).await.unwrap().into_keys().collect::<Vec<_>>(), [servers[2]]);
        storage.delete_user(&fixture.next_actor(), fixture.bob).await.unwrap();
        assert_eq!(storage.list_members(as_alice, servers[2], None).await.unwrap().total, 0);
    }

    async fn changes_of_members_are_audited_with_user_and_role(fixture) {
        let (storage, as_alice) = (&fixture.storage, fixture.as_alice());
        let server = fixture.server("S").await.id;
        fixture.share_with_bob(server, MemberRole::Viewer).await;
        storage.update_member(&fixture.next_actor(), as_alice, server, fixture.bob, MemberRole::Editor).await.unwrap();
        storage.remove_member(&fixture.next_actor(), as_alice, server, fixture.bob).await.unwrap();
        let sql = "SELECT action || ' ' || object_id || ' ' || object_name || ' ' || server_id || ' ' || fields \
                   FROM audit WHERE object_kind = 'member' ORDER BY id";
        let bob = fixture.bob;
        let expected = [
            format!("create {bob} bob {server} user_id={bob},role=viewer"),
            format!("update {bob} bob {server} user_id={bob},role=editor"),
            format!("delete {bob} bob {server} user_id={bob}"),
        ];
        assert_eq!(fixture.raw.texts(sql).await, expected);
    }
}
