//! The pictures of films, for print and press.

use festival_core::media::Rendition;
use festival_core::site::Site;
use festival_core::{Error, Result};

/// Width of large pictures in the catalogue, in pixels: 60 mm at 300 dots per inch.
const PRINT_WIDTH: u32 = 720;
/// Size up to which a picture is embedded as it is, in bytes: scaling it down would take longer than it saves.
const SMALL_PICTURE: u64 = 200 * 1024;

/// The bytes of a public picture, scaled down if print needs no more; `None` if there is no such file.
pub(super) async fn picture(site: &Site, key: &str, for_print: bool) -> Result<Option<Vec<u8>>> {
    let found = async {
        let original = site.media.open_public(key).await?;
        if for_print
            && original.length() > SMALL_PICTURE
            && let Rendition::Scaled(file) = site.media.rendition(key, PRINT_WIDTH).await?
        {
            return file.read().await;
        }
        original.read().await
    };
    match found.await {
        Ok(bytes) => Ok(Some(bytes)),
        Err(Error::NotFound(_)) => Ok(None),
        Err(error) => Err(error),
    }
}
