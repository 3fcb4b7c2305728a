//! The site and its back office: what commands and background tasks work with.

use std::ops::Deref;
use std::sync::Arc;

use festival_admin::BackOffice;
use festival_web::site::Site;

/// The site with its back office. Dereferences to [`Site`].
pub struct App {
    /// The site.
    pub site: Arc<Site>,
    /// Its back office.
    pub admin: Arc<BackOffice>,
}

impl Deref for App {
    type Target = Site;

    fn deref(&self) -> &Site {
        &self.site
    }
}
