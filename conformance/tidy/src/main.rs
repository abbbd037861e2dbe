//! The project's own order.

fn main() {}
