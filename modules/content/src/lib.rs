//! Blogs, and the pages about the festival, its terms and its logo.

mod blog;
mod discover;
mod feed;
mod front_matter;
mod import;

use festival_core::{Document, Endpoint, Module, Page, Registry, atom, migration};

pub use blog::BLOG;

/// The module.
pub struct ContentModule;

impl Module for ContentModule {
    fn name(&self) -> &'static str {
        "content"
    }

    fn register(&self, registry: &mut Registry) {
        registry
            .menu("content", 4)
            .migrations([migration!("content", "0301", "content")
                .earlier_checksums(&["9283268ec0da1f03109ceef3b268f3c1", "111d24698ff4606e9102812580eb3d74"])])
            .entity(&BLOG)
            .import_reader(&BLOG, import::Blogs)
            .public_url(&BLOG, "/blog/{id}")
            .endpoint(Endpoint::get("/blogs/", "The blogs, newest first.", blog::list_blogs))
            .endpoint(Endpoint::get("/blog/{id}/", "One blog.", blog::show_blog))
            .document(Document::get("/blogs/feed.xml", atom::CONTENT_TYPE, feed::feed))
            .page(
                Page::new("/about-us", "about")
                    .breadcrumb("About")
                    .depends_on(["/pages/about-us/"])
                    .listed(|request| discover::text_address(request, "about-us"))
                    .shows_text("/pages/about-us/", "About"),
            )
            .page(
                Page::new("/blogs", "blogs")
                    .breadcrumb("Blog")
                    .depends_on(["/blogs/"])
                    .listed(discover::blogs_address)
                    .json_ld(discover::blogs_about)
                    .card(blog::list_card),
            )
            .page(
                Page::new("/blog/{id}", "blog")
                    .parent("/blogs")
                    .depends_on(["/blog/{id}/"])
                    .listed(discover::blog_addresses)
                    .json_ld(discover::blog_about)
                    .card(blog::blog_card),
            )
            .page(
                Page::new("/privacy-and-terms", "privacy")
                    .breadcrumb("Privacy and terms")
                    .depends_on(["/pages/privacy-and-terms/"])
                    .listed(|request| discover::text_address(request, "privacy-and-terms"))
                    .shows_text("/pages/privacy-and-terms/", "Privacy and terms"),
            )
            .page(Page::new("/download", "download").breadcrumb("Logo").titled("Download the logo", "ലോഗോ"))
            .page(Page::new("/analytics-ga4-view-via-looker", "analytics").breadcrumb("Analytics").frames().unlisted());
    }
}
