import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { cssName } from './scripts/css-names.mjs';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** What the browser loads later, the server never needs: it renders once and runs no effects. Only the pages are there. */
const pagesOnly: Plugin = {
  name: 'pages-only',
  resolveDynamicImport(_, importer) {
    return /\/(routes|module)\.ts$/.test(importer) ? null : '\0later';
  },
  load: (id) => (id === '\0later' ? 'export default undefined' : null),
};

/** One script with every page in it, for the JavaScript engine of the server: `dist/server/render.js`. */
export default defineConfig({
  plugins: [react({ jsxImportSource: '@/shared/jsx' }), pagesOnly],
  css: { modules: { generateScopedName: cssName } },
  resolve: {
    alias: {
      '@': here('./src'),
      // The package's own entry brings the streaming renderer along, which looks for streams and channels.
      'react-dom/server': here('./node_modules/react-dom/cjs/react-dom-server-legacy.browser.production.js'),
    },
  },
  define: { 'process.env.NODE_ENV': '"production"' },
  ssr: { noExternal: true, target: 'webworker' },
  build: {
    ssr: 'src/entry-engine.ts',
    outDir: 'dist/server',
    copyPublicDir: false,
    minify: true,
    rolldownOptions: { output: { format: 'iife', codeSplitting: false, entryFileNames: 'render.js' } },
  },
});
