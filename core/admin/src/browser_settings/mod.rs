//! Settings that organisers change in the browser, while the site runs.
//!
//! A [`Group`] declares them: which settings, what they are called, what they hold, who may. What is changed is kept
//! as rows that lie over the file's values ([`festival_base::settings::InForce`]); what equals the file has no row, and follows the file. The
//! rules are those of the file, the history is that of everything else ([`festival_records::editing`]).
//!
//! Not here: the screens ([`crate`]).

mod change;
mod group;
mod groups;
mod notice;
mod value;

pub use change::{Current, Difference, History, Step, change, current, history, latest, preview, step};
pub(crate) use group::BELOW;
pub use group::{Group, Item, Shape};
pub(crate) use groups::register;
pub use notice::hidden;
pub use value::{Typed, read, say, typed};
