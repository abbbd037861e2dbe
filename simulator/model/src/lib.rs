//! Small formal models of the protocol, explored exhaustively within bounds. They use nothing of the other packages: only the
//! specification in `docs/spec` stands behind them. `README.md` has the table of what they claim.

pub mod admission;
pub mod identity;
pub mod types;
