/**
 * The script that the server's JavaScript engine runs (`core/web/src/page/engine.rs`): it has the language, JSON and
 * regular expressions, but no browser and no Node APIs. What React and the router expect is provided here.
 */
import './engine-globals';
// React Router parses URLs; the engine has no `URL`.
import 'core-js/web/url';
import { ready, renderPage } from './entry-server';

Object.assign(globalThis, {
  /** Takes a `PageRequest` as JSON, and returns a `RenderedPage` as JSON. */
  renderPage: (request: string) => JSON.stringify(renderPage(JSON.parse(request))),
  ready,
});
