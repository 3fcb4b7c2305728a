//! Settings that organisers change in the browser while the site runs.
//!
//! A [`Group`] declares settings with labels, types and permission. Changed settings are stored as rows that override
//! the settings file ([`festival_base::settings::InForce`]); a setting that equals the file has no row and follows the
//! file. Validation is that of the file, history that of all content ([`festival_records::editing`]). The screens are
//! in `crate::screens::settings`.

mod change;
mod group;
mod groups;
mod notice;
mod value;

pub use change::{GroupState, SettingsRevision, change, current, history, latest, preview, revision, version_of};
pub(crate) use group::{BELOW, HOME};
pub use group::{Confirmation, Group, Illustration, Item, ItemKind};
pub(crate) use groups::GROUPS;
pub use notice::masked;
pub use value::{Difference, FormValue, GroupValues, differences, display_text, form_value, parse, ticked};
