// What one primitive holds, computes, keeps and caches, each as the paper that introduced it or plain
// counting gives it. The engine's own formulas are not read here.

export type Params = Readonly<Record<string, any>>;

/** Where a block runs: its own stream's length, the source's, the width of elements, and fusing. */
export interface Place {
  readonly length: number;
  readonly source: number;
  readonly bytes: number;
  readonly fused: boolean;
}

export interface Facts {
  readonly in: Readonly<Record<string, string>>;
  readonly out: Readonly<Record<string, string>>;
  readonly weights?: number;
  /** Multiply-adds a token counted twice. */
  readonly dense?: number;
  readonly attention?: (at: Place) => number;
  readonly unmasked?: (at: Place) => number;
  readonly elementwise?: (at: Place) => number;
  readonly keeps?: readonly string[];
  /** Bytes a token made inside and kept. */
  readonly keepsInside?: (at: Place) => number;
  /** Cached elements. */
  readonly perToken?: number;
  readonly perSequence?: (at: Place) => number;
  readonly decompressed?: number;
  /** Under autocast: computes in half precision, in single, or passes the widest input on. */
  readonly autocast?: 'half' | 'single';
  /** Weights read though they are another block's. */
  readonly borrows?: number;
}

export const activationCost: Readonly<Record<string, number>> = {
  relu: 1,
  relu2: 2,
  gelu: 8,
  gelu_tanh: 8,
  silu: 5,
  swish: 5,
  tanh: 6,
  sigmoid: 4,
  identity: 0,
};

interface Expression {
  readonly text: string;
  readonly tables?: readonly string[];
}
export interface MaskExpression extends Expression {
  readonly keeps: (q: number, kv: number, h: number, heads: number) => boolean;
  readonly readsHead?: boolean;
}
export interface ScoreExpression extends Expression {
  readonly cost: number;
}

export const masks: readonly MaskExpression[] = [
  { text: 'kv <= q', keeps: (q, kv) => kv <= q },
  { text: 'q - kv < 5 and kv - q < 3', keeps: (q, kv) => q - kv < 5 && kv - q < 3 },
  {
    text: 'q - q % 8 == kv - kv % 8',
    keeps: (q, kv) => Math.floor(q / 8) === Math.floor(kv / 8),
  },
  { text: 'kv % 4 == 0 or q == kv', keeps: (q, kv) => kv % 4 === 0 || q === kv },
  {
    text: 'q - kv <= 4 * (h + 1) or q == kv',
    keeps: (q, kv, h) => q - kv <= 4 * (h + 1) || q === kv,
    readsHead: true,
  },
  { text: 'not (kv < 2) || q - kv < 1', keeps: (q, kv) => !(kv < 2) || q - kv < 1 },
  { text: 'doc(b, q) == doc(b, kv)', keeps: () => true, tables: ['doc'] },
  {
    text: 'doc(b, q) == doc(b, kv) and q - kv < 6',
    keeps: (q, kv) => q - kv < 6,
    tables: ['doc'],
  },
];

// tanh 6, exp and log 4, sqrt 2, abs, floor, min, max and where 1, t5_bucket 12, anything else 1;
// what is constant is free.
export const scores: readonly ScoreExpression[] = [
  { text: 'score * 2', cost: 1 },
  { text: 'score + 2 ** (-8 * (h + 1) / heads) * (kv - q)', cost: 7 },
  { text: 'score - 0.5 * abs(q - kv)', cost: 1 + 1 + 1 + 1 },
  { text: '30 * tanh(score / 30)', cost: 1 + 6 + 1 },
  { text: 'where(q == kv, score, score - 1)', cost: 1 + 1 + 1 },
  { text: 'score + bias(t5_bucket(kv - q, 8, 16, true), h)', cost: 15, tables: ['bias'] },
  { text: 'max(score, -50) + log(1 + exp(2)) * q', cost: 1 + 1 + 1 },
  { text: 'score + sqrt(kv + 1) - exp(min(q, 3))', cost: 1 + 2 + 1 + 1 + 4 + 1 },
];

export const tablesOf = (p: Params): readonly string[] => [
  ...new Set(
    [
      masks.find((mask) => mask.text === p.mask),
      scores.find((score) => score.text === p.score),
    ].flatMap((expression) => expression?.tables ?? []),
  ),
];

/** The pairs a mask keeps among those that causality and the window leave, all of them tried. */
function keptShare(p: Params, length: number): number {
  if (!p.mask) return 1;
  const mask = masks.find(({ text }) => text === p.mask);
  if (!mask) throw new Error(`no such mask: ${p.mask}`);
  let kept = 0;
  let all = 0;
  for (let h = 0; h < (mask.readsHead ? Math.min(8, p.heads) : 1); ++h)
    for (let q = 0; q < length; ++q)
      for (let kv = p.window ? Math.max(0, q - p.window + 1) : 0; kv < length; ++kv) {
        if ((p.causal ?? true) && kv > q) break;
        all += 1;
        if (mask.keeps(q, kv, h, p.heads)) kept += 1;
      }
  return kept / all;
}

function keysPerQuery(p: Params, { length, source }: Place): number {
  if (p.cross) return source;
  const window = p.window && p.window < length ? p.window : 0;
  if (p.causal ?? true) {
    // Query i reads min(i + 1, window) keys; as a continuum, window - window^2 / 2 length.
    return window ? window - window ** 2 / (2 * length) : length / 2;
  }
  return window || length;
}

function sdpa(p: Params): Facts {
  const v = p.v_head_dim || p.head_dim;
  const stream = p.cross ? 'S' : 'T';
  const flops = (keys: number): number => 2 * p.heads * (p.head_dim + v) * keys;
  const position = p.kv_heads * (p.head_dim + (p.shared_values ? 0 : v));
  const score = scores.find(({ text }) => text === p.score)?.cost ?? 0;
  const keys = (at: Place): number => keysPerQuery(p, at) * keptShare(p, at.length);
  const cached = p.cache ?? true;
  return {
    in: {
      q: `B ${p.heads} T ${p.head_dim}`,
      k: `B ${p.kv_heads} ${stream} ${p.head_dim}`,
      v: `B ${p.kv_heads} ${stream} ${v}`,
      ...Object.fromEntries(tablesOf(p).map((table) => [table, '*'])),
    },
    out: { y: `B ${p.heads} T ${v}` },
    weights: p.sinks ? p.heads : 0,
    attention: (at) => flops(keys(at)),
    unmasked: (at) => flops(p.cross ? at.source : at.length),
    elementwise: (at) =>
      (score + (p.logit_softcap ? 8 : 0)) * keys(at) * p.heads + (p.sinks ? p.heads * v : 0),
    keeps: ['q', 'k', 'v'],
    keepsInside: ({ length, source, bytes, fused }) => {
      if (fused && (p.flash ?? true)) return p.heads * (v * bytes + 4);
      const row = p.cross ? source : p.window ? Math.min(p.window, length) : length;
      return p.heads * v * bytes + 2 * p.heads * row * bytes;
    },
    perToken: cached && !p.cross && !p.window ? position : 0,
    perSequence: ({ source }) =>
      !cached ? 0 : p.cross ? position * source : p.window ? position * p.window : 0,
    autocast: 'half',
  };
}

const convolved = (extent: number, p: Params, kernel: number, stride: number): number =>
  Math.floor((extent + 2 * (p.padding ?? 0) - kernel) / stride) + 1;

const same = (dim: number): Pick<Facts, 'in' | 'out'> => ({
  in: { x: `... ${dim}` },
  out: { y: `... ${dim}` },
});
const joined = (dim: number): Pick<Facts, 'in' | 'out'> => ({
  in: { a: `... ${dim}`, b: `... ${dim}` },
  out: { y: `... ${dim}` },
});
const always = (count: number) => (): number => count;

function pieces(
  axes: string,
  sizes: readonly (number | string)[],
  axis = -1,
): Record<string, string> {
  const atoms: string[] = axes.match(/\([^()]*\)|\S+/g) ?? [];
  return Object.fromEntries(
    sizes.map((size, i) => [`y${i}`, atoms.with(axis, String(size)).join(' ')]),
  );
}

export const primitives: Readonly<Record<string, (p: Params) => Facts>> = {
  input: (p) => ({ in: {}, out: { x: p.shape ?? 'B T' } }),
  output: () => ({ in: { x: '*' }, out: {} }),
  embedding: (p) => ({
    in: { ids: '...' },
    out: { y: `... ${p.dim}` },
    weights: p.tied ? 0 : p.vocab * p.dim,
    autocast: 'single',
  }),
  pos_embedding: (p) => ({
    in: { x: `... ${p.dim}`, ...(p.positions ? { pos: 'B T' } : {}) },
    out: { y: `... ${p.dim}` },
    weights: p.max_seq * p.dim,
    elementwise: always(p.dim),
    autocast: 'single',
  }),
  learned_tokens: (p) => ({
    in: {},
    out: { y: `B ${p.tokens || (p.count ?? 1)} ${p.dim}` },
    weights: (p.count ?? 1) * p.dim,
    autocast: 'single',
  }),
  position_bias: (p) => ({
    in: {},
    out: { table: `${p.buckets} ${p.heads}` },
    weights: p.buckets * p.heads,
    autocast: 'single',
  }),
  linear: (p) => ({
    in: { x: `... ${p.in_features}` },
    out: { y: `... ${p.out_features}` },
    weights: (p.in_features + (p.bias ? 1 : 0)) * p.out_features,
    dense: 2 * p.in_features * p.out_features,
    keeps: ['x'],
    autocast: 'half',
  }),
  lm_head: (p) => ({
    in: { x: `... ${p.dim}` },
    out: { y: `... ${p.vocab}` },
    weights: (p.tied ? 0 : p.vocab * p.dim) + (p.bias ? p.vocab : 0),
    dense: 2 * p.vocab * p.dim,
    elementwise: always(p.softcap ? 8 * p.vocab : 0),
    keeps: ['x'],
    keepsInside: ({ bytes }) => p.vocab * (bytes + 4),
    autocast: 'half',
    borrows: p.tied ? p.vocab * p.dim : 0,
  }),
  conv2d: (p) => {
    const kernel = p.kernel ?? 3;
    const height = convolved(p.in_h, p, kernel, p.stride ?? 1);
    const width = convolved(p.in_w, p, kernel, p.stride ?? 1);
    const taps = (p.in_channels / (p.groups ?? 1)) * kernel * kernel;
    return {
      in: { x: `B ${p.in_channels} ${p.in_h} ${p.in_w}` },
      out: { y: `B ${p.out_channels} ${height} ${width}` },
      weights: (taps + ((p.bias ?? true) ? 1 : 0)) * p.out_channels,
      dense: 2 * taps * p.out_channels * height * width,
      elementwise: always(activationCost[p.act ?? 'identity']! * p.out_channels * height * width),
      keeps: ['x'],
      autocast: 'half',
    };
  },
  maxpool2d: (p) => {
    const kernel = p.kernel ?? 2;
    const height = convolved(p.in_h, p, kernel, p.stride ?? 2);
    const width = convolved(p.in_w, p, kernel, p.stride ?? 2);
    return {
      in: { x: `B ${p.channels} ${p.in_h} ${p.in_w}` },
      out: { y: `B ${p.channels} ${height} ${width}` },
      elementwise: always(p.channels * height * width * kernel ** 2),
      keeps: ['x'],
    };
  },
  flatten2d: (p) => ({
    in: { x: `B ${p.channels} ${p.in_h} ${p.in_w}` },
    out: { y: `B (${p.channels} ${p.in_h} ${p.in_w})` },
  }),
  rmsnorm: (p) => ({
    ...same(p.dim),
    weights: (p.scale ?? true) ? p.dim : 0,
    elementwise: always(4 * p.dim),
    keeps: ['x'],
    autocast: 'single',
  }),
  layernorm: (p) => ({
    ...same(p.dim),
    weights: (p.bias ?? true) ? 2 * p.dim : p.dim,
    elementwise: always(6 * p.dim),
    keeps: ['x'],
    autocast: 'single',
  }),
  activation: (p) => ({
    ...same(p.dim),
    elementwise: always(activationCost[p.kind ?? 'silu']! * p.dim),
    keeps: ['x'],
  }),
  add: (p) => ({ ...joined(p.dim), elementwise: always(p.dim) }),
  mul: (p) => ({ ...joined(p.dim), elementwise: always(p.dim), keeps: ['a', 'b'] }),
  mix: (p) => ({ ...joined(p.dim), weights: 2, elementwise: always(3 * p.dim), keeps: ['a', 'b'] }),
  gate: (p) => ({
    in: { x: `... ${p.dim}`, g: '... 1' },
    out: { y: `... ${p.dim}` },
    elementwise: always(p.dim),
    keeps: ['x', 'g'],
  }),
  scale: (p) => ({ ...same(p.dim), elementwise: always(p.dim) }),
  shift: (p) => same(p.dim),
  diff_combine: (p) => {
    const shape = `B ${p.heads} T ${p.dim}`;
    return {
      in: { a: shape, b: shape },
      out: { y: shape },
      weights: 4 * p.head_dim,
      elementwise: always(2 * p.heads * p.dim),
      keeps: ['b'],
    };
  },
  attn_scores: (p) => ({
    in: { q: `B ${p.heads} T ${p.head_dim}`, k: `B ${p.kv_heads} T ${p.head_dim}` },
    out: { y: `B ${p.heads} T T` },
    attention: ({ length }) => 2 * length * p.heads * p.head_dim,
    keeps: ['q', 'k'],
    perToken: p.kv_heads * p.head_dim,
    autocast: 'half',
  }),
  attn_softmax: (p) => ({
    in: { x: `B ${p.heads} T T` },
    out: { y: `B ${p.heads} T T` },
    elementwise: ({ length }) => 5 * p.heads * length,
    autocast: 'single',
  }),
  head_mix: (p) => ({
    in: { x: `B ${p.heads} T T` },
    out: { y: `B ${p.heads} T T` },
    weights: p.heads ** 2,
    attention: ({ length }) => 2 * p.heads ** 2 * length,
    keeps: ['x'],
  }),
  attn_values: (p) => ({
    in: { p: `B ${p.heads} T T`, v: `B ${p.kv_heads} T ${p.v_head_dim}` },
    out: { y: `B ${p.heads} T ${p.v_head_dim}` },
    attention: ({ length }) => 2 * length * p.heads * p.v_head_dim,
    keeps: ['p', 'v'],
    perToken: p.kv_heads * p.v_head_dim,
    autocast: 'half',
  }),
  rearrange: (p) => ({ in: { x: p.from }, out: { y: p.to } }),
  split: (p) => ({ in: { x: p.from }, out: pieces(p.from, p.sizes) }),
  concat: (p) => ({ in: pieces(p.to, p.sizes, p.axis), out: { y: p.to } }),
  expand_heads: (p) => ({ in: { x: `B T ${p.dim}` }, out: { y: `B ${p.heads} T ${p.dim}` } }),
  rope: (p) => {
    const shape = `B ${p.heads} T ${p.head_dim}`;
    return {
      in: { x: shape, ...(p.positions ? { pos: 'B T' } : {}) },
      out: { y: shape },
      elementwise: always(6 * p.heads * p.head_dim),
      autocast: 'single',
    };
  },
  sdpa,
  topk_router: (p) => ({
    in: { x: `... ${p.d_model}` },
    out: { weights: `... ${p.top_k}` },
    weights: (p.d_model + (p.bias ? 1 : 0)) * p.experts,
    dense: 2 * p.d_model * p.experts,
    keeps: ['x'],
    autocast: 'single',
  }),
  weighted_sum: (p) => ({
    in: { x: `... ${p.dim}`, weights: `... ${p.n}` },
    out: { y: `... ${p.dim}` },
    elementwise: always(p.dim * p.n),
  }),
  kv_latent_cache: (p) => ({
    ...same(p.dim),
    perToken: p.dim,
    decompressed: p.decompressed_dim || p.dim,
  }),
  conv1d: (p) => {
    const kernel = p.kernel ?? 4;
    return {
      ...same(p.channels),
      weights: (kernel + ((p.bias ?? true) ? 1 : 0)) * p.channels,
      dense: 2 * p.channels * kernel,
      keeps: ['x'],
      perSequence: always(p.channels * (kernel - 1)),
      autocast: 'half',
    };
  },
  gated_delta_scan: (p) => {
    const heads = p.value_heads || p.heads;
    const v = p.v_head_dim || p.head_dim;
    const key = `B ${p.heads} T ${p.head_dim}`;
    return {
      in: { q: key, k: key, v: `B ${heads} T ${v}`, gates: `B T ${2 * heads}` },
      out: { y: `B ${heads} T ${v}` },
      weights: 2 * heads,
      dense: 8 * p.heads * p.head_dim * v,
      keeps: ['q', 'k', 'v', 'gates'],
      perSequence: always(p.heads * p.head_dim * v),
      autocast: 'single',
    };
  },
  selective_scan: (p) => ({
    in: {
      x: `... ${p.d_inner}`,
      dt: `... ${p.d_inner}`,
      b: `... ${p.state}`,
      c: `... ${p.state}`,
    },
    out: { y: `... ${p.d_inner}` },
    weights: p.d_inner * (p.state + 1),
    dense: 6 * p.d_inner * p.state,
    keeps: ['x', 'dt', 'b', 'c'],
    perSequence: always(p.d_inner * p.state),
    autocast: 'single',
  }),
  ssd_scan: (p) => ({
    in: { xbc: `... ${p.xbc_width}`, dt: `... ${p.heads}` },
    out: { y: `... ${p.d_inner}` },
    weights: 3 * p.heads,
    dense: p.d_inner * (6 * p.state + 4 * (p.chunk ?? 256)),
    keeps: ['xbc', 'dt'],
    perSequence: always(p.heads * p.head_dim * p.state),
    autocast: 'single',
  }),
};
