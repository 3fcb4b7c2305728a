//! The JavaScript engine that renders pages: the same React components as in the browser, with the data of the moment.
//!
//! The script is `dist/server/render.js` of the built frontend (`frontend/src/entry-engine.ts`). It has no network, no
//! files and no clock worth the name; decision 19 says why it is here and what it costs.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use rquickjs::{CatchResultExt, Context, Ctx, Function, Promise, Runtime, Value};
use serde::Deserialize;
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::site::FrontendFiles;
use festival_base::error::{Error, Result};

/// The script, in the built frontend.
const SCRIPT: &str = "server/render.js";

/// Engines at once, at most; each takes about 7 MB.
const MAX_ENGINES: usize = 4;

/// Bytes that one engine may take, a guard: the largest page takes a fifth of it.
const MEMORY_LIMIT: usize = 128 * 1024 * 1024;

/// Bytes of the thread's stack that scripts may use; Tokio's blocking threads have 2 MiB.
const STACK_LIMIT: usize = 1024 * 1024;

/// Time that one page may take, a guard: the home page takes 25 ms.
const TIME_LIMIT: Duration = Duration::from_secs(5);

/// What the script answers.
#[derive(Debug, Deserialize)]
pub(super) struct RenderedPage {
    /// Lines of the document's head that the page says itself.
    pub(super) head: String,
    /// The page.
    pub(super) body: String,
    /// What went wrong; then the browser renders the page by itself.
    pub(super) error: Option<String>,
}

impl RenderedPage {
    /// Nothing: the browser renders the page by itself.
    pub(super) fn failed(error: String) -> Self {
        Self { head: String::new(), body: String::new(), error: Some(error) }
    }
}

/// Engines that wait for work, and turns for those who want one.
pub(super) struct Engines {
    files: FrontendFiles,
    script: OnceLock<Result<Arc<[u8]>, String>>,
    idle: Arc<Mutex<Vec<Engine>>>,
    turns: Semaphore,
}

/// The right to use an engine.
pub(super) struct Turn<'a>(#[expect(dead_code, reason = "it is given back when it is dropped")] SemaphorePermit<'a>);

impl Engines {
    /// Engines for the script in these files; the first one starts with the first page.
    pub(super) fn new(files: FrontendFiles) -> Self {
        let count = std::thread::available_parallelism().map_or(1, usize::from).min(MAX_ENGINES);
        Self { files, script: OnceLock::new(), idle: Arc::default(), turns: Semaphore::new(count) }
    }

    /// Waits for an engine to be free. Whoever gets a turn looks first whether somebody else has rendered the page
    /// meanwhile.
    ///
    /// # Errors
    /// None in practice: the turns end with the program.
    pub(super) async fn turn(&self) -> Result<Turn<'_>> {
        self.turns.acquire().await.map(Turn).map_err(Error::internal)
    }

    /// Renders the page that `request` describes, the JSON of a `PageRequest` in `frontend/src/entry-server.tsx`.
    ///
    /// # Errors
    /// [`Error::Internal`] if the script is missing, fails as a whole or exceeds its memory or time.
    pub(super) async fn render(&self, _turn: &Turn<'_>, request: String) -> Result<RenderedPage> {
        let script = self.script()?;
        let idle = self.idle.clone();
        let work = move || {
            let known = lock(&idle).pop();
            let engine = known.map_or_else(|| Engine::start(&script), Ok)?;
            let rendered = engine.render(&request)?;
            // An engine that failed is not used again.
            lock(&idle).push(engine);
            Ok(rendered)
        };
        let rendered: Result<String, String> = tokio::task::spawn_blocking(work).await.map_err(Error::internal)?;
        Ok(serde_json::from_str(&rendered.map_err(Error::internal)?)?)
    }

    /// Reads the script, where that was not done yet.
    ///
    /// # Errors
    /// [`Error::Internal`] if the frontend was not built.
    pub(super) fn script(&self) -> Result<Arc<[u8]>> {
        let read = || {
            let file = (self.files.get)(SCRIPT).ok_or("the website is not built; run \"make frontend\"")?;
            Ok(file.data.into())
        };
        self.script.get_or_init(read).clone().map_err(Error::internal)
    }
}

fn lock(idle: &Mutex<Vec<Engine>>) -> std::sync::MutexGuard<'_, Vec<Engine>> {
    idle.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One engine with the script loaded.
struct Engine {
    context: Context,
    /// When the work in hand must be done.
    deadline: Arc<Mutex<Instant>>,
}

impl Engine {
    fn start(script: &[u8]) -> Result<Self, String> {
        let runtime = Runtime::new().map_err(|error| error.to_string())?;
        runtime.set_memory_limit(MEMORY_LIMIT);
        runtime.set_max_stack_size(STACK_LIMIT);
        let deadline = Arc::new(Mutex::new(Instant::now() + TIME_LIMIT));
        let watched = deadline.clone();
        runtime.set_interrupt_handler(Some(Box::new(move || {
            watched.lock().is_ok_and(|deadline| Instant::now() > *deadline)
        })));
        let context = Context::full(&runtime).map_err(|error| error.to_string())?;
        context.with(|ctx| {
            let load = || {
                ctx.eval::<(), _>(script)?;
                ctx.globals().get::<_, Promise<'_>>("ready")?.finish::<Value<'_>>()
            };
            told(&ctx, load()).map(|_| ())
        })?;
        Ok(Self { context, deadline })
    }

    fn render(&self, request: &str) -> Result<String, String> {
        *self.deadline.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now() + TIME_LIMIT;
        self.context.with(|ctx| {
            let render = || ctx.globals().get::<_, Function<'_>>("renderPage")?.call((request,));
            told(&ctx, render())
        })
    }
}

/// A result whose error says what the script threw.
fn told<'js, T>(ctx: &Ctx<'js>, result: rquickjs::Result<T>) -> Result<T, String> {
    result.catch(ctx).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_that_never_ends_is_stopped() {
        let engine =
            Engine::start(b"globalThis.ready = Promise.resolve(); globalThis.renderPage = () => { for (;;); }");
        let engine = engine.unwrap_or_else(|error| unreachable!("{error}"));
        let past = Instant::now().checked_sub(TIME_LIMIT).unwrap_or_else(Instant::now);
        *engine.deadline.lock().unwrap_or_else(PoisonError::into_inner) = past;
        let endless = engine.context.with(|ctx| told(&ctx, ctx.eval::<(), _>("for (;;);")));
        assert!(endless.is_err_and(|error| error.contains("interrupted")));
    }

    #[test]
    fn what_a_script_throws_is_told() {
        let script = b"globalThis.ready = Promise.resolve(); globalThis.renderPage = () => { throw new Error('no') }";
        let engine = Engine::start(script).unwrap_or_else(|error| unreachable!("{error}"));
        assert!(engine.render("{}").is_err_and(|error| error.contains("no")));
    }
}
