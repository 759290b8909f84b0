// Requests as JSON text. The engine judges everything that a person gave; this only says where it goes.

import { requestOptions, type OperatingPoint } from '../state/options';
import type { Model } from '../state/state';

const kSchemaVersion = 1;

export function listRequest(): string {
  return JSON.stringify({ schema_version: kSchemaVersion, command: 'list' });
}

export function analyzeRequest(model: Model, point: OperatingPoint): string {
  return withModel(
    { schema_version: kSchemaVersion, command: 'analyze', options: requestOptions(point) },
    'design',
    model,
  );
}

// A design's text goes into the request as it is, never parsed and printed again: the engine must see its
// duplicate keys and its spelling of numbers. Text that is not a design document is a config, and so is
// text that is not JSON: the engine's import says what is wrong with it.
function withModel(request: Readonly<Record<string, unknown>>, key: string, model: Model): string {
  if (model.kind === 'preset') return JSON.stringify({ ...request, preset: model.name });
  if (!isDesign(model.text)) return JSON.stringify({ ...request, config: model.text });
  const others = JSON.stringify(request);
  return `${others.slice(0, -1)},${JSON.stringify(key)}:${model.text}}`;
}

// A design document has a graph; no config.json does. Because the text parses, it is one JSON value and
// can stand inside another.
export function isDesign(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'graph' in value;
  } catch {
    return false;
  }
}
