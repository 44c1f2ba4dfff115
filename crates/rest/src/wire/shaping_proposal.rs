//! Proposals for the shaping of a tool.

use toolgate_domain::json::JsonObject;
use toolgate_shaping::{OmitReason, PathReport, Proposal};

use crate::reply_object::reply_object;
use crate::schema::{Omittable, reply_values};

reply_values! { OmitReason => {"type": "string", "enum": OmitReason::NAMES}, }

reply_object! {
    /// A shaping that leaves out what a model does not need. Nothing is changed until the tool is updated with it.
    pub(crate) struct ShapingProposalOut<'a>(
        proposal: &'a Proposal,
        shaping: Option<&'a JsonObject>,
        message: Option<&'static str>,
    ) {
        /// Number of responses that were read. Equal responses are counted once; responses other than JSON are not
        /// read.
        responses: usize = proposal.responses,
        /// Number of those that were captured only in part.
        truncated: usize = proposal.truncated,
        /// The proposed shaping: that of the tool, else the default of the server, with further rules in `omit`.
        shaping: Option<&'a JsonObject> = shaping,
        /// The members of the responses, except those inside a member that is left out.
        paths: Vec<ProposedPathOut<'a>> = proposal.paths.iter().map(ProposedPathOut::new).collect(),
        tokens: ProposalTokensOut = ProposalTokensOut::new(proposal),
        /// What to do for a better proposal; null if there is nothing to do.
        message: Option<&'static str> = message,
    }
}

reply_object! {
    /// Mean estimated tokens of a response with the current and with the proposed shaping, without a budget.
    pub(crate) struct ProposalTokensOut(proposal: &Proposal) {
        before: usize = proposal.tokens_before,
        after: usize = proposal.tokens_after,
    }
}

reply_object! {
    /// A member of the responses.
    pub(crate) struct ProposedPathOut<'a>(report: &'a PathReport) {
        path: &'a str = &report.path,
        /// Share of the responses that have it, from 0 to 1.
        share: f64 = report.share,
        /// Number of different values, counted up to 100.
        distinct: usize = report.distinct,
        /// Mean tokens in a response, with the key.
        mean_tokens: f64 = report.mean_tokens,
        /// Share of the values that are null or empty, from 0 to 1.
        empty: f64 = report.empty,
        /// Why it is left out; null if it is kept.
        reason: Option<OmitReason> = report.reason,
        /// Mean tokens saved in a response; 0 if it is kept.
        tokens_saved: f64 = report.tokens_saved,
        /// The value that is almost always the same, as JSON of at most 100 characters; only if that is the reason.
        constant: Omittable<&'a str> = Omittable(report.constant.as_deref()),
    }
}
