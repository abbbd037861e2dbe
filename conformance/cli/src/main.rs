//! The judge's command.

fn main() {}
