//! Small formal models of the protocol, explored exhaustively within bounds. They use nothing of the other
//! packages: only the specification in `docs/spec` stands behind them. `README.md` has the table of what they
//! claim.
//!
//! A model is three files: `x.rs` has the rules, `x/steps.rs` what can happen, `x/claims.rs` what is said of
//! all that.

pub mod admission;
pub mod identity;
pub mod renewal;
pub mod table;
pub mod types;
