//! What a feature module is.

use crate::registry::Registry;

/// A feature that can be switched on and off as a whole.
///
/// - [`Module::name`] is its key everywhere: settings section, migration folder, command group.
/// - [`Module::register`] says what it contributes and does nothing else: no files, no database.
/// - Switched off, everything but its migrations and its data is gone; no other part notices.
pub trait Module: Send + Sync + 'static {
    /// Stable key: settings section, command group, migration folder.
    fn name(&self) -> &'static str;

    /// Says what the module contributes. No I/O.
    fn register(&self, registry: &mut Registry);
}
