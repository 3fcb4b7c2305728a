//! The statements of an edition, and who works on them.

use festival_core::edition::Edition;
use festival_core::settings::Settings;
use festival_core::site::Site;

use crate::decider::Decider;

/// Who works on the statements of an edition.
pub(super) struct Ledger<'a> {
    pub(super) site: &'a Site,
    /// Settings in force.
    pub(super) settings: &'a Settings,
    pub(super) decider: &'a Decider,
    pub(super) edition: &'a Edition,
}
