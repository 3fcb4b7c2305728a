//! Paths of the screens and of the forms on them.

pub(super) const HOME: &str = "/admin/programme";
pub(super) const MOVE: &str = "/admin/programme/move";
pub(super) const ADD: &str = "/admin/programme/add";
pub(super) const COPY: &str = "/admin/programme/copy";
pub(super) const RELEASE: &str = "/admin/programme/release";
