//! Composition playlists (CPL, SMPTE ST 429-7 and Interop): what a digital print contains.

use std::collections::BTreeSet;

use super::language;
use super::title::ContentTitle;
use super::xml::{Element, uuid};

/// The namespaces of playlists: SMPTE and Interop.
const SMPTE: &str = "http://www.smpte-ra.org/schemas/429-7/2006/CPL";
const INTEROP: &str = "http://www.digicine.com/PROTO-ASDCP-CPL-20040511#";
/// The namespaces of pictures for two eyes.
const STEREO: [&str; 2] = [
    "http://www.smpte-ra.org/schemas/429-10/2008/Main-Stereo-Picture-CPL",
    "http://www.digicine.com/schemas/437-Y/2007/Main-Stereo-Picture-CPL",
];
/// The namespace of metadata about the composition.
const METADATA: &str = "http://www.smpte-ra.org/schemas/429-16/2014/CPL-Metadata";
/// What is stored of subtitles in a language that the file does not name.
const UNKNOWN_LANGUAGE: &str = "unknown language";
/// Decimal digits of a number of frames at most.
const MAX_DIGITS: usize = 12;

/// What a playlist says.
#[derive(Debug)]
pub(super) struct Cpl {
    /// Its UUID in small letters.
    pub(super) id: String,
    pub(super) title: String,
    /// Whether it is a trailer or a teaser.
    pub(super) is_trailer: bool,
    /// Running time in seconds; `None` without a picture.
    pub(super) seconds: Option<i64>,
    pub(super) is_encrypted: bool,
    /// "DCP, OV, 2K, Scope, 24 fps, 3D".
    pub(super) format: String,
    pub(super) subtitles: Vec<String>,
}

impl Cpl {
    /// Whether the root is that of a playlist.
    pub(super) fn is_one(root: Element<'_>) -> bool {
        root.is(SMPTE, "CompositionPlaylist") || root.is(INTEROP, "CompositionPlaylist")
    }

    pub(super) fn read(root: Element<'_>) -> Result<Self, String> {
        let id = uuid(&root.required("Id")?)?;
        let title = root.text_of("ContentTitleText").unwrap_or_default();
        let reels = || root.child("ReelList").into_iter().flat_map(Element::children);
        let assets = || reels().filter_map(|reel| reel.child("AssetList")).flat_map(Element::children);
        let pictures: Vec<Asset<'_>> = assets().filter(|asset| is_picture(*asset)).map(Asset).collect();
        let is_3d = pictures.iter().any(|picture| picture.0.name() == "MainStereoscopicPicture");
        let mut seconds = 0.0;
        for picture in &pictures {
            seconds += length(picture)?;
        }
        let said = ContentTitle::read(&title);
        let kind = root.text_of("ContentKind").unwrap_or_default();
        let is_trailer = said.is_trailer || ["trailer", "teaser"].contains(&&*kind.to_lowercase());
        let first = pictures.first();
        let parts = [
            Some("DCP".to_owned()),
            said.package,
            said.resolution,
            first.and_then(|picture| aspect(&picture.text("ScreenAspectRatio")?)),
            first.and_then(|picture| Some(rate_text(rate(picture).ok()?))),
            is_3d.then(|| "3D".to_owned()),
        ];
        let mut subtitles: BTreeSet<String> = BTreeSet::new();
        let mut has_subtitles = false;
        for asset in assets() {
            if asset.name() == "MainSubtitle" {
                has_subtitles = true;
                subtitles.extend(Asset(asset).text("Language").map(|code| language::name(&code)));
            }
            if asset.is(METADATA, "CompositionMetadataAsset") {
                let listed = asset.text_of("MainSubtitleLanguageList").unwrap_or_default();
                subtitles.extend(listed.split_whitespace().map(language::name));
            }
        }
        if subtitles.is_empty() {
            subtitles.extend(said.subtitles);
        }
        if subtitles.is_empty() && has_subtitles {
            subtitles.insert(UNKNOWN_LANGUAGE.to_owned());
        }
        Ok(Self {
            id,
            title,
            is_trailer,
            seconds: (!pictures.is_empty()).then(|| seconds.round() as i64),
            is_encrypted: assets().any(|asset| Asset(asset).text("KeyId").is_some()),
            format: parts.into_iter().flatten().collect::<Vec<_>>().join(", "),
            subtitles: subtitles.into_iter().collect(),
        })
    }
}

fn is_picture(asset: Element<'_>) -> bool {
    let is_playlist = [SMPTE, INTEROP].contains(&asset.namespace());
    let is_stereo = asset.name() == "MainStereoscopicPicture" && STEREO.contains(&asset.namespace());
    is_stereo || is_playlist && ["MainPicture", "MainStereoscopicPicture"].contains(&asset.name())
}

/// An asset of a reel. Its properties are in the namespace of the playlist, also where it has one of its own.
struct Asset<'a>(Element<'a>);

impl Asset<'_> {
    fn text(&self, name: &str) -> Option<String> {
        let of_playlist = |child: &Element<'_>| child.is(SMPTE, name) || child.is(INTEROP, name);
        let own = self.0.text_of(name);
        own.or_else(|| self.0.children().find(of_playlist)?.own_text())
    }

    fn frames(&self, name: &str) -> Result<Option<u64>, String> {
        let number = |text: &str| text.parse().ok().filter(|_| text.len() <= MAX_DIGITS);
        let wrong = |text: &str| format!("has {text} as {name} of a picture");
        self.text(name).map(|text| number(&text).ok_or_else(|| wrong(&text))).transpose()
    }
}

/// The seconds of a picture in its reel.
fn length(picture: &Asset<'_>) -> Result<f64, String> {
    let rest = |intrinsic: u64, entry: u64| intrinsic.checked_sub(entry);
    let frames = match (picture.frames("Duration")?, picture.frames("IntrinsicDuration")?) {
        (Some(duration), _) => Some(duration),
        (None, Some(intrinsic)) => rest(intrinsic, picture.frames("EntryPoint")?.unwrap_or(0)),
        (None, None) => None,
    };
    let frames = frames.ok_or("has a picture without a length")?;
    let (numerator, denominator) = rate(picture)?;
    Ok(frames as f64 * denominator / numerator)
}

/// The edit rate of a picture: "24000 1001". That of two eyes is half of their frame rate.
fn rate(picture: &Asset<'_>) -> Result<(f64, f64), String> {
    let text = picture.text("EditRate").ok_or("has a picture without EditRate")?;
    let numbers: Vec<u32> = text.split_whitespace().filter_map(|part| part.parse().ok()).collect();
    match numbers[..] {
        [numerator, denominator] if numerator > 0 && denominator > 0 => Ok((numerator.into(), denominator.into())),
        _ => Err(format!("has {text} as EditRate")),
    }
}

fn rate_text((numerator, denominator): (f64, f64)) -> String {
    let rate = format!("{:.3}", numerator / denominator);
    format!("{} fps", rate.trim_end_matches('0').trim_end_matches('.'))
}

/// "Flat" or "Scope" where it is one of the two, else the ratio: SMPTE has "1998 1080", Interop "1.85".
fn aspect(text: &str) -> Option<String> {
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|part| part.parse().ok()).collect();
    let ratio = match numbers[..] {
        [ratio] => ratio,
        [width, height] => width / height,
        _ => return None,
    };
    match ratio {
        1.84..=1.86 => Some("Flat".into()),
        2.34..=2.41 => Some("Scope".into()),
        1.0..=4.0 => Some(format!("{ratio:.2}:1")),
        _ => None,
    }
}
