//! Who may do what: a few roles, and for each resource the actions that a role has on it.
//!
//! Core knows no resource of a module. A module declares its own as a `const Resource` and says there which roles
//! have which actions; the owner has all of them, always.

use serde::Serialize;

/// What an account is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Everything, and alone the accounts, the settings and the audit log.
    Owner,
    /// Writes what the site shows.
    Editor,
    /// Watches and judges what was submitted.
    Reviewer,
    /// Answers people: registrations, messages, the state of submissions.
    Desk,
    /// Looks, changes nothing, sees nobody's personal data.
    Reader,
}

impl Role {
    /// All of them, the mightiest first.
    pub const ALL: [Self; 5] = [Self::Owner, Self::Editor, Self::Reviewer, Self::Desk, Self::Reader];

    /// The word in the database and on the command line.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Editor => "editor",
            Self::Reviewer => "reviewer",
            Self::Desk => "desk",
            Self::Reader => "read-only",
        }
    }

    /// The word for people.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Owner => "Owner",
            Self::Editor => "Editor",
            Self::Reviewer => "Reviewer",
            Self::Desk => "Desk",
            Self::Reader => "Read only",
        }
    }

    /// What the role is for, in a sentence.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Owner => "Does everything, and alone manages accounts and settings.",
            Self::Editor => "Writes what the site shows.",
            Self::Reviewer => "Watches and judges what was submitted.",
            Self::Desk => "Answers people: registrations, messages, the state of submissions.",
            Self::Reader => "Looks at what the site shows and changes nothing.",
        }
    }

    /// The role that a word means.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.key() == key)
    }

    /// Whether the role has `action` on `resource`.
    pub fn may(self, resource: &Resource, action: Action) -> bool {
        self == Self::Owner || resource.grants.iter().any(|(role, actions)| *role == self && actions.contains(&action))
    }
}

/// What can be done with a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// To look at it.
    View,
    /// To add and change.
    Edit,
    /// To delete and bring back.
    Delete,
    /// To judge: notes, scores, proposals.
    Review,
    /// To take much of it away in a file.
    Export,
}

/// Something that the back office is about, and what each role may do with it. The owner needs no line.
#[derive(Debug, PartialEq, Eq)]
pub struct Resource {
    /// Stable word: "content", "accounts".
    pub key: &'static str,
    /// The words for people.
    pub label: &'static str,
    /// Which role has which actions.
    pub grants: &'static [(Role, &'static [Action])],
    /// Whether it is about the people who write to the festival.
    pub personal: Personal,
}

/// Whether something is about the people who write to the festival. What a screen shows of it is written down before it
/// is shown: a screen that does not say what it shows is not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Personal {
    /// It is about the site, or about those who work in the back office.
    No,
    /// It is, and nobody can tell to which part of the festival each of it belongs: accounts that are limited to a part
    /// ([`Scope`](super::Scope)) do not see it.
    Whole,
    /// It is, and its module shows a limited account its part alone.
    InParts,
}

/// What the site shows: everything that has an entity and no resource of its own.
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

/// Fees, payment details, contact, closing times: the owner's alone.
pub const SETTINGS: Resource = Resource { key: "settings", label: "Settings", grants: &[], personal: Personal::No };

/// The mails that the site sends: letters to people, so for those who answer people.
pub const MAIL: Resource = Resource {
    key: "mail",
    label: "Mails",
    grants: &[(Role::Desk, &[Action::View, Action::Edit])],
    personal: Personal::Whole,
};

/// All that is kept about one person, wherever it is: the owner's alone.
pub const PRIVACY: Resource =
    Resource { key: "privacy", label: "Personal data", grants: &[], personal: Personal::Whole };

/// The accounts of the back office: the owner's alone.
pub const ACCOUNTS: Resource = Resource { key: "accounts", label: "Accounts", grants: &[], personal: Personal::No };

/// What was done in the back office: the owner's alone.
pub const AUDIT: Resource = Resource { key: "audit", label: "Audit log", grants: &[], personal: Personal::No };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_owner_may_everything_and_the_others_what_is_said() {
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
