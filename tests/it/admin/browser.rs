//! A browser for tests of the back office: it stores cookies and submits forms with their CSRF token.

use std::cell::RefCell;
use std::collections::BTreeMap;

use festival_core::admin::account::{self, NewAccount};
use festival_core::admin::session::{self, Client};
use festival_core::admin::{CSRF_FIELD, OWNER, Role};
use tokio::sync::OnceCell;

use crate::support::{Database, Response, TestApp};

/// The password of every test account.
pub(crate) const PASSWORD: &str = "lantern-ferry-gramophone-42";

/// Creates an account with [`PASSWORD`] and returns its e-mail address, `owner@example.org` for an owner.
pub(crate) async fn create_account(site: &TestApp, role: &Role) -> String {
    let email = format!("{}@example.org", role.key);
    create_account_with_email(site, &email, role).await;
    email
}

/// A site without limits of uploads, and the address of its owner.
pub(crate) async fn site_with_owner(database: Database) -> (TestApp, String) {
    let site = TestApp::with(database, |settings| {
        settings.uploads.mib_per_client_and_hour = 0;
        settings.uploads.keep_free_mib = 0;
    })
    .await;
    let owner = create_account(&site, &OWNER).await;
    (site, owner)
}

/// Creates an account with [`PASSWORD`] and returns its id.
pub(crate) async fn create_account_with_email(site: &TestApp, email: &str, role: &Role) -> i64 {
    // Hashing is slow on purpose: once for all tests.
    static HASH: OnceCell<String> = OnceCell::const_new();
    let hash = HASH.get_or_init(async || site.app.admin.passwords.hash(PASSWORD).await.unwrap()).await;
    let mut write = site.app.db.write().await.unwrap();
    let new =
        NewAccount::parse(email, &format!("Test {}", role.label), role.key, &site.app.admin.contents.roles).unwrap();
    let id = account::insert(&mut write, &new, Some(hash), site.app.clock.now()).await.unwrap();
    write.commit().await.unwrap();
    id
}

/// A browser with its own cookies.
pub(crate) struct Browser<'a> {
    pub(crate) site: &'a TestApp,
    pub(crate) cookies: RefCell<BTreeMap<String, String>>,
    headers: Vec<(String, String)>,
}

impl<'a> Browser<'a> {
    pub(crate) fn new(site: &'a TestApp) -> Self {
        Self { site, cookies: RefCell::default(), headers: Vec::new() }
    }

    /// Adds a header to every request.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// A browser with a session of the account with this e-mail address. Checking a password is slow on purpose: only
    /// tests of signing in do that.
    pub(crate) async fn signed_in(site: &'a TestApp, email: &str) -> Self {
        let browser = Self::new(site);
        let id = site.id("admin_accounts", &format!("email = '{email}'")).await;
        let mut write = site.app.db.write_private().await.unwrap();
        let client = Client { network: "127.0.0.1", browser: "Firefox on Linux" };
        let token = session::create(&mut write, id, true, client, site.app.clock.now()).await.unwrap();
        write.commit().await.unwrap();
        browser.cookies.borrow_mut().insert("festival-admin".to_owned(), token);
        browser
    }

    pub(crate) async fn get(&self, path: &str) -> Response {
        let headers = self.headers();
        let response = self.site.get_with(path, &as_pairs(&headers)).await;
        self.store_cookies(&response);
        response
    }

    /// Posts exactly these fields, with additional headers.
    pub(crate) async fn send(&self, path: &str, fields: &[(&str, &str)], more: &[(&str, &str)]) -> Response {
        let mut headers = self.headers();
        headers.push(("Content-Type".to_owned(), "application/x-www-form-urlencoded".to_owned()));
        let mut headers = as_pairs(&headers);
        headers.extend(more);
        let response = self.site.post(path, &headers, url_encode(fields)).await;
        self.store_cookies(&response);
        response
    }

    /// Posts fields and files (field, name, content) as multipart/form-data.
    pub(crate) async fn send_with_files(
        &self,
        path: &str,
        fields: &[(&str, &str)],
        files: &[(&str, &str, &[u8])],
        more: &[(&str, &str)],
    ) -> Response {
        let mut body = Vec::new();
        for (name, value) in fields {
            let head = format!("--edge\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
            body.extend(head.into_bytes());
        }
        for (name, file, content) in files {
            let head =
                format!("--edge\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"{file}\"\r\n\r\n");
            body.extend(head.into_bytes());
            body.extend_from_slice(content);
            body.extend(b"\r\n");
        }
        body.extend(b"--edge--\r\n");
        let mut headers = self.headers();
        headers.push(("Content-Type".to_owned(), "multipart/form-data; boundary=edge".to_owned()));
        let mut headers = as_pairs(&headers);
        headers.extend(more);
        let response = self.site.post(path, &headers, body).await;
        self.store_cookies(&response);
        response
    }

    /// Posts a form with files, with its CSRF token, as its page does.
    pub(crate) async fn post_with_files(
        &self,
        path: &str,
        fields: &[(&str, &str)],
        files: &[(&str, &str, &[u8])],
    ) -> Response {
        let token = self.csrf_token().await;
        let mut fields = fields.to_vec();
        fields.push((CSRF_FIELD, &token));
        let ours = [("Sec-Fetch-Site", "same-origin"), ("Origin", "http://localhost")];
        self.send_with_files(path, &fields, files, &ours).await
    }

    /// Posts a form with its CSRF token, as its page does.
    pub(crate) async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Response {
        let token = self.csrf_token().await;
        let mut fields = fields.to_vec();
        fields.push((CSRF_FIELD, &token));
        self.send(path, &fields, &[("Sec-Fetch-Site", "same-origin"), ("Origin", "http://localhost")]).await
    }

    /// Posts the hidden fields of a page unchanged, as its confirmation button does.
    pub(crate) async fn confirm(&self, page: &Response, path: &str) -> Response {
        let fields = hidden_inputs(&page.text());
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
        self.post(path, &fields).await
    }

    /// Posts these fields and confirms on the page that is returned.
    pub(crate) async fn post_and_confirm(&self, path: &str, fields: &[(&str, &str)]) -> Response {
        let confirmation = self.post(path, fields).await;
        assert_eq!(confirmation.status, 200, "{path}: {}", confirmation.text());
        self.confirm(&confirmation, path).await
    }

    /// The CSRF token of this browser's session.
    pub(crate) async fn csrf_token(&self) -> String {
        for path in ["/admin/account", "/admin/account/second-factor", "/admin/sign-in"] {
            let page = self.get(path).await;
            if let Some(token) = hidden_value(&page, CSRF_FIELD) {
                return token;
            }
        }
        panic!("no page with a CSRF token");
    }

    pub(crate) async fn sign_in(&self, email: &str, password: &str) -> Response {
        self.post("/admin/sign-in", &[("email", email), ("password", password), ("next", "/admin/")]).await
    }

    /// Whether the session is signed in.
    pub(crate) async fn is_signed_in(&self) -> bool {
        self.get("/admin/").await.status == 200
    }

    /// The session token from the cookie.
    pub(crate) fn session_token(&self) -> String {
        self.cookies.borrow().get("festival-admin").cloned().unwrap_or_default()
    }

    fn headers(&self) -> Vec<(String, String)> {
        let mut headers = self.headers.clone();
        let cookies: Vec<String> =
            self.cookies.borrow().iter().map(|(name, value)| format!("{name}={value}")).collect();
        if !cookies.is_empty() {
            headers.push(("Cookie".to_owned(), cookies.join("; ")));
        }
        headers
    }

    fn store_cookies(&self, response: &Response) {
        for cookie in response.header("Set-Cookie").split(", ").filter(|cookie| !cookie.is_empty()) {
            let (name, rest) = cookie.split_once('=').unwrap();
            let value = rest.split(';').next().unwrap_or_default();
            if rest.contains("Max-Age=0") {
                self.cookies.borrow_mut().remove(name);
            } else {
                self.cookies.borrow_mut().insert(name.to_owned(), value.to_owned());
            }
        }
    }
}

fn as_pairs(headers: &[(String, String)]) -> Vec<(&str, &str)> {
    headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
}

/// Fields as a browser sends them in a query or a form.
pub(crate) fn url_encode(fields: &[(&str, &str)]) -> String {
    let escape = |text: &str| -> String {
        text.bytes()
            .map(|b| if b.is_ascii_alphanumeric() { (b as char).to_string() } else { format!("%{b:02X}") })
            .collect()
    };
    fields.iter().map(|(name, value)| format!("{}={}", escape(name), escape(value))).collect::<Vec<_>>().join("&")
}

/// Names and values of a page's hidden inputs, without the CSRF token.
pub(crate) fn hidden_inputs(page: &str) -> Vec<(String, String)> {
    let value =
        |part: &str, name: &str| Some(unescape_html(part.split_once(&format!("{name}=\""))?.1.split('"').next()?));
    let inputs = page.split("<input type=\"hidden\"").skip(1);
    let fields = inputs.filter_map(|part| Some((value(part, "name")?, value(part, "value")?)));
    fields.filter(|(name, _)| name != CSRF_FIELD).collect()
}

/// Replaces HTML entities by their characters.
pub(crate) fn unescape_html(text: &str) -> String {
    [("&quot;", "\""), ("&#x27;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&#x3D;", "="), ("&amp;", "&")]
        .iter()
        .fold(text.to_owned(), |text, (escaped, letter)| text.replace(escaped, letter))
}

/// The value of a hidden input.
pub(crate) fn hidden_value(page: &Response, name: &str) -> Option<String> {
    let text = String::from_utf8(page.body.clone()).ok()?;
    let (_, rest) = text.split_once(&format!("name=\"{name}\" value=\""))?;
    Some(rest.split('"').next()?.to_owned())
}

/// The number of audit log entries for an action.
pub(crate) async fn count_audited(site: &TestApp, action: &str) -> i64 {
    site.number(&format!("SELECT count(*) FROM admin_audit WHERE action = '{action}'")).await
}
