import { defineConfig } from 'vite';

/** One program without dependencies: its libraries are bundled, and rarely used ones are loaded on demand. */
export default defineConfig({
  build: {
    ssr: 'src/main.ts',
    target: 'node20',
    // Keeps stack traces in reports readable.
    minify: false,
    license: { fileName: 'LICENSES.md' },
    rollupOptions: { output: { entryFileNames: 'svc.js', chunkFileNames: '[name].js' } },
  },
  ssr: { noExternal: true, target: 'node' },
});
