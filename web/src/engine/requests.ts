// Requests as JSON text. The engine judges everything that a person gave; this only says where it goes.

import { requestOptions, type OperatingPoint } from '../state/options';
import type { Model } from '../state/state';

export function listRequest(): string {
  return request({ command: 'list' });
}

export function analyzeRequest(model: Model, point: OperatingPoint): string {
  return request({ command: 'analyze', options: requestOptions(point) }, modelMembers(model));
}

export function showRequest(model: Model): string {
  return request({ command: 'show', expand: true }, modelMembers(model));
}

export function explainRequest(model: Model, point: OperatingPoint, path: string): string {
  return request({ command: 'explain', path, options: requestOptions(point) }, modelMembers(model));
}

export function diffRequest(a: Model, b: Model, point: OperatingPoint): string {
  const sides = `"a":{${modelMembers(a)}},"b":{${modelMembers(b)}}`;
  return request({ command: 'diff', options: requestOptions(point) }, sides);
}

const kSchemaVersion = 1;

function request(members: Readonly<Record<string, unknown>>, others = ''): string {
  const text = JSON.stringify({ schema_version: kSchemaVersion, ...members });
  return others === '' ? text : `${text.slice(0, -1)},${others}}`;
}

// The member of a request that names or holds the model. A design's text goes into the request as it is,
// never parsed and printed again: the engine must see its duplicate keys and its spelling of numbers. Text
// that is not a design document is a config, and so is text that is not JSON: the engine's import says what
// is wrong with it.
function modelMembers(model: Model): string {
  if (model.kind === 'preset') return `"preset":${JSON.stringify(model.name)}`;
  if (isDesign(model.text)) return `"design":${model.text}`;
  return `"config":${JSON.stringify(model.text)}`;
}

// A design document has a graph; no config.json does. Because the text parses, it is one JSON value and
// can stand inside another.
function isDesign(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'graph' in value;
  } catch {
    return false;
  }
}
