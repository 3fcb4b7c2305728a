//! The sections `[fees]` and `[payment]` of the settings: what people pay and where to, on which pages organisers change it,
//! and what is said of it on the site, on the dashboard and by `festival check`.

mod advice;
mod facts;
mod fees;
mod groups;
mod payment;
mod upi;

use festival_core::Registry;
use festival_core::admin::Action;
use festival_core::admin::Permission::To;
use festival_core::admin::role::SETTINGS;
use festival_core::site::AddedFacts;

pub use self::fees::{Fees, Membership};
pub use self::payment::{Bank, Payment, Upi};
use crate::mails::templates::PAYMENT_CHANGED;

/// Registers the sections, and everything that follows from them.
pub(crate) fn register(registry: &mut Registry) {
    registry
        .top_level_section::<Fees>(Fees::NAME)
        .top_level_section::<Payment>(Payment::NAME)
        .site_facts(AddedFacts::new(facts::FormsFacts::of))
        .settings_group(&groups::FEES)
        .settings_group(&groups::PAYMENT)
        .mail(&PAYMENT_CHANGED)
        .pending_task(To(&SETTINGS, Action::View), advice::pending_tasks)
        .deploy_check(advice::deploy_problems);
}
