//! Which kind of AI client is calling.
