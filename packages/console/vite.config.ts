import optimizeLocales from '@react-aria/optimize-locales-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compression } from 'vite-plugin-compression2';

export default defineConfig({
  base: '/console/',
  plugins: [
    react(),
    // The console is in English: the components' texts in other languages would be most of its size.
    { ...optimizeLocales.vite({ locales: ['en-US', 'en-GB'] }), enforce: 'pre' },
    // Compressed variants, served by the gateway. Fonts are compressed already.
    compression({ algorithms: ['gzip', 'brotliCompress'], include: /\.(?:js|css|svg)$/, threshold: 1024 }),
  ],
  build: {
    target: 'es2024',
    // The content security policy allows no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
  },
});
