//! Who makes a change.

/// An account, or the site itself.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Editor {
    /// The account; `None` for the site itself.
    #[sqlx(rename = "account_id")]
    pub account: Option<i64>,
    /// The name at the time of the change, because accounts may be renamed.
    #[sqlx(rename = "editor")]
    pub name: String,
    /// The import that makes the change; `None` for a change by hand.
    #[sqlx(skip)]
    pub import: Option<i64>,
}

impl Editor {
    /// Who makes changes by hand.
    pub fn new(account: Option<i64>, name: impl Into<String>) -> Self {
        Self { account, name: name.into(), import: None }
    }
}
