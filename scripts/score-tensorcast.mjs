// `npm run score:tensorcast FOLDER [FILTER]`: runs every text-generate scenario of a folder through the native
// binary and tells how far its figures are from the expected ones: a line a scenario, then a summary.
// A scenario: { name, model, argv, expect }; its model's config is FOLDER/models/<model>.json.
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Failure, main } from './lib/process.mjs';
import { nativeBinary } from './lib/build.mjs';

const program = process.env.ROOFBEAM_BINARY ?? nativeBinary;
const exact = 1e-6;
const gibibyte = 2 ** 30;

// Types that every simulation of language models has to get right.
const coreTypes = new Set(
  'llama mistral qwen2 qwen3 qwen3_moe deepseek_v3 minimax_m2 glm4_moe'.split(' '),
);

const difference = (found, wanted) =>
  found === wanted ? 0 : Math.abs(found - wanted) / Math.max(Math.abs(wanted), 1e-12);

await main(() => {
  const [folder, filter = ''] = process.argv.slice(2);
  if (!folder) throw new Failure('usage: npm run score:tensorcast FOLDER [FILTER]');
  const groups = new Map();
  for (const file of readdirSync(folder).sort()) {
    if (!file.endsWith('.json') || !file.includes(filter)) continue;
    const scenario = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    if (scenario.argv?.[0] !== 'text-generate') continue;
    const modelFile = join(folder, 'models', `${scenario.model}.json`);
    const type = JSON.parse(readFileSync(modelFile, 'utf8')).model_type ?? '?';
    const outcome = judge(scenario, modelFile);
    console.log(
      `${outcome.verdict.padEnd(8)} ${scenario.name.padEnd(58)} ${type.padEnd(14)} ${outcome.text}`,
    );
    const kind = scenario.argv.includes('--compile') ? 'compiled' : 'eager';
    for (const group of [
      'all',
      `${coreTypes.has(type) ? 'core types' : 'other types'}, ${kind}`,
      type,
    ]) {
      const counts = groups.get(group) ?? {};
      for (const key of [
        'scenarios',
        outcome.verdict,
        ...(outcome.signatures ? ['signatures'] : []),
      ])
        counts[key] = (counts[key] ?? 0) + 1;
      groups.set(group, counts);
    }
  }
  console.log('\nscenarios  exact  <1%  <2%  off  refused  signatures');
  const columns = ['scenarios', 'exact', '<1%', '<2%', 'off', 'refused', 'signatures'];
  for (const [group, counts] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1)))
    console.log(
      columns.map((key) => String(counts[key] ?? 0).padStart(key.length)).join('  ') + `  ${group}`,
    );
});

function judge(scenario, modelFile) {
  const args = scenario.argv.map((arg) => (arg === '{model}' ? modelFile : arg));
  const { stdout, status } = spawnSync(program, [...args, '--json'], { maxBuffer: 1 << 28 });
  if (status !== 0) {
    const text = stdout.toString() || 'the command line is refused';
    return { verdict: 'refused', text: text.slice(0, 160).replaceAll('\n', ' ') };
  }
  const found = JSON.parse(stdout.toString());
  const wanted = scenario.expect;
  const figures = [
    ['total_s', found.total_s, wanted.total_s],
    ['execution_time_s', found.execution_time_s, wanted.execution_time_s],
    ['tps_per_device', found.tps_per_device, wanted.tps_per_device],
    ['weights', found.memory.weights_bytes / gibibyte, wanted.memory_gib.weight_gb],
    ['kv', found.memory.kv_bytes / gibibyte, wanted.memory_gib.kv_gb],
    ['activations', found.memory.activation_bytes / gibibyte, wanted.memory_gib.act_gb],
  ];
  const ops = new Map(found.ops.map((op) => [op.name, op]));
  for (const [name, { total_s, calls }] of Object.entries(wanted.ops)) {
    const op = ops.get(name);
    ops.delete(name);
    if (total_s === 0) continue; // views
    figures.push(
      [`${name} total`, op?.total_s ?? 0, total_s],
      [`${name} calls`, op?.calls ?? 0, calls],
    );
  }
  for (const [name, op] of ops)
    if (op.total_s !== 0) figures.push([`${name} total`, op.total_s, 0]);
  const worst = figures
    .map(([name, a, b]) => ({ name, a, b, by: difference(a, b) }))
    .filter(({ by }) => by > exact)
    .sort((a, b) => b.by - a.by);
  const signatures = sameSignatures(found.signatures, wanted.signatures);
  const largest = worst[0]?.by ?? 0;
  const verdict =
    largest <= exact ? 'exact' : largest <= 0.01 ? '<1%' : largest <= 0.02 ? '<2%' : 'off';
  const shown = worst.slice(0, 3).map(({ name, a, b }) => `${name} ${a} for ${b}`);
  if (!signatures.same) shown.push(`signature ${signatures.first}`);
  return { verdict, signatures: signatures.same, text: shown.join('; ') };
}

// Operator, inputs, output, seconds a call, calls and statistics, in whatever order; zero-cost ones don't count.
function sameSignatures(found, wanted) {
  const key = ([name, inputs, output]) => `${name}(${inputs}) -> ${output}`;
  const rest = new Map(found.map((signature) => [key(signature), signature]));
  for (const signature of wanted) {
    if (signature[3] === 0) continue;
    const match = rest.get(key(signature));
    rest.delete(key(signature));
    if (!match) return { same: false, first: `missing: ${key(signature).slice(0, 300)}` };
    const [, , , seconds, calls, statistics] = signature;
    if (difference(match[3], seconds) > exact || match[4] !== calls)
      return {
        same: false,
        first: `differs: ${key(signature).slice(0, 300)} ${match[3]} x ${match[4]} for ${seconds} x ${calls}`,
      };
    for (const [name, value] of Object.entries(statistics)) {
      const own = match[5][name];
      if (
        typeof value === 'number'
          ? difference(own ?? 0, value) > exact
          : own !== value && name !== 'overlap_model'
      )
        return {
          same: false,
          first: `differs: ${key(signature).slice(0, 300)} ${name} ${own} for ${value}`,
        };
    }
  }
  for (const [name, signature] of rest)
    if (signature[3] !== 0) return { same: false, first: `unexpected: ${name.slice(0, 300)}` };
  return { same: true };
}
