//! Encryption of secrets in the database, for values that the program has to read back, such as TOTP secrets.
//!
//! Values are encrypted with AES-256-GCM, each with its own nonce and bound to its table, column and row as associated
//! data, so that a ciphertext cannot be moved to another row. The keys are in a file next to the database, never in it
//! and in no backup. The first key encrypts; all keys decrypt, so that values remain readable after a key rotation.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use data_encoding::{BASE64URL_NOPAD, HEXLOWER, HEXLOWER_PERMISSIVE};
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::digest::{SHA256, digest};
use ring::rand::{SecureRandom as _, SystemRandom};
use sqlx::AssertSqlSafe;

use crate::db::{Datum, Db, Select, Test};
use crate::durable::{self, Existing, folder_of};
use crate::error::{Error, Result};

/// Name of the key file in `data_dir`, unless the settings name another file.
pub const KEY_FILE: &str = "secrets.key";
/// Prefix of an encrypted value, which is `encrypted.1.<key id>.<nonce and ciphertext>`.
const PREFIX: &str = "encrypted.1.";
/// Length of a key in bytes.
const KEY_BYTES: usize = 32;
/// Rows that are encrypted in one transaction.
const BATCH_SIZE: u16 = 500;

/// A database column that holds encrypted values.
#[derive(Debug)]
pub struct SecretColumn {
    /// The table, which has a column `id`.
    pub table: &'static str,
    /// The column's name. NULL and empty values are stored as they are.
    pub column: &'static str,
    /// A unique column of the table whose values never change; values are bound to it.
    pub row: &'static str,
    /// What the column holds, in the plural, for messages: "second factors of accounts".
    pub what: &'static str,
    /// What an organiser has to do if the key is lost, as a sentence.
    pub remedy: &'static str,
}

/// The keys that encrypt and decrypt secrets. Clones share the keys.
#[derive(Clone)]
pub struct Secrets {
    file: Arc<Path>,
    keys: Arc<[Key]>,
}

struct Key {
    /// Identifies the key without revealing it: the first four bytes of a hash, in hexadecimal.
    id: String,
    hex: String,
    cipher: LessSafeKey,
}

/// The number of values in a column that are not encrypted with the current key, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SecretCounts {
    /// Values that are not encrypted.
    pub plaintext: u64,
    /// Values that are encrypted with an older key.
    pub old_key: u64,
    /// Values that none of the keys decrypts.
    pub undecryptable: u64,
}

impl Secrets {
    /// Reads the keys from `file`; a missing file is created with a new key, readable by its owner only.
    ///
    /// # Errors
    /// [`Error::BadRequest`] if the file cannot be read or is not a key file; an internal error if it cannot be
    /// written.
    pub fn open(file: &Path) -> Result<Self> {
        let keys = match fs::read_to_string(file) {
            Ok(text) => parse_keys(file, &text)?,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                write_keys(file, &[&Key::random()?], Existing::Keep)?;
                // Another process may have created the file first.
                parse_keys(file, &fs::read_to_string(file)?)?
            }
            Err(error) => {
                return Err(Error::BadRequest(format!("the key file {} cannot be read: {error}", file.display())));
            }
        };
        Ok(Self { file: file.into(), keys: keys.into() })
    }

    /// Returns the path of the key file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Encrypts `plain` for one row of a column. An empty text stays empty.
    ///
    /// # Errors
    /// If the system provides no random bytes.
    pub fn encrypt(&self, column: &SecretColumn, row: &str, plain: &str) -> Result<String> {
        if plain.is_empty() {
            return Ok(String::new());
        }
        let key = self.keys.first().ok_or_else(|| Error::internal("the key file has no key"))?;
        let nonce = random::<NONCE_LEN>()?;
        let mut bytes = plain.as_bytes().to_vec();
        key.cipher
            .seal_in_place_append_tag(
                Nonce::assume_unique_for_key(nonce),
                Aad::from(associated_data(column, row)),
                &mut bytes,
            )
            .map_err(|_| Error::internal("the secret cannot be encrypted"))?;
        Ok(format!("{PREFIX}{}.{}", key.id, BASE64URL_NOPAD.encode(&[&nonce[..], &bytes].concat())))
    }

    /// Decrypts a stored value of this row and column; `None` if no key decrypts it. A value without the prefix of
    /// encrypted values is plaintext and returned unchanged.
    pub fn decrypt(&self, column: &SecretColumn, row: &str, stored: &str) -> Option<String> {
        let Some(value) = stored.strip_prefix(PREFIX) else { return Some(stored.to_owned()) };
        let (id, value) = value.split_once('.')?;
        let mut bytes = BASE64URL_NOPAD.decode(value.as_bytes()).ok()?;
        let (nonce, sealed) = bytes.split_at_mut_checked(NONCE_LEN)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let cipher = &self.keys.iter().find(|key| key.id == id)?.cipher;
        let plain = cipher.open_in_place(nonce, Aad::from(associated_data(column, row)), sealed).ok()?;
        String::from_utf8(plain.to_vec()).ok()
    }

    /// Counts the values of `column` that are not encrypted with the current key; if `encrypts`, then encrypts those that
    /// are plaintext or encrypted with an older key. An interrupted run is completed by the next one.
    ///
    /// # Errors
    /// If the database cannot be read or written.
    pub async fn inspect_column(&self, db: &Db, column: &SecretColumn, encrypts: bool) -> Result<SecretCounts> {
        let sql = format!("UPDATE {0} SET {1} = $1 WHERE id = $2 AND {1} = $3", column.table, column.column);
        let select = Select::new(column.table, [column.row, column.column]);
        let select = select.filter(column.column, Test::IsNot, Datum::Text(String::new()));
        let (mut counts, mut after) = (SecretCounts::default(), 0);
        loop {
            let rows = select.page(&mut *db.read().await?, after, BATCH_SIZE).await?;
            let Some((last, _)) = rows.last() else { return Ok(counts) };
            after = *last;
            let mut encrypted = Vec::new();
            for (id, values) in &rows {
                let (row, stored) = row_and_secret(values);
                if counts.count(self, column, &row, &stored)
                    && encrypts
                    && let Some(plain) = self.decrypt(column, &row, &stored)
                {
                    encrypted.push((*id, stored, self.encrypt(column, &row, &plain)?));
                }
            }
            if encrypted.is_empty() {
                continue;
            }
            let mut write = db.write_private().await?;
            for (id, stored, value) in encrypted {
                // The statement contains only names from the program's own source.
                let update = sqlx::query(AssertSqlSafe(sql.clone())).bind(value).bind(id).bind(stored);
                update.execute(&mut *write).await?;
            }
            write.commit().await?;
        }
    }

    /// Adds a new key to the file and returns the keys with it. The new key encrypts from now on; the older ones are
    /// kept, because backups need them.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn with_new_key(&self) -> Result<Self> {
        let new = Key::random()?;
        let keys: Vec<&Key> = std::iter::once(&new).chain(self.keys.iter()).collect();
        write_keys(&self.file, &keys, Existing::Replace)?;
        Self::open(&self.file)
    }

    fn is_encrypted_with_current_key(&self, stored: &str) -> bool {
        let id = stored.strip_prefix(PREFIX).and_then(|value| value.split_once('.')).map(|(id, _)| id);
        self.keys.first().is_some_and(|key| id == Some(key.id.as_str()))
    }
}

impl SecretCounts {
    /// Counts a value and returns whether it has to be encrypted again.
    fn count(&mut self, secrets: &Secrets, column: &SecretColumn, row: &str, stored: &str) -> bool {
        let counter = if !stored.starts_with(PREFIX) {
            &mut self.plaintext
        } else if secrets.decrypt(column, row, stored).is_none() {
            self.undecryptable += 1;
            return false;
        } else if secrets.is_encrypted_with_current_key(stored) {
            return false;
        } else {
            &mut self.old_key
        };
        *counter += 1;
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

/// The associated data that a value is bound to.
fn associated_data(column: &SecretColumn, row: &str) -> Vec<u8> {
    [column.table, column.column, row].join("\0").into_bytes()
}

/// The row's identifying value and the stored secret.
fn row_and_secret(values: &[Datum]) -> (String, String) {
    let text = |index: usize| match values.get(index) {
        Some(Datum::Text(text)) => text.clone(),
        Some(Datum::Integer(number)) => number.to_string(),
        _ => String::new(),
    };
    (text(0), text(1))
}

fn parse_keys(file: &Path, text: &str) -> Result<Vec<Key>> {
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

/// Writes the file atomically, readable by its owner only. An existing file may be kept.
fn write_keys(file: &Path, keys: &[&Key], existing: Existing) -> Result<()> {
    fs::create_dir_all(folder_of(file))?;
    let mut text =
        "# Opens the secrets in the database. Keep a copy apart from the backups. The first key encrypts; all decrypt.\n"
            .to_owned();
    keys.iter().for_each(|key| text.extend([&key.hex, "\n"]));
    match durable::write(file, text.as_bytes(), existing) {
        Err(error) if existing == Existing::Replace || error.kind() != ErrorKind::AlreadyExists => Err(error.into()),
        _ => Ok(()),
    }
}

/// Returns the path of a site's key file: `configured` in its settings, or by default [`KEY_FILE`] in `data_dir`.
pub fn key_file(configured: &Path, data_dir: &Path) -> PathBuf {
    if configured.as_os_str().is_empty() { data_dir.join(KEY_FILE) } else { configured.to_owned() }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    const COLUMN: SecretColumn =
        SecretColumn { table: "things", column: "word", row: "id", what: "words", remedy: "Ask again." };
    const OTHER: SecretColumn = SecretColumn { column: "other", ..COLUMN };

    #[test]
    fn values_decrypt_only_for_their_table_column_and_row() {
        let folder = tempfile::tempdir().unwrap();
        let secrets = Secrets::open(&folder.path().join("a.key")).unwrap();
        let stored = secrets.encrypt(&COLUMN, "7", "open sesame").unwrap();
        assert!(!stored.contains("sesame"));
        assert_ne!(stored, secrets.encrypt(&COLUMN, "7", "open sesame").unwrap(), "each value has its own nonce");
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
    fn key_rotation_keeps_old_values_readable_and_foreign_keys_decrypt_nothing() {
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
        assert!(before.is_encrypted_with_current_key(&stored) && !after.is_encrypted_with_current_key(&stored));
        let newer = after.encrypt(&COLUMN, "7", "open sesame").unwrap();
        assert_eq!(before.decrypt(&COLUMN, "7", &newer), None);
        assert!([&stored, &newer].iter().all(|value| after.decrypt(&COLUMN, "7", value).is_some()));
        let other = Secrets::open(&folder.path().join("b.key")).unwrap();
        assert_eq!(other.decrypt(&COLUMN, "7", &newer), None);
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn damaged_key_file_is_rejected_and_not_overwritten() {
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
