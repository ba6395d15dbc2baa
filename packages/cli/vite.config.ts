import { defineConfig } from 'vite';

/** One program without dependencies: what it uses is bundled, and what few commands use is loaded when it is needed. */
export default defineConfig({
  build: {
    ssr: 'src/main.ts',
    target: 'node20',
    // Stack traces of what the user reports are readable.
    minify: false,
    license: { fileName: 'LICENSES.md' },
    rollupOptions: { output: { entryFileNames: 'svc.js', chunkFileNames: '[name].js' } },
  },
  ssr: { noExternal: true, target: 'node' },
});
