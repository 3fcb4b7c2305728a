//! Reads blogs from Markdown and HTML files: each file is one blog, with its pictures next to it.

use std::sync::LazyLock;

use festival_core::Result;
use festival_core::bundle::{self, Bundle};
use festival_core::entity::Entity;
use festival_core::html;
use festival_core::importing::likeness::fold;
use festival_core::importing::{Import, Matches, Reader, Row, match_by_title};
use festival_core::sheet::{self, Note, Sheet};
use regex::Regex;
use sqlx::AnyConnection;

use crate::front_matter::FrontMatter;

const MARKDOWN: &[&str] = &["md", "markdown"];
const HTML: &[&str] = &["html", "htm"];
const PICTURES: [&str; 4] = ["jpg", "jpeg", "png", "webp"];
/// Size limit of a file, in bytes.
const MAX_BYTES: u64 = 1 << 20;
/// Size limit of all texts together, in bytes: they are held in memory.
const MAX_TEXT_BYTES: usize = 32 << 20;
/// Maximum number of files that are listed with their line.
const MAX_NAMED: usize = 50;

/// The header of the table, in the labels of [`crate::BLOG`].
const HEADER: [&str; 6] =
    ["Title", "Picture", "Picture: alternative text", "Text", "Date and time of publication", "Published"];

/// Reads lists of blogs, and blogs that are files.
pub(crate) struct Blogs;

#[rocket::async_trait]
impl Reader for Blogs {
    fn matching(&self) -> &'static str {
        "A ZIP archive of Markdown or HTML files is a list, too: one file is one blog, and its pictures lie beside it. Title, \
         date, author, image and draft are read from the front matter, else from the first heading and a file name like \
         2025-10-24-opening.md. A line is about a blog that is here already if it has its title."
    }

    fn read_documents(&self, _entity: &'static Entity, files: &Bundle) -> Option<Result<Sheet, String>> {
        let is_readme = |path: &&str| bundle::stem(path).eq_ignore_ascii_case("readme");
        let paths: Vec<&str> =
            files.with_extension(&[MARKDOWN, HTML].concat()).filter(|path| !is_readme(path)).collect();
        (!paths.is_empty()).then(|| table(files, &paths))
    }

    async fn match_rows(
        &self,
        import: &Import<'_>,
        connection: &mut AnyConnection,
        rows: &[Row],
    ) -> Result<Option<Matches>> {
        match_by_title(import, connection, rows).await.map(Some)
    }
}

fn table(files: &Bundle, paths: &[&str]) -> Result<Sheet, String> {
    let (mut rows, mut text_bytes) = (Vec::with_capacity(paths.len()), 0);
    for (index, path) in paths.iter().enumerate() {
        let bytes = files.read(path, MAX_BYTES).map_err(|error| format!("{path} cannot be read: {error}"))?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(format!("{path} is larger than 1 MB, which is no text of a blog"));
        }
        let text = String::from_utf8(bytes).map_err(|_| format!("{path} is not in UTF-8; save it as UTF-8"))?;
        let post = Post::read(files, path, &text).map_err(|message| format!("{path} {message}"))?;
        text_bytes += post.text.len();
        if text_bytes > MAX_TEXT_BYTES {
            return Err("the texts are longer than 32 MB together; import them in several archives".to_owned());
        }
        rows.push(sheet::Row { line: index as u64 + 1, cells: post.cells().iter().collect() });
    }
    let named: Vec<String> =
        paths.iter().enumerate().take(MAX_NAMED).map(|(index, path)| format!("line {} is {path}", index + 1)).collect();
    let more = if paths.len() > MAX_NAMED { ", and so on in the order of their names" } else { "" };
    let notes = vec![Note { line: None, text: format!("{}{more}", named.join(", ")) }];
    Ok(Sheet::of_documents(HEADER.map(str::to_owned).into(), rows, notes))
}

/// A blog read from a file.
#[derive(Default)]
struct Post {
    title: String,
    picture: String,
    picture_alt: String,
    text: String,
    date: String,
    published: &'static str,
}

impl Post {
    fn read(files: &Bundle, path: &str, text: &str) -> Result<Self, String> {
        let (front, text) = FrontMatter::split(text.trim_start_matches('\u{feff}'));
        let is_markdown = MARKDOWN.contains(&&*bundle::extension(path));
        let (front, text) =
            if is_markdown { (front, markdown(text)) } else { (front.with_head(text), body(text).to_owned()) };
        html::check(&text)?;
        let mut text = html::sanitise(&text);
        let title = front.first(&["title"]);
        let mut rest = text.clone();
        // A heading that is not the title belongs to the text.
        let heading =
            take_heading(&mut rest).filter(|heading| title.as_ref().is_none_or(|title| fold(title) == fold(heading)));
        if heading.is_some() {
            text = rest;
        }
        let mut post = Self {
            title: title.or(heading).unwrap_or_else(|| title_of_path(path)),
            picture: front
                .first(&["image", "picture", "cover", "featured_image", "thumbnail", "banner"])
                .unwrap_or_default(),
            picture_alt: front.first(&["image_alt", "picture_alt", "alt", "cover_alt"]).unwrap_or_default(),
            date: front
                .first(&["date", "published_at", "published", "publishdate", "pubdate"])
                // Some programs say there whether a text is published.
                .filter(|date| !matches!(&*date.to_lowercase(), "true" | "false"))
                .or_else(|| date_of_path(path))
                .map(|date| moment(&date))
                .unwrap_or_default(),
            published: if front.is_draft() { "no" } else { "" },
            text: String::new(),
        };
        let folder = bundle::folder(path);
        match files.find(&post.picture, folder) {
            Some(picture) => picture.clone_into(&mut post.picture),
            None if post.picture.is_empty() => post.take_picture(files, path, &mut text),
            None => {}
        }
        // The sources of pictures become the paths of their files.
        text = html::with_pictures(&text, |source| files.find(source, folder).map(str::to_owned));
        if let Some(author) = front.first(&["author", "authors", "by"]) {
            let author = author.replace('&', "&amp;").replace('<', "&lt;");
            text.insert_str(0, &format!("<p><em>By {author}</em></p>\n"));
        }
        post.text = text.trim().to_owned();
        Ok(post)
    }

    /// Uses the picture next to the file, or else moves the first one out of the text.
    fn take_picture(&mut self, files: &Bundle, path: &str, text: &mut String) {
        let same_name = PICTURES.iter().find_map(|extension| {
            let name = format!("{}.{extension}", path.rsplit_once('.').map_or(path, |(stem, _)| stem));
            files.files().iter().find(|file| file.eq_ignore_ascii_case(&name))
        });
        if let Some(picture) = same_name {
            picture.clone_into(&mut self.picture);
            return;
        }
        let folder = bundle::folder(path);
        let first = html::pictures(text).into_iter().find_map(|picture| {
            let file = files.find(&picture.source, folder)?;
            Some((picture.place, file.to_owned(), picture.alt))
        });
        if let Some((place, file, alt)) = first {
            text.replace_range(place, "");
            *text = text.replace("<p></p>", "").replace("<figure></figure>", "");
            (self.picture, self.picture_alt) = (file, alt);
        }
    }

    fn cells(self) -> Vec<String> {
        vec![self.title, self.picture, self.picture_alt, self.text, self.date, self.published.to_owned()]
    }
}

/// Markdown as HTML.
fn markdown(text: &str) -> String {
    use pulldown_cmark::{Options, Parser, html::push_html};
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_FOOTNOTES;
    let mut html = String::with_capacity(text.len() * 3 / 2);
    push_html(&mut html, Parser::new_ext(text, options));
    html
}

/// The body of a page; all of a text that is not a whole page.
fn body(page: &str) -> &str {
    static BODY: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?is)<body\b[^>]*>(.*?)(?:</body>|\z)").ok());
    static HEAD: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?is)\A.*</head>").ok());
    let body = BODY.as_ref().and_then(|body| body.captures(page)?.get(1)).map(|body| body.as_str());
    body.unwrap_or_else(|| HEAD.as_ref().and_then(|head| head.find(page)).map_or(page, |head| &page[head.end()..]))
}

/// Removes the heading at the beginning of a text and returns it.
fn take_heading(text: &mut String) -> Option<String> {
    static HEADING: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"(?is)\A\s*(?:<(?:header|div|article)>\s*)*(<h1\b[^>]*>(.*?)</h1>)").ok());
    let captures = HEADING.as_ref()?.captures(text)?;
    let (whole, heading) = (captures.get(1)?.range(), html::excerpt(captures.get(2)?.as_str(), usize::MAX));
    text.replace_range(whole, "");
    Some(heading).filter(|heading| !heading.is_empty())
}

/// The name of a file as a title: `2025-10-24-opening-night.md` is "Opening night".
fn title_of_path(path: &str) -> String {
    let name = match bundle::stem(path) {
        // A post in a folder of its own.
        "index" if !bundle::folder(path).is_empty() => bundle::file_name(bundle::folder(path)),
        name => name,
    };
    let name = if date_of_path(path).is_some() { name.get(10..).unwrap_or_default() } else { name };
    let spaced = name.replace(['-', '_'], " ");
    let mut letters = spaced.trim().chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// The date that the name of a file, or of the folder of an index file, begins with.
fn date_of_path(path: &str) -> Option<String> {
    let name =
        if bundle::stem(path) == "index" { bundle::file_name(bundle::folder(path)) } else { bundle::file_name(path) };
    leading_date(name).map(str::to_owned)
}

/// The date that a text begins with: "2025-10-24".
fn leading_date(text: &str) -> Option<&str> {
    let is_date =
        |(index, byte): (usize, u8)| if matches!(index, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() };
    text.get(..10).filter(|date| date.bytes().enumerate().all(is_date))
}

/// A date and time as blog programs write it, in the form of the field: `2025-10-24 18:00:00 +0530`. A date in words is
/// left as it is and read as in any list.
fn moment(text: &str) -> String {
    let text = text.trim();
    let Some(date) = leading_date(text) else { return text.to_owned() };
    let rest: String = text[date.len()..].trim_start_matches(['T', 't', ' ']).split_whitespace().collect();
    if rest.is_empty() { date.to_owned() } else { format!("{date}T{rest}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_give_dates_and_titles() {
        for (path, title, date) in [
            ("posts/2025-10-24-opening-night.md", "Opening night", Some("2025-10-24")),
            ("2025-10-24-rain/index.md", "Rain", Some("2025-10-24")),
            ("മഴ_വരുന്നു.html", "മഴ വരുന്നു", None),
            ("index.html", "Index", None),
        ] {
            assert_eq!((&*title_of_path(path), date_of_path(path).as_deref()), (title, date), "{path}");
        }
        assert_eq!(moment("2025-10-24 18:00:00 +0530"), "2025-10-24T18:00:00+0530");
        assert_eq!(moment("2025-10-24"), "2025-10-24");
        assert_eq!(moment("Oct 24, 2025 6:30 PM"), "Oct 24, 2025 6:30 PM");
    }

    #[test]
    fn headings_and_bodies_are_found() {
        let mut text = "<h1>Rain &amp; <em>light</em></h1>\n<p>One</p>".to_owned();
        assert_eq!((take_heading(&mut text).as_deref(), text.trim()), (Some("Rain & light"), "<p>One</p>"));
        assert_eq!(take_heading(&mut "<p>One</p><h1>Two</h1>".to_owned()), None);
        assert_eq!(body("<html><head><title>x</title></head><BODY class=a><p>One</p></body></html>"), "<p>One</p>");
        assert_eq!(body("<p>One</p>"), "<p>One</p>");
    }
}
