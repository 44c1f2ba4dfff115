//! The resources of generated tools.

use super::actions::GeneratedAction::{
    self, Approve, Archive, Assign, Cancel, Comment, Duplicate, Export, History, Import, Restore, Send, Share,
};

/// A kind of object of a generated API.
pub(super) struct GeneratedResource {
    pub(super) group: &'static str,
    pub(super) singular: &'static str,
    pub(super) plural: &'static str,
    /// A description that does not repeat the name.
    pub(super) about: &'static str,
    /// A field with a closed set of values.
    pub(super) choice: (&'static str, &'static [&'static str]),
    /// Other fields.
    pub(super) fields: &'static [&'static str],
    /// The actions that not every resource has.
    pub(super) actions: [GeneratedAction; 3],
}

macro_rules! resources {
    ($($group:literal { $($one:literal $many:literal $about:literal $choice:literal [$($value:literal)+] [$($field:literal)+] [$a:ident $b:ident $c:ident];)+ })+) => {
        [$($(GeneratedResource {
            group: $group, singular: $one, plural: $many, about: $about, choice: ($choice, &[$($value),+]),
            fields: &[$($field),+], actions: [$a, $b, $c],
        }),+),+]
    };
}

#[rustfmt::skip]
pub(super) const RESOURCES: [GeneratedResource; 80] = resources! {
    "tracker" {
        "issue" "issues" "a bug report or a task of a repository" "state" ["open" "closed"] ["title" "labels" "milestone"] [Assign Comment History];
        "pull_request" "pull_requests" "a proposal to merge code of a branch" "state" ["open" "merged" "closed"] ["title" "base" "head"] [Approve Comment History];
        "milestone" "milestones" "a goal with a due date that groups work" "state" ["open" "done"] ["title" "due_on"] [Archive Restore Export];
        "label" "labels" "a coloured tag on tasks" "color" ["red" "green" "blue"] ["name"] [Duplicate Import Export];
        "branch" "branches" "a line of development in version control" "protection" ["none" "strict"] ["ref"] [Restore Duplicate History];
        "release" "releases" "a published version with notes and downloads" "stage" ["draft" "final"] ["tag" "notes"] [Approve Cancel Export];
        "commit" "commits" "a recorded change to source files" "verification" ["signed" "unsigned"] ["sha" "author"] [Comment Export Share];
        "review_thread" "review_threads" "a discussion of lines of code" "state" ["resolved" "pending"] ["path" "line"] [Assign Archive Restore];
        "repository" "repositories" "a project with its source code" "visibility" ["public" "private"] ["owner" "name"] [Archive Share Duplicate];
        "webhook" "webhooks" "an address that is called when an event happens" "event" ["push" "deploy"] ["callback_url"] [Cancel History Duplicate];
    }
    "billing" {
        "invoice" "invoices" "a bill that a customer has to pay" "status" ["draft" "unpaid" "paid" "overdue"] ["customer" "amount" "due_date"] [Send Cancel Export];
        "subscription" "subscriptions" "a recurring charge to a customer" "interval" ["monthly" "yearly"] ["customer" "plan"] [Cancel Restore History];
        "refund" "refunds" "money that is paid back to a buyer" "status" ["pending" "done"] ["charge" "amount"] [Approve Cancel Export];
        "coupon" "coupons" "a discount code" "kind" ["percent" "fixed"] ["code" "expires_at"] [Duplicate Share Archive];
        "payment_method" "payment_methods" "a stored credit card or bank account" "kind" ["card" "bank"] ["holder" "expiry"] [Approve History Restore];
        "dispute" "disputes" "a chargeback that a card holder has opened" "outcome" ["won" "lost"] ["evidence"] [Assign Comment Export];
        "payout" "payouts" "a transfer of the balance to a bank" "speed" ["instant" "standard"] ["amount" "destination"] [Approve Cancel History];
        "tax_rate" "tax_rates" "the share of VAT for a country" "scope" ["inclusive" "exclusive"] ["country" "percentage"] [Import Archive Duplicate];
        "credit_note" "credit_notes" "a document that reduces what is owed" "status" ["issued" "void"] ["amount"] [Send Cancel Export];
        "price_plan" "price_plans" "what a product costs in each period" "currency" ["eur" "usd"] ["unit_amount"] [Duplicate Archive Share];
    }
    "cloud" {
        "virtual_machine" "virtual_machines" "a server with its own CPU and memory" "size" ["small" "large"] ["region" "image"] [Duplicate Restore History];
        "volume" "volumes" "a disk that can be attached to a server" "filesystem" ["ext4" "xfs"] ["gigabytes"] [Assign Duplicate Restore];
        "snapshot" "snapshots" "a backup of a disk at a point in time" "kind" ["manual" "scheduled"] ["source"] [Restore Share Export];
        "firewall" "firewalls" "rules for inbound and outbound traffic" "policy" ["allow" "deny"] ["ports" "addresses"] [Assign Duplicate History];
        "load_balancer" "load_balancers" "a front that spreads requests over servers" "algorithm" ["round_robin" "least_connections"] ["targets"] [Assign History Duplicate];
        "dns_record" "dns_records" "an entry that maps a host name to an address" "kind" ["a" "cname" "mx" "txt"] ["host" "value" "ttl"] [Import Export History];
        "ssh_key" "ssh_keys" "a public key for login to a shell" "algorithm" ["ed25519" "rsa"] ["fingerprint"] [Share Approve History];
        "database_cluster" "database_clusters" "managed PostgreSQL or MySQL nodes" "engine" ["postgres" "mysql"] ["nodes"] [Duplicate Restore Export];
        "container_image" "container_images" "a Docker image in a registry" "architecture" ["amd64" "arm64"] ["digest" "tag"] [Share Archive History];
        "bucket" "buckets" "object storage for files" "access" ["public" "private"] ["region"] [Share Archive Export];
    }
    "crm" {
        "contact" "contacts" "a person with phone number and e-mail address" "lifecycle" ["lead" "customer"] ["phone" "company"] [Import Export Assign];
        "lead" "leads" "a prospect that sales has not qualified yet" "rating" ["hot" "cold"] ["source"] [Assign Import Approve];
        "opportunity" "opportunities" "a deal that may be won" "stage" ["proposal" "won" "lost"] ["value" "close_date"] [Assign Comment Export];
        "company_account" "company_accounts" "a business that buys from us" "tier" ["gold" "silver"] ["industry"] [Assign Share Import];
        "campaign" "campaigns" "a series of marketing mails" "channel" ["mail" "social"] ["budget"] [Send Cancel Duplicate];
        "email_template" "email_templates" "a prepared text for mails" "language" ["en" "de"] ["subject"] [Send Duplicate Share];
        "meeting" "meetings" "an appointment in the calendar" "place" ["online" "office"] ["starts_at" "attendees"] [Cancel Share Comment];
        "pipeline_stage" "pipeline_stages" "a step of the sales process" "position" ["first" "last"] ["probability"] [Archive Restore Duplicate];
        "quote" "quotes" "an offer with prices for a buyer" "status" ["sent" "signed"] ["valid_until"] [Send Approve Duplicate];
        "territory" "territories" "a region that a salesperson covers" "zone" ["north" "south"] ["postcodes"] [Assign Import Export];
    }
    "hr" {
        "employee" "employees" "a member of staff" "contract" ["permanent" "temporary"] ["hired_on" "manager"] [Import Export Archive];
        "leave_request" "leave_requests" "vacation or sick days that someone asks for" "kind" ["vacation" "sick"] ["from" "until"] [Approve Cancel Comment];
        "payslip" "payslips" "the monthly statement of salary" "period" ["january" "february"] ["gross" "net"] [Send Export Approve];
        "job_opening" "job_openings" "a vacancy that is to be filled" "level" ["junior" "senior"] ["location"] [Share Archive Duplicate];
        "applicant" "applicants" "a candidate with a CV" "status" ["screening" "hired" "rejected"] ["resume_url"] [Assign Comment Archive];
        "interview" "interviews" "a talk with a candidate" "round" ["phone" "onsite"] ["interviewer"] [Cancel Assign Comment];
        "department" "departments" "an organisational unit" "kind" ["team" "division"] ["cost_center"] [Archive Export History];
        "work_shift" "work_shifts" "hours that are planned for staff" "time" ["early" "late" "night"] ["starts_at"] [Assign Cancel Duplicate];
        "performance_review" "performance_reviews" "a yearly appraisal of staff" "score" ["meets" "exceeds"] ["reviewer"] [Approve Comment Send];
        "benefit_plan" "benefit_plans" "insurance or pension that staff can join" "kind" ["health" "pension"] ["provider"] [Duplicate Archive Share];
    }
    "shop" {
        "product" "products" "an article in the catalogue" "availability" ["in_stock" "sold_out"] ["price" "weight"] [Import Duplicate Archive];
        "purchase_order" "purchase_orders" "what a buyer has ordered" "status" ["placed" "shipped" "delivered"] ["items"] [Cancel Approve Export];
        "shopping_cart" "shopping_carts" "articles that a visitor wants to buy" "state" ["active" "abandoned"] ["items"] [Share Restore Send];
        "inventory_item" "inventory_items" "the stock of an article" "condition" ["new" "used"] ["quantity" "shelf"] [Import Export History];
        "shipment" "shipments" "a parcel on its way to a buyer" "carrier" ["dhl" "ups"] ["tracking_number"] [Cancel Send History];
        "return_request" "return_requests" "goods that a buyer sends back" "reason" ["damaged" "wrong_size"] ["items"] [Approve Cancel Comment];
        "gift_card" "gift_cards" "a voucher with a balance" "design" ["birthday" "holiday"] ["balance"] [Send Cancel Restore];
        "product_rating" "product_ratings" "stars and an opinion of a buyer" "stars" ["one" "five"] ["opinion"] [Approve Comment Export];
        "warehouse" "warehouses" "a building where goods are stored" "climate" ["cold" "dry"] ["address"] [Archive Export History];
        "supplier" "suppliers" "a vendor we buy goods from" "terms" ["net30" "prepaid"] ["vat_id"] [Import Approve Comment];
    }
    "chat" {
        "channel" "channels" "a room where a team talks" "kind" ["public" "private"] ["topic"] [Archive Share Restore];
        "message" "messages" "a text that was posted in a room" "format" ["plain" "markdown"] ["text"] [Send Share History];
        "reaction" "reactions" "an emoji that someone put on a text" "emoji" ["thumbsup" "heart"] ["user"] [Export Duplicate History];
        "user_group" "user_groups" "people that can be mentioned together" "scope" ["team" "workspace"] ["handle"] [Share Import Archive];
        "reminder" "reminders" "a note that appears at a given time" "repeat" ["once" "daily"] ["remind_at"] [Cancel Assign Duplicate];
        "shared_file" "shared_files" "a document that was uploaded to a room" "kind" ["image" "pdf"] ["file_name"] [Share Restore Comment];
        "call_recording" "call_recordings" "audio of a conference with its transcript" "quality" ["low" "high"] ["duration"] [Share Export Archive];
        "poll" "polls" "a question with options to vote on" "visibility" ["anonymous" "named"] ["options"] [Share Cancel Export];
        "bookmark" "bookmarks" "a saved link to a conversation" "folder" ["work" "later"] ["link"] [Import Export Share];
        "status_message" "status_messages" "what colleagues see next to a name, such as out of office" "presence" ["away" "busy"] ["expires_in"] [Restore Duplicate History];
    }
    "helpdesk" {
        "ticket" "tickets" "a customer's question or complaint" "priority" ["urgent" "normal" "low"] ["requester"] [Assign Comment Export];
        "help_article" "help_articles" "a page of the knowledge base" "audience" ["customers" "agents"] ["section"] [Share Duplicate Approve];
        "sla_policy" "sla_policies" "how fast agents have to answer" "target" ["first_reply" "resolution"] ["hours"] [Duplicate Archive History];
        "survey" "surveys" "a questionnaire on how satisfied people are" "scale" ["nps" "csat"] ["questions"] [Send Duplicate Export];
        "playlist" "playlists" "songs in an order" "mood" ["happy" "calm"] ["tracks"] [Share Duplicate Import];
        "podcast_episode" "podcast_episodes" "one part of an audio show" "explicit" ["yes" "no"] ["show"] [Send Archive Share];
        "video" "videos" "a film clip" "resolution" ["hd" "sd"] ["length"] [Share Archive Comment];
        "caption_track" "caption_tracks" "subtitles of a film clip" "language" ["en" "fr"] ["cues"] [Import Export Duplicate];
        "live_stream" "live_streams" "a broadcast that viewers watch while it happens" "latency" ["low" "normal"] ["ingest_url"] [Cancel Share Archive];
        "translation" "translations" "a text in another language" "language" ["es" "it"] ["source_text"] [Approve Import Export];
    }
};
