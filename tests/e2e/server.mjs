// Serves the built site from a folder of the host, as a visitor's server would: with the policy of the page
// also as a header, and with nothing outside of the folder.
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';

const kMediaTypes = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

export function policyOf(site) {
  const html = readFileSync(join(site, 'index.html'), 'utf8');
  const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html) ?? [];
  if (!policy) throw new Error('the built page carries no Content-Security-Policy');
  return policy.replaceAll('&#39;', "'");
}

export function serveSite(site, folder) {
  const policy = `${policyOf(site)}; frame-ancestors 'none'`;
  const outside = []; // what was asked for outside of the folder
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const inFolder = pathname.startsWith(folder);
    if (!inFolder) outside.push(pathname);
    const file = join(site, pathname.slice(folder.length) || 'index.html');
    if (!inFolder || pathname.includes('..') || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      'Content-Type': kMediaTypes[extname(file)] ?? 'application/octet-stream',
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-cache',
    });
    createReadStream(file).pipe(response);
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const origin = `http://127.0.0.1:${server.address().port}`;
      const stop = () => {
        server.closeAllConnections();
        return new Promise((done) => server.close(done));
      };
      resolve({ origin, url: `${origin}${folder}`, outside, stop });
    });
  });
}
