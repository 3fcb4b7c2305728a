//! The pictures that are there: to be used in texts, and to be said in words.

use serde_json::{Value, json};

use crate::admin::audit::Entry;
use crate::admin::input::Input;
use crate::admin::reply::{Page, Reply};
use crate::admin::role::{Action, CONTENT};
use crate::admin::screen::Screen;
use crate::admin::visit::Visit;
use crate::error::{Error, FieldError, Result};
use crate::picture_words;
use crate::upload::{AcceptedFile, Accepts, Takes};

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
        files: vec![AcceptedFile::new("picture", Takes::Picture).largest(LARGEST)],
        keep_the_rest: true,
        ..Accepts::default()
    })
}

pub(super) async fn list(visit: Visit) -> Result<Reply> {
    Ok(page(&visit, "").await?.into())
}

/// The page; `words` are those of a picture that was refused.
async fn page(visit: &Visit, words: &str) -> Result<Page> {
    let mut keys = visit.app.media.public_pictures(visit.now()).await?.to_vec();
    // The one that was just sent stands first, also where it was there already.
    if let Some(place) = keys.iter().position(|key| key == visit.query.get("first")) {
        keys[..=place].rotate_right(1);
    }
    let total = keys.len();
    let pages = total.div_ceil(PAGE).max(1);
    let number = visit.query.get("page").parse::<usize>().unwrap_or(1).clamp(1, pages);
    let said = picture_words::all(&mut *visit.read().await?).await?;
    let rows: Vec<Value> = keys
        .iter()
        .skip((number - 1) * PAGE)
        .take(PAGE)
        .map(|key| json!({ "key": key, "name": format!("{WORDS}{key}"), "words": said.get(key) }))
        .collect();
    let mut picture = Input::new("file", "picture", "Picture").required();
    picture.accept = "image/jpeg,image/png,image/webp";
    let mut description = Input::text("words", "What is to be seen?").value(words);
    description.max = picture_words::LONGEST;
    description.hint = "A sentence for those who do not see it.".to_owned();
    let to = |number: usize| format!("{HOME}?page={number}");
    Ok(Reply::page("pictures", "Pictures")
        .inputs([picture, description])
        .with("rows", rows)
        .with("longest", picture_words::LONGEST)
        .with("total", total)
        .with("previous", (number > 1).then(|| to(number - 1)))
        .with("next", (number < pages).then(|| to(number + 1)))
        .with("may_edit", visit.may(&CONTENT, Action::Edit)))
}

pub(super) async fn add(mut visit: Visit) -> Result<Reply> {
    let mut wrong = std::mem::take(&mut visit.wrong);
    let words = visit.form.get("words").to_owned();
    let Some(staged) = visit.files.remove("picture") else {
        if wrong.is_empty() {
            wrong.push(FieldError::new("picture", "Please choose a picture"));
        }
        return Ok(page(&visit, &words).await?.refused(Error::Invalid(wrong))?.into());
    };
    let key = visit.app.media.keep_public(FOLDER, staged).await?;
    let mut write = visit.write().await?;
    if !words.trim().is_empty() {
        picture_words::keep(&mut write, &key, &shortened(&words)).await?;
    }
    visit.audit(&mut write, Entry::new("add", "picture").after(json!({ "key": key }))).await?;
    write.commit().await?;
    Ok(Reply::redirect(format!("{HOME}?first={key}")).done("The picture is here.").into())
}

/// Keeps the words of several pictures.
pub(super) async fn describe(visit: Visit) -> Result<Reply> {
    let mut write = visit.write().await?;
    let mut changed = 0;
    for (name, words) in visit.form.iter() {
        let Some(key) = name.strip_prefix(WORDS) else { continue };
        // What is no picture of ours has no words.
        if visit.app.media.open_public(key).await.is_ok()
            && picture_words::keep(&mut write, key, &shortened(words)).await?
        {
            visit
                .audit(&mut write, Entry::new("describe", "picture").after(json!({ "key": key, "words": words })))
                .await?;
            changed += 1;
        }
    }
    if changed > 0 {
        write.commit().await?;
    }
    Ok(Reply::redirect(HOME).done("The words are kept.").into())
}

fn shortened(words: &str) -> String {
    words.chars().take(picture_words::LONGEST).collect()
}
