//! Makes, checks and signs the vector data.

fn main() {}
