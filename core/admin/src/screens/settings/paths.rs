//! The addresses of settings.

use crate::browser_settings::Group;

/// Path of the list of groups.
pub(crate) const HOME: &str = "/admin/settings";

/// Returns the path of a group.
pub(crate) fn path_of(group: &Group) -> String {
    format!("{HOME}/{}", group.key)
}
