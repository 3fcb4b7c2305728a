/**
 * The script that the server's JavaScript engine runs (`core/web/src/page/engine.rs`): it knows the language, JSON and
 * regular expressions, but no browser and no Node. What React and the router look for is here.
 */
import './engine-globals';
// React Router takes addresses apart; the engine does not know them.
import 'core-js/web/url';
import { ready, renderPage } from './entry-server';

Object.assign(globalThis, {
  /** Takes and answers JSON: a `PageRequest`, a `RenderedPage`. */
  renderPage: (request: string) => JSON.stringify(renderPage(JSON.parse(request))),
  ready,
});
