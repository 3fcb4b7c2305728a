//! An edition as files, with the addresses that it has on the site: for any web server, so that no program has to run.
//!
//! Pages are followed from link to link, beginning with those of the sitemap. Each is written with everything that it
//! shows: the API's responses, pictures, documents, calendars.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, LazyLock};

use regex::Regex;
use rocket::http::Status;

use crate::card::{SocialCardSpec, page_path};
use crate::page;
use crate::site::RequestContext;
use crate::site::{Archive, Site};
use crate::sitemap;
use festival_base::error::{Error, Result};
use festival_files::media::Rendition;

/// Attributes that name other addresses, and URLs of media in the JSON that a page carries.
static ADDRESSES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r#"(?: (?:href|src|srcset|imagesrcset|poster|content|data-scripts)="([^"]*)")|"(https?://[^"]*/media/[^"]*)""#,
    )
    .ok()
});
/// The JSON that a page carries.
static BOOT: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r#"id="boot-data">([^<]*)<"#).ok());

/// Writes a file: its path in the folder, without a leading slash, and its content.
pub type Write<'a> = &'a mut (dyn FnMut(&str, &[u8]) -> Result<()> + Send);

/// Writes the edition of `archive` as files with `write`, and returns their number. `root_url` is the site's address,
/// without a slash at its end, where they will be served.
///
/// # Errors
/// If a page, picture or document fails; those of `write`.
pub async fn freeze(site: &Arc<Site>, archive: Archive, root_url: &str, write: Write<'_>) -> Result<usize> {
    page::prepare(site)?;
    let base_url = format!("{root_url}{}", archive.path).into();
    let site = site.showing(archive);
    let mut freezer =
        Freezer { site, base_url, root_url, write, seen: BTreeSet::new(), waiting: VecDeque::new(), files: 0 };
    freezer.run().await?;
    Ok(freezer.files)
}

struct Freezer<'a> {
    site: Arc<Site>,
    base_url: Arc<str>,
    root_url: &'a str,
    write: Write<'a>,
    /// Addresses and files that are done or waiting.
    seen: BTreeSet<String>,
    /// Addresses below the site's, with their query.
    waiting: VecDeque<String>,
    files: usize,
}

impl Freezer<'_> {
    async fn run(&mut self) -> Result<()> {
        for name in (self.site.frontend.names)() {
            // Without the parts of the server and the back office, and without files that a web server would not send
            // by itself.
            let is_public = !name.contains('/') || name.starts_with("assets/") && !name.starts_with("assets/handbook/");
            if is_public && !name.ends_with(".br") && !name.ends_with(".html") {
                self.frontend_file(&name)?;
            }
        }
        let home = self.site.path().to_owned();
        let first = ["/", "/sitemap.xml", "/robots.txt"].map(|path| format!("{home}{path}"));
        first.iter().for_each(|address| self.add(address));
        for address in sitemap::addresses_of(&self.context(BTreeMap::new(), BTreeMap::new())).await? {
            self.add(&format!("{home}{}", address.path));
        }
        while let Some(address) = self.waiting.pop_front() {
            self.address(&address).await?;
        }
        let missing = page::not_found(&self.site, &self.base_url).await?;
        self.follow(missing.bytes());
        let path = format!("{home}/404.html");
        self.file(&path, missing.bytes())
    }

    fn context(&self, params: crate::pattern::Params, query: BTreeMap<&'static str, String>) -> RequestContext {
        RequestContext { site: self.site.clone(), params, query, base_url: self.base_url.clone() }
    }

    fn file(&mut self, path: &str, content: &[u8]) -> Result<()> {
        self.files += 1;
        (self.write)(path.trim_start_matches('/'), content)
    }

    fn frontend_file(&mut self, name: &str) -> Result<()> {
        let Some(file) = (self.site.frontend.get)(name) else { return Ok(()) };
        self.file(name, &file.data)
    }

    /// Adds an address of this site to the queue, if it has not been seen yet.
    fn add(&mut self, address: &str) {
        let address = address.split('#').next().unwrap_or_default().replace("&amp;", "&").replace("&#x3D;", "=");
        let address = address.strip_prefix(self.root_url).unwrap_or(&address);
        if address.starts_with('/') && !address.starts_with("//") && self.seen.insert(address.to_owned()) {
            self.waiting.push_back(address.to_owned());
        }
    }

    /// Adds the addresses in HTML to the queue.
    fn follow(&mut self, html: &[u8]) {
        let html = String::from_utf8_lossy(html);
        let Some(addresses) = &*ADDRESSES else { return };
        for found in addresses.captures_iter(&html) {
            let Some(value) = found.get(1).or_else(|| found.get(2)) else { continue };
            // "one.jpg 480w, two.jpg 960w", and the names of scripts with blanks between them.
            value.as_str().split([' ', ',']).for_each(|address| self.add(address));
        }
    }

    async fn address(&mut self, address: &str) -> Result<()> {
        let (path, query) = address.split_once('?').unwrap_or((address, ""));
        if let Some(key) = path.strip_prefix("/media/") {
            self.media(path, key).await?;
            let width = query.strip_prefix("w=").and_then(|width| width.parse().ok());
            return match width {
                Some(width) => self.rendition(path, key, width).await,
                None => Ok(()),
            };
        }
        let home = self.site.path().to_owned();
        // Documents of the archive, and those that only the site has: its manifest. Some are at an address like a page's.
        let below = path.strip_prefix(&home).unwrap_or(path);
        let document =
            self.site.contents.documents.iter().find(|document| document.path.matches(below).is_some()).cloned();
        if let Some(document) = document {
            return match self.site.document(&document, below, &self.base_url).await {
                Ok(answer) => self.file(path, answer.bytes()),
                Err(Error::NotFound(_)) => Ok(()),
                Err(error) => Err(error),
            };
        }
        if let Some(below) = path.strip_prefix(&home).map(|below| if below.is_empty() { "/" } else { below }) {
            if let Some(card) = below.strip_prefix("/cards/") {
                return self.card(path, card).await;
            }
            if self.site.contents.page_at(below).is_some() {
                return self.page(below, query).await;
            }
        }
        Ok(())
    }

    async fn page(&mut self, path: &str, query: &str) -> Result<()> {
        let Some((page, _)) = self.site.contents.page_at(path) else { return Ok(()) };
        let page = page.clone();
        let values: BTreeMap<String, String> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        // Texts in the query are searches; the browser applies them by itself.
        let is_read = |name: &str| page.reads.iter().any(|parameter| parameter.name == name);
        let value = |name: &str| values.get(name).filter(|_| is_read(name)).cloned();
        let answer = page::answer(&self.site, &page, path, value, &self.base_url).await?;
        if answer.status() != Status::Ok {
            return Ok(());
        }
        self.follow(answer.bytes());
        if !values.keys().any(|name| is_read(name)) {
            let file = format!("{}{}/index.html", self.site.path(), path.trim_end_matches('/'));
            if self.seen.insert(file.clone()) {
                self.file(&file, answer.bytes())?;
            }
        }
        for path in data_paths(answer.bytes()) {
            self.api(&path).await?;
        }
        Ok(())
    }

    /// Writes a response of the API, the same that a page asks for after a navigation.
    async fn api(&mut self, path: &str) -> Result<()> {
        let file = format!("{}{}{path}index.json", self.site.path(), self.site.settings.api_prefix());
        if !self.seen.insert(file.clone()) {
            return Ok(());
        }
        match self.site.api(path, &self.base_url).await {
            Ok(answer) => {
                self.follow(answer.bytes());
                self.file(&file, answer.bytes())
            }
            Err(Error::NotFound(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Writes the smaller picture that the site has at `?w={width}`. Files have no query: web servers find it next to
    /// the picture, by the rule in the configuration that comes with the files; without the rule they send the picture.
    async fn rendition(&mut self, path: &str, key: &str, width: u32) -> Result<()> {
        let rendition = match self.site.media.rendition(key, width).await {
            Ok(Rendition::Scaled(file)) => file,
            Ok(_) | Err(Error::NotFound(_) | Error::BadRequest(_)) => return Ok(()),
            Err(error) => return Err(error),
        };
        self.file(&format!("{path}.{width}.webp"), &rendition.read().await?)
    }

    async fn media(&mut self, path: &str, key: &str) -> Result<()> {
        // Smaller pictures have the same path.
        if !self.seen.insert(format!("file {path}")) {
            return Ok(());
        }
        let file = match self.site.media.open_public(key).await {
            Ok(file) => file,
            Err(Error::NotFound(_)) => return Ok(()),
            Err(error) => return Err(error),
        };
        self.file(path, &file.read().await?)
    }

    async fn card(&mut self, path: &str, card: &str) -> Result<()> {
        let Some(page) = card.split_once('/').and_then(|(_, address)| page_path(address)) else { return Ok(()) };
        let Some((page, params)) = self.site.contents.page_at(&page) else { return Ok(()) };
        let spec = SocialCardSpec::of(page, &self.context(params, BTreeMap::new())).await?;
        let bytes = self.site.cards.get(&self.site.media, &self.site.settings.uploads, spec).await?;
        self.file(path, &bytes)
    }
}

/// The API paths of the responses that a page carries.
fn data_paths(html: &[u8]) -> Vec<String> {
    #[derive(serde::Deserialize)]
    struct Boot {
        data: BTreeMap<String, serde::de::IgnoredAny>,
    }
    let html = String::from_utf8_lossy(html);
    let boot = BOOT.as_ref().and_then(|boot| boot.captures(&html)).and_then(|found| found.get(1));
    let boot = boot.and_then(|json| serde_json::from_str::<Boot>(json.as_str()).ok());
    boot.map_or_else(Vec::new, |boot| boot.data.into_keys().collect())
}
