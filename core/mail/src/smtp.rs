//! Sending to the mail server by SMTP. One connection serves all mails that are due at a time; every step has a
//! timeout.

use std::future::Future;
use std::path::Path;
use std::time::Duration;

use lettre::Message;
use lettre::transport::smtp::Error as SmtpError;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{AsyncSmtpConnection, Certificate, TlsParameters};
use lettre::transport::smtp::extension::ClientId;

use super::compose::host;
use super::failure::Failure;
use festival_base::settings::{Mail, MailTls, Settings};

/// A client of the mail server in the settings.
pub(super) struct Smtp {
    settings: Mail,
    client_id: ClientId,
    timeout: Duration,
    connection: Option<AsyncSmtpConnection>,
}

impl Smtp {
    pub(super) fn new(settings: &Settings) -> Self {
        Self {
            settings: settings.mail.clone(),
            client_id: ClientId::Domain(host(settings)),
            timeout: Duration::from_secs(settings.mail.timeout_seconds),
            connection: None,
        }
    }

    /// Sends the mail. Any failure closes the connection.
    pub(super) async fn send(&mut self, message: &Message) -> Result<(), Failure> {
        let mut connection = match self.reusable_connection().await {
            Some(connection) => connection,
            None => self.with_timeout(self.connect()).await.map_err(Failure::affecting_all)?,
        };
        let sent =
            async { connection.send(message.envelope(), &message.formatted()).await.map_err(|e| to_failure(&e)) };
        self.with_timeout(sent).await?;
        self.connection = Some(connection);
        Ok(())
    }

    /// Connects and logs in, and keeps the connection.
    pub(super) async fn try_connection(&mut self) -> Result<(), Failure> {
        self.connection = Some(self.with_timeout(self.connect()).await?);
        Ok(())
    }

    /// Closes the connection, if there is one.
    pub(super) async fn quit(&mut self) {
        if let Some(mut connection) = self.connection.take() {
            // The server has every mail already: whether it receives the QUIT does not matter.
            let _ = tokio::time::timeout(Duration::from_secs(2), connection.quit()).await;
        }
    }

    /// The connection of the previous mail, unless the server has closed it meanwhile.
    async fn reusable_connection(&mut self) -> Option<AsyncSmtpConnection> {
        let mut connection = self.connection.take()?;
        let is_open = tokio::time::timeout(self.timeout, connection.test_connected()).await.unwrap_or(false);
        is_open.then_some(connection)
    }

    /// Connects, encrypts the connection and logs in, as the settings say.
    async fn connect(&self) -> Result<AsyncSmtpConnection, Failure> {
        let settings = &self.settings;
        let tls = match settings.tls {
            MailTls::None => None,
            MailTls::Starttls | MailTls::Tls => Some(self.tls_parameters().await?),
        };
        let implicit_tls = tls.clone().filter(|_| settings.tls == MailTls::Tls);
        let server = (settings.host.as_str(), settings.port);
        let mut connection =
            AsyncSmtpConnection::connect_tokio1(server, Some(self.timeout), &self.client_id, implicit_tls, None)
                .await
                .map_err(|e| to_failure(&e))?;
        if let (MailTls::Starttls, Some(tls)) = (settings.tls, tls) {
            if !connection.can_starttls() {
                return Err(Failure::permanent(
                    "the mail server does not offer STARTTLS; see mail.tls in the settings",
                ));
            }
            connection.starttls(tls, &self.client_id).await.map_err(|e| to_failure(&e))?;
        }
        if !settings.user.is_empty() {
            let credentials = Credentials::new(settings.user.clone(), settings.password.reveal().to_owned());
            connection.auth(DEFAULT_MECHANISMS, &credentials).await.map_err(|e| to_failure(&e))?;
        }
        Ok(connection)
    }

    async fn tls_parameters(&self) -> Result<TlsParameters, Failure> {
        let mut builder = TlsParameters::builder(self.settings.host.clone());
        if !self.settings.ca_file.is_empty() {
            let invalid = |e: &dyn std::fmt::Display| Failure::permanent(format!("mail.ca_file cannot be used: {e}"));
            let pem = tokio::fs::read(Path::new(&self.settings.ca_file)).await.map_err(|e| invalid(&e))?;
            builder = builder.add_root_certificate(Certificate::from_pem(&pem).map_err(|e| invalid(&e))?);
        }
        builder.build().map_err(|e| to_failure(&e))
    }

    async fn with_timeout<T>(&self, step: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
        tokio::time::timeout(self.timeout, step).await.unwrap_or_else(|_| {
            let message = format!("no answer from the mail server within {} seconds", self.timeout.as_secs());
            Err(Failure::temporary(message).affecting_all())
        })
    }
}

/// Distinguishes failures of the connection from refusals of the mail, and temporary refusals from permanent ones.
fn to_failure(error: &SmtpError) -> Failure {
    let reason = std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string);
    match error.status() {
        Some(code) if error.is_permanent() => Failure::permanent(format!("the mail server refused: {code} {reason}")),
        Some(code) => Failure::temporary(format!("the mail server asked to wait: {code} {reason}")),
        None if error.is_client() => Failure::permanent(reason),
        None => Failure::temporary(format!("no connection to the mail server: {reason}")).affecting_all(),
    }
}
