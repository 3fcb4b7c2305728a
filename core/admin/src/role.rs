//! Permissions: roles, resources, and the actions that a role has on a resource.
//!
//! A module declares its own resources as `const Resource` with the actions of each role. The owner always has all
//! actions.

use serde::Serialize;

/// The role of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Has every permission; the only role for accounts, settings and the audit log.
    Owner,
    /// Edits the content of the site.
    Editor,
    /// Watches and rates submissions.
    Reviewer,
    /// Handles registrations, messages and the status of submissions.
    Desk,
    /// Views the content; changes nothing and sees no personal data.
    Reader,
}

impl Role {
    /// All roles, from the most to the fewest permissions.
    pub const ALL: [Self; 5] = [Self::Owner, Self::Editor, Self::Reviewer, Self::Desk, Self::Reader];

    /// The key in the database and on the command line.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Editor => "editor",
            Self::Reviewer => "reviewer",
            Self::Desk => "desk",
            Self::Reader => "read-only",
        }
    }

    /// The label on screens.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Owner => "Owner",
            Self::Editor => "Editor",
            Self::Reviewer => "Reviewer",
            Self::Desk => "Desk",
            Self::Reader => "Read only",
        }
    }

    /// A sentence that describes the role.
    pub const fn description(self) -> &'static str {
        match self {
            Self::Owner => "Has full access. Only owners manage accounts and settings.",
            Self::Editor => "Edits the content of the site.",
            Self::Reviewer => "Watches and rates submissions.",
            Self::Desk => "Handles registrations, messages and the status of submissions.",
            Self::Reader => "Views the content of the site and changes nothing.",
        }
    }

    /// Returns the role with this key.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.key() == key)
    }

    /// Whether the role may perform `action` on `resource`.
    pub fn may(self, resource: &Resource, action: Action) -> bool {
        self == Self::Owner || resource.grants.iter().any(|(role, actions)| *role == self && actions.contains(&action))
    }
}

/// An action on a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// View it.
    View,
    /// Add and change rows.
    Edit,
    /// Delete and restore rows.
    Delete,
    /// Review it: notes, scores, proposals.
    Review,
    /// Export it as a file.
    Export,
}

/// A kind of data in the back office, and what each role may do with it. The owner needs no grant.
#[derive(Debug, PartialEq, Eq)]
pub struct Resource {
    /// Stable identifier: "content", "accounts".
    pub key: &'static str,
    /// The label on screens.
    pub label: &'static str,
    /// The actions of each role.
    pub grants: &'static [(Role, &'static [Action])],
    /// Whether it holds personal data of people who write to the festival.
    pub personal: Personal,
}

/// Whether a resource holds personal data of people who write to the festival. Every disclosure is recorded in the audit
/// log first; a reply that does not declare its disclosure is not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Personal {
    /// No personal data, or that of organisers only.
    No,
    /// Personal data that cannot be assigned to a part of the festival: accounts with a limited
    /// [`Scope`](super::Scope) have no access.
    StoredMail,
    /// Personal data that its module filters by the scope of the account.
    InParts,
}

/// The content of the site: every entity without a resource of its own.
pub const CONTENT: Resource = Resource {
    key: "content",
    label: "Content of the site",
    grants: &[
        (Role::Editor, &[Action::View, Action::Edit, Action::Delete, Action::Export]),
        (Role::Reviewer, &[Action::View]),
        (Role::Desk, &[Action::View]),
        (Role::Reader, &[Action::View]),
    ],
    personal: Personal::No,
};

/// Fees, payment details, contact, closing times. Owners only.
pub const SETTINGS: Resource = Resource { key: "settings", label: "Settings", grants: &[], personal: Personal::No };

/// The outgoing mails.
pub const MAIL: Resource = Resource {
    key: "mail",
    label: "Mails",
    grants: &[(Role::Desk, &[Action::View, Action::Edit])],
    personal: Personal::StoredMail,
};

/// Access to and erasure of all data about one person. Owners only.
pub const PRIVACY: Resource =
    Resource { key: "privacy", label: "Personal data", grants: &[], personal: Personal::StoredMail };

/// The accounts of the back office. Owners only.
pub const ACCOUNTS: Resource = Resource { key: "accounts", label: "Accounts", grants: &[], personal: Personal::No };

/// The audit log. Owners only.
pub const AUDIT: Resource = Resource { key: "audit", label: "Audit log", grants: &[], personal: Personal::No };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owner_may_do_everything_and_other_roles_only_what_is_granted() {
        for action in [Action::View, Action::Edit, Action::Delete, Action::Review, Action::Export] {
            assert!(Role::Owner.may(&ACCOUNTS, action) && Role::Owner.may(&CONTENT, action));
            assert!(Role::ALL.iter().skip(1).all(|role| !role.may(&ACCOUNTS, action) && !role.may(&AUDIT, action)));
        }
        assert!(Role::Editor.may(&CONTENT, Action::Edit) && !Role::Editor.may(&CONTENT, Action::Review));
        assert!(Role::Reader.may(&CONTENT, Action::View) && !Role::Reader.may(&CONTENT, Action::Edit));
        assert!(Role::ALL.iter().all(|role| Role::from_key(role.key()) == Some(*role)));
        assert_eq!(Role::from_key("Owner"), None);
    }
}
