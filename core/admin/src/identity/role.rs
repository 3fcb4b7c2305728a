//! Permissions: roles, resources, and the actions that a role has on a resource.
//!
//! Core has the roles [`OWNER`], [`EDITOR`] and [`READER`]. A module registers others with `Registry::role`, and
//! declares its own resources as `const Resource` with the actions of each role. The owner always has all actions.

use serde::Serialize;

/// A role of accounts.
#[derive(Debug)]
pub struct Role {
    /// The key in the database and on the command line.
    pub key: &'static str,
    /// The label on screens.
    pub label: &'static str,
    /// Completes the sentence "asha@example.org is ...": "an editor".
    pub noun: &'static str,
    /// A sentence that describes the role.
    pub description: &'static str,
    /// Its actions on resources that do not list it, such as those of core for a role of a module.
    pub grants: &'static [(&'static Resource, &'static [Action])],
}

/// Has every permission; the only role for accounts, settings and the audit log.
pub const OWNER: Role = Role {
    key: "owner",
    label: "Owner",
    noun: "an owner",
    description: "Has full access. Only owners manage accounts and settings.",
    grants: &[],
};

/// Edits the content of the site.
pub const EDITOR: Role = Role {
    key: "editor",
    label: "Editor",
    noun: "an editor",
    description: "Edits the content of the site.",
    grants: &[],
};

/// Views the content; changes nothing and sees no personal data.
pub const READER: Role = Role {
    key: "read-only",
    label: "Read only",
    noun: "a reader",
    description: "Views the content of the site and changes nothing.",
    grants: &[],
};

impl PartialEq for Role {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for Role {}

/// [`READER`], the role with the fewest permissions.
impl Default for &'static Role {
    fn default() -> Self {
        &READER
    }
}

impl Role {
    /// Whether the role may perform `action` on `resource`.
    pub fn may(&self, resource: &Resource, action: Action) -> bool {
        let by_resource = resource.grants.iter().filter(|(role, _)| *role == self).map(|(_, actions)| actions);
        let by_role = self.grants.iter().filter(|(known, _)| known.key == resource.key).map(|(_, actions)| actions);
        *self == OWNER || by_resource.chain(by_role).any(|actions| actions.contains(&action))
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
    /// The actions of each role; roles of other modules have [`Role::grants`].
    pub grants: &'static [(&'static Role, &'static [Action])],
    /// Whether it holds personal data of people who write to the festival.
    pub personal: Personal,
}

impl Resource {
    /// Whether it holds personal data of people who write to the festival.
    pub fn is_personal(&self) -> bool {
        matches!(self.personal, Personal::StoredMail | Personal::InParts)
    }
}

/// Whether a resource holds personal data of people who write to the festival. Every disclosure is recorded in the
/// audit log first; a reply that does not declare its disclosure is not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Personal {
    /// No personal data, or that of organisers only.
    No,
    /// Personal data that cannot be assigned to a part of the festival: accounts with a limited
    /// [`Scope`](crate::Scope) have no access.
    StoredMail,
    /// Personal data that its module filters by the scope of the account.
    InParts,
    /// No personal data but titles of what people sent, for the whole festival: accounts with a limited
    /// [`Scope`](crate::Scope) have no access.
    TitlesOnly,
}

/// The content of the site: every entity without a resource of its own.
pub const CONTENT: Resource = Resource {
    key: "content",
    label: "Content of the site",
    grants: &[(&EDITOR, &[Action::View, Action::Edit, Action::Delete, Action::Export]), (&READER, &[Action::View])],
    personal: Personal::No,
};

/// Settings that affect money, access or mail. Owners only.
pub const SETTINGS: Resource = Resource { key: "settings", label: "Settings", grants: &[], personal: Personal::No };

/// The outgoing mails.
pub const MAIL: Resource = Resource { key: "mail", label: "Mails", grants: &[], personal: Personal::StoredMail };

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

    const MAILER: Role = Role {
        key: "mailer",
        label: "Mailer",
        noun: "a mailer",
        description: "Sends mails.",
        grants: &[(&MAIL, &[Action::View])],
    };

    #[test]
    fn owner_may_do_everything_and_other_roles_only_what_is_granted() {
        for action in [Action::View, Action::Edit, Action::Delete, Action::Review, Action::Export] {
            assert!(OWNER.may(&ACCOUNTS, action) && OWNER.may(&CONTENT, action));
            assert!(
                [EDITOR, MAILER, READER].iter().all(|role| !role.may(&ACCOUNTS, action) && !role.may(&AUDIT, action))
            );
        }
        assert!(EDITOR.may(&CONTENT, Action::Edit) && !EDITOR.may(&CONTENT, Action::Review));
        assert!(READER.may(&CONTENT, Action::View) && !READER.may(&CONTENT, Action::Edit));
        assert!(
            MAILER.may(&MAIL, Action::View) && !MAILER.may(&MAIL, Action::Edit) && !MAILER.may(&CONTENT, Action::View)
        );
    }
}
