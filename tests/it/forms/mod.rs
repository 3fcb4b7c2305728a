//! The module `forms` as visitors see it.

mod awards;
mod bounds;
mod canaries;
mod checks;
mod consent;
mod delegates;
mod doors;
mod export;
mod files;
mod kept;
mod odd_values;
mod pages;
pub(crate) mod privacy;
mod proof_of_work;
mod scanner;
pub(crate) mod sent;
mod staged;
mod stored;
mod tables;
mod texts;
