//! The trait of feature modules.

use crate::registry::Registry;

/// A feature that can be switched on and off as a whole.
///
/// A module that is switched off contributes its migrations only; its data stays.
pub trait Module: Send + Sync + 'static {
    /// The stable name: of the settings section, the command group and the migration folder.
    fn name(&self) -> &'static str;

    /// Registers everything that the module contributes. No I/O.
    fn register(&self, registry: &mut Registry);
}
