//! The texts of mails as settings that organisers change in the browser.

use std::sync::Arc;

use super::audit::Entry;
use super::browser_settings::{Group, Item};
use crate::identity::account::Account;
use crate::identity::role::SETTINGS;
use crate::identity::scope::Scope;
use festival_base::AsyncFn;
use festival_base::error::Result;
use festival_mail::{Template, Values};
use festival_records::entity::{Field, Kind};
use festival_web::site::Site;

/// Maximum length of the text of a mail, in characters.
const MAX_TEXT: usize = 20_000;
/// Maximum length of a subject, in characters. The values of its variables are not counted; subjects that are too long
/// with them are cut when sent.
const MAX_SUBJECT: usize = 200;

/// A mail whose texts organisers see, and change if it is not fixed.
pub struct DeclaredMail {
    /// The mail.
    pub template: &'static Template,
    /// The setting of its subject and that of its text.
    pub group: &'static Group,
    /// Finds the latest real case for the preview.
    pub(crate) latest: Option<LatestCase>,
}

/// The context of a mail preview: site and user.
pub struct PreviewContext {
    /// The site.
    pub site: Arc<Site>,
    account: Account,
}

impl PreviewContext {
    pub(crate) fn new(site: Arc<Site>, account: Account) -> Self {
        Self { site, account }
    }

    /// The part of the submissions that the account is limited to.
    pub fn scope(&self) -> Scope {
        self.account.scope()
    }
}

/// A real case that a mail is previewed with.
pub struct PreviewCase {
    /// Its label: "AS-2025-0001".
    pub label: String,
    /// The values of the variables.
    pub values: Values,
    /// The entry of the audit log that says whose data was shown.
    pub disclosure: Entry,
}

/// Finds the latest real case of a mail; `None` while there is none that the account may see.
pub type LatestCase = AsyncFn<PreviewContext, Result<Option<PreviewCase>>>;

impl DeclaredMail {
    pub(crate) fn new(template: &'static Template, latest: Option<LatestCase>) -> Self {
        Self { template, group: group(template), latest }
    }

    /// The setting of the subject.
    pub(crate) fn subject(&self) -> &'static Item {
        &self.group.items[0]
    }

    /// The setting of the text.
    pub(crate) fn text(&self) -> &'static Item {
        &self.group.items[1]
    }
}

/// Returns the settings of a mail. They are leaked: like groups declared in the source, they live until the program
/// ends.
fn group(template: &'static Template) -> &'static Group {
    let leaked = |text: String| -> &'static str { Box::leak(text.into_boxed_str()) };
    let path = |name: &str| leaked(format!("mail.texts.{}.{name}", template.key));
    let items = [
        Item::one(Field::new(path("subject"), "Subject", Kind::Text { max: MAX_SUBJECT })),
        Item::one(Field::new(path("text"), "Text", Kind::Lines { max: MAX_TEXT })),
    ];
    Box::leak(Box::new(Group {
        key: leaked(format!("mails/{}", template.key)),
        label: template.name,
        lead: template.when,
        resource: &SETTINGS,
        confirmation: None,
        items: Box::leak(Box::new(items)),
    }))
}
