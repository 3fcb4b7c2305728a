/**
 * Shortens code that the build adds to every page: a slow phone waits for each kilobyte of scripts. None of this is
 * required; if the output of the build changes, the test of page sizes fails.
 */

/** @typedef {import('vite').Plugin} Plugin */

/**
 * The names of classes as constants. A style sheet's default export is an object with all of its names, which a script
 * contains whole: `{ tile: 'file-tile-tile', .. }`. As constants they are inlined where they are used.
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
 * A style sheet is needed even if its names are inlined elsewhere.
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
 * Requests all files of a page at once when it is loaded later. The build's own code for this also handles style sheets
 * and nonces, which no page here has.
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
