//! The settings of core that organisers change in the browser.

use super::{Group, Item, ItemKind};
use crate::identity::role::{CONTENT, SETTINGS};
use festival_records::entity::{Field, Kind};

const LINK: &[Field] =
    &[Field::text("label", "Text").required(), Field::new("href", "Address", Kind::Text { max: 2_000 }).required()];

const MENUS: Group = Group {
    key: "menus",
    label: "Menus",
    lead: "The links at the top and at the bottom of every page. Links to pages that are switched off are left out automatically.",
    resource: &CONTENT,
    confirmation: None,
    items: &[
        Item {
            field: Field::text("menu.header", "Header").hint(
                "An address is a path of this site like /team, or begins with https://. document:rules-asian leads to \
                 the document of that name. A group has no address; its links follow below it.",
            ),
            kind: ItemKind::Tree(&[
                Field::text("label", "Text").required(),
                Field::new("href", "Address", Kind::Text { max: 2_000 }),
            ]),
        },
        Item { field: Field::text("menu.actions", "Buttons of the header"), kind: ItemKind::Rows(LINK) },
        Item { field: Field::text("menu.footer", "Quick links of the footer"), kind: ItemKind::Rows(LINK) },
    ],
};

const SOCIAL: Group = Group {
    key: "social",
    label: "Social links",
    lead: "Links to the festival on other platforms, at the bottom of every page.",
    resource: &CONTENT,
    confirmation: None,
    items: &[Item { field: Field::text("social", "Links"), kind: ItemKind::Rows(LINK) }],
};

const CONTACT: Group = Group {
    key: "contact",
    label: "Contact",
    lead: "How visitors reach the office, and who is notified of new entries.",
    resource: &SETTINGS,
    confirmation: None,
    items: &[
        Item::one(Field::new("contact.email", "E-mail address of the office", Kind::Email).required()),
        Item::one(Field::new("contact.phone", "Phone number", Kind::Phone)),
        Item::one(Field::text("contact.address", "Postal address").hint("On a single line.")),
        Item {
            field: Field::new("mail.organisers", "Recipients of notifications", Kind::Lines { max: 4_000 })
                .hint("E-mail addresses, one per line. If empty, the office is notified."),
            kind: ItemKind::Lines,
        },
    ],
};

/// The groups of core, in the order of the list.
pub(crate) const GROUPS: [&Group; 3] = [&MENUS, &SOCIAL, &CONTACT];
