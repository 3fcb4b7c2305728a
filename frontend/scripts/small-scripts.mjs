/**
 * What the build writes shorter than it would by itself: every page carries it, and each kilobyte of scripts is one that a
 * slow phone waits for. None of it is needed; where the build no longer looks as it did, the test of what pages weigh
 * says so.
 */

/** @typedef {import('vite').Plugin} Plugin */

/**
 * The names of classes as constants. A style sheet's default export is an object with all of its names, which a script
 * holds whole: `{ tile: 'file-tile-tile', .. }`. As constants they are written where they are used.
 * @type {Plugin}
 */
export const classNamesAsConstants = {
  name: 'class-names-as-constants',
  apply: 'build',
  enforce: 'pre',
  transform: {
    filter: { id: /\/src\/.*\.tsx$/ },
    handler: (code) => code.replace(/^import (\w+) from ('[^']+\.module\.css';)$/gm, 'import * as $1 from $2'),
  },
};

/**
 * A style sheet whose names are written elsewhere is needed all the same.
 * @type {Plugin}
 */
export const keptStyles = {
  name: 'kept-styles',
  apply: 'build',
  enforce: 'post',
  transform: {
    order: 'post',
    filter: { id: /\.module\.css$/ },
    handler: (code) => ({ code, moduleSideEffects: 'no-treeshake' }),
  },
};

/** The module that the build adds to every script which loads another one later. */
const PRELOAD_HELPER = '\0vite/preload-helper.js';

/**
 * Asks for all files of a page at once when it is loaded later. The build's own code for it also knows style sheets and
 * nonces, which no page here has.
 * @type {Plugin}
 */
export const smallPreload = {
  name: 'small-preload',
  apply: 'build',
  enforce: 'pre',
  load: {
    filter: { id: new RegExp(`^${PRELOAD_HELPER}$`) },
    handler: () => `
      const asked = new Set();
      export const __vitePreload = (load, files = []) => {
        for (const file of files) {
          if (asked.has(file)) continue;
          asked.add(file);
          document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href: '/' + file }));
        }
        return load();
      };`,
  },
};
