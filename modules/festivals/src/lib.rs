//! The festival's events, pictures, venues, people, awards, history and winners.

mod award;
mod calendar;
mod event;
mod guest;
mod history;
mod listed;
mod namesake;
mod next;
mod package;
mod picture;
mod session;
mod supporter;
mod team;
mod venue;
mod winner;

use festival_core::admin::role::CONTENT;
use festival_core::admin::{Action, Permission};
use festival_core::pattern::Pattern;
use festival_core::{Document, Endpoint, Module, Page, Registry, migration};

pub use award::AWARD;
pub use event::UPCOMING_EVENT;
pub use guest::GUEST;
pub use history::HISTORY_YEAR;
pub use namesake::NAMESAKE;
pub use package::PACKAGE;
pub use picture::{DAILY_EVENT, POSTER, SCHEDULE_ITEM};
pub use session::SESSION;
pub use supporter::{ORGANISER, PARTNER};
pub use team::TEAM_MEMBER;
pub use venue::VENUE;
pub use winner::WINNER;

use guest::Guest;
use picture::Picture;
use supporter::{Organiser, Partner};
use venue::Venue;

/// Content type of iCalendar files.
const CALENDAR: &str = "text/calendar; charset=utf-8";

/// The module.
pub struct FestivalsModule;

impl Module for FestivalsModule {
    fn name(&self) -> &'static str {
        "festivals"
    }

    fn register(&self, registry: &mut Registry) {
        registry.menu("festivals", 3);
        registry.migrations([migration!("festivals", "0101", "festivals")
            .earlier_checksums(&["d46ca98f60b080b905b3aba2f695a53d", "8007a1b0b9b67f9130551727eb4d912f"])]);
        entities(registry);
        public_urls(registry);
        programme(registry);
        people(registry);
        pages(registry);
    }
}

fn entities(registry: &mut Registry) {
    registry
        .entity(&UPCOMING_EVENT)
        .entity(&POSTER)
        .entity(&SCHEDULE_ITEM)
        .entity(&DAILY_EVENT)
        .entity(&VENUE)
        .entity(&GUEST)
        .entity(&PARTNER)
        .entity(&ORGANISER)
        .entity(&NAMESAKE)
        .entity(&AWARD)
        .entity(&TEAM_MEMBER)
        .entity(&HISTORY_YEAR)
        .entity(&WINNER)
        .entity(&SESSION)
        .entity(&PACKAGE)
        .carried_over([&VENUE, &ORGANISER, &NAMESAKE, &AWARD, &TEAM_MEMBER]);
}

/// The pages on which visitors see the entities.
fn public_urls(registry: &mut Registry) {
    registry
        .public_url(&UPCOMING_EVENT, "/#upcoming-events")
        .public_url(&POSTER, "/#posters")
        .public_url(&SCHEDULE_ITEM, "/#screening-schedule")
        .public_url(&DAILY_EVENT, "/#daily-events")
        .public_url(&VENUE, "/#venues")
        .public_url(&GUEST, "/#guests")
        .public_url(&PARTNER, "/#partners")
        .public_url(&ORGANISER, "/#organisers")
        .public_url_by_endpoint(&NAMESAKE, "/namesakes/")
        .public_url_by_endpoint(&AWARD, "/awards/")
        .public_url(&TEAM_MEMBER, "/team")
        .public_url(&HISTORY_YEAR, "/history")
        .public_url_by_endpoint(&WINNER, "/winners/")
        .public_url_by_endpoint(&SESSION, "/sessions/{festival}/")
        .public_url_by_endpoint(&PACKAGE, "/packages/{festival}/");
}

/// Events, pictures, venues, awards and sister festivals.
fn programme(registry: &mut Registry) {
    registry
        .pending_task(Permission::To(&CONTENT, Action::Edit), event::programme_is_empty)
        .endpoint(
            Endpoint::get("/upcoming-events/", "Events around the festival, also past ones.", event::list_events)
                .reads_up_to("upcoming", 1, "1 leaves out what has begun already.")
                .per_edition(),
        )
        .endpoint(
            Endpoint::get("/next/", "What runs now or begins within two weeks, soonest first.", next::list_next)
                .per_edition(),
        )
        .document(
            Document::get("/upcoming-events.ics", CALENDAR, calendar::list_events).saved_as("upcoming-events.ics"),
        )
        .document(Document::get("/upcoming-events/{id}.ics", CALENDAR, calendar::show_event).saved_as("event.ics"))
        .page_json_ld("/", calendar::events_about)
        .endpoint(Endpoint::published::<Picture>("/posters/", "The festival's posters.", &POSTER))
        .endpoint(Endpoint::published::<Picture>(
            "/screening-schedule/",
            "The screening schedule, as pictures.",
            &SCHEDULE_ITEM,
        ))
        .endpoint(Endpoint::published::<Picture>(
            "/daily-events/",
            "The events of each day, as pictures.",
            &DAILY_EVENT,
        ))
        .endpoint(Endpoint::published::<Venue>("/venues/", "Where the festival takes place.", &VENUE))
        .endpoint(Endpoint::get("/awards/", "The awards and what they are worth.", award::list_awards).per_edition())
        .endpoint(
            Endpoint::get(
                "/winners/",
                "The winners of the documentary and short film festival, by award.",
                winner::list_winners,
            )
            .per_edition(),
        )
        .endpoint(
            Endpoint::get("/sessions/{slug}/", "What happens at a sister festival, by day.", session::list_days)
                .per_edition(),
        )
        .endpoint(
            Endpoint::get("/packages/{slug}/", "The film packages of a sister festival.", package::list_packages)
                .per_edition(),
        );
}

/// Guests, partners, organisers, namesakes, team and history.
fn people(registry: &mut Registry) {
    registry
        .endpoint(Endpoint::published::<Guest>("/guests/", "The festival's guests.", &GUEST))
        .endpoint(Endpoint::published::<Partner>("/partners/", "Who supports the festival.", &PARTNER))
        .endpoint(Endpoint::published::<Organiser>("/organisers/", "Who organises the festival.", &ORGANISER))
        .endpoint(
            Endpoint::get("/namesakes/", "The people whom awards are named after.", namesake::list_namesakes)
                .per_edition(),
        )
        .endpoint(Endpoint::get("/team/", "The festival's team, by role.", team::list_team).per_edition())
        .endpoint(Endpoint::get("/history/", "The festival's years, oldest first.", history::list_years));
}

fn pages(registry: &mut Registry) {
    let twenty = format!("/twenty-{}", registry.settings().product.slug);
    registry
        .page(
            Page::at(Pattern::fixed(&twenty), "twenty")
                .listed(move |request| listed::address(request, twenty.clone(), listed::TWENTY))
                .linked_once_listed()
                .breadcrumb("The twentieth edition")
                .depends_on(["/namesakes/", "/awards/", "/pages/twenty/"])
                .shows_text("/pages/twenty/", "The twentieth edition"),
        )
        .page(
            Page::new("/history", "history")
                .breadcrumb("History")
                .depends_on(["/history/"])
                .titled("History", "ചരിത്രം"),
        )
        .page(Page::new("/team", "team").breadcrumb("Team").depends_on(["/team/"]).titled("Team", "സംഘാടകർ"))
        .page(
            Page::new("/isff-2025", "isff")
                .listed(|request| listed::address(request, "/isff-2025".into(), listed::ISFF))
                .linked_once_listed()
                .breadcrumb("Science film festival")
                .depends_on(["/pages/isff-2025/", "/sessions/isff-2025/", "/packages/isff-2025/"])
                .shows_text("/pages/isff-2025/", "Science Film Festival"),
        )
        .page(
            Page::new("/ifff-9th", "ifff")
                .listed(|request| listed::address(request, "/ifff-9th".into(), listed::IFFF))
                .linked_once_listed()
                .breadcrumb("Folklore film festival")
                .depends_on(["/pages/ifff-9th/", "/sessions/ifff-9th/"])
                .shows_text("/pages/ifff-9th/", "Folklore Film Festival"),
        )
        .page(
            Page::new("/ndsf-2025", "ndsf")
                .listed(|request| listed::address(request, "/ndsf-2025".into(), listed::NDSF))
                .linked_once_listed()
                .breadcrumb("Documentary and short film festival")
                .depends_on(["/winners/", "/pages/ndsf-2025/", "/sessions/ndsf-2025/"])
                .shows_text("/pages/ndsf-2025/", "National Documentary and Short Film Festival"),
        )
        .page_depends_on(
            "/",
            [
                "/next/",
                "/upcoming-events/",
                "/posters/",
                "/screening-schedule/",
                "/daily-events/",
                "/venues/",
                "/guests/",
                "/partners/",
                "/organisers/",
                "/namesakes/",
            ],
        );
}
