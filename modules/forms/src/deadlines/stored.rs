//! A deadline: settings of the forms, and fields of the edition.

use festival_core::Result;
use festival_core::admin::AdminRequest;
use festival_core::browser_settings::current;
use festival_core::editing;
use festival_core::edition::{self, EDITION, Edition};
use sqlx::AnyConnection;

use crate::browser_settings::CLOSING;
use crate::settings::FormsSettings;

/// A deadline, as it is stored or proposed.
pub(super) struct Deadline {
    pub(super) settings: FormsSettings,
    pub(super) edition: Option<Edition>,
}

impl Deadline {
    /// Reads what is stored, with the version of settings and edition.
    pub(super) async fn read(request: &AdminRequest, connection: &mut AnyConnection) -> Result<(Self, String)> {
        let group = current(&request.site, connection, &CLOSING).await?;
        let settings = FormsSettings::of(&*request.site.in_force_on(connection).await?);
        let edition = edition::find_current(connection).await?;
        let row = match &edition {
            Some(edition) => editing::find(connection, &EDITION, edition.id).await?,
            None => None,
        };
        let version = row.map_or(String::new(), |row| format!("{}.{}", row.id, row.version()));
        Ok((Self { settings, edition }, format!("{} {version}", group.version)))
    }

    /// The last day for films that the site names.
    pub(super) fn last_day(&self) -> Option<&str> {
        self.edition.as_ref().and_then(|edition| edition.submission_deadline.as_deref())
    }
}
