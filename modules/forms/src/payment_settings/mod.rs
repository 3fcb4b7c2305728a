//! The sections `[fees]` and `[payment]` of the settings: amounts and payment details, the pages on which organisers
//! change them, and what the site, the dashboard and `festival check` show about them.

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

pub(crate) use self::fees::{Fees, Membership};
pub(crate) use self::payment::{Payment, is_ifsc};
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
        .first_settings(Fees::first)
        .deploy_check(advice::deploy_problems);
}
