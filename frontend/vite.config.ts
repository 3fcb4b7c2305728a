import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { devShell } from './scripts/dev-shell.mjs';

/** Where `npm run dev` finds a running festival server. */
const server = process.env.FESTIVAL_SERVER ?? 'http://127.0.0.1:8000';

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [react(), devShell(server)],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  build: {
    manifest: !isSsrBuild,
    // The content security policy wants files, and a file can be cached for ever.
    assetsInlineLimit: 0,
    copyPublicDir: !isSsrBuild,
    rolldownOptions: isSsrBuild
      ? {}
      : { input: ['src/entry-client.tsx', 'src/admin/admin.ts', 'src/admin/preview.css'] },
  },
  server: { host: '127.0.0.1', proxy: { '/api': server, '/media': server } },
  test: {
    environment: 'jsdom',
    include: ['src/**/*.test.{ts,tsx}', 'scripts/*.test.mjs'],
    setupFiles: ['src/test/setup.ts'],
    restoreMocks: true,
  },
}));
