// Designs drawn at random over all block types, from a seed, with numbers for all sizes.
import type { Graph } from './composites.js';
import { type Params, activationCost, masks, scores, tablesOf } from './primitives.js';
import { Random } from './random.js';
import type { Definitions } from './reckoning.js';
import { type Length, Sheet, type Stream } from './sheet.js';

interface Heads {
  readonly heads: number;
  readonly kv_heads: number;
  readonly head_dim: number;
}

export interface Document {
  readonly version: 1;
  readonly meta: { readonly name: string };
  readonly symbols: Record<string, unknown>;
  readonly graph: Graph;
  readonly defs?: Definitions;
}

const definitions: Definitions = {
  widening: {
    params: { d: { type: 'int' }, n: { type: 'int', default: 3 } } as never,
    ports: { in: { x: '... d' }, out: { y: '... d' } },
    graph: {
      nodes: [
        { id: 'up', type: 'linear', params: { in_features: '$d', out_features: '$n*$d' } },
        { id: 'act', type: 'activation', params: { dim: '$n*$d', kind: 'gelu' } },
        { id: 'down', type: 'linear', params: { in_features: '$n*$d', out_features: '$d' } },
        { id: 'sum', type: 'add', params: { dim: '$d' } },
      ],
      edges: [
        ['_in:x', 'up:x'],
        ['up:y', 'act:x'],
        ['act:y', 'down:x'],
        ['down:y', 'sum:a'],
        ['_in:x', 'sum:b'],
        ['sum:y', '_out:y'],
      ],
    },
  },
  stacked: {
    params: { d: { type: 'int' }, count: { type: 'int', default: 2 } } as never,
    ports: { in: { x: '... d', g: '... d' }, out: { y: '... d', h: '... d' } },
    graph: {
      nodes: [
        {
          id: 'layers',
          type: 'repeat',
          params: { count: '$count' },
          graph: {
            nodes: [
              { id: '_in', type: 'boundary_in', params: { ports: { x: '... $d', g: '... $d' } } },
              { id: 'norm', type: 'rmsnorm', params: { dim: '$d' } },
              { id: 'times', type: 'mul', params: { dim: '$d' } },
              { id: 'wide', type: 'widening', params: { d: '$d', n: 2 } },
              { id: '_out', type: 'boundary_out', params: { ports: { x: '... $d' } } },
            ],
            edges: [
              ['_in:x', 'norm:x'],
              ['norm:y', 'times:a'],
              ['_in:g', 'times:b'],
              ['times:y', 'wide:x'],
              ['wide:y', '_out:x'],
            ],
          },
        },
        { id: 'scaled', type: 'scale', params: { dim: '$d', by: 0.5 } },
      ],
      edges: [
        ['_in:x', 'layers:x'],
        ['_in:g', 'layers:g'],
        ['layers:x', '_out:y'],
        ['layers:x', 'scaled:x'],
        ['scaled:y', '_out:h'],
      ],
    },
  },
};

const widths = [16, 32, 48, 64, 96];
const activations = Object.keys(activationCost);

const maybe = <Value>(random: Random, value: Value): Value | undefined =>
  random.chance(0.5) ? value : undefined;

function headsOf(random: Random): Heads {
  const kv_heads = random.of([1, 2, 4]);
  return {
    heads: kv_heads * random.of(kv_heads < 4 ? [1, 2, 3] : [1, 2]),
    kv_heads,
    head_dim: random.of([4, 8, 16]),
  };
}

// Ports of tables and positions that an attention's settings ask for.
function attentionPorts(s: Sheet, p: Params): Record<string, string> {
  const wires: Record<string, string> = {};
  for (const table of tablesOf(p)) wires[table] = s.reach(table);
  if (p.positions) wires.pos = s.reach('pos');
  if (p.value_embeddings) wires.ve = s.reach(`ve${p.kv_heads * p.head_dim}`);
  return wires;
}

function expressionsFor(s: Sheet, length: Length): { mask?: string; score?: string } {
  const onTarget = (tables: readonly string[] = []): boolean =>
    length === 'T' || !tables.includes('doc');
  return {
    ...(s.random.chance(0.3) && {
      mask: s.random.of(masks.filter(({ tables }) => onTarget(tables))).text,
    }),
    ...(s.random.chance(0.3) && { score: s.random.of(scores).text }),
  };
}

function fusedSettings(s: Sheet, length: Length): Params {
  const { random } = s;
  return {
    causal: maybe(random, random.chance(0.5)),
    window: random.chance(0.3) ? random.of([3, 8, 40, 200]) : undefined,
    flash: random.chance(0.2) ? false : undefined,
    logit_softcap: random.chance(0.2) ? 30 : undefined,
    sinks: random.chance(0.2) ? true : undefined,
    scale: random.chance(0.1) ? 0.25 : undefined,
    ...expressionsFor(s, length),
  };
}

const rotation = (random: Random): Params | undefined =>
  random.chance(0.5) ? { theta: random.of([10000, 500000]) } : undefined;

function gqaSettings(s: Sheet, x: Stream): Params {
  const { random } = s;
  const rope = rotation(random);
  const eager = random.chance(0.25);
  const fused = fusedSettings(s, x.length);
  delete (fused as Record<string, unknown>).flash;
  return {
    ...headsOf(random),
    ...(eager
      ? { causal: fused.causal, [random.of(['written_out', 'talking_heads'])]: true }
      : fused),
    rope,
    qk_norm: maybe(random, random.chance(0.5)),
    positions: rope && x.length === 'T' && random.chance(0.3) ? true : undefined,
    value_embeddings: x.length === 'T' && random.chance(0.2) ? true : undefined,
    output_gate: random.chance(0.2) ? true : undefined,
  };
}

type Step = (s: Sheet, x: Stream) => Stream;

const unary: Step = (s, x) => {
  const { random } = s;
  const { dim } = x;
  const [type, params] = random.of<[string, Params]>([
    ['rmsnorm', { dim, scale: maybe(random, random.chance(0.5)) }],
    ['layernorm', { dim, bias: maybe(random, random.chance(0.5)) }],
    ['activation', { dim, kind: random.of(activations) }],
    ['activation', { dim }],
    ['scale', { dim, by: 0.5 }],
    ['shift', { dim, by: random.below(3) }],
    ['kv_latent_cache', { dim, decompressed_dim: maybe(random, 128) }],
    [
      'conv1d',
      { channels: dim, kernel: maybe(random, 3), bias: maybe(random, random.chance(0.5)) },
    ],
    ['pos_embedding', { max_seq: 128, dim }],
  ]);
  return { ...x, end: s.put(type, params, { x: x.end }) };
};

const positions: Step = (s, x) => {
  if (x.length === 'S') return unary(s, x);
  const params = { max_seq: 256, dim: x.dim, positions: true };
  return { ...x, end: s.put('pos_embedding', params, { x: x.end, pos: s.reach('pos') }) };
};

function project(s: Sheet, x: Stream, dim: number): Stream {
  const params = {
    in_features: x.dim,
    out_features: dim,
    bias: maybe(s.random, s.random.chance(0.5)),
  };
  return { ...x, dim, end: s.put('linear', params, { x: x.end }) };
}

const resize: Step = (s, x) => project(s, x, s.random.of(widths));

const residual: Step = (s, x) => {
  let y = steps(s, x, 1 + s.random.below(2));
  if (y.dim !== x.dim) y = project(s, y, x.dim);
  const type = s.random.of(['add', 'mul', 'mix']);
  return { ...x, end: s.put(type, { dim: x.dim }, { a: y.end, b: x.end }) };
};

const gated: Step = (s, x) => {
  const one = project(s, x, 1);
  const g = s.put('activation', { dim: 1, kind: 'sigmoid' }, { x: one.end });
  return { ...x, end: s.put('gate', { dim: x.dim }, { x: x.end, g }) };
};

function nested(s: Sheet, x: Stream, type: 'repeat' | 'moe_experts', params: Params): Stream {
  const inner = new Sheet(s.random, s.depth + 1, s.hasSource, (what) => s.reach(what));
  inner.nodes.push({ id: '_in', type: 'boundary_in', params: {} });
  let y = steps(inner, { ...x, end: '_in:x' }, 1 + s.random.below(3));
  if (y.end === '_in:x') y = unary(inner, y);
  if (y.dim !== x.dim) y = project(inner, y, x.dim);
  inner.edges.push([y.end, '_out:x']);
  const pattern = s.random.of(['... ', `B ${x.length} `]) + x.dim;
  const graph: Graph = {
    nodes: [
      { id: '_in', type: 'boundary_in', params: { ports: { x: pattern, ...inner.entrance } } },
      ...inner.nodes.slice(1),
      { id: '_out', type: 'boundary_out', params: { ports: { x: pattern } } },
    ],
    edges: inner.edges,
  };
  const wires: Record<string, string> = { x: x.end };
  for (const what of Object.keys(inner.entrance)) wires[what] = s.reach(what);
  return { ...x, end: s.put(type, params, wires, 'x', graph) };
}

const repeat: Step = (s, x) =>
  s.depth >= 2 ? unary(s, x) : nested(s, x, 'repeat', { count: 1 + s.random.below(4) });

const routed: Step = (s, x) => {
  if (s.depth >= 2) return unary(s, x);
  const experts = s.random.of([2, 4, 8]);
  const top_k = s.random.of([1, 2]);
  const bias = maybe(s.random, true);
  const params = { d_model: x.dim, experts, top_k, bias };
  const weights = s.put('topk_router', params, { x: x.end }, 'weights');
  const y = nested(s, x, 'moe_experts', { experts, top_k });
  return { ...x, end: s.put('weighted_sum', { dim: x.dim, n: top_k }, { x: y.end, weights }) };
};

// The pattern of a block on the source may speak of T: there it means S.
const lengthName = (s: Sheet, x: Stream): string =>
  x.length === 'S' && s.random.chance(0.5) ? 'T' : x.length;

function toHeads(s: Sheet, x: Stream, heads: number, dim: number): string {
  const y = project(s, x, heads * dim);
  const L = lengthName(s, x);
  const params = { from: `B ${L} (${heads} ${dim})`, to: `B ${heads} ${L} ${dim}` };
  return s.put('rearrange', params, { x: y.end });
}

function fromHeads(s: Sheet, x: Stream, end: string, heads: number, dim: number): Stream {
  const L = lengthName(s, x);
  const params = { from: `B ${heads} ${L} ${dim}`, to: `B ${L} (${heads} ${dim})` };
  return { ...x, dim: heads * dim, end: s.put('rearrange', params, { x: end }) };
}

const fusedAttention: Step = (s, x) => {
  const { random } = s;
  const { heads, kv_heads, head_dim } = headsOf(random);
  const v = random.chance(0.3) ? 12 : 0;
  let q = toHeads(s, x, heads, head_dim);
  let k = toHeads(s, x, kv_heads, head_dim);
  const values = toHeads(s, x, kv_heads, v || head_dim);
  if (random.chance(0.5)) {
    const wires = (end: string): Record<string, string> => ({ x: end });
    q = s.put('rope', { heads, head_dim }, wires(q));
    k = s.put('rope', { heads: kv_heads, head_dim, theta: 500000 }, wires(k));
  }
  const settings = {
    ...{ heads, kv_heads, head_dim, v_head_dim: v || undefined },
    ...fusedSettings(s, x.length),
    cache: random.chance(0.2) ? false : undefined,
    shared_values: random.chance(0.2) ? true : undefined,
  };
  const wires = { q, k, v: values, ...attentionPorts(s, settings) };
  return fromHeads(s, x, s.put('sdpa', settings, wires), heads, v || head_dim);
};

const writtenOut: Step = (s, x) => {
  const { heads, kv_heads, head_dim } = headsOf(s.random);
  const q = toHeads(s, x, heads, head_dim);
  const k = toHeads(s, x, kv_heads, head_dim);
  const v = toHeads(s, x, kv_heads, head_dim);
  const mixed = (end: string): string =>
    s.random.chance(0.5) ? s.put('head_mix', { heads }, { x: end }) : end;
  const causal = maybe(s.random, s.random.chance(0.5));
  const sizes = { heads, kv_heads, head_dim };
  if (s.random.chance(0.5)) {
    const params = { ...sizes, causal, talking_heads: maybe(s.random, s.random.chance(0.5)) };
    return fromHeads(s, x, s.put('eager_attention', params, { q, k, v }), heads, head_dim);
  }
  const scored = mixed(s.put('attn_scores', sizes, { q, k }));
  const p = mixed(s.put('attn_softmax', { heads, causal }, { x: scored }));
  const y = s.put('attn_values', { heads, kv_heads, v_head_dim: head_dim }, { p, v });
  return fromHeads(s, x, y, heads, head_dim);
};

const combined: Step = (s, x) => {
  const { heads, head_dim } = headsOf(s.random);
  const a = toHeads(s, x, heads, 2 * head_dim);
  const b = toHeads(s, x, heads, 2 * head_dim);
  const y = s.put('diff_combine', { heads, head_dim, dim: 2 * head_dim }, { a, b });
  return fromHeads(s, x, y, heads, 2 * head_dim);
};

const deltaScan: Step = (s, x) => {
  const { kv_heads: heads, head_dim } = headsOf(s.random);
  const value_heads = s.random.of([0, 2 * heads]);
  const v = s.random.of([0, 6]);
  const q = toHeads(s, x, heads, head_dim);
  const k = toHeads(s, x, heads, head_dim);
  const values = toHeads(s, x, value_heads || heads, v || head_dim);
  const gates = project(s, x, 2 * (value_heads || heads)).end;
  const params = {
    heads,
    head_dim,
    v_head_dim: v || undefined,
    value_heads: value_heads || undefined,
  };
  const y = s.put('gated_delta_scan', params, { q, k, v: values, gates });
  return fromHeads(s, x, y, value_heads || heads, v || head_dim);
};

const selectiveScan: Step = (s, x) => {
  const state = s.random.of([4, 16]);
  const dt = project(s, x, x.dim).end;
  const [b, c] = [project(s, x, state).end, project(s, x, state).end];
  const params = { d_inner: x.dim, state };
  return { ...x, end: s.put('selective_scan', params, { x: x.end, dt, b, c }) };
};

const dualScan: Step = (s, x) => {
  const [heads, head_dim, state] = [4, s.random.of([4, 8]), s.random.of([8, 16])];
  const groups = s.random.of([1, 2, 4]);
  const d_inner = heads * head_dim;
  const xbc_width = d_inner + 2 * groups * state;
  const xbc = project(s, x, xbc_width).end;
  const dt = project(s, x, heads).end;
  const chunk = maybe(s.random, 32);
  const params = { d_inner, heads, head_dim, state, groups, xbc_width, chunk };
  return { ...x, dim: d_inner, end: s.put('ssd_scan', params, { xbc, dt }) };
};

const expanded: Step = (s, x) => {
  const heads = s.random.of([2, 3]);
  const y = s.put('expand_heads', { heads, dim: x.dim }, { x: x.end });
  return fromHeads(s, x, y, heads, x.dim);
};

const parted: Step = (s, x) => {
  if (x.dim < 8) return unary(s, x);
  const first = s.random.of([1, 4, Math.floor(x.dim / 2)]);
  const sizes = [first, x.dim - first];
  const L = s.random.of(['...', `B ${lengthName(s, x)}`]);
  const id = s.put('split', { from: `${L} ${x.dim}`, sizes }, { x: x.end }).split(':')[0];
  const part = steps(s, { ...x, dim: first, end: `${id}:y0` }, 1);
  const to = `${L} ${part.dim + sizes[1]!}`;
  const wires = { y0: part.end, y1: `${id}:y1` };
  const params = { to, sizes: [part.dim, sizes[1]], axis: maybe(s.random, -1) };
  return { ...x, dim: part.dim + sizes[1]!, end: s.put('concat', params, wires) };
};

// Trained tokens before the sequence: T + n positions from here on, in a branch of its own.
const prefixed: Step = (s, x) => {
  const { random } = s;
  const count = random.of([undefined, 1, 3]);
  const tokens = random.of([undefined, 5]);
  const y0 = s.put('learned_tokens', { dim: x.dim, count, tokens }, {});
  const pieces = tokens ?? count ?? 1;
  const params = {
    to: `B ${x.length}+${pieces} ${x.dim}`,
    sizes: [pieces, x.length],
    axis: random.of([1, -2]),
  };
  const joined = s.put('concat', params, { y0, y1: x.end });
  const normed = s.put('rmsnorm', { dim: x.dim }, { x: joined });
  const out = s.put('linear', { in_features: x.dim, out_features: 8 }, { x: normed });
  s.put('output', {}, { x: out });
  return x;
};

const composite: Step = (s, x) => {
  const { random } = s;
  const d_model = x.dim;
  const bias = maybe(random, random.chance(0.5));
  const [type, params] = random.of<[string, Params]>([
    ['gqa_attention', { ...gqaSettings(s, x), bias, o_bias: maybe(random, random.chance(0.5)) }],
    [
      'diff_attention',
      { ...headsOf(random), bias, rope: rotation(random), causal: maybe(random, false) },
    ],
    ['gated_mlp', { hidden: 24, bias, act: maybe(random, 'gelu') }],
    ['dense_mlp', { hidden: 40, bias, act: maybe(random, 'relu2') }],
    [
      'moe_layer',
      {
        ...{ experts: 4, top_k: random.of([1, 2, 3]), expert_hidden: 20, bias },
        shared_experts: random.of([0, 1, 2]),
        shared_expert_gate: maybe(random, random.chance(0.5)),
        router_bias: maybe(random, true),
      },
    ],
    [
      'mamba_block',
      {
        state: 8,
        dt_rank: 4,
        expand: maybe(random, 3),
        norm_inputs: maybe(random, true),
        conv_bias: maybe(random, false),
        bias,
      },
    ],
    ['mamba2_block', { head_dim: x.dim, state: 8, groups: 2, conv_kernel: maybe(random, 3), bias }],
    [
      'gated_deltanet_block',
      {
        heads: 2,
        head_dim: 8,
        v_head_dim: 6,
        value_heads: 4,
        bias,
        conv_bias: maybe(random, true),
      },
    ],
    [
      'mla_attention',
      {
        heads: 3,
        q_lora: 20,
        kv_lora: 12,
        nope_dim: 8,
        rope_dim: 4,
        v_dim: 6,
        bias,
        causal: maybe(random, false),
      },
    ],
  ]);
  const wires = { x: x.end, ...attentionPorts(s, params) };
  return { ...x, end: s.put(type, { d_model, ...params }, wires) };
};

const transformer: Step = (s, x) => {
  const { random } = s;
  const attention = random.of(['gqa', 'gqa', 'gqa', 'mla', 'diff']);
  const mlp = random.of(['gated', 'dense', 'moe', undefined]);
  const norm = maybe(random, random.of(['rmsnorm', 'layernorm']));
  const kinds: Record<string, Params> = {
    gqa: {
      ...gqaSettings(s, x),
      attention: maybe(random, 'gqa'),
      attn_o_bias: maybe(random, random.chance(0.5)),
    },
    mla: {
      ...headsOf(random),
      attention,
      q_lora: 20,
      kv_lora: 12,
      nope_dim: 8,
      rope_dim: 4,
      v_dim: 6,
    },
    diff: { ...headsOf(random), attention, rope: rotation(random), causal: maybe(random, false) },
  };
  const params: Params = {
    d_model: x.dim,
    ffn_hidden: 28,
    ...kinds[attention],
    ...{ norm, mlp, act: maybe(random, random.of(activations)) },
    norm_bias: maybe(random, random.chance(0.5)),
    post_norm: maybe(random, random.chance(0.5)),
    attn_bias: maybe(random, random.chance(0.5)),
    mlp_bias: maybe(random, random.chance(0.5)),
    cross_attention: s.hasSource && x.length === 'T' && random.chance(0.4) ? true : undefined,
    ...(mlp === 'moe' && {
      experts: 4,
      top_k: 2,
      expert_hidden: 20,
      shared_experts: random.below(2),
    }),
  };
  const wires: Record<string, string> = {
    x: x.end,
    ...(attention === 'gqa' ? attentionPorts(s, params) : {}),
    ...(params.cross_attention && { memory: s.reach(`memory${x.dim}`) }),
  };
  return { ...x, end: s.put('transformer_block', params, wires) };
};

const crossed: Step = (s, x) => {
  if (!s.hasSource || x.length === 'S') return transformer(s, x);
  const params = {
    d_model: x.dim,
    ...headsOf(s.random),
    memory_dim: maybe(s.random, x.dim),
    bias: maybe(s.random, s.random.chance(0.5)),
    flash: maybe(s.random, s.random.chance(0.5)),
  };
  const wires = { x: x.end, memory: s.reach(`memory${x.dim}`) };
  return { ...x, end: s.put('cross_attention', params, wires) };
};

const ahead: Step = (s, x) => {
  const e = unary(s, x);
  const norm = maybe(s.random, 'layernorm');
  const params = {
    d_model: x.dim,
    by: maybe(s.random, 2),
    norm,
    norm_bias: maybe(s.random, false),
  };
  return { ...x, end: s.put('mtp_head', params, { x: x.end, e: e.end }) };
};

const own: Step = (s, x) => {
  if (s.random.chance(0.5))
    return { ...x, end: s.put('widening', { d: x.dim, n: maybe(s.random, 2) }, { x: x.end }) };
  const g = unary(s, x).end;
  const y = s.put('stacked', { d: x.dim, count: maybe(s.random, 4) }, { x: x.end, g });
  const [a, b] = [y, y.replace(':y', ':h')];
  return { ...x, end: s.put('add', { dim: x.dim }, { a, b }) };
};

const all: readonly Step[] = [
  ...[unary, unary, positions, resize, residual, gated, repeat, repeat, routed, parted, prefixed],
  ...[fusedAttention, writtenOut, combined, deltaScan, selectiveScan, dualScan, expanded],
  ...[composite, composite, composite, transformer, transformer, crossed, ahead, own],
];

function steps(s: Sheet, x: Stream, count: number): Stream {
  let y = x;
  for (let i = 0; i < count; ++i) {
    y = s.random.of(all)(s, y);
    if (y.dim > 200) y = resize(s, y);
  }
  return y;
}

function image(s: Sheet): void {
  const { random } = s;
  let [channels, size] = [random.of([2, 4]), 12];
  let x = s.put('input', { shape: `B ${channels} ${size} ${size}`, dtype: 'bf16' }, {}, 'x');
  for (let i = random.below(4); i > 0 && size >= 4; --i) {
    const kernel = random.of([1, 2, 3]);
    const stride = random.of([1, 2]);
    const padding = random.of([0, 1]);
    const at = { in_h: size, in_w: size };
    const shape = { kernel, stride, padding: padding || undefined };
    const next = Math.floor((size + 2 * padding - kernel) / stride) + 1;
    if (random.chance(0.3)) {
      x = s.put('maxpool2d', { channels, ...at, ...shape }, { x });
    } else {
      const out_channels = random.of([4, 8]);
      const groups = maybe(random, 2);
      const [bias, act] = [maybe(random, false), maybe(random, 'relu')];
      const params = { in_channels: channels, out_channels, ...at, ...shape, groups, bias, act };
      x = s.put('conv2d', params, { x });
      channels = out_channels;
    }
    size = next;
  }
  const flat = s.put('flatten2d', { channels, in_h: size, in_w: size }, { x });
  const out = s.put(
    'linear',
    { in_features: channels * size * size, out_features: 10 },
    { x: flat },
  );
  s.put('output', {}, { x: out });
}

/** A design that is right, in numbers. */
export function draw(seed: number): Document {
  const random = new Random(seed);
  const hasSource = random.chance(0.35);
  const s = new Sheet(random, 0, hasSource);
  const [dim, vocab] = [random.of(widths), 50];
  if (hasSource) {
    const ids = s.put('input', { shape: 'B S', dtype: 'int64' }, {}, 'x');
    const start = s.put('embedding', { vocab, dim }, { ids });
    s.encoded = steps(s, { end: start, length: 'S', dim }, 1 + random.below(4));
  }
  if (random.chance(0.15)) image(s);
  let x: Stream;
  if (random.chance(0.85)) {
    const ids = s.put('input', {}, {}, 'x');
    const tied = hasSource && random.chance(0.5) ? true : undefined;
    x = { end: s.put('embedding', { vocab, dim, tied }, { ids }), length: 'T', dim };
  } else {
    const end = s.put('input', { shape: `B T ${dim}`, dtype: 'fp32' }, {}, 'x');
    x = { end, length: 'T', dim };
  }
  x = steps(s, x, 2 + random.below(6));
  if (random.chance(0.8)) {
    const settings = {
      tied: maybe(random, random.chance(0.5)),
      bias: maybe(random, true),
      softcap: maybe(random, 30),
    };
    x = { ...x, end: s.put('lm_head', { vocab, dim: x.dim, ...settings }, { x: x.end }) };
  }
  s.put('output', {}, { x: x.end });
  const used = JSON.stringify(s.nodes);
  const defs = /"(widening|stacked)"/.test(used) ? { defs: definitions } : {};
  return {
    version: 1,
    meta: { name: `drawn ${seed}` },
    symbols: {
      B: { kind: 'runtime', default: 2 },
      T: { kind: 'runtime', default: 48 },
      ...(hasSource && { S: { kind: 'runtime', default: 40 } }),
    },
    graph: { nodes: s.nodes, edges: s.edges },
    ...defs,
  };
}
