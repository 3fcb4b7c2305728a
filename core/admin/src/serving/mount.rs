//! Mounts the back office on the server and sets the headers of its responses.

use std::sync::Arc;

use rocket::fairing::{Fairing, Info, Kind};
use rocket::http::{Method, Status};
use rocket::route::{Handler, Outcome, Route};
use rocket::{Build, Data, Request, Response, Rocket};

use crate::back_office::{BackOffice, Screen};
use crate::serving::serve::ServeScreen;
use festival_web::http::{assets_route, supervised};
use festival_web::metrics::RouteClass;
use festival_web::pattern::Pattern;

/// Mounts the screens of the back office, and a redirect to them below the prefix of the API.
pub fn mount(rocket: Rocket<Build>, admin: &Arc<BackOffice>) -> Rocket<Build> {
    let site = &admin.site;
    let prefix = site.settings.api_prefix();
    let rocket = match prefix {
        "" => rocket, // At the root it would redirect to itself.
        _ => rocket.mount(
            prefix,
            supervised(vec![Route::new(Method::Get, "/admin", RedirectToAdmin)], RouteClass::Admin, site),
        ),
    };
    let route = |screen: &Arc<Screen>| {
        let handler = ServeScreen { admin: admin.clone(), screen: screen.clone() };
        Route::new(screen.method, &screen.path.for_rocket(), handler)
    };
    let is_on = |screen: &&Arc<Screen>| site.settings.admin.enabled || screen.is_for_visitors();
    let mut routes: Vec<Route> = admin.contents.screens.iter().filter(is_on).map(route).collect();
    if !site.settings.frontend.enabled && !routes.is_empty() {
        routes.push(assets_route(site)); // The back office needs its stylesheets.
    }
    let of_visitors = admin.contents.screens.iter().filter(|screen| screen.is_for_visitors());
    let of_visitors = of_visitors.map(|screen| screen.path.clone()).collect();
    rocket.mount("/", supervised(routes, RouteClass::Admin, site)).attach(AdminHeaders { of_visitors })
}

/// Redirects `{api_prefix}/admin` to `/admin/`.
#[derive(Clone)]
struct RedirectToAdmin;

#[rocket::async_trait]
impl Handler for RedirectToAdmin {
    async fn handle<'r>(&self, _: &'r Request<'_>, _: Data<'r>) -> Outcome<'r> {
        Outcome::Success(Response::build().status(Status::SeeOther).raw_header("Location", "/admin/").finalize())
    }
}

/// Keeps responses of the back office, and of its screens for visitors, out of caches, search engines and referrers.
struct AdminHeaders {
    /// The paths of the screens for visitors.
    of_visitors: Vec<Pattern>,
}

#[rocket::async_trait]
impl Fairing for AdminHeaders {
    fn info(&self) -> Info {
        Info { name: "headers of the back office", kind: Kind::Response }
    }

    async fn on_response<'r>(&self, request: &'r Request<'_>, response: &mut Response<'r>) {
        let path = request.uri().path();
        let is_for_visitors = self.of_visitors.iter().any(|pattern| pattern.matches(path.as_str()).is_some());
        if path != "/admin" && !path.starts_with("/admin/") && !is_for_visitors {
            return;
        }
        response.set_raw_header("Cache-Control", "no-store");
        // The secret of a visitor's link is in its query: even the site's own log must not get it. Without any origin,
        // browsers would send `Origin: null` with its forms.
        let referrer = if is_for_visitors { "strict-origin" } else { "same-origin" };
        response.set_raw_header("Referrer-Policy", referrer);
        response.set_raw_header("X-Robots-Tag", "noindex, nofollow");
        response.remove_header("ETag");
        if !response.content_type().is_some_and(|kind| kind.is_html()) {
            // An uploaded file that is opened in the browser must not run scripts on our origin.
            response.set_raw_header("Content-Security-Policy", "sandbox; default-src 'none'; frame-ancestors 'none'");
        }
    }
}
