//! Accounts of the back office: the table `admin_accounts`.

use jiff::Timestamp;
use sqlx::{AnyConnection, FromRow};

use crate::identity::recovery;
use crate::identity::role::{Action, OWNER, Personal, Resource, Role};
use crate::identity::scope::Scope;
use crate::identity::session;
use festival_base::db::{Datum, timestamp_text, update_rows};
use festival_base::error::{Error, FieldError, Result};
use festival_base::secrets::{SecretColumn, Secrets};

const TABLE: &str = "admin_accounts";
/// Maximum length of a person's name, in characters.
const MAX_NAME_CHARS: usize = 100;

/// The column of TOTP secrets.
pub static SECOND_FACTORS: SecretColumn = SecretColumn {
    table: TABLE,
    column: "totp_secret",
    row: "id",
    what: "second factors",
    remedy: "Affected users sign in with a recovery code and set up the second factor again. Without codes, an owner resets \
             the password under Accounts, or run: festival admin password --without-second-factor.",
};

/// An account. Its password hash and TOTP secret are visible inside this crate only.
#[derive(Clone, Debug, FromRow)]
pub struct Account {
    /// Row id.
    pub id: i64,
    /// The address that the person signs in with, in lower case.
    pub email: String,
    /// The person's name.
    pub name: String,
    #[sqlx(rename = "role")]
    pub(crate) role_key: String,
    #[sqlx(skip)]
    role: &'static Role,
    #[sqlx(rename = "scope")]
    scope_text: String,
    pub(crate) password_hash: Option<String>,
    pub(crate) is_disabled: i64,
    /// Encrypted.
    totp_secret: Option<String>,
    pub(crate) totp_step: i64,
    /// Time of the last sign-in, as stored.
    pub signed_in_at: Option<String>,
    /// Time of creation, as stored.
    pub created_at: String,
}

impl Account {
    /// The role of the account; if no enabled module has it, the one with the fewest permissions.
    pub fn role(&self) -> &'static Role {
        self.role
    }

    /// Whether the account has every permission.
    pub fn is_owner(&self) -> bool {
        *self.role == OWNER
    }

    fn with_role_of(self, roles: &[&'static Role]) -> Self {
        Self { role: find_role(roles, &self.role_key).unwrap_or_default(), ..self }
    }

    /// Whether the account may perform `action` on `resource`.
    pub fn may(&self, resource: &Resource, action: Action) -> bool {
        let is_whole = matches!(resource.personal, Personal::StoredMail | Personal::TitlesOnly);
        !(is_whole && self.scope().is_limited()) && self.role().may(resource, action)
    }

    /// The part of the submissions that the account is limited to.
    pub fn scope(&self) -> Scope {
        Scope::parse(&self.scope_text)
    }

    /// Whether the person may sign in.
    pub fn is_enabled(&self) -> bool {
        self.is_disabled == 0
    }

    /// Whether signing in requires a second factor.
    pub fn has_second_factor(&self) -> bool {
        self.totp_secret.is_some()
    }

    /// The TOTP secret; `None` if there is none, or if the site's key cannot decrypt it.
    pub(crate) fn second_factor(&self, secrets: &Secrets) -> Option<String> {
        secrets.decrypt(&SECOND_FACTORS, &self.id.to_string(), self.totp_secret.as_deref()?)
    }

    /// Whether the person has chosen a password.
    pub fn has_password(&self) -> bool {
        self.password_hash.is_some()
    }

    /// The state of the account: "active", "invited" (no password yet) or "disabled".
    pub fn state(&self) -> &'static str {
        match (self.is_enabled(), self.has_password()) {
            (false, _) => "disabled",
            (true, false) => "invited",
            (true, true) => "active",
        }
    }
}

/// The validated fields of a new account, or of an edited one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAccount {
    /// The e-mail address, in lower case.
    pub email: String,
    /// The person's name.
    pub name: String,
    /// The role.
    pub role: &'static Role,
}

impl NewAccount {
    /// Validates the fields of a form or command; `role` is the key of one of `roles`.
    ///
    /// # Errors
    /// [`Error::Invalid`] with all fields that are wrong.
    pub fn parse(email: &str, name: &str, role: &str, roles: &[&'static Role]) -> Result<Self> {
        let email = normalized_email(email);
        let name = festival_records::entity::trim(name).to_owned();
        let mut errors = Vec::new();
        let is_valid = email.parse::<lettre::Address>().is_ok() && !email.contains(['"', ' ']) && email.len() <= 254;
        if !is_valid {
            errors.push(FieldError::new("email", "Write an e-mail address like name@example.org."));
        }
        if name.is_empty() || name.chars().count() > MAX_NAME_CHARS || name.chars().any(char::is_control) {
            errors.push(FieldError::new("name", format!("Write a name of at most {MAX_NAME_CHARS} characters.")));
        }
        let role = find_role(roles, role);
        if role.is_none() {
            let keys: Vec<&str> = roles.iter().map(|role| role.key).collect();
            errors.push(FieldError::new("role", format!("Choose one of the roles: {}.", keys.join(", "))));
        }
        match role {
            Some(role) if errors.is_empty() => Ok(Self { email, name, role }),
            _ => Err(Error::Invalid(errors)),
        }
    }
}

fn find_role(roles: &[&'static Role], key: &str) -> Option<&'static Role> {
    roles.iter().find(|role| role.key == key).copied()
}

/// Returns `input` as addresses are stored and looked up: trimmed, in lower case.
pub(crate) fn normalized_email(input: &str) -> String {
    festival_records::entity::trim(input).to_lowercase()
}

/// The beginning of a statement that selects an [`Account`], and its end.
macro_rules! select_accounts {
    ($end:literal) => {
        concat!(
            "SELECT id, email, name, role, scope, password_hash, is_disabled, totp_secret, totp_step, signed_in_at, \
             created_at FROM admin_accounts ",
            $end
        )
    };
}

/// Lists all accounts, sorted by name, with their roles among `roles`.
pub async fn list(connection: &mut AnyConnection, roles: &[&'static Role]) -> Result<Vec<Account>> {
    let accounts: Vec<Account> =
        sqlx::query_as(select_accounts!("ORDER BY lower(name), id")).fetch_all(connection).await?;
    Ok(accounts.into_iter().map(|account| account.with_role_of(roles)).collect())
}

/// Counts the accounts.
pub async fn count(connection: &mut AnyConnection) -> Result<i64> {
    Ok(sqlx::query_scalar("SELECT count(*) FROM admin_accounts").fetch_one(connection).await?)
}

/// Finds the account with this id.
pub async fn find(connection: &mut AnyConnection, id: i64, roles: &[&'static Role]) -> Result<Option<Account>> {
    let account: Option<Account> =
        sqlx::query_as(select_accounts!("WHERE id = $1")).bind(id).fetch_optional(connection).await?;
    Ok(account.map(|account| account.with_role_of(roles)))
}

/// Finds the account with this e-mail address, regardless of case and surrounding blanks.
pub async fn find_by_email(
    connection: &mut AnyConnection,
    email: &str,
    roles: &[&'static Role],
) -> Result<Option<Account>> {
    let account: Option<Account> = sqlx::query_as(select_accounts!("WHERE email = $1"))
        .bind(normalized_email(email))
        .fetch_optional(connection)
        .await?;
    Ok(account.map(|account| account.with_role_of(roles)))
}

/// Creates an account and returns its id.
///
/// # Errors
/// [`Error::Invalid`] at `email` if another account has this address.
pub async fn insert(
    connection: &mut AnyConnection,
    account: &NewAccount,
    password_hash: Option<&str>,
    now: Timestamp,
) -> Result<i64> {
    let id = sqlx::query_scalar(
        "INSERT INTO admin_accounts (email, name, role, password_hash, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $5) ON CONFLICT (email) DO NOTHING RETURNING id",
    )
    .bind(&account.email)
    .bind(&account.name)
    .bind(account.role.key)
    .bind(password_hash.map(str::to_owned))
    .bind(timestamp_text(now))
    .fetch_optional(connection)
    .await?;
    id.ok_or_else(|| Error::Invalid(vec![FieldError::new("email", "Somebody has an account with this address.")]))
}

/// Sets columns of an account.
async fn set(connection: &mut AnyConnection, id: i64, values: &[(&'static str, Datum)], now: Timestamp) -> Result<()> {
    let values = [values, &[("updated_at", timestamp_text(now).into())]].concat();
    update_rows(connection, TABLE, &values, &[id]).await
}

/// Changes name and role; the address cannot be changed.
///
/// # Errors
/// [`Error::Conflict`] if this is the last owner and `role` is another.
pub async fn update(connection: &mut AnyConnection, id: i64, name: &str, role: &Role, now: Timestamp) -> Result<()> {
    if *role != OWNER {
        require_another_owner(connection, id).await?;
    }
    set(connection, id, &[("name", name.into()), ("role", role.key.into())], now).await
}

/// Limits an account to a part of the submissions.
///
/// # Errors
/// [`Error::Invalid`] for owners, who always see everything.
pub async fn set_scope(connection: &mut AnyConnection, id: i64, scope: &Scope, now: Timestamp) -> Result<()> {
    let limited = scope.is_limited();
    let updated = sqlx::query(
        "UPDATE admin_accounts SET scope = $1, updated_at = $2 WHERE id = $3 AND ($4 = 0 OR role <> 'owner')",
    )
    .bind(scope.text())
    .bind(timestamp_text(now))
    .bind(id)
    .bind(i64::from(limited))
    .execute(connection)
    .await?;
    if updated.rows_affected() == 0 {
        let message = "Owners see everything. Choose another role, or remove the limits.";
        return Err(Error::Invalid(vec![FieldError::new("role", message)]));
    }
    Ok(())
}

/// Disables an account, or enables it again.
///
/// # Errors
/// [`Error::Conflict`] if the last owner would be disabled.
pub async fn set_disabled(connection: &mut AnyConnection, id: i64, disabled: bool, now: Timestamp) -> Result<()> {
    if disabled {
        require_another_owner(connection, id).await?;
    }
    set(connection, id, &[("is_disabled", disabled.into())], now).await
}

/// Fails with [`Error::Conflict`] if no owner would be left without the account `id`.
async fn require_another_owner(connection: &mut AnyConnection, id: i64) -> Result<()> {
    // Locks the rows: on Postgres too, two owners who disable each other at the same time are handled one by one.
    sqlx::query("UPDATE admin_accounts SET updated_at = updated_at WHERE role = 'owner'")
        .execute(&mut *connection)
        .await?;
    let is_owner: i64 =
        sqlx::query_scalar("SELECT count(*) FROM admin_accounts WHERE role = 'owner' AND is_disabled = 0 AND id = $1")
            .bind(id)
            .fetch_one(&mut *connection)
            .await?;
    let other_owners: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM admin_accounts \
         WHERE role = 'owner' AND is_disabled = 0 AND password_hash IS NOT NULL AND id <> $1",
    )
    .bind(id)
    .fetch_one(&mut *connection)
    .await?;
    if is_owner > 0 && other_owners == 0 {
        return Err(Error::Conflict(
            "This is the last owner who can sign in. Make somebody else an owner first.".into(),
        ));
    }
    Ok(())
}

/// Stores the hash of a new password; `None` removes the password, and the person has to choose one.
pub async fn set_password(
    connection: &mut AnyConnection,
    id: i64,
    password_hash: Option<&str>,
    now: Timestamp,
) -> Result<()> {
    set(connection, id, &[("password_hash", password_hash.into())], now).await
}

/// Stores the TOTP secret, encrypted, with the time step of the code that confirmed it.
pub(crate) async fn set_second_factor(
    connection: &mut AnyConnection,
    secrets: &Secrets,
    id: i64,
    (secret, step): (&str, i64),
    now: Timestamp,
) -> Result<()> {
    let secret = secrets.encrypt(&SECOND_FACTORS, &id.to_string(), secret)?;
    set(connection, id, &[("totp_secret", secret.into()), ("totp_step", step.into())], now).await
}

/// Removes the second factor and its recovery codes.
pub async fn remove_second_factor(connection: &mut AnyConnection, id: i64, now: Timestamp) -> Result<()> {
    set(connection, id, &[("totp_secret", Datum::Null), ("totp_step", Datum::Integer(0))], now).await?;
    recovery::delete_all(connection, id).await
}

/// Removes password and second factor and ends every session.
///
/// # Errors
/// [`Error::Conflict`] for the last owner.
pub(crate) async fn reset(connection: &mut AnyConnection, id: i64, now: Timestamp) -> Result<()> {
    require_another_owner(connection, id).await?;
    set_password(connection, id, None, now).await?;
    remove_second_factor(connection, id, now).await?;
    session::end_all(connection, id).await
}

/// Marks the TOTP code of `step` as used; `false` if it or a later one was used before.
pub(crate) async fn consume_totp_step(connection: &mut AnyConnection, id: i64, step: i64) -> Result<bool> {
    let updated = sqlx::query("UPDATE admin_accounts SET totp_step = $1 WHERE id = $2 AND totp_step < $1")
        .bind(step)
        .bind(id)
        .execute(connection)
        .await?;
    Ok(updated.rows_affected() == 1)
}

/// Records the time of a sign-in.
pub(crate) async fn record_sign_in(connection: &mut AnyConnection, id: i64, now: Timestamp) -> Result<()> {
    update_rows(connection, TABLE, &[("signed_in_at", timestamp_text(now).into())], &[id]).await
}
