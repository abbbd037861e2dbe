//! The reference behind the shim contract jc/1 (conformance/SHIM.md), and an example for other authors.
//!
//! ```text
//! a line ──message──▶ Call ──ops──▶ the core ──▶ accept + out | reject + reason | unsupported | error ──▶ a line
//! ```
//!
//! The loop keeps no state between calls but the world that `world.load` put there, and nothing that a call holds can
//! end it.

use std::io::{self, BufRead as _, Write as _};

mod message;
mod ops;
mod shapes;
mod signer;
mod world;

/// Serves calls from standard input until `bye` or the end of input.
///
/// # Errors
/// When standard input or output breaks.
pub fn serve() -> io::Result<()> {
    let mut input = io::stdin().lock();
    let mut output = io::stdout().lock();
    let mut line = Vec::new();
    let mut world = None;
    while input.read_until(b'\n', &mut line)? > 0 {
        match message::answer(&line, &mut world) {
            message::Reply::Line(reply) => {
                writeln!(output, "{reply}")?;
                output.flush()?;
            }
            // What is no message is no call either: it is logged and passed over.
            message::Reply::Nothing(why) => eprintln!("reference-shim: {why}"),
            message::Reply::Bye => break,
        }
        line.clear();
    }
    Ok(())
}
