// Records the engine's answers that the component tests replay: node tests/web/record.mjs, after the npm package
// is built. Read the difference before committing it.
import { writeFileSync } from 'node:fs';
import { createEngine } from '../../dist/node.js';

const engine = await createEngine();
const preset = 'llama-3-8b';
const requests = {
  list: { command: 'list' },
  'llama-3-8b': { command: 'analyze', preset },
  'gpt2-small': { command: 'analyze', preset: 'gpt2-small' },
  show: { command: 'show', expand: true, preset },
  explain: { command: 'explain', preset, path: 'layers/block/attn' },
  diff: { command: 'diff', a: { preset }, b: { preset: 'qwen3-8b' } },
};
for (const [name, request] of Object.entries(requests)) {
  const response = JSON.parse(engine.ask(JSON.stringify({ schema_version: 1, ...request })));
  if (!response.ok) throw new Error(JSON.stringify(response.diagnostics));
  const file = new URL(`./recorded/${name}.json`, import.meta.url);
  writeFileSync(file, `${JSON.stringify(response, null, 2)}\n`);
}
