//! Secrets in the database: values that the program has to read again, and that nobody else should who gets a copy of
//! the database.
//!
//! They are encrypted with AES-256-GCM, each with a nonce of its own and bound to its table, column and row: moved to
//! another place it does not open. The keys stand in a file beside the database, never in it, and in no backup. Its first
//! key encrypts; every one of them decrypts, so that a new key does not close what an older one encrypted.

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use data_encoding::{BASE64URL_NOPAD, HEXLOWER, HEXLOWER_PERMISSIVE};
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::digest::{SHA256, digest};
use ring::rand::{SecureRandom as _, SystemRandom};
use sqlx::AssertSqlSafe;

use crate::db::{Datum, Db, Select, Test};
use crate::error::{Error, Result};

/// The file's name in `data_dir`, where the settings name no other.
pub const KEY_FILE: &str = "secrets.key";
/// What an encrypted value begins with; the id of its key and the value follow, each after a dot.
const MARK: &str = "encrypted.1.";
/// Bytes of a key.
const KEY_BYTES: usize = 32;
/// Rows that are encrypted in one transaction.
const STEP: u16 = 500;

/// A column with secrets.
#[derive(Debug)]
pub struct SecretColumn {
    /// Its table, which has an `id`.
    pub table: &'static str,
    /// Its name. Nothing and "" are stored as they are.
    pub column: &'static str,
    /// The column that tells its rows apart and never changes.
    pub row: &'static str,
    /// What it holds, in the plural: "second factors of accounts".
    pub what: &'static str,
    /// What an organiser does where the key is lost, as a sentence.
    pub remedy: &'static str,
}

/// The keys that encrypt and decrypt secrets. Clones are the same keys.
#[derive(Clone)]
pub struct Secrets {
    file: Arc<Path>,
    keys: Arc<[Key]>,
}

struct Key {
    /// Tells the key that a value needs, and nothing of the key.
    id: String,
    hex: String,
    cipher: LessSafeKey,
}

/// How a column stands with the keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Values that are not encrypted.
    pub plain: u64,
    /// Values that an older key opens.
    pub older: u64,
    /// Values that none of the keys opens.
    pub closed: u64,
}

impl Secrets {
    /// The keys in `file`; where there is none, it is made with a new key, for its owner alone.
    ///
    /// # Errors
    /// [`Error::BadRequest`] where the file holds something else; if it cannot be read or written.
    pub fn open(file: &Path) -> Result<Self> {
        let keys = match fs::read_to_string(file) {
            Ok(text) => read(file, &text)?,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                write(file, &[&Key::random()?], false)?;
                // Another program may have been quicker.
                read(file, &fs::read_to_string(file)?)?
            }
            Err(error) => {
                return Err(Error::BadRequest(format!("the key file {} cannot be read: {error}", file.display())));
            }
        };
        Ok(Self { file: file.into(), keys: keys.into() })
    }

    /// Where the keys are.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Encrypts `plain` for one row of a column.
    ///
    /// # Errors
    /// If the system has no random bytes.
    pub fn encrypt(&self, column: &SecretColumn, row: &str, plain: &str) -> Result<String> {
        if plain.is_empty() {
            return Ok(String::new());
        }
        let key = self.keys.first().ok_or_else(|| Error::internal("there is no key"))?;
        let nonce = random::<NONCE_LEN>()?;
        let mut bytes = plain.as_bytes().to_vec();
        key.cipher
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::from(place(column, row)), &mut bytes)
            .map_err(|_| Error::internal("the secret cannot be encrypted"))?;
        Ok(format!("{MARK}{}.{}", key.id, BASE64URL_NOPAD.encode(&[&nonce[..], &bytes].concat())))
    }

    /// What was encrypted for this row of a column; `None` where no key opens it. A value from before there were keys is
    /// answered as it is.
    pub fn decrypt(&self, column: &SecretColumn, row: &str, stored: &str) -> Option<String> {
        let Some(value) = stored.strip_prefix(MARK) else { return Some(stored.to_owned()) };
        let (id, value) = value.split_once('.')?;
        let mut bytes = BASE64URL_NOPAD.decode(value.as_bytes()).ok()?;
        let (nonce, sealed) = bytes.split_at_mut_checked(NONCE_LEN)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let cipher = &self.keys.iter().find(|key| key.id == id)?.cipher;
        let plain = cipher.open_in_place(nonce, Aad::from(place(column, row)), sealed).ok()?;
        String::from_utf8(plain.to_vec()).ok()
    }

    /// Encrypts what stands in `column` unencrypted or with an older key, and answers what it found. What no key opens
    /// stays as it is. Killed in the middle, the next run does the rest.
    ///
    /// # Errors
    /// If the database cannot be read or written.
    pub async fn encrypt_column(&self, db: &Db, column: &SecretColumn) -> Result<Found> {
        let sql = format!(
            "UPDATE {table} SET {column} = $1 WHERE id = $2 AND {column} = $3",
            table = column.table,
            column = column.column
        );
        let (mut found, mut after) = (Found::default(), 0);
        loop {
            let mut write = db.write_private().await?;
            let rows = select(column).page(&mut write, after, STEP).await?;
            let Some((last, _)) = rows.last() else {
                write.rollback().await?;
                return Ok(found);
            };
            after = *last;
            for (id, values) in &rows {
                let (row, stored) = row_of(values);
                if !found.count(self, column, &row, &stored) {
                    continue;
                }
                let Some(plain) = self.decrypt(column, &row, &stored) else { continue };
                // The statement is made of names in the program's own source.
                sqlx::query(AssertSqlSafe(sql.clone()))
                    .bind(self.encrypt(column, &row, &plain)?)
                    .bind(*id)
                    .bind(stored)
                    .execute(&mut *write)
                    .await?;
            }
            write.commit().await?;
        }
    }

    /// How `column` stands with the keys.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn look_through(&self, db: &Db, column: &SecretColumn) -> Result<Found> {
        let mut connection = db.read().await?;
        let (mut found, mut after) = (Found::default(), 0);
        let select = select(column);
        loop {
            let rows = select.page(&mut connection, after, STEP).await?;
            let Some((last, _)) = rows.last() else { return Ok(found) };
            after = *last;
            for (_, values) in &rows {
                let (row, stored) = row_of(values);
                found.count(self, column, &row, &stored);
            }
        }
    }

    /// The keys with a new one in front, which encrypts from now on. The others stay in the file: backups need them.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn with_new_key(&self) -> Result<Self> {
        let new = Key::random()?;
        let keys: Vec<&Key> = std::iter::once(&new).chain(self.keys.iter()).collect();
        write(&self.file, &keys, true)?;
        Self::open(&self.file)
    }

    fn is_latest(&self, stored: &str) -> bool {
        let id = stored.strip_prefix(MARK).and_then(|value| value.split_once('.')).map(|(id, _)| id);
        self.keys.first().is_some_and(|key| id == Some(key.id.as_str()))
    }
}

impl Found {
    /// Counts a value, and answers whether it has to be encrypted anew.
    fn count(&mut self, secrets: &Secrets, column: &SecretColumn, row: &str, stored: &str) -> bool {
        let counted = if !stored.starts_with(MARK) {
            &mut self.plain
        } else if secrets.decrypt(column, row, stored).is_none() {
            self.closed += 1;
            return false;
        } else if secrets.is_latest(stored) {
            return false;
        } else {
            &mut self.older
        };
        *counted += 1;
        true
    }
}

impl Key {
    fn new(bytes: &[u8]) -> Option<Self> {
        let cipher = LessSafeKey::new(UnboundKey::new(&AES_256_GCM, bytes).ok()?);
        let hash = digest(&SHA256, &[b"id of a key of secrets\0", bytes].concat());
        Some(Self { id: HEXLOWER.encode(&hash.as_ref()[..4]), hex: HEXLOWER.encode(bytes), cipher })
    }

    fn random() -> Result<Self> {
        Self::new(&random::<KEY_BYTES>()?).ok_or_else(|| Error::internal("a key of the wrong length"))
    }
}

fn random<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    SystemRandom::new().fill(&mut bytes).map_err(|_| Error::internal("the system has no random bytes"))?;
    Ok(bytes)
}

/// What a value is bound to.
fn place(column: &SecretColumn, row: &str) -> Vec<u8> {
    [column.table, column.column, row].join("\0").into_bytes()
}

fn select(column: &SecretColumn) -> Select {
    let select = Select::new(column.table, vec![column.row, column.column]);
    select.only(column.column, Test::IsNot, Datum::Text(String::new()))
}

fn row_of(values: &[Datum]) -> (String, String) {
    let text = |place: usize| match values.get(place) {
        Some(Datum::Text(text)) => text.clone(),
        Some(Datum::Integer(number)) => number.to_string(),
        _ => String::new(),
    };
    (text(0), text(1))
}

fn read(file: &Path, text: &str) -> Result<Vec<Key>> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let key = |line: &str| HEXLOWER_PERMISSIVE.decode(line.as_bytes()).ok().and_then(|bytes| Key::new(&bytes));
    let keys: Option<Vec<Key>> = lines.map(key).collect();
    keys.filter(|keys| !keys.is_empty()).ok_or_else(|| {
        Error::BadRequest(format!(
            "{} is not a key file: every line has to be a key of 64 hexadecimal digits. Put your copy of it back; without \
             one move the file away, and the site starts with a new key that opens nothing from before",
            file.display()
        ))
    })
}

/// Writes the file, whole or not at all, for its owner alone. Where `replaces` is false, a file that is there stays.
fn write(file: &Path, keys: &[&Key], replaces: bool) -> Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut written = tempfile::NamedTempFile::new_in(folder)?;
    let lines: Vec<String> = keys.iter().map(|key| format!("{}\n", key.hex)).collect();
    written.write_all(
        b"# Opens the secrets in the database. Keep a copy apart from the backups. The first key encrypts; all decrypt.\n",
    )?;
    written.write_all(lines.concat().as_bytes())?;
    written.as_file().sync_all()?;
    let persisted = if replaces { written.persist(file) } else { written.persist_noclobber(file) };
    match persisted {
        Err(error) if replaces || error.error.kind() != ErrorKind::AlreadyExists => return Err(error.error.into()),
        _ => {}
    }
    if cfg!(unix) {
        fs::File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// Where the keys of a site are: `named` in its settings, or else in `data_dir`.
pub fn key_file(named: &Path, data_dir: &Path) -> PathBuf {
    if named.as_os_str().is_empty() { data_dir.join(KEY_FILE) } else { named.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMN: SecretColumn =
        SecretColumn { table: "things", column: "word", row: "id", what: "words", remedy: "Ask again." };
    const OTHER: SecretColumn = SecretColumn { column: "other", ..COLUMN };

    #[test]
    fn a_value_opens_at_its_own_place_alone() {
        let folder = tempfile::tempdir().unwrap();
        let secrets = Secrets::open(&folder.path().join("a.key")).unwrap();
        let stored = secrets.encrypt(&COLUMN, "7", "open sesame").unwrap();
        assert!(!stored.contains("sesame"));
        assert_ne!(stored, secrets.encrypt(&COLUMN, "7", "open sesame").unwrap(), "each has a nonce of its own");
        assert_eq!(secrets.decrypt(&COLUMN, "7", &stored).as_deref(), Some("open sesame"));
        assert_eq!(secrets.decrypt(&COLUMN, "8", &stored), None);
        assert_eq!(secrets.decrypt(&OTHER, "7", &stored), None);
        let last = if stored.ends_with('A') { 'B' } else { 'A' };
        let changed = format!("{}{last}", &stored[..stored.len() - 1]);
        assert_eq!(secrets.decrypt(&COLUMN, "7", &changed), None);
        for broken in ["encrypted.1.", "encrypted.1.00", "encrypted.1.00.AA", "encrypted.1.00000000.////"] {
            assert_eq!(secrets.decrypt(&COLUMN, "7", broken), None, "{broken}");
        }
        assert_eq!(secrets.decrypt(&COLUMN, "7", "from before").as_deref(), Some("from before"));
    }

    #[test]
    fn a_new_key_closes_nothing_and_another_opens_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("deep/a.key");
        let secrets = Secrets::open(&file).unwrap();
        let stored = secrets.encrypt(&COLUMN, "7", "open sesame").unwrap();
        let before = Secrets::open(&file).unwrap();
        assert_eq!(
            before.decrypt(&COLUMN, "7", &stored).as_deref(),
            Some("open sesame"),
            "the same file, the same key"
        );
        let after = secrets.with_new_key().unwrap();
        assert!(before.is_latest(&stored) && !after.is_latest(&stored));
        let newer = after.encrypt(&COLUMN, "7", "open sesame").unwrap();
        assert_eq!(before.decrypt(&COLUMN, "7", &newer), None);
        assert!([&stored, &newer].iter().all(|value| after.decrypt(&COLUMN, "7", value).is_some()));
        let other = Secrets::open(&folder.path().join("b.key")).unwrap();
        assert_eq!(other.decrypt(&COLUMN, "7", &newer), None);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }

    #[test]
    fn a_damaged_file_is_refused_and_stays() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.key");
        for text in ["", "# nothing\n", "abc\n", &"0".repeat(62), &"x".repeat(64)] {
            fs::write(&file, text).unwrap();
            let error = Secrets::open(&file).err().unwrap().to_string();
            assert!(error.contains("is not a key file"), "{error}");
            assert_eq!(fs::read_to_string(&file).unwrap(), text);
        }
    }
}
