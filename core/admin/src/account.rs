//! Accounts of the back office: the table `admin_accounts`.

use jiff::Timestamp;
use sqlx::{AnyConnection, FromRow};

use super::recovery;
use super::role::{Action, Personal, Resource, Role};
use super::scope::Scope;
use super::session;
use festival_base::db::timestamp_text;
use festival_base::error::{Error, FieldError, Result};
use festival_base::secrets::{SecretColumn, Secrets};

/// The longest name of a person, in characters.
const LONGEST_NAME: usize = 100;

/// The second factors.
pub static SECOND_FACTORS: SecretColumn = SecretColumn {
    table: "admin_accounts",
    column: "totp_secret",
    row: "id",
    what: "second factors",
    remedy: "Whoever has one signs in with a recovery code and sets it up anew; where the codes are gone, an owner makes a \
             link under Accounts, or: festival admin password --without-second-factor.",
};

/// An account. Its secrets stay inside this folder.
#[derive(Clone, Debug, FromRow)]
pub struct Account {
    /// Row id.
    pub id: i64,
    /// The address that the person signs in with, in small letters.
    pub email: String,
    /// The person's name.
    pub name: String,
    #[sqlx(rename = "role")]
    pub(super) role_key: String,
    #[sqlx(rename = "scope")]
    scope_text: String,
    pub(super) password_hash: Option<String>,
    pub(super) is_disabled: i64,
    /// Encrypted.
    totp_secret: Option<String>,
    pub(super) totp_step: i64,
    /// When the person signed in last.
    pub signed_in_at: Option<String>,
    /// When the account was made.
    pub created_at: String,
}

impl Account {
    /// What the account is for. A word that no role has means the least.
    pub fn role(&self) -> Role {
        Role::from_key(&self.role_key).unwrap_or(Role::Reader)
    }

    /// Whether the account has `action` on `resource`.
    pub fn may(&self, resource: &Resource, action: Action) -> bool {
        let in_reach = resource.personal != Personal::Whole || !self.scope().is_limited();
        in_reach && self.role().may(resource, action)
    }

    /// The part of what people sent that the account is limited to.
    pub fn scope(&self) -> Scope {
        Scope::of_text(&self.scope_text)
    }

    /// Whether the person may sign in.
    pub fn is_enabled(&self) -> bool {
        self.is_disabled == 0
    }

    /// Whether a second factor is asked for.
    pub fn has_second_factor(&self) -> bool {
        self.totp_secret.is_some()
    }

    /// The secret of the second factor; `None` without one, or where the site's key does not open it.
    pub(super) fn second_factor(&self, secrets: &Secrets) -> Option<String> {
        secrets.decrypt(&SECOND_FACTORS, &self.id.to_string(), self.totp_secret.as_deref()?)
    }

    /// Whether the person has chosen a password.
    pub fn has_password(&self) -> bool {
        self.password_hash.is_some()
    }

    /// How it stands with the account, in a word: "active", "invited", "disabled".
    pub fn state(&self) -> &'static str {
        match (self.is_enabled(), self.has_password()) {
            (false, _) => "disabled",
            (true, false) => "invited",
            (true, true) => "active",
        }
    }
}

/// What is said of a new account, or of one that is changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAccount {
    /// The address, in small letters.
    pub email: String,
    /// The person's name.
    pub name: String,
    /// What the account is for.
    pub role: Role,
}

impl NewAccount {
    /// Reads what was typed; everything that is wrong is said at once.
    pub fn parse(email: &str, name: &str, role: &str) -> Result<Self> {
        let email = normal_email(email);
        let name = festival_records::entity::trim(name).to_owned();
        let mut wrong = Vec::new();
        let plain = email.parse::<lettre::Address>().is_ok() && !email.contains(['"', ' ']) && email.len() <= 254;
        if !plain {
            wrong.push(FieldError::new("email", "Write an e-mail address like name@example.org."));
        }
        if name.is_empty() || name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
            wrong.push(FieldError::new("name", format!("Write a name of at most {LONGEST_NAME} characters.")));
        }
        let role = Role::from_key(role);
        if role.is_none() {
            let known = Role::ALL.map(Role::key).join(", ");
            wrong.push(FieldError::new("role", format!("Choose one of the roles: {known}.")));
        }
        match role {
            Some(role) if wrong.is_empty() => Ok(Self { email, name, role }),
            _ => Err(Error::Invalid(wrong)),
        }
    }
}

/// The address as it is kept and looked for.
pub(super) fn normal_email(typed: &str) -> String {
    festival_records::entity::trim(typed).to_lowercase()
}

/// All accounts, by name.
pub async fn list(connection: &mut AnyConnection) -> Result<Vec<Account>> {
    Ok(sqlx::query_as(
        "SELECT id, email, name, role, scope, password_hash, is_disabled, totp_secret, totp_step, signed_in_at, \
         created_at FROM admin_accounts ORDER BY lower(name), id",
    )
    .fetch_all(connection)
    .await?)
}

/// How many accounts there are.
pub async fn count(connection: &mut AnyConnection) -> Result<i64> {
    Ok(sqlx::query_scalar("SELECT count(*) FROM admin_accounts").fetch_one(connection).await?)
}

/// The account with this id.
pub async fn find(connection: &mut AnyConnection, id: i64) -> Result<Option<Account>> {
    Ok(sqlx::query_as(
        "SELECT id, email, name, role, scope, password_hash, is_disabled, totp_secret, totp_step, signed_in_at, \
         created_at FROM admin_accounts WHERE id = $1",
    )
    .bind(id)
    .fetch_optional(connection)
    .await?)
}

/// The account that signs in with this address, however it is typed.
pub async fn find_by_email(connection: &mut AnyConnection, email: &str) -> Result<Option<Account>> {
    Ok(sqlx::query_as(
        "SELECT id, email, name, role, scope, password_hash, is_disabled, totp_secret, totp_step, signed_in_at, \
         created_at FROM admin_accounts WHERE email = $1",
    )
    .bind(normal_email(email))
    .fetch_optional(connection)
    .await?)
}

/// Makes an account and answers its id. An address that is taken is an error at `email`.
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
    .bind(account.role.key())
    .bind(password_hash.map(str::to_owned))
    .bind(timestamp_text(now))
    .fetch_optional(connection)
    .await?;
    id.ok_or_else(|| Error::Invalid(vec![FieldError::new("email", "Somebody has an account with this address.")]))
}

/// Changes name and role; the address stays. The last owner stays one.
pub async fn update(connection: &mut AnyConnection, id: i64, name: &str, role: Role, now: Timestamp) -> Result<()> {
    if role != Role::Owner {
        keep_an_owner(connection, id).await?;
    }
    sqlx::query("UPDATE admin_accounts SET name = $1, role = $2, updated_at = $3 WHERE id = $4")
        .bind(name.to_owned())
        .bind(role.key())
        .bind(timestamp_text(now))
        .bind(id)
        .execute(connection)
        .await?;
    Ok(())
}

/// Limits an account to a part of what people sent. An owner sees everything.
pub async fn set_scope(connection: &mut AnyConnection, id: i64, scope: &Scope, now: Timestamp) -> Result<()> {
    let limited = scope.is_limited();
    let set = sqlx::query(
        "UPDATE admin_accounts SET scope = $1, updated_at = $2 WHERE id = $3 AND ($4 = 0 OR role <> 'owner')",
    )
    .bind(scope.text())
    .bind(timestamp_text(now))
    .bind(id)
    .bind(i64::from(limited))
    .execute(connection)
    .await?;
    if set.rows_affected() == 0 {
        let words = "An owner sees everything. Choose another role, or take the limits away.";
        return Err(Error::Invalid(vec![FieldError::new("role", words)]));
    }
    Ok(())
}

/// Disables an account, or enables it again. The last owner cannot be disabled.
pub async fn set_disabled(connection: &mut AnyConnection, id: i64, disabled: bool, now: Timestamp) -> Result<()> {
    if disabled {
        keep_an_owner(connection, id).await?;
    }
    sqlx::query("UPDATE admin_accounts SET is_disabled = $1, updated_at = $2 WHERE id = $3")
        .bind(i64::from(disabled))
        .bind(timestamp_text(now))
        .bind(id)
        .execute(connection)
        .await?;
    Ok(())
}

/// Refuses where no owner would be left without the account `id`.
async fn keep_an_owner(connection: &mut AnyConnection, id: i64) -> Result<()> {
    // Takes the rows, so that two owners who disable one another at once take turns on Postgres too.
    sqlx::query("UPDATE admin_accounts SET updated_at = updated_at WHERE role = 'owner'")
        .execute(&mut *connection)
        .await?;
    let is_owner: i64 =
        sqlx::query_scalar("SELECT count(*) FROM admin_accounts WHERE role = 'owner' AND is_disabled = 0 AND id = $1")
            .bind(id)
            .fetch_one(&mut *connection)
            .await?;
    let others: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM admin_accounts \
         WHERE role = 'owner' AND is_disabled = 0 AND password_hash IS NOT NULL AND id <> $1",
    )
    .bind(id)
    .fetch_one(&mut *connection)
    .await?;
    if is_owner > 0 && others == 0 {
        return Err(Error::Conflict(
            "This is the last owner who can sign in. Make somebody else an owner first.".into(),
        ));
    }
    Ok(())
}

/// Keeps the hash of a new password; `None`: the person has to choose one.
pub async fn set_password(
    connection: &mut AnyConnection,
    id: i64,
    password_hash: Option<&str>,
    now: Timestamp,
) -> Result<()> {
    sqlx::query("UPDATE admin_accounts SET password_hash = $1, updated_at = $2 WHERE id = $3")
        .bind(password_hash.map(str::to_owned))
        .bind(timestamp_text(now))
        .bind(id)
        .execute(connection)
        .await?;
    Ok(())
}

/// Keeps the secret of the second factor, encrypted, with the step whose code was used to try it.
pub(super) async fn set_second_factor(
    connection: &mut AnyConnection,
    secrets: &Secrets,
    id: i64,
    (secret, step): (&str, i64),
    now: Timestamp,
) -> Result<()> {
    let secret = secrets.encrypt(&SECOND_FACTORS, &id.to_string(), secret)?;
    store_second_factor(connection, id, Some(secret), step, now).await
}

async fn store_second_factor(
    connection: &mut AnyConnection,
    id: i64,
    secret: Option<String>,
    step: i64,
    now: Timestamp,
) -> Result<()> {
    sqlx::query("UPDATE admin_accounts SET totp_secret = $1, totp_step = $2, updated_at = $3 WHERE id = $4")
        .bind(secret)
        .bind(step)
        .bind(timestamp_text(now))
        .bind(id)
        .execute(connection)
        .await?;
    Ok(())
}

/// Switches the second factor off, with its recovery codes.
pub async fn remove_second_factor(connection: &mut AnyConnection, id: i64, now: Timestamp) -> Result<()> {
    store_second_factor(connection, id, None, 0, now).await?;
    recovery::remove(connection, id).await
}

/// Ends what opens the account: password, second factor and every session. The last owner keeps theirs.
pub(super) async fn reset(connection: &mut AnyConnection, id: i64, now: Timestamp) -> Result<()> {
    keep_an_owner(connection, id).await?;
    set_password(connection, id, None, now).await?;
    remove_second_factor(connection, id, now).await?;
    session::end_all(connection, id).await
}

/// Uses the code of `step` up; `false` if it, or a later one, was used already.
pub(super) async fn use_step(connection: &mut AnyConnection, id: i64, step: i64) -> Result<bool> {
    let used = sqlx::query("UPDATE admin_accounts SET totp_step = $1 WHERE id = $2 AND totp_step < $1")
        .bind(step)
        .bind(id)
        .execute(connection)
        .await?;
    Ok(used.rows_affected() == 1)
}

/// Notes that the person signed in.
pub(super) async fn signed_in(connection: &mut AnyConnection, id: i64, now: Timestamp) -> Result<()> {
    sqlx::query("UPDATE admin_accounts SET signed_in_at = $1 WHERE id = $2")
        .bind(timestamp_text(now))
        .bind(id)
        .execute(connection)
        .await?;
    Ok(())
}
