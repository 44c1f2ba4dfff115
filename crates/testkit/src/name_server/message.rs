//! The part of the DNS message format (RFC 1035) that a resolver uses.

use std::net::IpAddr;

// Record types.
const TYPE_A: u16 = 1;
const TYPE_CNAME: u16 = 5;
const TYPE_AAAA: u16 = 28;
/// The response code for a name that does not exist.
const NXDOMAIN: u8 = 3;
const HEADER_LENGTH: usize = 12;

/// A record of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DnsRecord {
    /// An IPv4 or IPv6 address.
    Address(IpAddr),
    /// An alias (CNAME); the records that follow belong to this name.
    Alias(String),
}

/// A query of a resolver.
pub(super) struct DnsQuestion {
    pub(super) name: String,
    record_type: u16,
    /// The first two bytes of the header.
    id: [u8; 2],
    /// The question section, which the reply repeats.
    question: Vec<u8>,
}

impl DnsQuestion {
    /// `None` if this is not a DNS query.
    pub(super) fn parse(message: &[u8]) -> Option<Self> {
        let id = message.first_chunk().copied()?;
        let mut rest = message.get(HEADER_LENGTH..)?;
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
        let record_type = u16::from_be_bytes(*rest.first_chunk()?);
        let name = labels.join(".");
        // The question ends with a type and a class, two bytes each.
        let question = message.get(HEADER_LENGTH..message.len() - rest.len() + 4)?.to_vec();
        Some(Self { name, record_type, id, question })
    }

    pub(super) fn is_for_ipv4(&self) -> bool {
        self.record_type == TYPE_A
    }

    /// The reply with these records; without records it is NXDOMAIN.
    pub(super) fn encode_reply(&self, records: &[DnsRecord]) -> Vec<u8> {
        let (mut body, mut count) = (Vec::new(), 0_u16);
        let mut name = self.name.clone();
        for record in records {
            let (record_type, data) = match record {
                DnsRecord::Alias(target) => (TYPE_CNAME, encode_name(target)),
                DnsRecord::Address(IpAddr::V4(address)) => (TYPE_A, address.octets().to_vec()),
                DnsRecord::Address(IpAddr::V6(address)) => (TYPE_AAAA, address.octets().to_vec()),
            };
            if record_type != TYPE_CNAME && record_type != self.record_type {
                continue;
            }
            count += 1;
            body.extend(encode_name(&name));
            // Type, class IN, and a TTL of 0 in four bytes.
            body.extend([record_type.to_be_bytes(), [0, 1], [0, 0], [0, 0]].concat());
            body.extend(u16::try_from(data.len()).unwrap_or_default().to_be_bytes());
            body.extend(data);
            if let DnsRecord::Alias(target) = record {
                name.clone_from(target);
            }
        }
        let response_code = if records.is_empty() { NXDOMAIN } else { 0 };
        // Flags: a response, authoritative, recursion desired and available. Counts: one question, the records.
        let header = [self.id, [0x85, 0x80 | response_code], [0, 1], count.to_be_bytes(), [0, 0], [0, 0]];
        [header.concat(), self.question.clone(), body].concat()
    }
}

fn encode_name(name: &str) -> Vec<u8> {
    let mut out = Vec::new();
    for label in name.split('.').filter(|label| !label.is_empty()) {
        out.push(u8::try_from(label.len()).unwrap_or_default());
        out.extend(label.as_bytes());
    }
    out.push(0);
    out
}
