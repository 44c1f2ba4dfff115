//! The stages of a call, reported as progress.

/// The stage of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CallStage {
    /// The arguments are being checked.
    Checking,
    /// The arguments are valid; the response is being fetched from the cache or the upstream.
    Calling,
    /// The response has arrived, from the cache or the upstream.
    Responded,
    /// The result is ready.
    Done,
}

impl CallStage {
    /// All stages, in order.
    pub const ALL: [Self; 4] = [Self::Checking, Self::Calling, Self::Responded, Self::Done];

    /// The progress message of the stage.
    pub fn text(self) -> &'static str {
        match self {
            Self::Checking => "Checking the arguments",
            Self::Calling => "Calling the upstream",
            Self::Responded => "The upstream has responded",
            Self::Done => "The result is ready",
        }
    }
}

/// Receives the stages of a call. It must not block: the call waits for it.
pub trait StageObserver: Send + Sync {
    /// The call has reached this stage.
    fn on_stage(&self, stage: CallStage);
}

/// Ignores all stages.
impl StageObserver for () {
    fn on_stage(&self, _: CallStage) {}
}
