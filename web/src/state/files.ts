// A dropped, picked or pasted file as text. What the engine can't be asked about (a size, an encoding)
// is told here, as a diagnostic of the same shape as the engine's.

import type { Diagnostic } from 'roofbeam';
import { text } from '../text/en';

// The engine takes requests up to its own limit; the largest config.json of the hub is a few hundred
// kilobytes. A larger file is told so before it is read into memory.
export const kLargestFileBytes = 4 * 1024 * 1024;

export type ReadFile =
  | { readonly ok: true; readonly name: string; readonly text: string }
  | { readonly ok: false; readonly name: string; readonly diagnostics: readonly Diagnostic[] };

export async function readFile(file: File): Promise<ReadFile> {
  const { name } = file;
  if (file.size > kLargestFileBytes)
    return refused(name, text.files.tooLarge(file.size, kLargestFileBytes));
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    // A folder, or a file that was moved since it was dropped.
    return refused(name, text.files.unreadable);
  }
  if (looksLikeUtf16(bytes)) return refused(name, text.files.utf16);
  try {
    return { ok: true, name, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return refused(name, text.files.notUtf8);
  }
}

function refused(name: string, problem: Omit<Diagnostic, 'path'>): ReadFile {
  return { ok: false, name, diagnostics: [{ ...problem, path: '' }] };
}

// A byte order mark, or the zero byte that UTF-16 puts into the first or second place of "{" or a space.
function looksLikeUtf16(bytes: Uint8Array): boolean {
  const [first, second] = bytes;
  if (first === undefined || second === undefined) return false;
  return (
    (first === 0xff && second === 0xfe) ||
    (first === 0xfe && second === 0xff) ||
    first === 0 ||
    second === 0
  );
}
