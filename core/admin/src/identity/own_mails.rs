//! The mails that the back office itself sends.

use festival_mail::{ACCOUNT_LINK, Template, Variable};

/// The variables of every mail of the back office.
const FESTIVAL: &[Variable] = &[
    Variable::new("festival", "The full name of the festival.", "Velicham International Film Festival"),
    Variable::new("short_name", "The short name of the festival.", "Velicham"),
];

/// The variables of mails with a link to choose a password. The link may only be used on a line of its own in the text:
/// the list of mails shows subjects, but not the texts of these mails.
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
pub(crate) static INVITATION: Template = Template {
    key: "invitation",
    kind: ACCOUNT_LINK,
    name: "Invitation",
    when: "When an owner adds an account, or sends a link to choose a new password.",
    to: "The person of the account",
    subject: "{{short_name}}: your account",
    text: include_str!("../../templates/invitation.txt"),
    variables: &[FESTIVAL, ACCOUNT],
    fixed: None,
};

/// The link that a person asks for who forgot the password.
pub(crate) static FORGOTTEN: Template = Template {
    key: "forgotten-password",
    kind: ACCOUNT_LINK,
    name: "Forgotten password",
    when: "When somebody asks for a new password on the sign-in page.",
    to: "The person of the account",
    subject: "{{short_name}}: choose a new password",
    text: include_str!("../../templates/forgotten.txt"),
    variables: &[FESTIVAL, ACCOUNT],
    fixed: None,
};
