//! cli

pub mod doctor;
