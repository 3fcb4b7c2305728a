//! The stored parts of a deadline: settings of the forms, and fields of the edition.

use festival_core::Result;
use festival_core::admin::AdminRequest;
use festival_core::browser_settings::{GroupState, current};
use festival_core::editing::{self, Current};
use festival_core::edition::{self, EDITION, Edition};
use sqlx::AnyConnection;

use crate::browser_settings::CLOSING;
use crate::settings::FormsSettings;

/// The stored parts of a deadline.
pub(super) struct Stored {
    pub(super) settings: FormsSettings,
    pub(super) edition: Option<Edition>,
    /// The edition as a row.
    row: Option<Current>,
    group: GroupState,
}

impl Stored {
    pub(super) async fn read(request: &AdminRequest, connection: &mut AnyConnection) -> Result<Self> {
        let group = current(&request.site, connection, &CLOSING).await?;
        let settings = FormsSettings::of(&*request.site.in_force_on(connection).await?);
        let edition = edition::find_current(connection).await?;
        let row = match &edition {
            Some(edition) => editing::find(connection, &EDITION, edition.id).await?,
            None => None,
        };
        Ok(Self { settings, edition, row, group })
    }

    /// The version of settings and edition.
    pub(super) fn version(&self) -> String {
        let edition = self.row.as_ref().map_or(String::new(), |row| format!("{}.{}", row.id, row.version()));
        format!("{} {edition}", self.group.version)
    }
}
