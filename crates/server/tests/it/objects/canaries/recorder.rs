//! Records the output of the service: replies, streams and the output of its commands.

use toolgate_testkit::TestResponse;

#[derive(Default)]
pub(super) struct OutputRecorder {
    recorded: Vec<u8>,
}

impl OutputRecorder {
    pub(super) fn record(&mut self, reply: TestResponse) -> TestResponse {
        for (name, value) in &reply.headers {
            self.record_bytes(name.as_str().as_bytes());
            self.record_bytes(value.as_bytes());
        }
        self.record_bytes(&reply.body);
        reply
    }

    pub(super) fn record_bytes(&mut self, bytes: &[u8]) {
        self.recorded.extend_from_slice(bytes);
        self.recorded.push(b'\n');
    }

    pub(super) fn recorded(&self) -> &[u8] {
        &self.recorded
    }
}
