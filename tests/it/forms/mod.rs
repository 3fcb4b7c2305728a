//! The module `forms` as visitors see it.

mod awards;
mod bounds;
mod checks;
mod delegates;
mod doors;
mod export;
mod files;
mod kept;
mod odd_values;
mod pages;
mod privacy;
pub(crate) mod sent;
mod staged;
mod tables;
mod texts;
