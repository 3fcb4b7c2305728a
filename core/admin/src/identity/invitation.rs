//! Links to choose a password: an owner invites a person or resets a password, or a person has forgotten theirs. The mails with
//! these links.

use jiff::{SignedDuration, Timestamp};
use sqlx::AnyConnection;

use crate::back_office::AdminRequest;
use crate::identity::account::Account;
use crate::identity::token;
use festival_base::db::{Write, insert_row, timestamp_text};
use festival_base::error::Result;
use festival_mail::{self as mail, ACCOUNT_LINK, FESTIVAL_NAMES, Mailbox, Template, Values, Variable};

/// Lifetime of a link that an owner creates.
const OWNER_LINK_LIFETIME: SignedDuration = SignedDuration::from_hours(72);
/// Lifetime of a link that anybody who knows the address can ask for.
const FORGOTTEN_LINK_LIFETIME: SignedDuration = SignedDuration::from_hours(1);

/// Creates the link of an owner for an account, valid for three days, and revokes earlier ones.
pub(crate) async fn create(write: &mut Write, request: &AdminRequest, account_id: i64) -> Result<String> {
    revoke(write, account_id).await?;
    insert(write, request, account_id, OWNER_LINK_LIFETIME).await
}

/// Puts a link into the outbox for the person of `account`, valid for an hour. Earlier links stay: the request may have
/// come from somebody else.
pub(crate) async fn mail_forgotten(write: &mut Write, request: &AdminRequest, account: &Account) -> Result<()> {
    let link = insert(write, request, account.id, FORGOTTEN_LINK_LIFETIME).await?;
    enqueue(write, request, account, &FORGOTTEN, &link).await
}

async fn insert(
    write: &mut Write,
    request: &AdminRequest,
    account_id: i64,
    lifetime: SignedDuration,
) -> Result<String> {
    let (token, now) = (token::random()?, request.now());
    let values = [
        ("token_hash", token::hash("invitation", &token).into()),
        ("account_id", account_id.into()),
        ("created_at", timestamp_text(now).into()),
        ("expires_at", timestamp_text(now.saturating_add(lifetime).unwrap_or(now)).into()),
    ];
    insert_row(write, "admin_invitations", &values).await?;
    Ok(format!("{}/admin/invitation?token={token}", request.base_url))
}

/// Puts a mail of this `template` with a link into the outbox for the person of `account`.
pub(crate) async fn enqueue(
    write: &mut Write,
    request: &AdminRequest,
    account: &Account,
    template: &Template,
    link: &str,
) -> Result<()> {
    let settings = request.site.in_force_on(write).await?;
    let second_factor = match account.has_second_factor() {
        true => "Signing in will still ask for a code of your second factor.",
        false => "",
    };
    let values = Values::from([
        ("festival", settings.product.full_name.clone()),
        ("short_name", settings.product.name.clone()),
        ("name", account.name.clone()),
        ("email", account.email.clone()),
        ("role", account.role().label.to_owned()),
        ("link", link.to_owned()),
        ("sign_in", format!("{}/admin/", request.base_url)),
        ("second_factor", second_factor.to_owned()),
    ]);
    let to = Mailbox::new(&account.name, &account.email);
    mail::enqueue(write, &template.message((&settings, &values), (to, None), request.now())?).await?;
    Ok(())
}

/// Finds the id of the account of an unexpired link.
pub(crate) async fn find(connection: &mut AnyConnection, token: &str, now: Timestamp) -> Result<Option<i64>> {
    Ok(sqlx::query_scalar("SELECT account_id FROM admin_invitations WHERE token_hash = $1 AND expires_at > $2")
        .bind(token::hash("invitation", token))
        .bind(timestamp_text(now))
        .fetch_optional(connection)
        .await?)
}

/// Revokes the links of an account; returns whether there was one.
pub(crate) async fn revoke(connection: &mut AnyConnection, account_id: i64) -> Result<bool> {
    let deleted =
        sqlx::query("DELETE FROM admin_invitations WHERE account_id = $1").bind(account_id).execute(connection).await?;
    Ok(deleted.rows_affected() > 0)
}

/// Deletes expired links.
pub(crate) async fn delete_expired(connection: &mut AnyConnection, now: Timestamp) -> Result<()> {
    sqlx::query("DELETE FROM admin_invitations WHERE expires_at <= $1")
        .bind(timestamp_text(now))
        .execute(connection)
        .await?;
    Ok(())
}

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
    variables: &[FESTIVAL_NAMES, ACCOUNT],
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
    variables: &[FESTIVAL_NAMES, ACCOUNT],
    fixed: None,
};
