// A static file server for this machine's own browser.
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';

const mediaTypes = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

// Serves a folder at the wanted port or, if that is taken, at any free one.
export function serve(folder, wantedPort = 0) {
  const server = createServer((request, response) => {
    const file = fileOf(folder, request.url);
    if (!file) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      'Content-Type': mediaTypes[extname(file)] ?? 'application/octet-stream',
      'Cache-Control': 'no-cache',
    });
    createReadStream(file).pipe(response);
  });
  return new Promise((resolve, reject) => {
    server.on('error', (error) => {
      if (error.code === 'EADDRINUSE') server.listen(0, 'localhost');
      else reject(error);
    });
    server.once('listening', () => {
      resolve({ url: `http://localhost:${server.address().port}/`, close: () => server.close() });
    });
    server.listen(wantedPort, 'localhost');
  });
}

function fileOf(folder, address) {
  try {
    // A URL's path has no "..", but an encoded one may appear when it is decoded.
    const path = decodeURIComponent(new URL(address, 'http://localhost').pathname);
    if (path.split('/').includes('..')) return undefined;
    const file = join(folder, path);
    const page = existsSync(file) && statSync(file).isDirectory() ? join(file, 'index.html') : file;
    return existsSync(page) ? page : undefined;
  } catch {
    return undefined;
  }
}
