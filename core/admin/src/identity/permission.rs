//! Who may use a screen, or sees a part of one.

use crate::identity::account::Account;
use crate::identity::role::{Action, Resource};

/// Who may use a screen. There is no default: every screen must declare it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// Everybody. For the sign-in pages only.
    Public,
    /// Every signed-in user, as for one's own account.
    SignedIn,
    /// Users with this action on this resource.
    To(&'static Resource, Action),
}

impl Permission {
    /// Whether `account` has the permission; `None` is a visitor who is not signed in.
    pub fn allows(self, account: Option<&Account>) -> bool {
        match (self, account) {
            (Self::Public, _) => true,
            (_, None) => false,
            (Self::SignedIn, Some(_)) => true,
            (Self::To(resource, action), Some(account)) => account.may(resource, action),
        }
    }

    /// Whether it grants access to personal data of people who write to the festival.
    pub fn is_personal(self) -> bool {
        matches!(self, Self::To(resource, _) if resource.is_personal())
    }
}
