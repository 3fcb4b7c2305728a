import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { cssName } from './scripts/css-names.mjs';
import { devShell } from './scripts/dev-shell.mjs';
import { classNamesAsConstants, keptStyles, smallPreload } from './scripts/small-scripts.mjs';

/** Where `npm run dev` finds a running festival server. */
const server = process.env.FESTIVAL_SERVER ?? 'http://127.0.0.1:8000';

const routerFile = (name: string) =>
  fileURLToPath(new URL(`./node_modules/react-router/dist/production/${name}`, import.meta.url));

export default defineConfig({
  plugins: [
    react({ jsxImportSource: '@/shared/jsx' }),
    devShell(server),
    classNamesAsConstants,
    keptStyles,
    smallPreload,
  ],
  css: { modules: { generateScopedName: cssName } },
  resolve: {
    alias: {
      '@': fileURLToPath(new URL('./src', import.meta.url)),
      // The router's own entry is that of development, in builds, too.
      'react-router/dom': routerFile('dom-export.mjs'),
      'react-router': routerFile('index.mjs'),
      // SWR brings a stand-in for what React has had for years.
      'use-sync-external-store/shim': 'react',
    },
  },
  build: {
    manifest: true,
    // The content security policy wants files, and a file can be cached for ever.
    assetsInlineLimit: 0,
    // One file of 15 kB as sent is there sooner than the four of a page, and no later page waits for its own.
    cssCodeSplit: false,
    rolldownOptions: {
      // Names of classes and the like stand where they are used.
      optimization: { inlineConst: { mode: 'all', pass: 1 } },
      input: ['src/entry-client.tsx', 'src/entry-start.ts'],
      // What every page needs is one file: it packs better than ten, and is asked for once.
      output: {
        codeSplitting: {
          groups: [
            { name: 'site', tags: ['$initial'], test: (id) => !id.endsWith('entry-start.ts') },
            // Small things that most pages have: one request instead of three.
            { name: 'common', test: /shared\/(lang|ui\/picture|ui\/share-link)\b|\/(\w+)\/\2-facts\.ts$/ },
            // What the pages of a feature share is one file as well; what sends a form comes later, by itself.
            {
              debugName: 'feature',
              name: (id) => /(?:features|generated)\/(\w+)/.exec(id)?.[1] ?? null,
              test: /features\/\w+\/(components|hooks|model)\/|generated\/\w+\.ts$/,
              minShareCount: 3,
            },
          ],
        },
      },
    },
  },
  server: { host: '127.0.0.1', proxy: { '/api': server, '/media': server } },
  test: {
    restoreMocks: true,
    // Limits end what hangs. How long something takes says more about the machine than about the code.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A simulated browser takes longer to start than most tests to run: what renders nothing has none, unless it asks for it.
    projects: [
      { extends: true, test: { name: 'code', include: ['src/**/*.test.ts', 'scripts/*.test.mjs'] } },
      {
        extends: true,
        test: {
          name: 'pages',
          include: ['src/**/*.test.tsx'],
          environment: 'jsdom',
          setupFiles: ['src/test/setup.ts'],
        },
      },
    ],
  },
});
