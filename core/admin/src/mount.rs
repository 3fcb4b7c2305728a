//! Where the back office is on the server, and the headers of all that it answers.

use std::sync::Arc;

use rocket::fairing::{Fairing, Info, Kind};
use rocket::http::{Method, Status};
use rocket::route::{Handler, Outcome, Route};
use rocket::{Build, Data, Request, Response, Rocket};

use super::BackOffice;
use super::screen::Screen;
use super::serve::ServeScreen;
use festival_web::http::{assets_route, supervised};
use festival_web::metrics::RouteClass;

/// Mounts the screens of the back office, and the way to them from the API's mount.
pub fn mount(rocket: Rocket<Build>, admin: &Arc<BackOffice>) -> Rocket<Build> {
    let site = &admin.site;
    let prefix = site.settings.api_prefix();
    let rocket = match prefix {
        "" => rocket, // At the root it would lead to itself.
        _ => {
            rocket.mount(prefix, supervised(vec![Route::new(Method::Get, "/admin", ToAdmin)], RouteClass::Admin, site))
        }
    };
    if !site.settings.admin.enabled {
        return rocket;
    }
    let route = |screen: &Arc<Screen>| {
        let handler = ServeScreen { admin: admin.clone(), screen: screen.clone() };
        Route::new(screen.method, &screen.path.for_rocket(), handler)
    };
    let mut routes: Vec<Route> = admin.contents.screens.iter().map(route).collect();
    if !site.settings.frontend.enabled {
        routes.push(assets_route(site)); // The back office has styles too.
    }
    rocket.mount("/", supervised(routes, RouteClass::Admin, site)).attach(AdminHeaders)
}

/// `{backend}/admin/` works where the backend is the API's mount.
#[derive(Clone)]
struct ToAdmin;

#[rocket::async_trait]
impl Handler for ToAdmin {
    async fn handle<'r>(&self, _: &'r Request<'_>, _: Data<'r>) -> Outcome<'r> {
        Outcome::Success(Response::build().status(Status::SeeOther).raw_header("Location", "/admin/").finalize())
    }
}

/// Nothing of the back office is kept by anybody, found by search engines, or told to other sites.
struct AdminHeaders;

#[rocket::async_trait]
impl Fairing for AdminHeaders {
    fn info(&self) -> Info {
        Info { name: "headers of the back office", kind: Kind::Response }
    }

    async fn on_response<'r>(&self, request: &'r Request<'_>, response: &mut Response<'r>) {
        let path = request.uri().path();
        if path != "/admin" && !path.starts_with("/admin/") {
            return;
        }
        response.set_raw_header("Cache-Control", "no-store");
        response.set_raw_header("Referrer-Policy", "same-origin");
        response.set_raw_header("X-Robots-Tag", "noindex, nofollow");
        response.remove_header("ETag");
        if !response.content_type().is_some_and(|kind| kind.is_html()) {
            // A file that people sent, opened in the browser, is nothing of ours.
            response.set_raw_header("Content-Security-Policy", "sandbox; default-src 'none'; frame-ancestors 'none'");
        }
    }
}
