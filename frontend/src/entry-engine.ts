/**
 * The script that the server's JavaScript engine runs (`core/web/src/page/engine.rs`): it has the language, JSON and
 * regular expressions, but no browser and no Node APIs. What React and the router expect is provided here.
 */
import './engine-globals';
// React Router parses URLs; the engine has no `URL`.
import 'core-js/web/url';
import { ready, renderPage } from './entry-server';

/** Functions of features that the server calls: `functions` in the `engine.ts` of their folders. */
const ofFeatures = Object.values(
  import.meta.glob<Record<string, (argument: never) => unknown>>('./features/*/engine.ts', {
    import: 'functions',
    eager: true,
  }),
);

const functions: Record<string, (argument: never) => unknown> = Object.assign({ renderPage }, ...ofFeatures);

// Each takes its argument as JSON, and returns its result as JSON.
for (const [name, run] of Object.entries(functions))
  Object.assign(globalThis, { [name]: (argument: string) => JSON.stringify(run(JSON.parse(argument) as never)) });

Object.assign(globalThis, { ready });
