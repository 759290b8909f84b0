// What the page may load and do: its own files and WebAssembly, nothing inline, nothing from elsewhere.
// A host that can send headers should send this one (`frame-ancestors` only works there).
export const contentSecurityPolicy = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');
