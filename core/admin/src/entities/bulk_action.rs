//! What can be done with several rows at once: publish, hide, delete.

use super::paths::{bin, home};
use crate::serving::frame::capitalized;
use crate::serving::reply::Reply;
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
    pub(super) const ALL: [Self; 3] = [Self::Publish, Self::Hide, Self::Delete];

    pub(super) fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.key() == key)
    }

    /// "Publish 3 films?"
    pub(super) fn question(self, count: usize, entity: &Entity) -> String {
        let noun = if count == 1 { entity.singular } else { entity.plural };
        format!("{} {count} {noun}?", capitalized(self.key()))
    }

    /// Goes back to the list and says what was done.
    pub(super) fn redirect(self, back: String, count: usize, entity: &Entity) -> Reply {
        let noun = if count == 1 { entity.singular } else { entity.plural };
        let message = format!("{count} {noun} {}.", self.done());
        let redirect = Reply::redirect(back).done(message);
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

    pub(super) const fn consequence(self) -> &'static str {
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

/// Redirects to the list with the reason why the row `current` prevented the action.
pub(super) fn rejected(entity: &Entity, current: &Current, message: &str) -> Reply {
    let title = editing::title_of(entity, &current.record);
    Reply::redirect(home(entity)).problem(format!("Nothing was changed because of “{title}”. {message}")).into()
}
