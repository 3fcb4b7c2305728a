import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** The scripts and styles of the back office, apart from the website's: neither waits for a byte of the other's. */
export default defineConfig({
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  build: {
    manifest: '.vite/admin.json',
    emptyOutDir: false,
    copyPublicDir: false,
    assetsInlineLimit: 0,
    rolldownOptions: { input: ['src/admin/admin.ts', 'src/admin/edit-this.ts', 'src/admin/preview.css'] },
  },
});
