//! The filters `caller`, `endpoint_key_id` and `client_address`: who made a call, and from where.

use std::net::IpAddr;

use toolgate_domain::call::{CallCredential, CallOrigin};
use toolgate_domain::fault::Fault;
use toolgate_domain::ids::EndpointKeyId;

use crate::params::{arguments, typed_arg as arg};

arguments! {
    /// The arguments of a filter on the origin of calls.
    #[derive(Clone, Debug, Default)]
    pub(super) struct OriginArgs {
        endpoint_key_id: Option<EndpointKeyId> =
            arg::integer(&(1..=i64::MAX), "Id of an endpoint key; only calls with it.").in_query().may_be_empty(),
        caller: Option<String> =
            arg::text(100, "user:ID, subject:ID, key:ID or none; only calls of this caller. Empty for all.").in_query().may_be_empty(),
        client_address: Option<String> =
            arg::text(100, "IPv4 or IPv6 address; only calls from it. Empty for all.").in_query().may_be_empty(),
    }
}

/// A filter on the origin of calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct OriginFilter {
    pub(super) endpoint_key: Option<EndpointKeyId>,
    pub(super) caller: Option<CallCredential>,
    pub(super) client_address: Option<IpAddr>,
}

impl OriginArgs {
    pub(super) fn filter(&self) -> Result<OriginFilter, Fault> {
        let caller = self.caller.as_deref().map(|text| CallCredential::parse_caller(text.trim())).transpose()?;
        let client_address = self.client_address.as_deref().map(parse_address).transpose()?;
        Ok(OriginFilter { endpoint_key: self.endpoint_key_id, caller, client_address })
    }
}

/// An address in the form in which addresses of clients are recorded.
fn parse_address(text: &str) -> Result<IpAddr, Fault> {
    let address = text.trim().parse().map(|address: IpAddr| address.to_canonical());
    address.map_err(|_| {
        let message = "client_address must be an IPv4 or IPv6 address, such as 203.0.113.9 or 2001:db8::1.";
        Fault::invalid_pattern("client_address", message)
    })
}

impl OriginFilter {
    /// Whether it selects all calls.
    pub(super) fn is_empty(self) -> bool {
        self == Self::default()
    }

    pub(super) fn includes(self, origin: &CallOrigin) -> bool {
        self.endpoint_key.is_none_or(|key| origin.credential.endpoint_key() == Some(key))
            && self.caller.is_none_or(|caller| origin.credential == caller)
            && self.client_address.is_none_or(|address| origin.client_address == Some(address))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_may_have_any_form_and_anything_else_is_a_fault() {
        for (text, expected) in [
            ("203.0.113.9", "203.0.113.9"),
            (" 2001:DB8:0:0::1 ", "2001:db8::1"),
            ("::ffff:203.0.113.9", "203.0.113.9"),
        ] {
            assert_eq!(parse_address(text).unwrap().to_string(), expected);
        }
        for bad in ["host.example", "203.0.113", "203.0.113.0/24", "203.0.113.9:80", "[::1]"] {
            assert_eq!(parse_address(bad).unwrap_err().field, "client_address", "{bad}");
        }
    }
}
