// The state as a link: JSON, deflated, in URL-safe base64 behind "#s=". The design or config travels in
// it, so a link reproduces a screen with no server, and nothing of it is sent to one.

import { kOptionIds, type OperatingPoint } from './options';
import {
  kInitialState,
  kPathColumns,
  kViews,
  type AppState,
  type Model,
  type PathTable,
} from './state';

const kVersion = 1;
const kPrefix = '#s=';

// A link is opened from anywhere: what it unpacks to is bounded before it is read.
const kLargestStateBytes = 16 * 1024 * 1024;

export async function encodeState(state: AppState): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify({ version: kVersion, ...state }));
  return kPrefix + toBase64Url(await through(text, new CompressionStream('deflate-raw'), Infinity));
}

// The state of a fragment; the initial one for an empty fragment; undefined for one that is not ours or
// is damaged.
export async function decodeState(fragment: string): Promise<AppState | undefined> {
  if (fragment === '' || fragment === '#') return kInitialState;
  if (!fragment.startsWith(kPrefix)) return undefined;
  try {
    const packed = fromBase64Url(fragment.slice(kPrefix.length));
    const bytes = await through(packed, new DecompressionStream('deflate-raw'), kLargestStateBytes);
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return stateOf(value);
  } catch {
    return undefined;
  }
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  transform: CompressionStream | DecompressionStream,
  largest: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const writer = transform.writable.getWriter();
  const written = writer.write(bytes).then(() => writer.close());
  // The reader below meets the same error; a rejection nobody awaits would be reported twice.
  written.catch(() => undefined);
  const reader = transform.readable.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.byteLength;
    if (length > largest) {
      await reader.cancel();
      throw new RangeError(`a link's state is larger than ${largest} bytes`);
    }
    chunks.push(value);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.byteLength;
  }
  return all;
}

function toBase64Url(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

// What a link holds is input: each part is taken only if it is one the page could have written.

function stateOf(value: unknown): AppState | undefined {
  if (!isRecord(value) || value['version'] !== kVersion) return undefined;
  const model = modelOf(value['model']);
  const point = pointOf(value['point']);
  const paths = pathTableOf(value['paths']);
  const view = oneOf(kViews, value['view']);
  if (!model || !point || !paths || !view) return undefined;
  const { block } = value;
  const compare = value['compare'] === undefined ? undefined : modelOf(value['compare']);
  if (block !== undefined && typeof block !== 'string') return undefined;
  if (value['compare'] !== undefined && !compare) return undefined;
  return { model, point, view, paths, block, compare };
}

function modelOf(value: unknown): Model | undefined {
  if (!isRecord(value) || typeof value['name'] !== 'string') return undefined;
  const { kind, name, text } = value;
  if (kind === 'preset') return { kind, name };
  if (kind === 'file' && typeof text === 'string') return { kind, name, text };
  return undefined;
}

function pointOf(value: unknown): OperatingPoint | undefined {
  if (!isRecord(value)) return undefined;
  const ids: readonly string[] = kOptionIds;
  for (const [id, option] of Object.entries(value)) {
    if (!ids.includes(id)) return undefined;
    if (typeof option !== 'number' && typeof option !== 'string' && typeof option !== 'boolean')
      return undefined;
  }
  return value;
}

function pathTableOf(value: unknown): PathTable | undefined {
  if (!isRecord(value)) return undefined;
  const { sort, descending, filter, grouped } = value;
  const column = oneOf([...kPathColumns, 'document'] as const, sort);
  if (
    !column ||
    typeof descending !== 'boolean' ||
    typeof filter !== 'string' ||
    typeof grouped !== 'boolean'
  )
    return undefined;
  return { sort: column, descending, filter, grouped };
}

function oneOf<T extends string>(choices: readonly T[], value: unknown): T | undefined {
  return choices.find((choice) => choice === value);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
