//! The text of the notifications in which nodes report their changes to each other: `SENDER.NUMBER KIND VALUES`.
//! Older versions send `SENDER KIND VALUES`, and read a number as part of the sender.

use toolgate_domain::ids::{GrantId, PublicId, UserId};
use toolgate_domain::oauth::grant::EndedGrant;
use toolgate_domain::session::SessionIdentity;
use toolgate_domain::time::Timestamp;

use crate::changes::ChangeEvent;

/// Longer texts are refused; every notification is shorter.
const NOTIFICATION_BYTES_MAX: usize = 200;

/// The storage that sent a notification, and the number of the notification there. Several channels deliver the same
/// notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct NotificationId {
    /// The random number of the storage.
    pub(super) sender: u128,
    pub(super) number: u64,
}

impl NotificationId {
    fn parse(text: &str) -> Option<Self> {
        let (sender, number) = text.split_once('.')?;
        // A sender has the form of a public id: 32 lower-case hex digits.
        let sender = PublicId::is_valid(sender).then(|| u128::from_str_radix(sender, 16).ok())??;
        Some(Self { sender, number: number.parse().ok()? })
    }
}

pub(super) fn encode(id: NotificationId, change: &ChangeEvent) -> String {
    let head = format!("{:032x}.{}", id.sender, id.number);
    match change {
        ChangeEvent::Server(public_id) => format!("{head} s {}", public_id.as_str()),
        ChangeEvent::OwnerKeys(user_id) => format!("{head} k {user_id}"),
        ChangeEvent::SessionEnded(session) => {
            let nonce = session.nonce.iter().fold(0, |number, byte| number << 8 | u128::from(*byte));
            format!("{head} e {nonce:024x} {}", session.expires_at.as_millis())
        }
        ChangeEvent::GrantEnded(grant) => format!("{head} g {} {}", grant.id, grant.ended_at.as_millis()),
        ChangeEvent::EndedGrants | ChangeEvent::Everything => format!("{head} *"),
    }
}

/// The id and the change of a notification; `None` if the text is not exactly what [`encode`] writes.
pub(super) fn parse(text: &str) -> Option<(NotificationId, ChangeEvent)> {
    if text.len() > NOTIFICATION_BYTES_MAX {
        return None;
    }
    let (id, change) = parse_parts(text);
    Some((id?, change?))
}

/// Like [`parse`], but accepts notifications without a number, which come from older versions, and reports a change
/// that is unknown, such as one of a newer version, as [`ChangeEvent::Everything`].
pub(super) fn parse_any_version(text: &str) -> (Option<NotificationId>, ChangeEvent) {
    let (id, change) = parse_parts(text);
    (id, change.unwrap_or(ChangeEvent::Everything))
}

fn parse_parts(text: &str) -> (Option<NotificationId>, Option<ChangeEvent>) {
    let (head, rest) = text.split_once(' ').unwrap_or((text, ""));
    let parts: Vec<&str> = rest.split(' ').collect();
    let change = match parts[..] {
        ["s", id] if PublicId::is_valid(id) => Some(ChangeEvent::Server(PublicId::from_stored(id.to_owned()))),
        ["k", id] => id.parse().ok().map(|id| ChangeEvent::OwnerKeys(UserId(id))),
        ["e", nonce, expires_at] => parse_session(nonce, expires_at).map(ChangeEvent::SessionEnded),
        ["g", id, ended_at] => parse_grant(id, ended_at).map(ChangeEvent::GrantEnded),
        ["*"] => Some(ChangeEvent::Everything),
        _ => None,
    };
    (NotificationId::parse(head), change)
}

fn parse_session(nonce: &str, expires_at: &str) -> Option<SessionIdentity> {
    let digits = nonce.as_bytes().chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok());
    let nonce = digits.collect::<Option<Vec<u8>>>()?.try_into().ok()?;
    Some(SessionIdentity { nonce, expires_at: Timestamp::from_millis(expires_at.parse().ok()?) })
}

fn parse_grant(id: &str, ended_at: &str) -> Option<EndedGrant> {
    Some(EndedGrant { id: GrantId(id.parse().ok()?), ended_at: Timestamp::from_millis(ended_at.parse().ok()?) })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: NotificationId = NotificationId { sender: 7, number: 12 };

    fn all_changes() -> [ChangeEvent; 6] {
        [
            ChangeEvent::Server(PublicId::from_random([7; 16])),
            ChangeEvent::OwnerKeys(UserId(42)),
            ChangeEvent::OwnerKeys(UserId(-1)),
            ChangeEvent::SessionEnded(SessionIdentity {
                nonce: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 255],
                expires_at: Timestamp::from_millis(1_792_000_000_000),
            }),
            ChangeEvent::GrantEnded(EndedGrant { id: GrantId(9), ended_at: Timestamp::from_millis(1_792_000_000_000) }),
            ChangeEvent::Everything,
        ]
    }

    #[test]
    fn every_change_is_read_back_as_it_was_sent() {
        for change in all_changes() {
            let text = encode(ID, &change);
            assert_eq!(parse(&text), Some((ID, change.clone())), "{text}");
            assert_eq!(parse_any_version(&text), (Some(ID), change), "{text}");
        }
        let largest = NotificationId { sender: u128::MAX, number: u64::MAX };
        assert_eq!(parse(&encode(largest, &ChangeEvent::Everything)), Some((largest, ChangeEvent::Everything)));
    }

    #[test]
    fn a_notification_of_an_older_version_has_no_number() {
        let server = PublicId::from_random([7; 16]);
        let text = format!("{:032x} s {}", ID.sender, server.as_str());
        assert_eq!(parse_any_version(&text), (None, ChangeEvent::Server(server)));
        assert_eq!(parse(&text), None);
    }

    #[test]
    fn a_text_that_is_not_a_notification_is_refused_or_read_as_a_change_of_everything() {
        let head = format!("{:032x}.{}", ID.sender, ID.number);
        for rest in [
            "",
            " ",
            " s",
            " k",
            " k one",
            " k 1 2",
            " s a b",
            " s a",
            " t 1",
            " e 00 1",
            " g 1",
            " g 1 one",
            " g 1 2 3",
            " e 000102030405060708090a0b",
            "  s a",
            " * ",
            " *\n",
        ] {
            let text = format!("{head}{rest}");
            assert_eq!(parse(&text), None, "{text:?}");
            assert_eq!(parse_any_version(&text).1, ChangeEvent::Everything, "{text:?}");
        }
        let short = head.strip_prefix('0').unwrap();
        for head in ["", "x", "x.1", short, &format!("{head}x"), &head.replace('.', ":"), &format!("+{short}")] {
            let text = format!("{head} k 1");
            assert_eq!(parse(&text), None, "{text:?}");
            assert_eq!(parse_any_version(&text), (None, ChangeEvent::OwnerKeys(UserId(1))), "{text:?}");
        }
        assert_eq!(parse(&format!("{head} k {}1", "0".repeat(NOTIFICATION_BYTES_MAX))), None);
    }
}
