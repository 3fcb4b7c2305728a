//! `sitemap.xml`, generated from the pages of the enabled modules. More addresses than one file may hold are split into
//! several files behind an index.

pub use crate::page::Address;

use crate::pattern::Params;
use crate::site::{Archive, Page, RequestContext};
use crate::xml::escape;
use festival_base::error::{Error, Result};
use festival_records::edition;

/// Addresses per file, the limit of the sitemap protocol.
const MAX_ADDRESSES: usize = 50_000;

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
const NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// `sitemap.xml`: every address, or the index of the files that hold them.
pub(crate) async fn root(request: RequestContext) -> Result<String> {
    let addresses = addresses(&request).await?;
    Ok(if addresses.len() <= MAX_ADDRESSES {
        url_set(&request.base_url, &addresses)
    } else {
        index(&request.base_url, addresses.len().div_ceil(MAX_ADDRESSES))
    })
}

/// `sitemap/{part}.xml`: one of several files, counted from 1.
///
/// # Errors
/// [`Error::NotFound`] if there is no such file, also where one file holds every address.
pub(crate) async fn part(request: RequestContext) -> Result<String> {
    let missing = || Error::NotFound("There is no such part of the sitemap.".into());
    let number: usize = request.param("part").map_err(|_| missing())?;
    let addresses = addresses(&request).await?;
    if addresses.len() <= MAX_ADDRESSES {
        return Err(missing());
    }
    let part = addresses.chunks(MAX_ADDRESSES).nth(number.checked_sub(1).ok_or_else(missing)?).ok_or_else(missing)?;
    Ok(url_set(&request.base_url, part))
}

/// The addresses of the site, then those of the pages in the archive that are about its editions. Others are the same
/// there as on the site.
async fn addresses(request: &RequestContext) -> Result<Vec<Address>> {
    let mut all = addresses_of(request).await?;
    if request.site.archive.is_none() {
        let archived = edition::archived(&mut *request.read().await?).await?;
        for archive in archived.iter().map(|edition| Archive::of(edition.year)) {
            let base_url = format!("{}{}", request.base_url, archive.path).into();
            let path = archive.path.clone();
            let request = RequestContext { site: request.site.showing(archive), base_url, ..request.clone() };
            let below = |address: Address| Address { path: format!("{path}{}", address.path), ..address };
            all.extend(addresses_of(&request).await?.into_iter().map(below));
        }
    }
    Ok(all)
}

pub(crate) async fn addresses_of(request: &RequestContext) -> Result<Vec<Address>> {
    let contents = &request.site.contents;
    let is_listed = |page: &Page| page.in_sitemap && (request.site.archive.is_none() || contents.is_of_edition(page));
    let mut all = Vec::new();
    for page in contents.pages.iter().filter(|page| is_listed(page)) {
        match &page.listed {
            Some(list) => all.extend(list.call(request.clone()).await?),
            None if page.path.parameter_names().next().is_none() => {
                all.push(Address { path: page.path.fill(&Params::new()), changed_at: None });
            }
            None => {}
        }
    }
    Ok(all)
}

fn url_set(base_url: &str, addresses: &[Address]) -> String {
    let mut xml = format!("{HEAD}<urlset xmlns=\"{NAMESPACE}\">\n");
    for Address { path, changed_at } in addresses {
        let changed = changed_at.as_ref().map_or(String::new(), |at| format!("<lastmod>{}</lastmod>", escape(at)));
        xml.push_str(&format!("<url><loc>{}{}</loc>{changed}</url>\n", escape(base_url), escape(path)));
    }
    xml + "</urlset>\n"
}

fn index(base_url: &str, parts: usize) -> String {
    let mut xml = format!("{HEAD}<sitemapindex xmlns=\"{NAMESPACE}\">\n");
    for part in 1..=parts {
        xml.push_str(&format!("<sitemap><loc>{}/sitemap/{part}.xml</loc></sitemap>\n", escape(base_url)));
    }
    xml + "</sitemapindex>\n"
}
