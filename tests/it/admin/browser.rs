//! A browser of somebody who works in the back office: it keeps cookies and sends forms with their token.

use std::cell::RefCell;
use std::collections::BTreeMap;

use festival_core::admin::account::{self, NewAccount};
use festival_core::admin::{CSRF_FIELD, Role};

use crate::support::{Answer, TestApp};

/// The password of everybody in the tests.
pub(crate) const PASSWORD: &str = "lantern-ferry-gramophone-42";

/// Makes an account with [`PASSWORD`]: `owner@example.org` for an owner.
pub(crate) async fn person(site: &TestApp, role: Role) -> String {
    let email = format!("{}@example.org", role.key());
    named(site, &email, role).await;
    email
}

/// Makes an account with [`PASSWORD`] and answers its id.
pub(crate) async fn named(site: &TestApp, email: &str, role: Role) -> i64 {
    let hash = site.app.admin.passwords.hash(PASSWORD).await.unwrap();
    let mut write = site.app.db.write().await.unwrap();
    let new = NewAccount::parse(email, &format!("Test {}", role.label()), role.key()).unwrap();
    let id = account::insert(&mut write, &new, Some(&hash), site.app.clock.now()).await.unwrap();
    write.commit().await.unwrap();
    id
}

/// A browser.
pub(crate) struct Browser<'a> {
    pub(crate) site: &'a TestApp,
    pub(crate) cookies: RefCell<BTreeMap<String, String>>,
    headers: Vec<(String, String)>,
}

impl<'a> Browser<'a> {
    pub(crate) fn new(site: &'a TestApp) -> Self {
        Self { site, cookies: RefCell::default(), headers: Vec::new() }
    }

    /// Sends this header with every request.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// A browser in which the owner of `email` is signed in.
    pub(crate) async fn signed_in(site: &'a TestApp, email: &str) -> Self {
        let browser = Self::new(site);
        let answer = browser.sign_in(email, PASSWORD).await;
        assert_eq!((answer.status, answer.header("Location").as_str()), (303, "/admin/"), "{}", answer.text());
        browser
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        let headers = self.headers();
        let answer = self.site.get_with(path, &pairs(&headers)).await;
        self.keep(&answer);
        answer
    }

    /// POST of these fields and nothing else, with more headers.
    pub(crate) async fn send(&self, path: &str, fields: &[(&str, &str)], more: &[(&str, &str)]) -> Answer {
        let mut headers = self.headers();
        headers.push(("Content-Type".to_owned(), "application/x-www-form-urlencoded".to_owned()));
        let mut headers = pairs(&headers);
        headers.extend(more);
        let answer = self.site.post(path, &headers, encode(fields)).await;
        self.keep(&answer);
        answer
    }

    /// POST of these fields and files (field, name, content), as a form with files sends them.
    pub(crate) async fn send_with_files(
        &self,
        path: &str,
        fields: &[(&str, &str)],
        files: &[(&str, &str, &[u8])],
        more: &[(&str, &str)],
    ) -> Answer {
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
        let mut headers = pairs(&headers);
        headers.extend(more);
        let answer = self.site.post(path, &headers, body).await;
        self.keep(&answer);
        answer
    }

    /// POST of a form with files as its page sends it.
    pub(crate) async fn post_with_files(
        &self,
        path: &str,
        fields: &[(&str, &str)],
        files: &[(&str, &str, &[u8])],
    ) -> Answer {
        let token = self.csrf().await;
        let mut fields = fields.to_vec();
        fields.push((CSRF_FIELD, &token));
        let ours = [("Sec-Fetch-Site", "same-origin"), ("Origin", "http://localhost")];
        self.send_with_files(path, &fields, files, &ours).await
    }

    /// POST of a form as its page sends it.
    pub(crate) async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let token = self.csrf().await;
        let mut fields = fields.to_vec();
        fields.push((CSRF_FIELD, &token));
        self.send(path, &fields, &[("Sec-Fetch-Site", "same-origin"), ("Origin", "http://localhost")]).await
    }

    /// POST of the form of a page as it stands there: what is hidden in it, and nothing else.
    pub(crate) async fn go_on(&self, page: &Answer, path: &str) -> Answer {
        let fields = hiddens(&page.text());
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
        self.post(path, &fields).await
    }

    /// POST of these fields, and the answer to the question that comes back.
    pub(crate) async fn post_and_go_on(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let asked = self.post(path, fields).await;
        assert_eq!(asked.status, 200, "{path}: {}", asked.text());
        self.go_on(&asked, path).await
    }

    /// The token of this browser's forms.
    pub(crate) async fn csrf(&self) -> String {
        for path in ["/admin/account", "/admin/account/second-factor", "/admin/sign-in"] {
            let page = self.get(path).await;
            if let Some(token) = hidden(&page, CSRF_FIELD) {
                return token;
            }
        }
        panic!("no page with a form");
    }

    pub(crate) async fn sign_in(&self, email: &str, password: &str) -> Answer {
        self.post("/admin/sign-in", &[("email", email), ("password", password), ("next", "/admin/")]).await
    }

    /// Whether the browser is in.
    pub(crate) async fn is_in(&self) -> bool {
        self.get("/admin/").await.status == 200
    }

    /// The session's token.
    pub(crate) fn token(&self) -> String {
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

    fn keep(&self, answer: &Answer) {
        for cookie in answer.header("Set-Cookie").split(", ").filter(|cookie| !cookie.is_empty()) {
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

fn pairs(headers: &[(String, String)]) -> Vec<(&str, &str)> {
    headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
}

fn encode(fields: &[(&str, &str)]) -> String {
    let escape = |text: &str| -> String {
        text.bytes()
            .map(|b| if b.is_ascii_alphanumeric() { (b as char).to_string() } else { format!("%{b:02X}") })
            .collect()
    };
    fields.iter().map(|(name, value)| format!("{}={}", escape(name), escape(value))).collect::<Vec<_>>().join("&")
}

/// The hidden inputs of a page, without the form token.
pub(crate) fn hiddens(page: &str) -> Vec<(String, String)> {
    let value = |part: &str, name: &str| Some(plain(part.split_once(&format!("{name}=\""))?.1.split('"').next()?));
    let inputs = page.split("<input type=\"hidden\"").skip(1);
    let fields = inputs.filter_map(|part| Some((value(part, "name")?, value(part, "value")?)));
    fields.filter(|(name, _)| name != CSRF_FIELD).collect()
}

/// Without the escapes of HTML.
pub(crate) fn plain(text: &str) -> String {
    [("&quot;", "\""), ("&#x27;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&#x3D;", "="), ("&amp;", "&")]
        .iter()
        .fold(text.to_owned(), |text, (escaped, letter)| text.replace(escaped, letter))
}

/// The value of a hidden input of a page.
pub(crate) fn hidden(page: &Answer, name: &str) -> Option<String> {
    let text = String::from_utf8(page.body.clone()).ok()?;
    let (_, rest) = text.split_once(&format!("name=\"{name}\" value=\""))?;
    Some(rest.split('"').next()?.to_owned())
}

/// How many rows of the audit log there are for an action.
pub(crate) async fn audited(site: &TestApp, action: &str) -> i64 {
    site.number(&format!("SELECT count(*) FROM admin_audit WHERE action = '{action}'")).await
}
