//! The stages of a call that a client may follow.

/// How far a call has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// The arguments are being checked.
    Accepted,
    /// The request is ready and on its way to the upstream.
    Calling,
    /// The upstream has answered.
    Answered,
    /// The result is ready.
    Done,
}

impl Stage {
    /// All, in order.
    pub const ALL: [Self; 4] = [Self::Accepted, Self::Calling, Self::Answered, Self::Done];

    /// What a person reads.
    pub fn text(self) -> &'static str {
        match self {
            Self::Accepted => "Checking the arguments",
            Self::Calling => "Calling the upstream",
            Self::Answered => "The upstream has answered",
            Self::Done => "The result is ready",
        }
    }
}

/// Who is told of them. It must not wait: the call goes on meanwhile.
pub trait Stages: Send + Sync {
    /// The call has come this far.
    fn reached(&self, stage: Stage);
}

/// Nobody is told.
impl Stages for () {
    fn reached(&self, _: Stage) {}
}
