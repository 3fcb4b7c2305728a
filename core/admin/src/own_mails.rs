//! The mails that the back office itself sends.

use super::contents::BackOfficeContents;
use festival_mail::{ACCOUNT_LINK, PAYMENT_NOTICE, Template, Variable};

/// What every mail of the back office may say.
const FESTIVAL: &[Variable] = &[
    Variable::new("festival", "The full name of the festival.", "Velicham International Film Festival"),
    Variable::new("short_name", "The short name of the festival.", "Velicham"),
];

/// What mails with a link to choose a password may say. The link has a line of the text to itself: subjects are shown
/// among the mails, texts of these mails are not.
const ACCOUNT: &[Variable] = &[
    Variable::new("name", "The name of the person.", "Anu Das"),
    Variable::new("email", "The address that the person signs in with.", "anu@velicham.example"),
    Variable::new("role", "The role of the account.", "Editor"),
    Variable::block(
        "link",
        "The link to choose a password. It can be used once.",
        "https://velicham.example/admin/invitation?token=…",
    )
    .required(),
    Variable::block("sign_in", "The address of the back office.", "https://velicham.example/admin/"),
    Variable::block(
        "second_factor",
        "Says that a code is asked for, if the account has a second factor. Empty otherwise.",
        "Signing in will still ask for a code of your second factor.",
    ),
];

/// The link that an owner sends to the person of an account.
pub(super) static INVITATION: Template = Template {
    key: "invitation",
    kind: ACCOUNT_LINK,
    name: "Invitation",
    when: "When an owner adds an account, or sends a link to choose a new password.",
    to: "The person of the account",
    subject: "{{short_name}}: your account",
    text: include_str!("../templates/invitation.txt"),
    variables: &[FESTIVAL, ACCOUNT],
    fixed: None,
};

/// The link that a person asks for who forgot the password.
pub(super) static FORGOTTEN: Template = Template {
    key: "forgotten-password",
    kind: ACCOUNT_LINK,
    name: "Forgotten password",
    when: "When somebody asks for a new password on the sign-in page.",
    to: "The person of the account",
    subject: "{{short_name}}: choose a new password",
    text: include_str!("../templates/forgotten.txt"),
    variables: &[FESTIVAL, ACCOUNT],
    fixed: None,
};

/// The notice of changed payment details.
pub(super) static PAYMENT_CHANGED: Template = Template {
    key: "payment-changed",
    kind: PAYMENT_NOTICE,
    name: "Changed payment details",
    when: "When somebody changes the bank account or the UPI ID in the settings.",
    to: "Every owner",
    subject: "{{short_name}}: the payment details were changed",
    text: include_str!("../templates/payment-changed.txt"),
    variables: &[
        FESTIVAL,
        &[
            Variable::new("who", "Who changed them.", "Anu Das"),
            Variable::new("email", "The address of the account.", "anu@velicham.example"),
            Variable::block(
                "changes",
                "What was changed.",
                "UPI ID\n  before: l•••@examplebank\n  after:  festival@bank",
            ),
            Variable::new("when", "The time.", "3 November 2025, 2:05 PM"),
            Variable::new("network", "Where it was done from.", "203.0.113.0/24"),
            Variable::block(
                "history",
                "The history of the details.",
                "https://velicham.example/admin/settings/payment/history",
            ),
            Variable::block("accounts", "The accounts.", "https://velicham.example/admin/accounts"),
        ],
    ],
    fixed: Some(
        "Nobody can change this text: whoever changes where money goes must not be able to hide it from the owners.",
    ),
};

/// Registers the mails.
pub(super) fn register(contents: &mut BackOfficeContents) {
    contents.mail(&INVITATION, None).mail(&FORGOTTEN, None).mail(&PAYMENT_CHANGED, None);
}
