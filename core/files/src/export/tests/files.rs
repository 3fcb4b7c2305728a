//! Tests of file names, archives, and atomic writing of files.

use std::io::{self, Cursor, Read as _, Seek, SeekFrom, Write};

use super::*;
use festival_base::error::Error;

#[test]
fn file_names_are_safe_on_all_systems() {
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
fn file_names_are_truncated_between_letters() {
    assert_eq!(safe_name(&"a".repeat(500), 100).len(), 100);
    let malayalam = safe_name(&"മഴ".repeat(100), 100);
    assert!(malayalam.len() <= 200 && "മഴ".repeat(100).starts_with(&malayalam), "{malayalam}");
    // A vowel sign is not separated from its letter.
    assert_eq!(safe_name("abകാ", 3), "ab");
    assert_eq!(safe_name("abകാ", 4), "abകാ");
    assert_eq!(safe_name("ab👩\u{200d}🎨", 4), "ab");
}

#[test]
fn file_appears_only_when_committed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("list.csv");
    let names =
        || std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>();
    let mut file = PendingFile::create(&path, false).unwrap();
    file.write_all(b"half").unwrap();
    file.flush().unwrap();
    assert!(!path.exists());
    drop(file);
    assert_eq!(names().len(), 0, "a dropped file is deleted");
    let mut file = PendingFile::create(&path, false).unwrap();
    file.write_all(b"whole").unwrap();
    file.commit().unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"whole");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
    assert!(matches!(PendingFile::create(&path, false), Err(Error::Conflict(_))));
    let mut file = PendingFile::create(&path, true).unwrap();
    file.write_all(b"other").unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"whole", "the old file stays until the commit");
    file.commit().unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"other");
    assert!(matches!(PendingFile::create(folder.path(), true), Err(Error::BadRequest(_))));
    assert!(matches!(PendingFile::create(&folder.path().join("no/list.csv"), true), Err(Error::BadRequest(_))));
    // A file that was created in the meantime is not replaced.
    let other = folder.path().join("other.csv");
    let file = PendingFile::create(&other, false).unwrap();
    std::fs::write(&other, "theirs").unwrap();
    assert!(matches!(file.commit(), Err(Error::Conflict(_))));
    assert_eq!(std::fs::read(&other).unwrap(), b"theirs");
    assert_eq!(names().len(), 2);
}

/// Yields this many bytes and then fails.
struct Broken(usize);

impl io::Read for Broken {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.0.min(buffer.len());
        self.0 -= read;
        if read == 0 { Err(io::Error::other("broken")) } else { Ok(read) }
    }
}

#[test]
fn archive_skips_unreadable_files_and_stores_pictures_uncompressed() {
    let moment = "2025-10-24T18:00:06".parse().unwrap();
    let mut archive = Archive::new(Cursor::new(Vec::new()));
    let bytes = vec![7; 300_000];
    assert_eq!(archive.add("മഴ/poster.jpg", moment, false, &mut &bytes[..]).unwrap().unwrap(), 300_000);
    assert!(archive.add("broken.pdf", moment, true, &mut Broken(200_000)).unwrap().is_err());
    assert_eq!(archive.add("consent.pdf", moment, true, &mut &bytes[..]).unwrap().unwrap(), 300_000);
    let mut zip = zip::ZipArchive::new(archive.finish().unwrap()).unwrap();
    assert_eq!(zip.len(), 2);
    for (name, is_compressed) in [("മഴ/poster.jpg", false), ("consent.pdf", true)] {
        let mut file = zip.by_name(name).unwrap();
        let mut content = Vec::new();
        file.read_to_end(&mut content).unwrap();
        assert_eq!(content, bytes, "{name}");
        assert_eq!(file.compressed_size() < file.size(), is_compressed, "{name}");
        assert_eq!(file.last_modified().map(|at| at.to_string()).as_deref(), Some("2025-10-24 18:00:06"));
    }
}

/// A writer that pretends to be five gigabytes further.
struct Offset(Cursor<Vec<u8>>);

const OFFSET: u64 = 5 << 30;

impl Write for Offset {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Offset {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        let position = match position {
            SeekFrom::Start(position) => SeekFrom::Start(position.saturating_sub(OFFSET)),
            other => other,
        };
        self.0.seek(position).map(|position| position + OFFSET)
    }
}

#[test]
fn archives_may_exceed_the_limits_of_zip32() {
    let moment = "2025-10-24T18:00:00".parse().unwrap();
    let mut archive = Archive::new(Cursor::new(Vec::new()));
    for number in 0..66_000 {
        let _ = archive.add(&format!("{number}/a"), moment, false, &mut io::empty()).unwrap();
    }
    assert_eq!(zip::ZipArchive::new(archive.finish().unwrap()).unwrap().len(), 66_000);
    let mut archive = Archive::new(Offset(Cursor::new(Vec::new())));
    let _ = archive.add("far/a.jpg", moment, false, &mut &b"far"[..]).unwrap();
    let bytes = archive.finish().unwrap().0.into_inner();
    let contains = |signature: &[u8]| bytes.windows(signature.len()).any(|window| window == signature);
    assert!(contains(b"PK\x06\x06") && contains(b"PK\x06\x07"), "it has the ZIP64 records");
}

/// The headers of the parts of a ZIP file, in its directory and before their data: the version of ZIP that a program
/// needs to read the part, and extra fields.
fn headers(zip: &[u8]) -> Vec<[(u16, &[u8]); 2]> {
    let short = |at: usize| u16::from_le_bytes(zip[at..at + 2].try_into().unwrap());
    let length = |at: usize| usize::from(short(at));
    let offset = |at: usize| u32::from_le_bytes(zip[at..at + 4].try_into().unwrap()) as usize;
    let end = zip.len() - 22;
    let mut headers = Vec::new();
    let mut entry = offset(end + 16);
    for _ in 0..length(end + 10) {
        assert!(zip[entry..].starts_with(b"PK\x01\x02"));
        let [name, extra, comment] = [28, 30, 32].map(|at| length(entry + at));
        let central = &zip[entry + 46 + name..][..extra];
        let part = offset(entry + 42);
        assert!(zip[part..].starts_with(b"PK\x03\x04"));
        let local = &zip[part + 30 + length(part + 26)..][..length(part + 28)];
        headers.push([(short(entry + 6), central), (short(part + 4), local)]);
        entry += 46 + name + extra + comment;
    }
    assert_eq!(entry, end, "ZIP64 has further records at the end");
    headers
}

/// LibreOffice before 24.8 opens no file with ZIP64, which is for more than four gigabytes.
#[test]
fn small_exports_and_archives_do_without_zip64() {
    let folder = tempfile::tempdir().unwrap();
    let table = |format: Format| {
        let columns = [Column::new("text", "Text"), Column::new("number", "Number")];
        let mut table = TableWriter::new(format, Vec::new(), &columns, false, folder.path()).unwrap();
        table.row(&[Cell::text("River"), Cell::Number(92)]).unwrap();
        table.finish().unwrap()
    };
    let mut archive = Archive::new(Cursor::new(Vec::new()));
    let moment = "2025-10-24T18:00:06".parse().unwrap();
    for (name, compress) in [("poster.jpg", false), ("consent.pdf", true)] {
        archive.add(name, moment, compress, &mut &[7; 3_000][..]).unwrap().unwrap();
    }
    let archive = archive.finish().unwrap().into_inner();
    for (name, bytes) in [("xlsx", table(Format::Xlsx)), ("ods", table(Format::Ods)), ("zip", archive)] {
        let headers = headers(&bytes);
        assert!(headers.len() > 1, "{name}");
        for [central, local] in headers {
            assert_eq!(central, local, "{name}");
            assert!(matches!(central, (10 | 20, [])), "{name}: {central:?}");
        }
    }
}
