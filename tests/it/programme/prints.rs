//! Prints and their keys from files of digital cinema, and the conflicts that these reveal.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{Cursor, Write as _};

use festival_core::admin::{EDITOR, READER};
use jiff::ToSpan as _;
use jiff::civil::DateTime;

use super::import::run_programme;
use super::{planned, seed};
use crate::admin::browser::{Browser, count_audited, create_account, unescape_html};
use crate::support::{Database, Response, TestApp};

on_both!(
    exactly_the_twenty_planted_conflicts_of_prints_are_found,
    print_is_filled_from_its_playlist,
    film_that_no_title_tells_is_asked_for,
    hostile_files_are_refused,
    readers_cannot_import_prints,
);

pub(super) const HOME: &str = "/admin/programme/prints";
pub(super) const NOW: &str = "/admin/programme/prints/now";
pub(super) const SMPTE: &str = "http://www.smpte-ra.org/schemas/429-7/2006/CPL";
const INTEROP: &str = "http://www.digicine.com/PROTO-ASDCP-CPL-20040511#";
/// 100 minutes at 24 pictures a second.
const WHOLE: &str = "<EditRate>24 1</EditRate><IntrinsicDuration>144000</IntrinsicDuration><EntryPoint>0</EntryPoint>\
                     <Duration>144000</Duration>";

/// Sends files, and imports them if the page says that this would change something.
async fn import(browser: &Browser<'_>, film: &str, files: &[(&str, &str, &[u8])]) -> Response {
    let page = browser.post_with_files(HOME, &[("film", film)], files).await;
    if page.text().contains(NOW) { browser.confirm(&page, NOW).await } else { page }
}

/// A playlist, whose reels are lists of assets.
pub(super) fn playlist(namespace: &str, id: &str, title: &str, reels: &[String]) -> String {
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<CompositionPlaylist xmlns=\"{namespace}\">\
         <Id>urn:uuid:{id}</Id><AnnotationText>Made for a test</AnnotationText>\
         <IssueDate>2025-09-01T10:00:00+00:00</IssueDate><ContentTitleText>{title}</ContentTitleText>\
         <ContentKind>feature</ContentKind><RatingList/><ReelList>"
    );
    for assets in reels {
        write!(xml, "<Reel><Id>urn:uuid:{id}</Id><AssetList>{assets}</AssetList></Reel>").unwrap();
    }
    xml + "</ReelList></CompositionPlaylist>"
}

pub(super) fn picture(length: &str) -> String {
    let id = "5407b210-4441-4e97-8b16-8bdc7c12da54";
    format!(
        "<MainPicture><Id>urn:uuid:{id}</Id>{length}<FrameRate>24 1</FrameRate>\
         <ScreenAspectRatio>1998 1080</ScreenAspectRatio></MainPicture>"
    )
}

const SOUND: &str = "<MainSound><EditRate>24 1</EditRate><IntrinsicDuration>144000</IntrinsicDuration></MainSound>";
pub(super) const KEY_ID: &str = "<KeyId>urn:uuid:4ac4f922-8239-4831-b23b-31426d0542c4</KeyId>";

fn subtitles(more: &str) -> String {
    format!("<MainSubtitle><EditRate>24 1</EditRate><IntrinsicDuration>144000</IntrinsicDuration>{more}</MainSubtitle>")
}

pub(super) fn key(id: &str, title: &str, (server, description): (&str, &str), (from, until): (&str, &str)) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <etm:DCinemaSecurityMessage xmlns:etm=\"http://www.smpte-ra.org/schemas/430-3/2006/ETM\" \
         xmlns:ds=\"http://www.w3.org/2000/09/xmldsig#\"><etm:AuthenticatedPublic Id=\"ID_AuthenticatedPublic\">\
         <etm:MessageId>urn:uuid:30b00f08-6fcf-414a-8924-831fd4daf05d</etm:MessageId><etm:RequiredExtensions>\
         <KDMRequiredExtensions xmlns=\"http://www.smpte-ra.org/schemas/430-1/2006/KDM\"><Recipient>\
         <X509SubjectName>dnQualifier=1u9TlD4x32jl1c\\+kSIKukb7ZZqA=,CN=CS.{server},O=example.org</X509SubjectName>\
         </Recipient><CompositionPlaylistId>urn:uuid:{id}</CompositionPlaylistId>\
         <ContentTitleText>{title}</ContentTitleText>\
         <ContentKeysNotValidBefore>{from}</ContentKeysNotValidBefore>\
         <ContentKeysNotValidAfter>{until}</ContentKeysNotValidAfter>\
         <AuthorizedDeviceInfo><DeviceListDescription>{description}</DeviceListDescription></AuthorizedDeviceInfo>\
         </KDMRequiredExtensions></etm:RequiredExtensions></etm:AuthenticatedPublic></etm:DCinemaSecurityMessage>"
    )
}

fn zipped(files: &[(String, String)]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        archive.start_file(name.as_str(), zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(content.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// One film of the plan with its print.
struct Case {
    /// The conflict that its print has.
    expected: Option<&'static str>,
    /// The part of its title about languages.
    languages: &'static str,
    assets: Vec<String>,
    /// Server with its name at the laboratory, and its window: minutes from the beginning of the film, and the offset
    /// that is written behind the local time.
    keys: Vec<((&'static str, &'static str), (i64, i64), &'static str)>,
    /// More values of its screening.
    screening: &'static str,
}

fn case(expected: Option<&'static str>, languages: &'static str, assets: &[&str], screening: &'static str) -> Case {
    let assets = vec![assets.concat()];
    Case { expected, languages, assets, keys: Vec::new(), screening }
}

fn locked(expected: Option<&'static str>, window: (i64, i64), offset: &'static str) -> Case {
    let encrypted = picture(&format!("{WHOLE}{KEY_ID}"));
    let keys = vec![(("Server 1", "At the laboratory"), window, offset)];
    Case { keys, ..case(expected, "ML-XX", &[&encrypted], "") }
}

const INVALID: Option<&str> = Some("Key not valid");
const NO_KEY: Option<&str> = Some("No key for the print");
const OTHER_KEY: Option<&str> = Some("Key of another version");
const LENGTH: Option<&str> = Some("Print of another length");
const SUBTITLES: Option<&str> = Some("Print without the subtitles");
const LOCAL: &str = "+05:30";

/// Twelve prints without conflicts, although each is nearly one, and twenty with one.
fn cases() -> Vec<Case> {
    let whole = picture(WHOLE);
    let of = |length: &str| picture(length);
    let frames = |frames: u32| of(&format!("<EditRate>24 1</EditRate><IntrinsicDuration>{frames}</IntrinsicDuration>"));
    let stereo = format!(
        "<msp:MainStereoscopicPicture xmlns:msp=\"http://www.smpte-ra.org/schemas/429-10/2008/Main-Stereo-Picture-CPL\">\
         {WHOLE}<FrameRate>48 1</FrameRate><ScreenAspectRatio>2048 858</ScreenAspectRatio></msp:MainStereoscopicPicture>"
    );
    let english = subtitles("<Language>en</Language>");
    let announced = "subtitles = \"English\"";
    let reels = vec![
        of(
            "<EditRate>24 1</EditRate><IntrinsicDuration>99999</IntrinsicDuration><EntryPoint>9</EntryPoint><Duration>72000</Duration>",
        ),
        of("<EditRate>24 1</EditRate><IntrinsicDuration>72240</IntrinsicDuration><EntryPoint>240</EntryPoint>"),
    ];
    let encrypted = picture(&format!("{WHOLE}{KEY_ID}"));
    let two_keys = vec![(("Server 1", "Screen 1"), (-9000, -8000), "Z"), (("Server 2", "Screen 3"), (-330, -230), "Z")];
    let mut cases = vec![
        case(None, "ML-XX", &[&whole, SOUND, &english], announced),
        locked(None, (0, 100), LOCAL),
        locked(None, (-330, -230), ""),
        case(None, "ML-XX", &[&frames(146_880)], ""),
        case(None, "ML-en", &[&whole], announced),
        case(None, "ML-XX", &[&stereo], ""),
        case(None, "ML-XX", &[&of("<EditRate>24000 1001</EditRate><IntrinsicDuration>143856</IntrinsicDuration>")], ""),
        Case { assets: reels, ..case(None, "ML-XX", &[], "") },
        // In Screen 3.
        Case { keys: two_keys, ..case(None, "ML-XX", &[&encrypted], "") },
        Case { screening: "talk_minutes = 30", ..locked(None, (0, 100), LOCAL) },
        case(None, "ML-XX", &[&whole], "subtitles = \"none\""),
        case(None, "ML-XX", &[&whole, &subtitles("")], announced),
        locked(INVALID, (1, 200), LOCAL),
        locked(INVALID, (-100, 99), LOCAL),
        locked(INVALID, (0, 100), "Z"),
        locked(INVALID, (-2000, -1000), LOCAL),
        locked(INVALID, (0, 400), ""),
        Case { keys: Vec::new(), ..locked(NO_KEY, (0, 0), "") },
        // In Screen 1.
        Case { keys: vec![(("Server 2", "Screen 3"), (-999, 999), LOCAL)], ..locked(NO_KEY, (0, 0), "") },
        case(NO_KEY, "ML-XX", &[&whole, &SOUND.replace("</MainSound>", &format!("{KEY_ID}</MainSound>"))], ""),
        case(NO_KEY, "ML-EN", &[&whole, &subtitles(KEY_ID)], ""),
    ];
    cases.extend((0..3).map(|_| locked(OTHER_KEY, (-100, 200), LOCAL)));
    let shortened = "<EditRate>24 1</EditRate><IntrinsicDuration>144000</IntrinsicDuration><Duration>120000</Duration>";
    cases.extend([
        case(LENGTH, "ML-XX", &[&frames(148_320)], ""),
        case(LENGTH, "ML-XX", &[&frames(136_800)], ""),
        case(LENGTH, "ML-XX", &[&of(shortened)], ""),
        case(LENGTH, "ML-XX", &[&whole], "minutes = 90"),
        case(SUBTITLES, "ML-XX", &[&whole], announced),
        case(SUBTITLES, "ML-FR", &[&whole], announced),
        case(SUBTITLES, "ML-XX-CCAP", &[&whole], announced),
        case(SUBTITLES, "ML-XX", &[&whole, &english], "subtitles = \"English, Hindi\""),
    ]);
    cases
}

/// When the film of a case begins: three screenings a day in each of three halls.
fn begins(index: usize) -> DateTime {
    let day = 24 + index / 9;
    let hour = [10, 14, 18][index / 3 % 3];
    format!("2025-10-{day}T{hour}:00").parse().unwrap()
}

async fn exactly_the_twenty_planted_conflicts_of_prints_are_found(database: Database) {
    let app = TestApp::new(database).await;
    let cases = cases();
    let mut rows = String::new();
    for hall in 1..=3 {
        write!(rows, "[[halls]]\nname = \"Screen {hall}\"\n").unwrap();
    }
    let mut files = Vec::new();
    let mut expected = BTreeSet::new();
    for (index, case) in cases.iter().enumerate() {
        let name = format!("Print film {index:02}");
        write!(rows, "[[films]]\ncategory = \"malayalam\"\nname = \"{name}\"\nduration_minutes = 100\n").unwrap();
        let (hall, begin) = (index % 3 + 1, begins(index));
        let fields = format!("hall = \"Screen {hall}\"\nstarts_at = {begin}\n{}\n", case.screening);
        write!(rows, "[[screenings]]\ncode = \"P{index}\"\nfilm = \"{name}\"\n{fields}").unwrap();
        let id = format!("67334526-342c-475d-bb64-d8fd8318{index:04}");
        let title = format!("PrintFilm{index:02}_FTR-1_F_{}_IN-UA13_51_2K_XX_20250901_XX_SMPTE_OV", case.languages);
        let namespace = if index % 2 == 0 { SMPTE } else { INTEROP };
        files.push((format!("CPL_{id}.xml"), playlist(namespace, &id, &title, &case.assets)));
        let is_other = case.expected == OTHER_KEY;
        let opens = if is_other { id.replace("67334526", "eece17de") } else { id };
        for (number, (server, (from, until), offset)) in case.keys.iter().enumerate() {
            let time = |minutes: i64| format!("{}{offset}", begin.checked_add(minutes.minutes()).unwrap());
            let content = key(&opens, &title, *server, (&time(*from), &time(*until)));
            files.push((format!("keys/{index}-{number}.xml"), content));
        }
        expected.extend(case.expected.map(|label| (label.to_owned(), index)));
    }
    assert_eq!((cases.len(), expected.len()), (32, 20));
    seed(&app, &rows).await;
    let editor = create_account(&app, &EDITOR).await;
    let browser = Browser::signed_in(&app, &editor).await;
    // The list of files that comes with a print is no print.
    files.push(("ASSETMAP.xml".into(), "<AssetMap xmlns=\"http://www.smpte-ra.org/schemas/429-9/2007/AM\"/>".into()));
    let (alone, archived) = files.split_at(2);
    let archive = zipped(archived);
    let mut sent = vec![("files", "season.zip", &archive[..])];
    for (field, (name, content)) in ["files2", "files3"].into_iter().zip(alone) {
        sent.push((field, name, content.as_bytes()));
    }
    let page = import(&browser, "", &sent).await;
    let text = unescape_html(&page.text());
    assert_eq!(
        (page.status, text.matches("<span class=\"badge\">new</span>").count()),
        (200, files.len() - 1),
        "{text}"
    );
    assert_eq!(count_audited(&app, "import").await, 1);

    let folder = tempfile::tempdir().unwrap();
    let checked = run_programme(&app, folder.path(), &["check"]);
    let labels = [INVALID, NO_KEY, OTHER_KEY, LENGTH, SUBTITLES].map(Option::unwrap);
    let found: Vec<(String, usize)> = checked
        .out
        .lines()
        .filter_map(|line| {
            let label = labels.iter().find(|label| line.starts_with(&format!("{label}: ")))?;
            let (_, rest) = line.split_once("“Print film ")?;
            Some(((*label).to_owned(), rest[..2].parse().unwrap()))
        })
        .collect();
    assert_eq!(found.len(), 20, "{}", checked.out);
    assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected, "{}", checked.out);
    for sentence in [
        "Key not valid: Saturday 25 October, 14:00: the key of “Print film 12” for Screen 1 does not open it until the end \
         at 15:40. It is valid from 25 October 2025, 14:01 until 25 October 2025, 17:20. Ask for a longer key, or \
         move the screening.",
        "the print of “Print film 18” is encrypted, and there is no key for Screen 1. There are keys for other halls.",
        "The print of “Print film 24” (DCP, OV, 2K, Flat, 24 fps) runs 1:43:00, and the film is entered with 100 minutes.",
        "the print of “Print film 27” runs 1:40:00, and the screening has 90 minutes. Give it more time.",
        "has subtitles in French only, and “English” is announced.",
    ] {
        assert!(checked.out.contains(sentence), "{sentence}\n{}", checked.out);
    }
    assert!(
        !checked.out.contains("Print not available") && !checked.out.contains("Print elsewhere"),
        "{}",
        checked.out
    );

    // The same files once more change nothing.
    std::fs::write(folder.path().join("season.zip"), &archive).unwrap();
    let again = run_programme(&app, folder.path(), &["prints", "import", "season.zip"]);
    assert_eq!((again.code, again.out.matches("unchanged ").count()), (0, files.len() - 3), "{}", again.transcript());
}

pub(super) const ID: &str = "81fb54df-e1bf-4647-8788-ea7ba154375b";

async fn print_is_filled_from_its_playlist(database: Database) {
    let app = planned(database).await;
    app.write("INSERT INTO prints (edition_id, film_id, format, location, created_at, updated_at) SELECT edition_id, id, 'DCP', 'Archive', '', '' FROM films WHERE name = 'Bare'").await;
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &str| std::fs::write(folder.path().join(name), content).unwrap();
    let reels = [picture(&format!("<EditRate>25 1</EditRate><IntrinsicDuration>139250</IntrinsicDuration>{KEY_ID}"))];
    let title = "Bare_FTR-1_F-185_ML-EN-FR_IN-UA16+_51_4K_XX_20250901_XX_SMPTE_VF-2";
    // Names are found by the address of their namespace, whatever prefix they have.
    let prefixed = playlist(SMPTE, ID, title, &reels).replace("xmlns=", "xmlns:c=").replace('<', "<c:");
    let prefixed = prefixed.replace("<c:/", "</c:").replace("<c:?xml", "<?xml");
    write("cpl.xml", &format!("\n{prefixed}"));
    let window = ("2025-10-20T00:00:00+02:00", "2025-10-31T23:59:59+02:00");
    write("kdm.xml", &key(ID, "Another title", ("Server 9", "hall 2"), window));
    let import = |more: &[&str]| {
        run_programme(&app, folder.path(), &[&["prints", "import", "kdm.xml", "cpl.xml"], more].concat())
    };
    let tried = import(&["--dry-run"]);
    assert_eq!(tried.code, 0, "{}", tried.transcript());
    assert_eq!(app.number("SELECT count(*) FROM prints WHERE cpl_id IS NOT NULL").await, 0, "a dry run");
    let done = import(&[]);
    assert_eq!(done.out, tried.out);
    assert!(
        done.out.contains(
            "changed   cpl.xml: Print of “Bare”: DCP, VF-2, 4K, Flat, 25 fps; 1:32:50; encrypted; subtitles: English, French; \
             rated UA 16+ in India."
        ) && done.out.contains(
            "new       kdm.xml: Key of “Bare” for CS.Server 9 (Hall 2): 20 October 2025, 03:30 to 1 November 2025, 03:29."
        ),
        "{}",
        done.transcript()
    );
    let columns = "format || '|' || location || '|' || running_seconds || '|' || is_encrypted || '|' || subtitles || '|' || cpl_id";
    let print = app.texts(&format!("SELECT {columns} FROM prints")).await;
    assert_eq!(print, [format!("DCP, VF-2, 4K, Flat, 25 fps|Archive|5570|1|English, French|{ID}")]);
    let window = app.texts("SELECT valid_from || ' ' || valid_until FROM print_keys").await;
    assert_eq!(window, ["2025-10-19T22:00:00.000Z 2025-10-31T21:59:59.000Z"]);
    let history = "SELECT count(*) FROM revisions WHERE entity IN ('prints', 'print_keys')";
    assert_eq!(app.number(history).await, 3, "the print as it was entered, as it is now, and its key");
}

async fn film_that_no_title_tells_is_asked_for(database: Database) {
    let app = planned(database).await;
    let editor = create_account(&app, &EDITOR).await;
    let browser = Browser::signed_in(&app, &editor).await;
    let film = app.id("films", "name = 'Bare'").await;
    let send = async |title: &str, chosen: &str| {
        let file = playlist(SMPTE, ID, title, &[picture(WHOLE)]);
        unescape_html(&import(&browser, chosen, &[("files", "cpl.xml", file.as_bytes())]).await.text())
    };
    let text = send("Barre_FTR_F_ML-XX_IN_51_2K_OV", "").await;
    assert!(text.contains(&format!("Its title is “Barre”. Is it “Bare” (film {film})? Import it again")), "{text}");
    assert!(send("Reel 1", "").await.contains("Its title is “Reel 1”. No film is called so."));
    for (title, kind) in [("Bare_TLR-1_F_ML-XX_IN_51_2K_OV", "feature"), ("Bare", "Trailer")] {
        let kind = format!("<ContentKind>{kind}</ContentKind>");
        let file = playlist(SMPTE, ID, title, &[picture(WHOLE)]).replace("<ContentKind>feature</ContentKind>", &kind);
        let text = import(&browser, "", &[("files", "cpl.xml", file.as_bytes())]).await.text();
        assert!(unescape_html(&text).contains(&format!("It is the trailer “{title}”.")), "{text}");
    }
    assert_eq!(app.number("SELECT count(*) FROM prints").await, 0);
    let text = send("Reel 1", &film.to_string()).await;
    assert!(text.contains("Print of “Bare”: DCP, Flat, 24 fps; 1:40:00; not encrypted; no subtitles."), "{text}");
    // Two versions of a film are two prints.
    let other = playlist(SMPTE, &ID.replace("81fb54df", "0eb3d1b9"), "Bare", &[picture(WHOLE)]);
    import(&browser, "", &[("files", "cpl.xml", other.as_bytes())]).await;
    let formats = app.texts("SELECT format FROM prints ORDER BY id").await;
    assert_eq!(formats, ["DCP, Flat, 24 fps", "DCP, Flat, 24 fps, CPL 0eb3d1b9"]);
}

async fn hostile_files_are_refused(database: Database) {
    let app = planned(database).await;
    let editor = create_account(&app, &EDITOR).await;
    let browser = Browser::signed_in(&app, &editor).await;
    let send = async |content: &[u8]| {
        let page = browser.post_with_files(HOME, &[("film", "")], &[("files", "file.xml", content)]).await;
        unescape_html(&page.text())
    };
    let sound = playlist(SMPTE, ID, "Bare", &[picture(WHOLE)]);
    let huge = sound.replace("<RatingList/>", &" ".repeat(5 << 20));
    let length = |text: &str| sound.replace("<Duration>144000<", &format!("<Duration>{text}<"));
    let bomb = zipped(&[("CPL.xml".to_owned(), huge.clone())]);
    for (content, reason) in [
        (
            sound.replace("<CompositionPlaylist ", "<!DOCTYPE x [<!ENTITY a \"b\">]><CompositionPlaylist ").into(),
            "It has a document type",
        ),
        (sound.replace(">Bare<", ">&title;<").into(), "It uses an entity of its own."),
        (
            sound.replace("<RatingList/>", &format!("{}{}", "<a>".repeat(40), "</a>".repeat(40))).into(),
            "It has too many elements",
        ),
        (sound.replace("<RatingList/>", &"<a/>".repeat(60_000)).into(), "It has too many elements"),
        (huge.into(), "It is larger than 4 MB."),
        (bomb, "It is larger than 4 MB."),
        (sound[..sound.len() - 30].to_owned().into(), "It "),
        (sound.replace(SMPTE, "http://example.org/other").into(), "It is neither a playlist (CPL) nor a key (KDM)."),
        (sound.replace(ID, "1234").into(), "It has an id that is no UUID"),
        (length("-5").into(), "It has -5 as Duration of a picture."),
        (length("9999999999999").into(), "It has 9999999999999 as Duration of a picture."),
        (sound.replace("24 1<", "24 0<").into(), "It has 24 0 as EditRate."),
        (
            key(ID, "Bare", ("S", ""), ("2025-10-20T00:00:00Z", "2025-10-20T00:00:00Z")).into(),
            "It has a key that ends before it begins.",
        ),
        (key(ID, "Bare", ("S", ""), ("soon", "later")).into(), "It has no time in ContentKeysNotValidBefore."),
        (b"PK\x03\x04 and nothing else".to_vec(), "It cannot be read"),
        (b"\xff\xfe<".to_vec(), "It is not a text in UTF-8."),
    ] {
        let content: Vec<u8> = content;
        let text = send(&content).await;
        assert!(text.contains(reason) && text.contains("badge bad"), "{reason}: {text}");
    }
    assert_eq!(app.number("SELECT (SELECT count(*) FROM prints) + (SELECT count(*) FROM print_keys)").await, 0);
    let empty = browser.post_with_files(HOME, &[("film", "")], &[]).await;
    assert!(empty.status == 422 && empty.text().contains("Choose a file"), "{}", empty.text());
}

async fn readers_cannot_import_prints(database: Database) {
    let app = planned(database).await;
    let reader = create_account(&app, &READER).await;
    let browser = Browser::signed_in(&app, &reader).await;
    assert_eq!(browser.get(HOME).await.status, 403);
    let file = playlist(SMPTE, ID, "Bare", &[picture(WHOLE)]);
    let refused = browser.post_with_files(HOME, &[("film", "")], &[("files", "cpl.xml", file.as_bytes())]).await;
    assert_eq!((refused.status, app.number("SELECT count(*) FROM prints").await), (403, 0));
}
