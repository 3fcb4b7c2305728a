//! From a request to a screen and back: who is it, may they, where does it come from, what is answered.

use std::io::Cursor;
use std::sync::Arc;

use rocket::http::{ContentType, Header, Method, Status};
use rocket::route::{Handler, Outcome};
use rocket::{Data, Request, Response};

use super::BackOffice;
use super::account::{self, Account};
use super::audit;
use super::frame;
use super::guard;
use super::reply::{Body, Download, Page, Redirect, Reply, SessionCookie, Shows};
use super::request::{AdminRequest, Fields, Person, nothing_here};
use super::screen::{Permission, Screen};
use super::session;
use super::token;
use festival_base::error::{Error, Result};
use festival_base::network::client_network;
use festival_files::export::safe_name;
use festival_web::http::{CHUNK, client_address, decoded_path, error_page, log_cause};

/// Answers the requests to a screen.
#[derive(Clone)]
pub(super) struct ServeScreen {
    pub(super) admin: Arc<BackOffice>,
    pub(super) screen: Arc<Screen>,
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

/// What is known of whoever asks, before the screen is asked.
pub(super) struct Caller {
    pub(super) cookie: Option<String>,
    /// A cookie that goes out with the answer, because the browser had none.
    pub(super) new_cookie: bool,
    person: Option<Person>,
    half: Option<Person>,
}

impl ServeScreen {
    async fn serve(&self, request: &Request<'_>, data: Data<'_>) -> Result<Response<'static>> {
        let base_url = self.admin.site.hosts.base_url(request)?;
        let client = client_address(request, &self.admin.site.settings.trusted_proxies);
        if !self.admin.site.settings.admin.is_open_to(client) {
            return Err(nothing_here());
        }
        let mut caller = self.caller(request).await?;
        let path = decoded_path(request);
        if let Some(response) = self.onward(request, &caller) {
            return Ok(response);
        }
        if self.screen.permission == Permission::Public && caller.cookie.is_none() {
            // The form of the way in needs something to be bound to.
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
            wrong: Vec::new(),
            remarks: String::new(),
            network: client_network(client).to_string(),
            base_url,
            csrf: caller.cookie.as_deref().map(guard::csrf_token).unwrap_or_default(),
            browser: session::browser_name(request.headers().get_one("User-Agent").unwrap_or_default()),
            person: caller.person.clone(),
            half: caller.half.clone(),
        };
        let answer = match self.admit(request, &admin_request) {
            Ok(None) => match self.read(request, data, &mut admin_request, &caller).await {
                Ok(()) => {
                    let (framed, asked) =
                        (frame::Frame::of(&admin_request, self.admin.cookies.flash(request)), admin_request);
                    let account = asked.person.as_ref().map(|person| person.account.id);
                    let network = asked.network.clone();
                    let answer = match self.screen.answer(asked).await {
                        Ok(reply) => self.written_down(reply, account, &network).await,
                        Err(error) => Err(error),
                    };
                    return self.finish(request, answer, framed, &caller);
                }
                Err(error) => Err(error),
            },
            Ok(Some(redirect)) => Ok(redirect.into()),
            Err(error) => Err(error),
        };
        self.finish(request, answer, frame::Frame::of(&admin_request, None), &caller)
    }

    /// Who asks: the session of the cookie, if it lives and its account may still sign in.
    async fn caller(&self, request: &Request<'_>) -> Result<Caller> {
        let cookie = self.admin.cookies.session(request);
        let mut caller = Caller { cookie, new_cookie: false, person: None, half: None };
        let Some(token) = &caller.cookie else { return Ok(caller) };
        let now = self.admin.site.clock.now();
        let mut connection = self.admin.site.db.read().await?;
        let Some(session) = session::find(&mut connection, token, now).await? else { return Ok(caller) };
        let account = account::find(&mut connection, session.account_id).await?;
        drop(connection);
        let Some(account) = account.filter(Account::is_enabled) else { return Ok(caller) };
        if session.needs_noting(now) && session.is_complete == 1 {
            let mut write = self.admin.site.db.write_private().await?;
            session::note(&mut write, session.id, now).await?;
            write.commit().await?;
        }
        let complete = session.is_complete == 1;
        let person = Some(Person { account, session });
        if complete {
            caller.person = person
        } else {
            caller.half = person
        }
        Ok(caller)
    }

    /// A link on another site leads here without the cookie, which is strict about that. One step onward, from a page
    /// of our own, brings it along.
    fn onward(&self, request: &Request<'_>, caller: &Caller) -> Option<Response<'static>> {
        let from_elsewhere =
            request.headers().get_one("Sec-Fetch-Site").is_some_and(|site| matches!(site, "cross-site" | "same-site"));
        let navigates = request.headers().get_one("Sec-Fetch-Mode").is_none_or(|mode| mode == "navigate");
        if self.screen.is_hidden
            || request.method() != Method::Get
            || !from_elsewhere
            || !navigates
            || caller.cookie.is_some()
        {
            return None;
        }
        let there = request.uri().to_string();
        let html = self.admin.templates.render("onward", &serde_json::json!({ "there": guard::local(&there) }));
        html.ok().map(|html| document(Status::Ok, html))
    }

    /// Whether the screen is open to whoever asks; `Some` is where to go instead.
    fn admit(&self, request: &Request<'_>, admin_request: &AdminRequest) -> Result<Option<Redirect>> {
        guard::check_origin(request, &self.admin.site.settings)?;
        if self.screen.permission == Permission::Public {
            return Ok(None);
        }
        let account = admin_request.person.as_ref().map(|person| &person.account);
        if self.screen.is_hidden && !self.screen.permission.allows(account) {
            return Err(nothing_here());
        }
        let here = request.uri().to_string();
        let next = if request.method() == Method::Post { "/admin/" } else { here.as_str() };
        let Some(person) = &admin_request.person else {
            return Ok(Some(Reply::redirect(guard::with_next("/admin/sign-in", next))));
        };
        let owes_second_factor =
            self.admin.site.settings.admin.require_second_factor && !person.account.has_second_factor();
        if owes_second_factor && !self.screen.is_before_second_factor {
            let words = "This site asks everybody for a second factor. Set yours up to go on.";
            return Ok(Some(Reply::redirect("/admin/account/second-factor").problem(words)));
        }
        if !self.screen.permission.allows(Some(&person.account)) {
            return Err(Error::Closed("Your role does not open this. An owner can change that.".into()));
        }
        if self.screen.is_fresh && !person.session.is_fresh(admin_request.now()) {
            let next =
                if request.method() == Method::Post { self.form_of(&admin_request.path) } else { next.to_owned() };
            return Ok(Some(Reply::redirect(guard::with_next("/admin/confirm", &next))));
        }
        Ok(None)
    }

    /// Writes down what `reply` shows of people, before it leaves. Where that is not said it does not leave.
    async fn written_down(&self, reply: Reply, account: Option<i64>, network: &str) -> Result<Reply> {
        let entry = match reply.shows() {
            Shows::Nobody => return Ok(reply),
            Shows::Unsaid if !self.screen.permission.is_personal() => return Ok(reply),
            Shows::Unsaid => {
                let path = self.screen.path.for_openapi();
                return Err(Error::internal(format!("{path} shows people and does not say whom, so nobody sees it")));
            }
            Shows::People(entry) => (**entry).clone(),
        };
        let mut write = self.admin.site.db.write_private().await?;
        audit::record(&mut write, account, network, entry, self.admin.site.clock.now()).await?;
        write.commit().await?;
        Ok(reply)
    }

    /// The page whose form was posted to `path`: the nearest one above it.
    fn form_of(&self, path: &str) -> String {
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

    /// The response of an answer; errors become pages inside the same frame.
    fn finish(
        &self,
        request: &Request<'_>,
        answer: Result<Reply>,
        frame: frame::Frame,
        caller: &Caller,
    ) -> Result<Response<'static>> {
        let cookies = self.admin.cookies;
        let had_flash = frame.flash.is_some();
        let mut response = match answer {
            Ok(Reply::Redirect(redirect)) => return Ok(self.redirect(redirect)),
            Ok(Reply::File(file)) => return Ok(download(file)),
            Ok(Reply::Website(html)) => return Ok(document(Status::Ok, html)),
            Ok(Reply::Page(page)) => self.page(page, frame)?,
            Err(error) => {
                log_cause(request, &error);
                self.page(frame::error(&error), frame)?
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
        let (template, status, retry_after) = (page.template, page.status, page.retry_after);
        let html = self.admin.templates.render(template, &frame.around(&self.admin, page))?;
        let mut response = document(status, html);
        if let Some(seconds) = retry_after {
            response.set_raw_header("Retry-After", seconds.to_string());
        }
        Ok(response)
    }

    fn redirect(&self, redirect: Redirect) -> Response<'static> {
        let cookies = self.admin.cookies;
        let mut response = Response::build();
        response.status(Status::SeeOther).raw_header("Location", guard::local(&redirect.to).to_owned());
        if let Some(flash) = &redirect.flash {
            response.header_adjoin(Header::new("Set-Cookie", cookies.set_flash(flash)));
        }
        match redirect.cookie {
            Some(SessionCookie::Set(token)) => {
                response.header_adjoin(Header::new("Set-Cookie", cookies.set_session(&token)));
            }
            Some(SessionCookie::Remove) => {
                response.header_adjoin(Header::new("Set-Cookie", cookies.remove_session()));
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
        Body::File(file, length) => {
            response.raw_header("Content-Length", length.to_string()).streamed_body(file).max_chunk_size(CHUNK);
        }
    }
    response.finalize()
}

/// Offers the file to be kept under its name, in any script; programs that know only ASCII get the ending.
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
    fn names_of_downloads_stay_inside_their_header() {
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
            let said =
                form_urlencoded::parse(format!("n={encoded}").as_bytes()).next().map(|(_, name)| name.into_owned());
            assert_eq!(said.as_deref(), Some(safe_name(hostile, 120).as_str()), "{header}");
        }
    }
}
