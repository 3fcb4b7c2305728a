//! The pictures that are there: to be used in texts, and to be said in words.

use std::collections::BTreeMap;

use serde_json::json;

use crate::audit::Entry;
use crate::input::Input;
use crate::reply::{Page, Reply};
use crate::request::AdminRequest;
use crate::role::{Action, CONTENT};
use crate::screen::Screen;
use festival_base::error::{Error, FieldError, Result};
use festival_files::checks::AcceptedKinds;
use festival_files::upload::{AcceptedFile, Accepts};
use festival_records::alternative_texts;

/// Where they are.
pub(super) const HOME: &str = "/admin/pictures";
/// Pictures of a page.
const PAGE: usize = 48;
/// The largest picture, in bytes: as cameras make them.
const LARGEST: u64 = 20 << 20;
/// The folder of those that belong to no row.
const FOLDER: &str = "pictures";
/// What the words of a picture are called in the form: this and its key.
const WORDS: &str = "words-";

/// `screen`, which takes a picture.
pub(super) fn taking_one(screen: Screen) -> Screen {
    screen.accepts(Accepts {
        texts: vec!["words".to_owned()],
        files: vec![AcceptedFile::new("picture", AcceptedKinds::Picture).max_bytes(LARGEST)],
        tolerate_errors: true,
        ..Accepts::default()
    })
}

/// What the words that a page showed are called in its form: this and the picture's key.
const SEEN: &str = "seen-";

pub(super) async fn list(request: AdminRequest) -> Result<Reply> {
    Ok(page(&request, &Stale::new()).await?.into())
}

/// Pictures of which somebody else wrote while the page was open, with a sentence for each.
type Stale = BTreeMap<String, String>;

/// The page; what was typed stands in it.
async fn page(request: &AdminRequest, stale: &Stale) -> Result<Page> {
    let mut keys = request.site.media.public_pictures(request.now()).await?.to_vec();
    // The one that was just sent stands first, also where it was there already.
    if let Some(place) = keys.iter().position(|key| key == request.query.get("first")) {
        keys[..=place].rotate_right(1);
    }
    let total = keys.len();
    let pages = total.div_ceil(PAGE).max(1);
    let number = request.query.get("page").parse::<usize>().unwrap_or(1).clamp(1, pages);
    let sent: Vec<String> = sent_texts(request).map(|(key, _)| key.to_owned()).collect();
    // What was typed comes back, whatever else is on this page by now.
    let shown = if sent.is_empty() { keys.into_iter().skip((number - 1) * PAGE).take(PAGE).collect() } else { sent };
    let words = alternative_texts::all(&mut *request.read().await?).await?;
    let row = |key: &String| {
        let (now, name) = (words.get(key).map_or("", String::as_str), format!("{WORDS}{key}"));
        json!({
            "key": key,
            "name": name,
            "words": now,
            "typed": if request.form.has(&name) { request.form.get(&name) } else { now },
            "seen": format!("{SEEN}{key}"),
            "problem": stale.get(key),
        })
    };
    let mut picture = Input::new("file", "picture", "Picture").required();
    picture.accept = "image/jpeg,image/png,image/webp";
    let mut description = Input::text("words", "What is to be seen?").value(request.form.get("words"));
    description.max = alternative_texts::MAX_CHARS;
    description.hint = "A sentence for those who do not see it.".to_owned();
    let to = |number: usize| request.address(HOME, &[("page", &number.to_string()), ("first", "")]);
    Ok(Reply::page("pictures", "Pictures")
        .inputs([picture, description])
        .with("rows", shown.iter().map(row).collect::<Vec<_>>())
        .with("describe", request.address(&format!("{HOME}/words"), &[]))
        .with("longest", alternative_texts::MAX_CHARS)
        .with("total", total)
        .with("previous", (number > 1).then(|| to(number - 1)))
        .with("next", (number < pages).then(|| to(number + 1)))
        .with("may_edit", request.may(&CONTENT, Action::Edit)))
}

pub(super) async fn add(mut request: AdminRequest) -> Result<Reply> {
    let mut wrong = std::mem::take(&mut request.wrong);
    let Some(staged) = request.files.remove("picture") else {
        if wrong.is_empty() {
            wrong.push(FieldError::new("picture", "Please choose a picture"));
        }
        return Ok(page(&request, &Stale::new()).await?.refused(Error::Invalid(wrong))?.into());
    };
    request.remark(&staged);
    let key = request.site.media.commit_public(FOLDER, staged).await?;
    let mut write = request.write().await?;
    // A picture that was here already may have words that nobody saw.
    if let Err(error) = alternative_texts::store(&mut write, &key, "", request.form.get("words")).await {
        drop(write);
        return Ok(page(&request, &Stale::new()).await?.refused(error)?.into());
    }
    request.audit(&mut write, Entry::new("add", "picture").after(json!({ "key": key }))).await?;
    write.commit().await?;
    Ok(Reply::redirect(format!("{HOME}?first={key}")).done(format!("The picture is here.{}", request.remarks)).into())
}

/// The words that a form says, by the picture's key.
fn sent_texts(request: &AdminRequest) -> impl Iterator<Item = (&str, &str)> {
    request.form.iter().filter_map(|(name, words)| Some((name.strip_prefix(WORDS)?, words)))
}

/// Keeps the words of several pictures: of all, or of none where somebody else wrote meanwhile.
pub(super) async fn describe(request: AdminRequest) -> Result<Reply> {
    let mut write = request.write().await?;
    let (mut changed, mut stale) = (false, Stale::new());
    for (key, words) in sent_texts(&request) {
        // What is no picture of ours has no words.
        if request.site.media.open_public(key).await.is_err() {
            continue;
        }
        let seen = request.form.get(&format!("{SEEN}{key}"));
        match alternative_texts::store(&mut write, key, seen, words).await {
            Ok(true) => {
                let is = |words: &str| json!({ "key": key, "words": words });
                let entry =
                    Entry::new("describe", "picture").before(is(seen)).after(is(&alternative_texts::normalise(words)));
                request.audit(&mut write, entry).await?;
                changed = true;
            }
            Ok(false) => {}
            Err(Error::Conflict(words)) => drop(stale.insert(key.to_owned(), words)),
            Err(error) => return Err(error),
        }
    }
    if !stale.is_empty() {
        drop(write);
        let words = "Somebody else wrote of some of these pictures while you did. Nothing of yours was kept yet: look at \
                     those that are marked, and keep the words if they are still right.";
        return Ok(page(&request, &stale).await?.refused(Error::Conflict(words.into()))?.into());
    }
    if changed {
        write.commit().await?;
    }
    Ok(Reply::redirect(request.address(HOME, &[])).done("The words are kept.").into())
}
