//! Selection: from submitted films to a programme. Reviewers score the entries that were assigned to them, the chair
//! decides, and a release tells every film-maker.

mod entities;
mod outline;
mod role;

use festival_core::{Module, Registry, migration};

pub use entities::{ASSIGNMENT, CRITERION, JUROR, ROUND};
pub use role::{CHAIR, JUROR_ROLE};

/// The module.
pub struct SelectionModule;

impl Module for SelectionModule {
    fn name(&self) -> &'static str {
        "selection"
    }

    fn register(&self, registry: &mut Registry) {
        registry
            .migrations([migration!("selection", "0801", "selection").works_with((0, 1, 0))])
            .role(&role::CHAIR)
            .role(&role::JUROR_ROLE)
            .menu("selection", 0)
            .entity(&ROUND)
            .entity(&CRITERION)
            .entity(&JUROR)
            .entity(&ASSIGNMENT);
    }
}
