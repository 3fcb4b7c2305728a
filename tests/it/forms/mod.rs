//! The public forms, API and commands of the module `forms`.

mod admission;
mod awards;
mod checks;
mod consent;
mod consistency;
mod delegates;
mod export;
mod files;
mod limits;
mod logging;
mod pages;
mod payment_codes;
pub(crate) mod privacy;
mod proof_of_work;
mod relay;
pub(crate) mod requests;
mod retention;
mod scanner;
mod schema;
mod staged;
mod statement_matching;
mod statements;
mod storage;
mod switched_off;
mod texts;
mod unusual_values;
