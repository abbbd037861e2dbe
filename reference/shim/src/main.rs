//! The reference's shim as a program of its own.

fn main() {
    reference_shim::serve();
}
