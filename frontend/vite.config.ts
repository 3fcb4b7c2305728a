import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { devShell } from './scripts/dev-shell.mjs';

/** Where `npm run dev` finds a running festival server. */
const server = process.env.FESTIVAL_SERVER ?? 'http://127.0.0.1:8000';

/**
 * The router comes in one piece. Its components that nothing here uses (its links, forms, its own scrolling) are only
 * left out of the build where the calls that make them are known to do nothing else: 4 kB of each page's scripts.
 */
const unusedRouterParts: Plugin = {
  name: 'unused-router-parts',
  transform: {
    filter: { id: /react-router\/dist/ },
    handler: (code) =>
      code.replace(/= (React\d*\.forwardRef)\(/g, '= /* @__PURE__ */ $1(').replace(/^\w+\.displayName = .*;$/gm, ''),
  },
};

export default defineConfig({
  plugins: [react(), devShell(server), unusedRouterParts],
  resolve: {
    alias: {
      '@': fileURLToPath(new URL('./src', import.meta.url)),
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
      input: ['src/entry-client.tsx', 'src/entry-start.ts'],
      // What every page needs is one file: it packs better than ten, and is asked for once.
      output: {
        codeSplitting: { groups: [{ name: 'site', tags: ['$initial'], test: (id) => !id.endsWith('entry-start.ts') }] },
      },
    },
  },
  server: { host: '127.0.0.1', proxy: { '/api': server, '/media': server } },
  test: {
    environment: 'jsdom',
    include: ['src/**/*.test.{ts,tsx}', 'scripts/*.test.mjs'],
    setupFiles: ['src/test/setup.ts'],
    restoreMocks: true,
  },
});
