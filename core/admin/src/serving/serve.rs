//! Serves a screen: authentication, authorization, CSRF checks, handler, response.

use std::io::Cursor;
use std::sync::Arc;

use rocket::http::{ContentType, Header, Method, Status};
use rocket::route::{Handler, Outcome};
use rocket::{Data, Request, Response};

use crate::audit;
use crate::back_office::{AdminRequest, BackOffice, Screen, User};
use crate::identity::account::{self, Account};
use crate::identity::permission::Permission;
use crate::identity::session;
use crate::identity::token;
use crate::serving::fields::Fields;
use crate::serving::frame;
use crate::serving::guard;
use crate::serving::receive;
use crate::serving::reply::{Body, Disclosure, Download, Page, Redirect, Reply, SessionCookie};
use crate::serving::request::nothing_here;
use festival_base::error::{Error, Result};
use festival_base::network::client_network;
use festival_files::export::safe_name;
use festival_web::cache::CHUNK;
use festival_web::http::{client_address, decoded_path, error_page, log_cause};

/// Handler of the requests to a screen.
#[derive(Clone)]
pub(crate) struct ServeScreen {
    pub(crate) admin: Arc<BackOffice>,
    pub(crate) screen: Arc<Screen>,
}

#[rocket::async_trait]
impl Handler for ServeScreen {
    async fn handle<'r>(&self, request: &'r Request<'_>, data: Data<'r>) -> Outcome<'r> {
        Outcome::Success(match self.serve(request, data).await {
            Ok(response) => response,
            Err(error) => error_page(&self.admin.site, request, &error).await,
        })
    }
}

/// The client of a request, as known from its session cookie.
#[derive(Default)]
struct Caller {
    cookie: Option<String>,
    /// Whether `cookie` was created for this response, because the browser sent none.
    new_cookie: bool,
    user: Option<User>,
    pending_user: Option<User>,
}

impl Caller {
    /// The cookie that the browser sent; one that was created for this response cannot belong to a form.
    fn sent_cookie(&self) -> Option<&str> {
        self.cookie.as_deref().filter(|_| !self.new_cookie)
    }
}

impl ServeScreen {
    async fn serve(&self, request: &Request<'_>, data: Data<'_>) -> Result<Response<'static>> {
        let base_url = self.admin.site.hosts.base_url(request)?;
        let client = client_address(request, &self.admin.site.settings.trusted_proxies);
        let is_for_visitors = self.screen.is_for_visitors();
        if !is_for_visitors && !self.admin.site.settings.admin.is_open_to(client) {
            return Err(nothing_here());
        }
        let mut caller = if is_for_visitors { Caller::default() } else { self.caller(request).await? };
        let path = decoded_path(request);
        if let Some(response) = self.same_site_redirect(request, &caller) {
            return Ok(response);
        }
        if self.screen.permission == Permission::Public && caller.cookie.is_none() && !is_for_visitors {
            // The CSRF token of the sign-in form is bound to a cookie.
            caller.cookie = Some(token::random()?);
            caller.new_cookie = true;
        }
        let mut admin_request = AdminRequest {
            site: self.admin.site.clone(),
            admin: self.admin.clone(),
            params: self.screen.path.matches(&path).unwrap_or_default(),
            path,
            query: Fields::default(),
            form: Fields::default(),
            files: std::collections::BTreeMap::new(),
            field_errors: Vec::new(),
            remarks: String::new(),
            network: client_network(client).to_string(),
            base_url,
            csrf: caller.cookie.as_deref().map(guard::csrf_token).unwrap_or_default(),
            browser: session::browser_name(request.headers().get_one("User-Agent").unwrap_or_default()),
            user: caller.user.clone(),
            pending_user: caller.pending_user.clone(),
        };
        let cookie = caller.sent_cookie();
        let early_reply = match self.authorize(request, &admin_request) {
            Ok(None) => match receive::read(&self.screen, request, data, &mut admin_request, cookie).await {
                Ok(()) => {
                    let frame = frame::Frame::new(&admin_request, self.admin.cookies.flash(request));
                    let account = admin_request.user.as_ref().map(|user| user.account.id);
                    let network = admin_request.network.clone();
                    let reply = match self.screen.handle(admin_request).await {
                        Ok(reply) => self.audit_disclosure(reply, account, &network).await,
                        Err(error) => Err(error),
                    };
                    return self.respond(request, reply, frame, &caller);
                }
                Err(error) => Err(error),
            },
            Ok(Some(redirect)) => Ok(redirect.into()),
            Err(error) => Err(error),
        };
        self.respond(request, early_reply, frame::Frame::new(&admin_request, None), &caller)
    }

    /// Identifies the client: the session of its cookie, if it has not expired and its account is enabled.
    async fn caller(&self, request: &Request<'_>) -> Result<Caller> {
        let cookie = self.admin.cookies.session(request);
        let mut caller = Caller { cookie, new_cookie: false, user: None, pending_user: None };
        let Some(token) = &caller.cookie else { return Ok(caller) };
        let now = self.admin.site.clock.now();
        let mut connection = self.admin.site.db.read().await?;
        let Some(session) = session::find(&mut connection, token, now).await? else { return Ok(caller) };
        let account = account::find(&mut connection, session.account_id, &self.admin.contents.roles).await?;
        drop(connection);
        let Some(account) = account.filter(Account::is_enabled) else { return Ok(caller) };
        if session.needs_touch(now) && session.is_complete == 1 {
            let mut write = self.admin.site.db.write_private().await?;
            session::touch(&mut write, session.id, now).await?;
            write.commit().await?;
        }
        let complete = session.is_complete == 1;
        let user = Some(User { account, session });
        if complete {
            caller.user = user
        } else {
            caller.pending_user = user
        }
        Ok(caller)
    }

    /// A link on another site arrives without the `SameSite=Strict` cookie. This page repeats the request from our own
    /// site, so that the browser sends the cookie.
    fn same_site_redirect(&self, request: &Request<'_>, caller: &Caller) -> Option<Response<'static>> {
        let from_elsewhere =
            request.headers().get_one("Sec-Fetch-Site").is_some_and(|site| matches!(site, "cross-site" | "same-site"));
        let navigates = request.headers().get_one("Sec-Fetch-Mode").is_none_or(|mode| mode == "navigate");
        if self.screen.is_hidden
            || self.screen.is_for_visitors()
            || request.method() != Method::Get
            || !from_elsewhere
            || !navigates
            || caller.cookie.is_some()
        {
            return None;
        }
        let target = request.uri().to_string();
        let data = serde_json::json!({ "target": guard::safe_redirect(&target) });
        let html = self.admin.templates.render("same-site-redirect", &data);
        html.ok().map(|html| document(Status::Ok, html))
    }

    /// Checks origin and permission; returns where to redirect the user instead, if anywhere.
    ///
    /// # Errors
    /// [`Error::Closed`] without permission, [`Error::NotFound`] for a hidden screen.
    fn authorize(&self, request: &Request<'_>, admin_request: &AdminRequest) -> Result<Option<Redirect>> {
        guard::check_origin(request, &self.admin.site.settings)?;
        if self.screen.permission == Permission::Public {
            return Ok(None);
        }
        let account = admin_request.user.as_ref().map(|user| &user.account);
        if self.screen.is_hidden && !self.screen.permission.allows(account) {
            return Err(nothing_here());
        }
        let here = request.uri().to_string();
        let next = if request.method() == Method::Post { "/admin/" } else { here.as_str() };
        let Some(user) = &admin_request.user else {
            return Ok(Some(Reply::redirect(guard::with_next("/admin/sign-in", next))));
        };
        let owes_second_factor =
            self.admin.site.settings.admin.require_second_factor && !user.account.has_second_factor();
        if owes_second_factor && !self.screen.is_before_second_factor {
            let message = "This site requires a second factor. Set yours up to continue.";
            return Ok(Some(Reply::redirect("/admin/account/second-factor").problem(message)));
        }
        if !self.screen.permission.allows(Some(&user.account)) {
            return Err(Error::Closed("Your role does not have access to this page. Ask an owner.".into()));
        }
        if self.screen.is_fresh && !user.session.is_fresh(admin_request.now()) {
            let next =
                if request.method() == Method::Post { self.form_page(&admin_request.path) } else { next.to_owned() };
            return Ok(Some(Reply::redirect(guard::with_next("/admin/confirm", &next))));
        }
        Ok(None)
    }

    /// Records the disclosure of personal data in the audit log, before the reply is sent.
    ///
    /// # Errors
    /// [`Error::Internal`] if a screen with personal data does not declare its disclosure.
    async fn audit_disclosure(&self, reply: Reply, account: Option<i64>, network: &str) -> Result<Reply> {
        let entry = match reply.disclosure() {
            Disclosure::Nobody => return Ok(reply),
            Disclosure::Undeclared if !self.screen.permission.is_personal() => return Ok(reply),
            Disclosure::Undeclared => {
                let path = self.screen.path.for_openapi();
                return Err(Error::internal(format!("{path} does not declare which personal data it discloses")));
            }
            Disclosure::People(entry) => (**entry).clone(),
        };
        let mut write = self.admin.site.db.write_private().await?;
        audit::record(&mut write, account, network, entry, self.admin.site.clock.now()).await?;
        write.commit().await?;
        Ok(reply)
    }

    /// Returns the page whose form was posted to `path`: the nearest page above it.
    fn form_page(&self, path: &str) -> String {
        let mut path = path;
        while !path.is_empty() {
            let is_page = |screen: &Arc<Screen>| screen.method == Method::Get && screen.path.matches(path).is_some();
            if self.admin.contents.screens.iter().any(is_page) {
                return path.to_owned();
            }
            path = path.rsplit_once('/').map_or("", |(above, _)| above);
        }
        "/admin/".to_owned()
    }

    /// Builds the response; an error becomes a page with the same layout.
    fn respond(
        &self,
        request: &Request<'_>,
        reply: Result<Reply>,
        frame: frame::Frame,
        caller: &Caller,
    ) -> Result<Response<'static>> {
        let cookies = self.admin.cookies;
        let had_flash = frame.flash.is_some();
        let mut response = match reply {
            Ok(Reply::Redirect(redirect)) => return Ok(self.redirect(redirect)),
            Ok(Reply::File(file)) => return Ok(download(file)),
            Ok(Reply::Website(html)) => return Ok(document(Status::Ok, html)),
            Ok(Reply::Page(page)) => self.page(page, frame)?,
            Err(error) => {
                log_cause(request, &error);
                self.page(frame::error_page(&error), frame)?
            }
        };
        if had_flash {
            response.adjoin_header(Header::new("Set-Cookie", cookies.remove_flash()));
        }
        if let (true, Some(cookie)) = (caller.new_cookie, &caller.cookie) {
            response.adjoin_header(Header::new("Set-Cookie", cookies.set_session(cookie)));
        }
        Ok(response)
    }

    fn page(&self, page: Page, frame: frame::Frame) -> Result<Response<'static>> {
        let (template, status, retry_after) = (page.template.clone(), page.status, page.retry_after);
        let html = self.admin.templates.render(&template, &frame.template_data(&self.admin, page))?;
        let mut response = document(status, html);
        if let Some(seconds) = retry_after {
            response.set_raw_header("Retry-After", seconds.to_string());
        }
        Ok(response)
    }

    /// Returns where a redirect leads: into the back office, or to another screen for visitors.
    fn redirect_target<'a>(&self, to: &'a str) -> &'a str {
        let path = to.split('?').next().unwrap_or_default();
        let is_beside = |screen: &Arc<Screen>| screen.is_for_visitors() && screen.path.matches(path).is_some();
        let stays = self.screen.is_for_visitors() && self.admin.contents.screens.iter().any(is_beside);
        if stays { to } else { guard::safe_redirect(to) }
    }

    fn redirect(&self, redirect: Redirect) -> Response<'static> {
        let cookies = self.admin.cookies;
        let mut response = Response::build();
        response.status(Status::SeeOther).raw_header("Location", self.redirect_target(&redirect.to).to_owned());
        if let Some(flash) = &redirect.flash {
            response.header_adjoin(Header::new("Set-Cookie", cookies.set_flash(flash)));
        }
        match redirect.cookie {
            Some(SessionCookie::Set(token)) => {
                response.header_adjoin(Header::new("Set-Cookie", cookies.set_session(&token)));
                response.header_adjoin(Header::new("Set-Cookie", cookies.set_editor()));
            }
            Some(SessionCookie::Remove) => {
                response.header_adjoin(Header::new("Set-Cookie", cookies.remove_session()));
                response.header_adjoin(Header::new("Set-Cookie", cookies.remove_editor()));
            }
            None => {}
        }
        response.finalize()
    }
}

fn document(status: Status, html: String) -> Response<'static> {
    Response::build()
        .status(status)
        .header(ContentType::HTML)
        .sized_body(html.len(), Cursor::new(html))
        .max_chunk_size(CHUNK)
        .finalize()
}

fn download(file: Download) -> Response<'static> {
    let mut response = Response::build();
    response.header(file.content_type).raw_header("Content-Disposition", content_disposition(&file.name));
    match file.body {
        Body::Bytes(bytes) => {
            response.sized_body(bytes.len(), Cursor::new(bytes)).max_chunk_size(CHUNK);
        }
        Body::Stream(content, length) => {
            response.raw_header("Content-Length", length.to_string()).streamed_body(content).max_chunk_size(CHUNK);
        }
    }
    response.finalize()
}

/// Returns the `Content-Disposition` header of a download: an ASCII name, and the full name as in RFC 8187.
fn content_disposition(name: &str) -> String {
    let name = match safe_name(name, 120) {
        name if name.is_empty() => "file".to_owned(),
        name => name,
    };
    let plain: String =
        name.chars().map(|c| if c.is_ascii_graphic() && !"\"\\%;".contains(c) { c } else { '_' }).collect();
    let encoded =
        form_urlencoded::byte_serialize(name.as_bytes()).collect::<String>().replace('+', "%20").replace('*', "%2A");
    format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{encoded}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn download_names_cannot_break_out_of_the_header() {
        for (name, expected) in [
            ("films-2025.csv", "attachment; filename=\"films-2025.csv\"; filename*=UTF-8''films-2025.csv"),
            ("മഴ.pdf", "attachment; filename=\"__.pdf\"; filename*=UTF-8''%E0%B4%AE%E0%B4%B4.pdf"),
            ("", "attachment; filename=\"file\"; filename*=UTF-8''file"),
        ] {
            assert_eq!(content_disposition(name), expected);
        }
        for hostile in [
            "a\"; filename=\"b.html",
            "it's \"quoted\" (100%) *.csv",
            "a\r\nSet-Cookie: x=1",
            "../../etc/passwd",
            "a\\b;c.txt",
            "\u{202e}fdp.exe",
            "日本 語.xlsx",
        ] {
            let header = content_disposition(hostile);
            assert!(header.bytes().all(|byte| (b' '..0x7f).contains(&byte)), "{header}");
            let (plain, encoded) = header.split_once("; filename*=UTF-8''").unwrap();
            let plain = plain.strip_prefix("attachment; filename=\"").and_then(|rest| rest.strip_suffix('"')).unwrap();
            assert!(!plain.contains(['"', '\\', '/', ';', '%']), "{header}");
            // RFC 8187: letters, digits, these marks, and the rest in hexadecimal digits.
            let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$&+-.^_`|~%".contains(&byte);
            assert!(encoded.bytes().all(is_plain), "{header}");
            let decoded =
                form_urlencoded::parse(format!("n={encoded}").as_bytes()).next().map(|(_, name)| name.into_owned());
            assert_eq!(decoded.as_deref(), Some(safe_name(hostile, 120).as_str()), "{header}");
        }
    }
}
