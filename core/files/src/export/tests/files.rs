//! Names, archives, and files that are whole or not there.

use std::io::{self, Cursor, Read as _, Seek, SeekFrom, Write};

use super::*;
use festival_base::error::Error;

#[test]
fn names_can_be_unpacked_everywhere() {
    for (text, name) in [
        ("ML-2025-0042 The Rain Road", "ML-2025-0042 The Rain Road"),
        ("ML-2025-0042 മഴയുടെ വഴി", "ML-2025-0042 മഴയുടെ വഴി"),
        ("../../etc/passwd", "_.._etc_passwd"),
        (r"C:\x|y?z*", "C__x_y_z_"),
        ("What? \"No\" <end>.", "What_ _No_ _end_"),
        ("line\r\nbreak\ttab\0null", "line break tabnull"),
        ("turned\u{202e}gnp.exe", "turnedgnp.exe"),
        ("e\u{301}", "é"),
        ("dots... ", "dots"),
        ("con", "con_"),
        ("LPT1.txt", "LPT1.txt_"),
        ("COM10", "COM10"),
        ("", ""),
        (" . ", ""),
    ] {
        assert_eq!(safe_name(text, 100), name, "{text:?}");
    }
}

#[test]
fn names_are_cut_between_letters() {
    assert_eq!(safe_name(&"a".repeat(500), 100).len(), 100);
    let malayalam = safe_name(&"മഴ".repeat(100), 100);
    assert!(malayalam.len() <= 200 && "മഴ".repeat(100).starts_with(&malayalam), "{malayalam}");
    // The sign of a vowel is not taken from its letter.
    assert_eq!(safe_name("abകാ", 3), "ab");
    assert_eq!(safe_name("abകാ", 4), "abകാ");
    assert_eq!(safe_name("ab👩\u{200d}🎨", 4), "ab");
}

#[test]
fn a_file_is_there_when_it_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("list.csv");
    let names =
        || std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>();
    let mut file = Unfinished::create(&path, false).unwrap();
    file.write_all(b"half").unwrap();
    file.flush().unwrap();
    assert!(!path.exists());
    drop(file);
    assert_eq!(names().len(), 0, "nothing of it stays");
    let mut file = Unfinished::create(&path, false).unwrap();
    file.write_all(b"whole").unwrap();
    file.keep().unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"whole");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
    assert!(matches!(Unfinished::create(&path, false), Err(Error::Conflict(_))));
    let mut file = Unfinished::create(&path, true).unwrap();
    file.write_all(b"other").unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"whole", "until the end the old one stays");
    file.keep().unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"other");
    assert!(matches!(Unfinished::create(folder.path(), true), Err(Error::BadRequest(_))));
    assert!(matches!(Unfinished::create(&folder.path().join("no/list.csv"), true), Err(Error::BadRequest(_))));
    // Somebody puts a file there meanwhile: it stays.
    let other = folder.path().join("other.csv");
    let file = Unfinished::create(&other, false).unwrap();
    std::fs::write(&other, "theirs").unwrap();
    assert!(matches!(file.keep(), Err(Error::Conflict(_))));
    assert_eq!(std::fs::read(&other).unwrap(), b"theirs");
    assert_eq!(names().len(), 2);
}

/// Reads so many bytes and then fails.
struct Broken(usize);

impl io::Read for Broken {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.0.min(buffer.len());
        self.0 -= read;
        if read == 0 { Err(io::Error::other("torn")) } else { Ok(read) }
    }
}

#[test]
fn an_archive_leaves_out_what_cannot_be_read_and_keeps_pictures_as_they_are() {
    let moment = "2025-10-24T18:00:06".parse().unwrap();
    let mut archive = Archive::new(Cursor::new(Vec::new()));
    let bytes = vec![7; 300_000];
    assert_eq!(archive.add("മഴ/poster.jpg", moment, false, &mut &bytes[..]).unwrap().unwrap(), 300_000);
    assert!(archive.add("torn.pdf", moment, true, &mut Broken(200_000)).unwrap().is_err());
    assert_eq!(archive.add("consent.pdf", moment, true, &mut &bytes[..]).unwrap().unwrap(), 300_000);
    let mut zip = zip::ZipArchive::new(archive.finish().unwrap()).unwrap();
    assert_eq!(zip.len(), 2);
    for (name, packed) in [("മഴ/poster.jpg", false), ("consent.pdf", true)] {
        let mut file = zip.by_name(name).unwrap();
        let mut back = Vec::new();
        file.read_to_end(&mut back).unwrap();
        assert_eq!(back, bytes, "{name}");
        assert_eq!(file.compressed_size() < file.size(), packed, "{name}");
        assert_eq!(file.last_modified().map(|at| at.to_string()).as_deref(), Some("2025-10-24 18:00:06"));
    }
}

/// As if five gigabytes stood before what is written.
struct Far(Cursor<Vec<u8>>);

const FAR: u64 = 5 << 30;

impl Write for Far {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Far {
    fn seek(&mut self, place: SeekFrom) -> io::Result<u64> {
        let place = match place {
            SeekFrom::Start(place) => SeekFrom::Start(place.saturating_sub(FAR)),
            other => other,
        };
        self.0.seek(place).map(|place| place + FAR)
    }
}

#[test]
fn an_archive_may_have_more_files_and_more_bytes_than_the_first_ones_could() {
    let moment = "2025-10-24T18:00:00".parse().unwrap();
    let mut archive = Archive::new(Cursor::new(Vec::new()));
    for number in 0..66_000 {
        let _ = archive.add(&format!("{number}/a"), moment, false, &mut io::empty()).unwrap();
    }
    assert_eq!(zip::ZipArchive::new(archive.finish().unwrap()).unwrap().len(), 66_000);
    let mut archive = Archive::new(Far(Cursor::new(Vec::new())));
    let _ = archive.add("far/a.jpg", moment, false, &mut &b"far"[..]).unwrap();
    let bytes = archive.finish().unwrap().0.into_inner();
    let holds = |mark: &[u8]| bytes.windows(mark.len()).any(|window| window == mark);
    assert!(holds(b"PK\x06\x06") && holds(b"PK\x06\x07"), "it ends as large archives do");
}
