//! What people read: blogs and the texts of pages.

mod blog;
mod discover;
mod feed;
mod page_picture;
mod page_text;

use festival_core::{Document, Endpoint, Module, Page, Registry, migration};

pub use blog::BLOG;
pub use page_picture::PAGE_PICTURE;
pub use page_text::PAGE_TEXT;

/// The module.
pub struct ContentModule;

impl Module for ContentModule {
    fn name(&self) -> &'static str {
        "content"
    }

    fn register(&self, registry: &mut Registry) {
        registry
            .migrations([migration!("content", "0301", "content"), migration!("content", "0302", "page_words")])
            .entity(&BLOG)
            .entity(&PAGE_TEXT)
            .entity(&PAGE_PICTURE)
            .seen_at(&BLOG, "/blog/{id}")
            .seen_with(&PAGE_TEXT, "/pages/{slug}/")
            .seen_with(&PAGE_PICTURE, "/pages/{page}/")
            .endpoint(Endpoint::get("/blogs/", "The blogs, newest first.", blog::list_blogs))
            .endpoint(Endpoint::get("/blog/{id}/", "One blog.", blog::find_blog))
            .endpoint(Endpoint::get("/pages/{slug}/", "The text of a page.", page_text::find_page_text))
            .document(Document::get("/blogs/feed.xml", "application/atom+xml; charset=utf-8", feed::text))
            .page(
                Page::new("/about-us", "about")
                    .called("About")
                    .needs(["/pages/about-us/"])
                    .listed(|ask| discover::text_address(ask, "about-us"))
                    .shows_text("/pages/about-us/", "About"),
            )
            .page(
                Page::new("/blogs", "blogs")
                    .called("Blog")
                    .needs(["/blogs/"])
                    .listed(discover::blogs_address)
                    .about(discover::blogs_about)
                    .card(blog::list_card),
            )
            .page(
                Page::new("/blog/{id}", "blog")
                    .under("/blogs")
                    .needs(["/blog/{id}/"])
                    .listed(discover::blog_addresses)
                    .about(discover::blog_about)
                    .card(blog::blog_card),
            )
            .page(
                Page::new("/privacy-and-terms", "privacy")
                    .called("Privacy and terms")
                    .needs(["/pages/privacy-and-terms/"])
                    .listed(|ask| discover::text_address(ask, "privacy-and-terms"))
                    .shows_text("/pages/privacy-and-terms/", "Privacy and terms"),
            )
            .page(Page::new("/download", "download").called("Logo").titled("Download the logo", "ലോഗോ"))
            .page(Page::new("/analytics-ga4-view-via-looker", "analytics").called("Analytics").frames().unlisted())
            .page_needs("/", ["/pages/home/", "/blogs/"]);
    }
}
