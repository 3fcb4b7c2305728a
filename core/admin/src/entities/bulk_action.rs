//! What can be done with several rows at once: publish, hide, delete.

use super::list;
use super::paths::{bin, home};
use crate::back_office::AdminRequest;
use crate::frame::capitalized;
use crate::reply::{Page, Reply};
use festival_records::editing::{self, Current};
use festival_records::entity::Entity;

/// An action on several rows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum BulkAction {
    Publish,
    Hide,
    Delete,
}

impl BulkAction {
    pub(super) fn from_key(key: &str) -> Option<Self> {
        match key {
            "publish" => Some(Self::Publish),
            "hide" => Some(Self::Hide),
            "delete" => Some(Self::Delete),
            _ => None,
        }
    }

    /// "Publish 3 films?"
    pub(super) fn question(self, count: usize, entity: &Entity) -> String {
        let noun = if count == 1 { entity.singular } else { entity.plural };
        format!("{} {count} {noun}?", capitalized(self.key()))
    }

    /// Goes back to the list and says what was done.
    pub(super) fn redirect(self, request: &AdminRequest, count: usize, entity: &Entity) -> Reply {
        let noun = if count == 1 { entity.singular } else { entity.plural };
        let message = format!("{count} {noun} {}.", self.done());
        let redirect = Reply::redirect(list::address(request, entity, &[])).done(message);
        match self {
            Self::Delete => redirect.link(bin(entity), format!("Deleted {}", entity.plural)),
            Self::Publish | Self::Hide => redirect,
        }
        .into()
    }

    pub(super) const fn key(self) -> &'static str {
        match self {
            Self::Publish => "publish",
            Self::Hide => "hide",
            Self::Delete => "delete",
        }
    }

    const fn consequence(self) -> &'static str {
        match self {
            Self::Publish => "They will be visible on the site at once.",
            Self::Hide => "They will no longer be visible on the site. You can publish them again.",
            Self::Delete => "They will be removed from the site. You can restore them from the deleted items.",
        }
    }

    const fn done(self) -> &'static str {
        match self {
            Self::Publish => "published",
            Self::Hide => "hidden",
            Self::Delete => "deleted",
        }
    }
}

/// Adds the consequence of the action, its button and the links to a confirmation page.
pub(super) fn about(request: &AdminRequest, page: Page, action: BulkAction, entity: &Entity) -> Page {
    page.crumb(capitalized(entity.plural), home(entity))
        .with("message", action.consequence())
        .with("button", capitalized(action.key()))
        .with("danger", action == BulkAction::Delete)
        .with("action", request.address(&format!("{}/selected", home(entity)), &[]))
        .with("home", list::address(request, entity, &[]))
}

/// Redirects to the list with the reason why the row `current` prevented the action.
pub(super) fn rejected(entity: &Entity, current: &Current, message: &str) -> Reply {
    let title = editing::title_of(entity, &current.record);
    Reply::redirect(home(entity)).problem(format!("Nothing was changed because of “{title}”. {message}")).into()
}
