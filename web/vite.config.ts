import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { contentSecurityPolicy } from './csp.ts';

// The policy in the page itself, for hosts that send no headers. Only in the built page: the development
// server injects styles and a socket that it forbids.
const policyInPage: Plugin = {
  name: 'roofbeam:csp',
  apply: 'build',
  transformIndexHtml: () => [
    {
      tag: 'meta',
      attrs: { 'http-equiv': 'Content-Security-Policy', content: contentSecurityPolicy },
      injectTo: 'head-prepend',
    },
  ],
};

export default defineConfig({
  base: './', // the site works from any folder of any host
  resolve: {
    alias: { roofbeam: fileURLToPath(new URL('../dist/index.js', import.meta.url)) },
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0, // data: URLs are not 'self'
    modulePreload: { polyfill: false }, // an inline helper that es2022 browsers have no need of
  },
  preview: { headers: { 'Content-Security-Policy': contentSecurityPolicy } },
  plugins: [
    policyInPage,
    VitePWA({
      registerType: 'prompt', // the reader decides when a page with work in it is exchanged
      injectRegister: false, // main.tsx registers: an inline script would break the policy
      manifest: {
        name: 'Roofbeam',
        short_name: 'Roofbeam',
        description: 'Parameters, FLOPs, memory, speed and cost of transformer models',
        start_url: './',
        scope: './',
        display: 'standalone',
        background_color: '#f7f7f4',
        theme_color: '#15171a',
        icons: [
          { src: 'icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
          { src: 'icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
          { src: 'icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
          {
            src: 'icon-maskable-512.png',
            sizes: '512x512',
            type: 'image/png',
            purpose: 'maskable',
          },
        ],
      },
      workbox: {
        globPatterns: ['**/*.{js,css,html,wasm,svg,png,webmanifest}'],
        maximumFileSizeToCacheInBytes: 8 * 1024 * 1024, // the engine's module with room
        cleanupOutdatedCaches: true,
      },
    }),
  ],
});
