//! All that the service said, in replies, streams and the output of its commands.

use toolgate_testkit::Reply;

/// Remembers every byte.
#[derive(Default)]
pub(super) struct Ears {
    heard: Vec<u8>,
}

impl Ears {
    pub(super) fn hear(&mut self, reply: Reply) -> Reply {
        for (name, value) in &reply.headers {
            self.hear_bytes(name.as_str().as_bytes());
            self.hear_bytes(value.as_bytes());
        }
        self.hear_bytes(&reply.body);
        reply
    }

    pub(super) fn hear_bytes(&mut self, bytes: &[u8]) {
        self.heard.extend_from_slice(bytes);
        self.heard.push(b'\n');
    }

    pub(super) fn heard(&self) -> &[u8] {
        &self.heard
    }
}
