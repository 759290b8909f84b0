// Designs drawn over all block types, held against a second reckoning that shares nothing with the
// engine, and against laws that every design obeys.
import { beforeAll, describe, expect, test } from 'vitest';
import { type Engine, createEngine } from '../../dist/node.js';
import { type Graph, type Node, composites } from './composites.js';
import { type Document, draw } from './draw.js';
import { primitives } from './primitives.js';
import { Random } from './random.js';
import { type Point, Reckoning, shapeText } from './reckoning.js';
import { expectedFindings } from './rules.js';
import { spelled } from './spelled.js';

const seeds = Array.from({ length: 100 }, (_, i) => i + 1);

let engine: Engine;
beforeAll(async () => {
  engine = await createEngine();
});

type Answer = Record<string, any>;
function ask(command: string, request: Answer): Answer {
  const response = JSON.parse(
    engine.ask(JSON.stringify({ schema_version: 1, command, ...request })),
  );
  if (!response.ok) throw new Error(JSON.stringify(response.diagnostics));
  return response.result;
}
const analyze = (design: unknown, options: Answer = {}): Answer =>
  ask('analyze', { design, options });

const bytesOf: Record<string, number> = { fp32: 4, bf16: 2, fp16: 2, fp8: 1 };
// Weights, gradients and optimizer state, bytes a parameter.
const optimizers: Record<string, readonly [number, number, number]> = {
  adamw: [2, 2, 12],
  adamw8bit: [2, 2, 6],
  muon: [2, 2, 8],
  sgd_momentum: [2, 2, 8],
  sgd: [2, 2, 4],
  bf16_adam: [2, 2, 4],
};

function operatingPoint(random: Random, source: boolean): Answer {
  return {
    T: random.of([16, 48, 60]),
    B: random.of([1, 3]),
    ...(source && { S: random.of([8, 48, 64]) }),
    dtype: random.of(Object.keys(bytesOf)),
    inference_dtype: random.of(Object.keys(bytesOf)),
    kv_dtype: random.of(Object.keys(bytesOf)),
    precision: random.of(['mixed', 'mixed', 'autocast']),
    hardware: random.of(['h100-sxm', 'a100-80', 'rtx4090', 'b200']),
    parallel: {
      dp: random.of([1, 2, 8]),
      tp: random.of([1, 2, 4]),
      pp: random.of([1, 3]),
      ep: random.of([1, 2]),
      zero: random.below(4),
      sequence_parallel: random.chance(0.5),
    },
    optimizer: random.of(Object.keys(optimizers)),
    recompute: random.of(['none', 'selective', 'full']),
    flash: random.chance(0.6),
    concurrency: random.of([1, 4, 32]),
  };
}

/** Names of the figures that differ, with both values. */
function differences(found: Answer, wanted: Answer, path = ''): string[] {
  const names = new Set([...Object.keys(found), ...Object.keys(wanted)]);
  return [...names].flatMap((name) => {
    const [a, b] = [found[name], wanted[name]];
    const at = `${path}.${name}`;
    if (typeof a === 'object' && typeof b === 'object') return differences(a, b, at);
    const near =
      typeof a === 'number' &&
      typeof b === 'number' &&
      Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
    return near || a === b ? [] : [`${at}: ${a}, reckoned ${b}`];
  });
}

function reckoned(reckoning: Reckoning, options: Answer): Answer {
  const { parallel, recompute, flash } = options;
  const autocast = options.precision === 'autocast' && bytesOf[options.dtype]! < 4;
  const point: Point = {
    ...{ T: options.T, B: options.B, S: options.S ?? 0, flash, recompute, autocast },
    bytes: bytesOf[options.dtype]!,
    cacheBytes: bytesOf[options.kv_dtype]!,
  };
  const { count, byPath } = reckoning.parameters();
  const flops = reckoning.flops(point);
  const cache = reckoning.cache(point);
  const saved = reckoning.activations(point);
  const cast = autocast ? reckoning.castWeights() : 0;

  let [w, g, o] = optimizers[options.optimizer]!;
  if (autocast && options.optimizer !== 'bf16_adam') [w, g, o] = [4, 4, o - (8 - w - g)];
  const { dp, tp, pp, ep, zero, sequence_parallel } = parallel;
  const held = (count.total - count.expert) / (tp * pp) + count.expert / (tp * pp * ep);
  const activations = saved.total + cast;
  const resting = { weights: count.total * w, grads: count.total * g, optimizer: count.total * o };
  const perGpu = {
    weights: (held * w) / (zero >= 3 ? dp : 1),
    grads: (held * g) / (zero >= 2 ? dp : 1),
    optimizer: (held * o) / (zero >= 1 ? dp : 1),
    activations: activations / (sequence_parallel ? tp : 1),
  };
  const sum = (parts: Answer): number => Object.values<number>(parts).reduce((a, b) => a + b, 0);
  const served = bytesOf[options.inference_dtype]!;
  const kv =
    (cache.bytes_per_token * point.T + cache.bytes_per_sequence_fixed) * options.concurrency;
  const weights = count.total * served;
  const overhead = 0.2 * (weights + kv);
  return {
    params: count,
    flops: flops.sum,
    kv: cache,
    train: {
      ...{ ...resting, activations, logits: saved.logits, cast_weights: cast },
      total: sum({ ...resting, activations }),
      per_gpu: { ...perGpu, total: sum(perGpu) },
    },
    infer: { weights, kv, overhead, total: weights + kv + overhead },
    decode_weight_bytes: reckoning.weightsRead(options.concurrency) * served,
    params_by_path: byPath,
    flops_by_path: flops.byPath,
    activations_by_path: saved.byPath,
  };
}

function answered(answer: Answer, like: Answer): Answer {
  const same = (values: Answer, names: Answer): Answer =>
    Object.fromEntries(Object.keys(names).map((name) => [name, values[name]]));
  const { train, infer } = answer.memory;
  return {
    params: same(answer.params, like.params),
    flops: same(answer.flops, like.flops),
    kv: same(answer.kv, like.kv),
    train: { ...same(train, like.train), per_gpu: same(train.per_gpu, like.train.per_gpu) },
    infer: same(infer, like.infer),
    decode_weight_bytes: answer.throughput.decode_weight_bytes,
    params_by_path: answer.params_by_path,
    flops_by_path: answer.flops_by_path,
    activations_by_path: answer.activations_by_path,
  };
}

const drawn = seeds.map((seed) => draw(seed));
const inSymbols = seeds.map((seed, i) => spelled(drawn[i]!, seed));
const hasSource = (document: Document): boolean => 'S' in document.symbols;

/** The design with each block changed by `change`, at every depth. */
function withNodes(graph: Graph, change: (node: Node) => Node): Graph {
  return {
    nodes: graph.nodes.map((node) => ({
      ...change(node),
      ...(node.graph && { graph: withNodes(node.graph, change) }),
    })),
    edges: graph.edges,
  };
}

const figures = (answer: Answer): Answer => {
  const { params, flops, kv, memory } = answer;
  return { params, flops, kv, memory };
};

describe.each([
  ['in numbers', drawn],
  ['in symbols', inSymbols],
])('designs written %s', (_, written) => {
  test('have the figures and findings of a second reckoning', () => {
    const wrong = seeds.flatMap((seed, i) => {
      const options = operatingPoint(new Random(seed + 1000), hasSource(drawn[i]!));
      const reckoning = new Reckoning(drawn[i]!.graph, drawn[i]!.defs);
      const wanted = reckoned(reckoning, options);
      const answer = analyze(written[i], options);
      const findings = answer.findings.map(
        ({ rule, path, port }: Answer) => `${rule} ${path ?? ''}${port ? `:${port}` : ''}`,
      );
      const expected = expectedFindings(reckoning, drawn[i]!.graph, options, wanted);
      return [
        ...differences(answered(answer, wanted), wanted, `seed ${seed}`),
        ...differences(counted(findings), counted(expected), `seed ${seed}`),
      ];
    });
    expect(wrong).toEqual([]);
  });

  test('have the shapes of a second reckoning', () => {
    const wrong = seeds.flatMap((seed, i) => {
      const { shapes } = new Reckoning(drawn[i]!.graph, drawn[i]!.defs);
      const found: Answer = {};
      const visit = ({ path, type, outputs, children }: Answer): void => {
        for (const { port, numeric_shape } of outputs) found[`${path}:${port}`] = numeric_shape;
        children.forEach(visit);
      };
      ask('show', { design: written[i], expand: true }).tree.forEach(visit);
      const wanted = Object.fromEntries([...shapes].map(([end, shape]) => [end, shapeText(shape)]));
      return differences(found, wanted, `seed ${seed}`);
    });
    expect(wrong).toEqual([]);
  });

  test('are read and written without a loss', () => {
    for (const document of written) {
      const { doc } = ask('parse', { design: document });
      expect(doc).toEqual(JSON.parse(JSON.stringify(document)));
      expect(JSON.stringify(ask('parse', { design: doc }).doc)).toBe(JSON.stringify(doc));
    }
  });
});

function counted(names: readonly string[]): Record<string, number> {
  const count: Record<string, number> = {};
  for (const name of names) count[name] = (count[name] ?? 0) + 1;
  return count;
}

test('every block type is drawn', () => {
  const types = new Set<string>();
  for (const { graph } of drawn)
    withNodes(graph, (node) => {
      types.add(node.type);
      return node;
    });
  const containers = ['repeat', 'moe_experts', 'boundary_in', 'boundary_out'];
  const all = [...Object.keys(primitives), ...composites, ...containers];
  expect(all).toHaveLength(55);
  expect(all.filter((type) => !types.has(type))).toEqual([]);
});

describe('laws', () => {
  test('a layout of one device leaves the totals', () => {
    for (const document of drawn) {
      const parallel = { dp: 1, tp: 1, pp: 1, ep: 1, zero: 3, sequence_parallel: true };
      const { train } = analyze(document, { parallel }).memory;
      for (const part of ['weights', 'grads', 'optimizer', 'activations', 'total'])
        expect(train.per_gpu[part]).toBe(train[part]);
    }
  });

  test('full recompute keeps no more than none, in every preset', () => {
    for (const { name } of ask('list', {}).presets) {
      const kept = (recompute: string): number =>
        ask('analyze', { preset: name, options: { recompute } }).memory.train.activations;
      expect(kept('full')).toBeLessThanOrEqual(kept('none'));
    }
  });

  test('a source as long as the target costs what the target costs', () => {
    for (const document of drawn.filter((each) => !hasSource(each))) {
      const source = {
        ...document,
        symbols: { ...document.symbols, S: { kind: 'runtime', default: 48 } },
        graph: withNodes(document.graph, (node) =>
          node.type === 'input'
            ? {
                ...node,
                params: {
                  ...node.params,
                  shape: (node.params?.shape ?? 'B T').replace('T', 'S'),
                },
              }
            : node,
        ),
      };
      const onTarget = analyze(document);
      const onSource = analyze(source);
      const { bytes_per_token } = onSource.kv;
      expect(bytes_per_token).toBe(0);
      expect(onSource.params).toEqual(onTarget.params);
      expect(onSource.memory.train).toEqual(onTarget.memory.train);
      for (const name of ['fwd_dense', 'fwd_attention', 'fwd_attention_unmasked', 'elementwise'])
        expect(onSource.flops[name]).toBeCloseTo(onTarget.flops[name], 6);
    }
  });

  test('ids change nothing', () => {
    const other = (id: string): string =>
      id.startsWith('_') ? id : `z${[...id].reverse().join('')}`;
    const renamed = (graph: Graph): Graph => ({
      nodes: graph.nodes.map((node) => ({
        ...node,
        id: other(node.id),
        ...(node.graph && { graph: renamed(node.graph) }),
      })),
      edges: graph.edges.map(([from, to]) => {
        const end = (text: string): string => text.replace(/^[^:]*/, other);
        return [end(from), end(to)];
      }),
    });
    for (const document of inSymbols)
      expect(figures(analyze({ ...document, graph: renamed(document.graph) }))).toEqual(
        figures(analyze(document)),
      );
  });

  test('a batch twice as large doubles activations and nothing else', () => {
    for (const document of drawn) {
      const [one, two] = [1, 2].map((B) => figures(analyze(document, { B })));
      const { activations, logits, total, per_gpu, ...rest } = one!.memory.train;
      expect(two!.memory.train).toEqual({
        ...rest,
        activations: 2 * activations,
        logits: 2 * logits,
        total: total + activations,
        per_gpu: {
          ...per_gpu,
          activations: 2 * per_gpu.activations,
          total: per_gpu.total + per_gpu.activations,
        },
        fits: true,
      });
      expect({ ...two!, memory: 0 }).toEqual({ ...one!, memory: 0 });
      expect(two!.memory.infer).toEqual(one!.memory.infer);
    }
  });
});
