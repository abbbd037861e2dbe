//! The join protocol, pure.
