//! What is done to several rows at once: first said, then done.

use super::{capital, editor, home, row_path};
use crate::audit::Entry;
use crate::input::Input;
use crate::reply::{Page, Reply};
use crate::request::AdminRequest;
use crate::role::{Action, CONTENT};
use crate::selected::{self, BulkSelection};
use festival_base::error::{Error, Result};
use festival_records::editing::{self, Action as Done, Current};
use festival_records::entity::{Datum, Entity};

/// The most rows at once.
const MOST: usize = 200;

/// What can be done.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Deed {
    Publish,
    Hide,
    Delete,
}

impl Deed {
    fn of(word: &str) -> Option<Self> {
        match word {
            "publish" => Some(Self::Publish),
            "hide" => Some(Self::Hide),
            "delete" => Some(Self::Delete),
            _ => None,
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Publish => "publish",
            Self::Hide => "hide",
            Self::Delete => "delete",
        }
    }

    const fn consequence(self) -> &'static str {
        match self {
            Self::Publish => "The site shows them from now on.",
            Self::Hide => "The site shows them no more. They stay here.",
            Self::Delete => "They go to the bin, from where they can come back.",
        }
    }

    const fn done(self) -> &'static str {
        match self {
            Self::Publish => "published",
            Self::Hide => "hidden",
            Self::Delete => "in the bin",
        }
    }
}

pub(super) async fn act(request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    let Some(deed) = Deed::of(request.form.get("deed")) else {
        return Err(Error::BadRequest("Please choose what is to be done.".into()));
    };
    if deed == Deed::Delete && !request.may(&CONTENT, Action::Delete) {
        return Err(Error::Closed("Your role does not delete. An owner can change that.".into()));
    }
    let mut ids: Vec<i64> = request.form.all("row").filter_map(|id| id.parse().ok()).collect();
    ids.sort_unstable();
    ids.dedup();
    if ids.is_empty() {
        return Ok(Reply::redirect(home(entity)).problem(format!("Tick the {} first.", entity.plural)).into());
    }
    if ids.len() > MOST {
        return Err(Error::BadRequest(format!("At most {MOST} at once, please.")));
    }
    if request.form.get("sure") == "yes" {
        carry_out(&request, entity, deed, &ids).await
    } else {
        Ok(ask(&request, entity, deed, &ids).await?.into())
    }
}

/// Says which rows will be touched, as they are now; marks those that are not as an earlier such page showed them.
async fn ask(request: &AdminRequest, entity: &'static Entity, deed: Deed, ids: &[i64]) -> Result<Page> {
    let mut connection = request.read().await?;
    let mut selected = BulkSelection::new(request, [Input::hidden("deed", deed.word())]);
    for id in ids {
        let Some(current) = editing::find(&mut connection, entity, *id).await? else { continue };
        let title = editing::title_of(entity, &current.record);
        selected.add(*id, &current.version, title, row_path(entity, *id));
    }
    let count = selected.len();
    let things = if count == 1 { entity.singular } else { entity.plural };
    Ok(selected
        .page(format!("{} {count} {things}?", capital(deed.word())))
        .crumb(capital(entity.plural), home(entity))
        .with("words", deed.consequence())
        .with("button", capital(deed.word()))
        .with("danger", deed == Deed::Delete)
        .with("home", home(entity)))
}

/// All of them or none, and none where one is not what was shown.
async fn carry_out(request: &AdminRequest, entity: &'static Entity, deed: Deed, ids: &[i64]) -> Result<Reply> {
    let editor = editor(request)?;
    let mut write = request.write().await?;
    for id in ids {
        match editing::get_unchanged(&mut write, entity, *id, selected::mark(request, *id)).await {
            Err(Error::Conflict(_)) => {
                drop(write);
                return Ok(selected::overtaken(ask(request, entity, deed, ids).await?)?.into());
            }
            Ok(_) | Err(Error::NotFound(_)) => {} // What is deleted meanwhile is left out.
            Err(error) => return Err(error),
        }
    }
    let mut count = 0;
    for id in ids {
        let Some(current) = editing::find(&mut write, entity, *id).await? else { continue };
        let changed = match (deed, entity.field("is_published")) {
            (Deed::Delete, _) => match editing::delete(&request.site.records, &mut write, entity, *id, &editor).await {
                Ok(_) => true,
                Err(Error::Conflict(words)) => return Ok(refused(entity, &current, &words)),
                Err(error) => return Err(error),
            },
            (_, Some(field)) => {
                let what = (*id, field, Datum::Integer(i64::from(deed == Deed::Publish)));
                editing::set_field(&request.site.records, &mut write, entity, what, (Done::Changed, &editor)).await?
            }
            (_, None) => return Err(Error::BadRequest(format!("{} are always shown.", capital(entity.plural)))),
        };
        if changed {
            count += 1;
            request.audit(&mut write, Entry::new(deed.word(), entity.table).id(*id)).await?;
        }
    }
    write.commit().await?;
    let things = if count == 1 { entity.singular } else { entity.plural };
    Ok(Reply::redirect(home(entity)).done(format!("{count} {things} {}.", deed.done())).into())
}

fn refused(entity: &Entity, current: &Current, words: &str) -> Reply {
    let title = editing::title_of(entity, &current.record);
    Reply::redirect(home(entity)).problem(format!("Nothing was done, because of “{title}”. {words}")).into()
}
