//! What a screen reads of a request: the query, and the form after all that can be refused without it.

use std::time::Duration;

use rocket::{Data, Request};
use tokio::io::AsyncReadExt as _;

use super::guard::{self, CSRF_FIELD};
use super::request::{AdminRequest, Fields};
use super::screen::Permission;
use super::serve::{Caller, ServeScreen};
use super::throttle;
use festival_base::error::{Error, FieldError, Result};
use festival_files::upload;
use festival_web::http;

/// The longest query, in bytes, and the most fields of a form.
const LONGEST_QUERY: usize = 8 * 1024;
const MOST_FIELDS: usize = 2_000;
/// How long a form without files may take to arrive.
const PATIENCE: Duration = Duration::from_secs(30);

impl ServeScreen {
    /// Reads query and form, and refuses a form that is not of this session.
    pub(super) async fn read(
        &self,
        request: &Request<'_>,
        data: Data<'_>,
        admin_request: &mut AdminRequest,
        caller: &Caller,
    ) -> Result<()> {
        if let Some(query) = request.uri().query() {
            if query.len() > LONGEST_QUERY {
                return Err(Error::BadRequest("The address is too long.".into()));
            }
            admin_request.query = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
            refuse_nul(&admin_request.query)?;
        }
        if self.screen.method == rocket::http::Method::Get {
            return Ok(());
        }
        // A cookie that was made for this very answer is none that the form could be of.
        let cookie = caller.cookie.as_deref().filter(|_| !caller.new_cookie);
        if let Err(error) = self.welcome(request, admin_request, cookie).await {
            // Browsers read our answer only when all is sent.
            upload::discard_rest(http::open_body(data)).await;
            return Err(error);
        }
        if let Some(accepts) = &self.screen.accepts {
            let received = http::receive_multipart(&self.admin.site, request, data, accepts).await?;
            admin_request.form = received.values.into_iter().collect();
            admin_request.files = received.files;
            admin_request.wrong = received.errors;
        } else {
            admin_request.form = ordinary_form(data, self.screen.largest_form).await?;
        }
        if admin_request.form.len() > MOST_FIELDS {
            return Err(Error::BadRequest("This form has too many fields.".into()));
        }
        refuse_nul(&admin_request.form)?;
        guard::check_csrf(cookie, admin_request.form.get(CSRF_FIELD))
    }

    /// Refuses before the first byte of the form what its head already tells.
    async fn welcome(&self, request: &Request<'_>, admin_request: &AdminRequest, cookie: Option<&str>) -> Result<()> {
        if self.screen.accepts.is_none() {
            if !request.content_type().is_some_and(|kind| kind.is_form()) {
                return Err(Error::UnsupportedType("This address takes ordinary forms.".into()));
            }
            let length = request.headers().get_one("Content-Length").and_then(|length| length.parse::<u64>().ok());
            if length.is_some_and(|length| length > self.screen.largest_form) {
                return Err(too_large());
            }
        }
        if cookie.is_none() {
            // No token is right without one.
            guard::check_csrf(None, "")?;
        }
        if self.screen.permission == Permission::Public {
            throttle::check_network(&self.admin.site.db, &admin_request.network, admin_request.now()).await?;
        }
        Ok(())
    }
}

/// Reads a form of at most `largest` bytes. Memory is taken as they come, not as they were announced.
async fn ordinary_form(data: Data<'_>, largest: u64) -> Result<Fields> {
    let mut body = Vec::new();
    let mut stream = http::open_body(data).take(largest.saturating_add(1));
    let late = |_| Error::Timeout("The form stopped arriving. Nothing was changed. Please send it again.".into());
    let read = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut body)).await.map_err(late)?;
    read.map_err(|error| upload::incomplete_form(&error))?;
    if body.len() as u64 > largest {
        return Err(too_large());
    }
    Ok(form_urlencoded::parse(&body).into_owned().collect())
}

/// Postgres takes no NUL, and nobody types one.
fn refuse_nul(fields: &Fields) -> Result<()> {
    if fields.iter().any(|(name, text)| name.contains('\0') || text.contains('\0')) {
        return Err(Error::BadRequest("A value holds a character that is no text.".into()));
    }
    Ok(())
}

fn too_large() -> Error {
    Error::TooLarge(vec![FieldError::new("", "This form is too large.")])
}
