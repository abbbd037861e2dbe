//! The reference behind the shim contract jc/1.

/// Serves calls from standard input until `bye` or the end of input.
pub fn serve() {}
