//! Reads query and form of a request. Whatever the headers alone disqualify is rejected before the body is read.

use std::future::ready;
use std::time::Duration;

use rocket::http::Method;
use rocket::{Data, Request};
use tokio::io::AsyncReadExt as _;

use crate::back_office::{AdminRequest, Screen};
use crate::identity::permission::Permission;
use crate::identity::throttle;
use crate::serving::fields::Fields;
use crate::serving::guard::{self, CSRF_FIELD};
use festival_base::error::{Error, FieldError, Result};
use festival_files::upload;
use festival_web::http;

/// Maximum length of a query string, in bytes.
const MAX_QUERY_BYTES: usize = 8 * 1024;
/// Maximum number of fields in a form.
const MAX_FIELDS: usize = 2_000;
/// Time in which a form without files must arrive.
const FORM_TIMEOUT: Duration = Duration::from_secs(30);

/// Reads query and form into `admin_request`, and rejects a form of another session. `cookie` is the one that the
/// browser sent.
pub(crate) async fn read(
    screen: &Screen,
    request: &Request<'_>,
    data: Data<'_>,
    admin_request: &mut AdminRequest,
    cookie: Option<&str>,
) -> Result<()> {
    if let Some(query) = request.uri().query() {
        if query.len() > MAX_QUERY_BYTES {
            return Err(Error::BadRequest("The address is too long.".into()));
        }
        admin_request.query = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        reject_nul(&admin_request.query)?;
    }
    if screen.method == Method::Get {
        return Ok(());
    }
    check_headers(screen, request, admin_request, cookie).await?;
    if let Some(accepts) = &screen.accepts {
        let received = http::receive_multipart(&admin_request.site, request, data, accepts, ready(())).await?;
        admin_request.form = received.values.into_iter().collect();
        admin_request.files = received.files;
        admin_request.field_errors = received.errors;
    } else {
        admin_request.form = read_urlencoded_form(data, screen.max_form_bytes).await?;
    }
    if admin_request.form.len() > MAX_FIELDS {
        return Err(Error::BadRequest("This form has too many fields.".into()));
    }
    reject_nul(&admin_request.form)?;
    if screen.is_for_visitors() { Ok(()) } else { guard::check_csrf(cookie, admin_request.form.get(CSRF_FIELD)) }
}

/// Rejects a form by its headers, cookie and client before the first byte of the body.
async fn check_headers(
    screen: &Screen,
    request: &Request<'_>,
    admin_request: &AdminRequest,
    cookie: Option<&str>,
) -> Result<()> {
    if screen.accepts.is_none() {
        if !request.content_type().is_some_and(|kind| kind.is_form()) {
            return Err(Error::UnsupportedType("This address accepts application/x-www-form-urlencoded only.".into()));
        }
        let length = request.headers().get_one("Content-Length").and_then(|length| length.parse::<u64>().ok());
        if length.is_some_and(|length| length > screen.max_form_bytes) {
            return Err(too_large());
        }
    }
    if cookie.is_none() && !screen.is_for_visitors() {
        // Without a cookie no token is valid.
        guard::check_csrf(None, "")?;
    }
    if screen.permission == Permission::Public && !screen.is_for_visitors() {
        throttle::check_network(&admin_request.site.db, &admin_request.network, admin_request.now()).await?;
    }
    Ok(())
}

/// Reads a form of at most `max_bytes`. Memory grows with the bytes that arrive, not with the announced length.
async fn read_urlencoded_form(data: Data<'_>, max_bytes: u64) -> Result<Fields> {
    let mut body = Vec::new();
    let mut stream = http::open_body(data).take(max_bytes.saturating_add(1));
    let timed_out = |_| Error::Timeout("The form stopped arriving. Nothing was changed. Please send it again.".into());
    let read = tokio::time::timeout(FORM_TIMEOUT, stream.read_to_end(&mut body)).await.map_err(timed_out)?;
    read.map_err(|error| upload::incomplete_form(&error))?;
    if body.len() as u64 > max_bytes {
        return Err(too_large());
    }
    Ok(form_urlencoded::parse(&body).into_owned().collect())
}

/// Rejects NUL characters, which Postgres cannot store and nobody types.
fn reject_nul(fields: &Fields) -> Result<()> {
    if fields.iter().any(|(name, text)| name.contains('\0') || text.contains('\0')) {
        return Err(Error::BadRequest("A value contains an invalid character.".into()));
    }
    Ok(())
}

fn too_large() -> Error {
    Error::TooLarge(vec![FieldError::new("", "This form is too large.")])
}
