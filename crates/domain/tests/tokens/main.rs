//! The estimate of tokens, compared with a tokenizer.

#[cfg(test)]
mod error;
#[cfg(test)]
mod generated_text;
