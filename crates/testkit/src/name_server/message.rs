//! Questions and answers of DNS (RFC 1035), as far as a resolver asks them.

use std::net::IpAddr;

const IPV4: u16 = 1;
const ALIAS: u16 = 5;
const IPV6: u16 = 28;
const HEADER: usize = 12;

/// Something that is known of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Record {
    /// It leads here.
    Address(IpAddr),
    /// It stands for another name, of which the records that follow are.
    Alias(String),
}

/// What a resolver asks.
pub(super) struct Question {
    pub(super) name: String,
    kind: u16,
    /// The header's first two bytes, and the question itself.
    id: [u8; 2],
    asked: Vec<u8>,
}

impl Question {
    /// `None` when this is no question.
    pub(super) fn read(message: &[u8]) -> Option<Self> {
        let id = message.first_chunk().copied()?;
        let mut rest = message.get(HEADER..)?;
        let mut labels = Vec::new();
        loop {
            let (length, after) = rest.split_first()?;
            if *length == 0 {
                rest = after;
                break;
            }
            let (label, after) = after.split_at_checked(usize::from(*length))?;
            labels.push(String::from_utf8_lossy(label).to_ascii_lowercase());
            rest = after;
        }
        let kind = u16::from_be_bytes(*rest.first_chunk()?);
        let name = labels.join(".");
        // Its end are a type and a class.
        let asked = message.get(HEADER..message.len() - rest.len() + 4)?.to_vec();
        Some(Self { name, kind, id, asked })
    }

    pub(super) fn wants_ipv4(&self) -> bool {
        self.kind == IPV4
    }

    /// Of a name without any record: that it does not exist.
    pub(super) fn answer(&self, records: &[Record]) -> Vec<u8> {
        let (mut body, mut count) = (Vec::new(), 0_u16);
        let mut name = self.name.clone();
        for record in records {
            let (kind, data) = match record {
                Record::Alias(other) => (ALIAS, encoded(other)),
                Record::Address(IpAddr::V4(address)) => (IPV4, address.octets().to_vec()),
                Record::Address(IpAddr::V6(address)) => (IPV6, address.octets().to_vec()),
            };
            if kind != ALIAS && kind != self.kind {
                continue;
            }
            count += 1;
            body.extend(encoded(&name));
            body.extend([kind.to_be_bytes(), [0, 1], [0, 0], [0, 0]].concat());
            body.extend(u16::try_from(data.len()).unwrap_or_default().to_be_bytes());
            body.extend(data);
            if let Record::Alias(other) = record {
                name.clone_from(other);
            }
        }
        let status = if records.is_empty() { 3 } else { 0 };
        let header = [self.id, [0x85, 0x80 | status], [0, 1], count.to_be_bytes(), [0, 0], [0, 0]];
        [header.concat(), self.asked.clone(), body].concat()
    }
}

fn encoded(name: &str) -> Vec<u8> {
    let mut out = Vec::new();
    for label in name.split('.').filter(|label| !label.is_empty()) {
        out.push(u8::try_from(label.len()).unwrap_or_default());
        out.extend(label.as_bytes());
    }
    out.push(0);
    out
}
