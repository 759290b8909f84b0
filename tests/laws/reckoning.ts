// A second reckoning of a design, from the primitives' facts up: shapes, weights, work, cache, what
// training keeps, and memory. Designs come with numbers in place of expressions.
import { type Graph, type Node, expansion } from './composites.js';
import { type Facts, type Params, type Place, primitives } from './primitives.js';
import {
  type Pattern,
  type Shape,
  type Size,
  coefficients,
  equal,
  mentions,
  onSource,
  pattern,
  power,
} from './sizes.js';

export interface Definition {
  readonly params: Readonly<Record<string, { readonly default?: unknown }>>;
  readonly ports: { readonly in: Record<string, any>; readonly out: Record<string, any> };
  readonly graph: Graph;
}
export type Definitions = Readonly<Record<string, Definition>>;

export interface Point {
  readonly T: number;
  readonly B: number;
  readonly S: number;
  readonly bytes: number;
  readonly cacheBytes: number;
  readonly flash: boolean;
  readonly recompute: 'none' | 'selective' | 'full';
  readonly autocast: boolean;
}

interface Arrival {
  readonly endpoint: string;
  readonly shape: Shape;
}

// The graph that a block stands in, and how its entrance is fed from outside.
interface Level {
  readonly path: string;
  readonly around: Level | undefined;
  readonly kind: 'root' | 'composite' | 'repeat' | 'experts';
  readonly count: number;
  readonly inputs: ReadonlyMap<string, Arrival>;
  readonly carried: ReadonlySet<string>;
  widths: Map<string, number>;
}

interface Block {
  readonly path: string;
  readonly id: string;
  readonly type: string;
  readonly params: Params;
  readonly facts: Facts;
  readonly level: Level;
  readonly inputs: ReadonlyMap<string, Arrival>;
  readonly copies: number;
  readonly active: number;
  readonly expert: boolean;
  readonly source: boolean;
}

interface Repeat {
  readonly level: Level;
  readonly active: number;
  readonly source: boolean;
}

/** As the engine prints it: `B T + 3 64`. */
export const shapeText = (shape: Shape): string =>
  shape.length === 0
    ? 'scalar'
    : shape
        .map((axis) =>
          [...axis]
            .sort(([a], [b]) => b.length - a.length || (a < b ? -1 : 1))
            .map(([lengths, n]) => (n === 1 && lengths ? [...lengths] : [n, ...lengths]).join('*'))
            .join(' + '),
        )
        .join(' ');

/** `2*$d` with numbers for names. */
function filled(value: any, values: Params): any {
  if (Array.isArray(value)) return value.map((item) => filled(item, values));
  if (typeof value !== 'string' || !value.includes('$')) return value;
  const alone = /^\$(\w+)$/.exec(value);
  if (alone) return values[alone[1]!];
  const text = value.replace(/\$(\w+)/g, (_, name: string) => String(values[name]));
  if (!/^[\d*+ ]+$/.test(text)) return text.replace(/\d+(?:\*\d+)+/g, (x) => String(product(x)));
  return text
    .split('+')
    .map(product)
    .reduce((a, b) => a + b);
}
const product = (text: string): number =>
  text
    .split('*')
    .map(Number)
    .reduce((a, b) => a * b);

function defined(definition: Definition, given: Params): Graph {
  const values: Record<string, unknown> = {};
  for (const [name, spec] of Object.entries(definition.params))
    values[name] = given[name] ?? spec.default;
  const ports = (side: Record<string, any>) => ({
    ports: Object.fromEntries(Object.keys(side).map((name) => [name, '*'])),
  });
  const inside = (graph: Graph): Graph => ({
    nodes: graph.nodes.map((node) => ({
      ...node,
      params: Object.fromEntries(
        Object.entries(node.params ?? {}).map(([key, value]) => [key, filled(value, values)]),
      ),
      ...(node.graph && { graph: inside(node.graph) }),
    })),
    edges: graph.edges,
  });
  const { nodes, edges } = inside(definition.graph);
  return {
    nodes: [
      { id: '_in', type: 'boundary_in', params: ports(definition.ports.in) },
      ...nodes,
      { id: '_out', type: 'boundary_out', params: ports(definition.ports.out) },
    ],
    edges,
  };
}

export class Reckoning {
  readonly blocks: Block[] = [];
  readonly repeats: Repeat[] = [];
  /** Shapes of all outputs, by `path:port`. */
  readonly shapes = new Map<string, Shape>();
  private readonly definitions: Definitions;
  private readonly levels: { level: Level; graph: Graph; path: string }[] = [];

  constructor(graph: Graph, definitions: Definitions = {}) {
    this.definitions = definitions;
    const root = this.level('', undefined, 'root', 1, new Map(), new Set());
    this.walk(graph, root, 1, 1, false);
  }

  private level(
    path: string,
    around: Level | undefined,
    kind: Level['kind'],
    count: number,
    inputs: ReadonlyMap<string, Arrival>,
    carried: ReadonlySet<string>,
  ): Level {
    return { path, around, kind, count, inputs, carried, widths: new Map() };
  }

  private walk(
    graph: Graph,
    level: Level,
    copies: number,
    active: number,
    expert: boolean,
  ): Map<string, Shape> {
    const at = (id: string): string => (level.path ? `${level.path}/${id}` : id);
    this.levels.push({ level, graph, path: level.path });
    const fed = new Map(graph.edges.map(([from, to]) => [to, from]));
    const shapes = new Map<string, Shape>();
    const put = (id: string, port: string, shape: Shape): void => {
      shapes.set(`${id}:${port}`, shape);
      this.shapes.set(`${at(id)}:${port}`, shape);
    };
    const returned = new Map<string, Shape>();
    const done = new Set<string>();
    const found = new Map<string, Block[]>();
    const visit = (node: Node): void => {
      if (done.has(node.id)) return;
      done.add(node.id);
      const wires = graph.edges.filter(([, to]) => to.split(':')[0] === node.id);
      for (const [from] of wires) visit(graph.nodes.find(({ id }) => id === from.split(':')[0])!);
      const inputs = new Map<string, Arrival>();
      for (const [from, to] of wires)
        inputs.set(to.split(':')[1]!, { endpoint: from, shape: shapes.get(from)! });
      const first = this.blocks.length;
      this.block(node, at(node.id), level, inputs, put, copies, active, expert, returned);
      found.set(node.id, this.blocks.splice(first));
    };
    graph.nodes.forEach(visit);
    if (fed.size !== graph.edges.length) throw new Error(`two writers in ${level.path}`);
    for (const { id } of graph.nodes) this.blocks.push(...found.get(id)!);
    return returned;
  }

  private block(
    node: Node,
    path: string,
    level: Level,
    inputs: Map<string, Arrival>,
    put: (id: string, port: string, shape: Shape) => void,
    copies: number,
    active: number,
    expert: boolean,
    returned: Map<string, Shape>,
  ): void {
    const p = node.params ?? {};
    if (node.type === 'boundary_in') {
      for (const port of Object.keys(p.ports)) put(node.id, port, level.inputs.get(port)!.shape);
      return;
    }
    if (node.type === 'boundary_out') {
      for (const port of Object.keys(p.ports)) returned.set(port, inputs.get(port)!.shape);
      return;
    }
    const definition = this.definitions[node.type];
    const inside = definition ? defined(definition, p) : (node.graph ?? expansion(node.type, p));
    if (inside) {
      const repeat = node.type === 'repeat';
      const experts = node.type === 'moe_experts';
      const outputs = inside.nodes.find(({ type }) => type === 'boundary_out')!.params!.ports;
      const inner = this.level(
        path,
        level,
        repeat ? 'repeat' : experts ? 'experts' : 'composite',
        repeat ? p.count : 1,
        inputs,
        new Set(Object.keys(outputs)),
      );
      if (repeat) {
        const arriving = [...inputs.values()].map(({ shape }) => shape);
        const source =
          arriving.some((shape) => mentions(shape, 'S')) &&
          !arriving.some((shape) => mentions(shape, 'T'));
        this.repeats.push({ level: inner, active, source });
      }
      const result = this.walk(
        inside,
        inner,
        copies * (repeat ? p.count : experts ? p.experts : 1),
        active * (repeat ? p.count : experts ? p.top_k : 1),
        expert || experts,
      );
      for (const [port, shape] of result) put(node.id, port, shape);
      return;
    }
    const describe = primitives[node.type];
    if (!describe) throw new Error(`no such block: ${node.type}`);
    const facts = describe(p);
    const arriving = [...inputs.values()].map(({ shape }) => shape);
    const source =
      arriving.some((shape) => mentions(shape, 'S')) &&
      !arriving.some((shape) => mentions(shape, 'T'));
    const read = (text: string): Pattern => {
      const axes = pattern(text);
      if (!source || axes === '*') return axes;
      return axes.map((axis) => (axis === '...' ? axis : onSource(axis)));
    };
    let batch: Shape | undefined;
    for (const [port, text] of Object.entries(facts.in)) {
      const arrival = inputs.get(port);
      if (!arrival) throw new Error(`${path}:${port} is open`);
      batch = matched(read(text), arrival.shape, `${path}:${port}`) ?? batch;
    }
    const all = [...arriving];
    for (const [port, text] of Object.entries(facts.out)) {
      const axes = read(text);
      if (axes === '*') throw new Error(`${path}:${port} has no shape`);
      const shape = axes.flatMap((axis) => (axis === '...' ? batch! : [axis]));
      all.push(shape);
      put(node.id, port, shape);
    }
    const belongs =
      all.some((shape) => mentions(shape, 'S')) && !all.some((shape) => mentions(shape, 'T'));
    const { id, type } = node;
    this.blocks.push({
      ...{
        path,
        id,
        type,
        params: p,
        facts,
        level,
        inputs,
        copies,
        active,
        expert,
        source: belongs,
      },
    });
  }

  parameters() {
    const count = { total: 0, active: 0, embedding: 0, head: 0, expert: 0 };
    const byPath: Record<string, number> = {};
    for (const { path, type, facts, copies, active, expert } of this.blocks) {
      const weights = facts.weights ?? 0;
      if (weights === 0) continue;
      byPath[path] = weights * copies;
      count.total += weights * copies;
      count.active += weights * active;
      if (type === 'embedding' || type === 'pos_embedding') count.embedding += weights * copies;
      if (type === 'lm_head') count.head += weights * copies;
      if (expert) count.expert += weights * copies;
    }
    const non_embedding = count.total - count.embedding;
    const non_embedding_active = count.active - count.embedding;
    return { count: { ...count, non_embedding, non_embedding_active }, byPath };
  }

  private place(block: Block, point: Point): Place {
    const fused = point.flash || point.recompute === 'selective';
    const length = block.source ? point.S : point.T;
    return { length, source: point.S, bytes: point.bytes, fused };
  }

  flops(point: Point) {
    const sum = { fwd_dense: 0, fwd_attention: 0, fwd_attention_unmasked: 0, elementwise: 0 };
    const byPath: Record<string, number> = {};
    for (const block of this.blocks) {
      const { path, facts, active, source } = block;
      const at = this.place(block, point);
      const times = active * (source ? point.S / point.T : 1);
      const dense = (facts.dense ?? 0) * times;
      const attention = (facts.attention?.(at) ?? 0) * times;
      sum.fwd_dense += dense;
      sum.fwd_attention += attention;
      sum.fwd_attention_unmasked += ((facts.unmasked ?? facts.attention)?.(at) ?? 0) * times;
      sum.elementwise += (facts.elementwise?.(at) ?? 0) * times;
      if (dense + attention > 0) byPath[path] = dense + attention;
    }
    const fwd_total = sum.fwd_dense + sum.fwd_attention;
    const fwd_total_unmasked = sum.fwd_dense + sum.fwd_attention_unmasked;
    const train_per_token = fwd_total * (point.recompute === 'full' ? 4 : 3);
    return { sum: { ...sum, fwd_total, fwd_total_unmasked, train_per_token }, byPath };
  }

  cache(point: Point) {
    let bytes_per_token = 0;
    let bytes_per_sequence_fixed = 0;
    let bytes_per_token_decompressed = 0;
    for (const block of this.blocks) {
      if (block.source) continue;
      const { perToken = 0, perSequence, decompressed = perToken } = block.facts;
      const width = block.copies * point.cacheBytes;
      bytes_per_token += perToken * width;
      bytes_per_sequence_fixed += (perSequence?.(this.place(block, point)) ?? 0) * width;
      bytes_per_token_decompressed += decompressed * width;
    }
    return { bytes_per_token, bytes_per_sequence_fixed, bytes_per_token_decompressed };
  }

  /** Weights read by a step that decodes `tokens` sequences: experts' as far as some token goes there. */
  weightsRead(tokens: number): number {
    return this.blocks.reduce(
      (sum, { facts, copies, active }) =>
        sum + (facts.weights ?? 0) * copies * (1 - (1 - active / copies) ** tokens),
      0,
    );
  }

  castWeights(): number {
    return this.blocks
      .filter(({ facts }) => facts.autocast === 'half')
      .reduce(
        (n, { facts, copies }) => n + 2 * ((facts.weights ?? 0) + (facts.borrows ?? 0)) * copies,
        0,
      );
  }

  activations(point: Point) {
    let total = 0;
    let logits = 0;
    const byPath: Record<string, number> = {};
    const add = (path: string, bytes: number): void => {
      total += bytes;
      byPath[path] = (byPath[path] ?? 0) + bytes;
    };
    if (point.autocast) this.widen();
    const seen = new Set<string>();
    for (const block of this.blocks) {
      if (point.recompute === 'full' && inRepeat(block.level)) continue;
      for (const port of block.facts.keeps ?? []) {
        const { endpoint, shape } = block.inputs.get(port)!;
        const origin = source(block.level, endpoint);
        const made = point.autocast ? block.level.widths.get(endpoint)! : point.bytes;
        const cast = point.autocast && block.facts.autocast === 'half' && made > 2;
        const key = cast ? `${block.path}:${port} copy` : origin.key;
        if (seen.has(key)) continue;
        seen.add(key);
        const bytes = perSequence(shape, point) * point.B * (cast ? 2 : made);
        add(origin.key.replace(/:[^:]*$/, ''), (bytes * block.active) / origin.shared);
      }
      const at = this.place(block, point);
      const inside = (block.facts.keepsInside?.(at) ?? 0) * block.active * point.B * at.length;
      if (inside > 0) add(block.path, inside);
      if (block.type === 'lm_head') logits += inside;
    }
    if (point.recompute === 'full')
      for (const { level, active, source: onSourceStream } of this.repeats) {
        if (inRepeat(level.around!)) continue;
        const positions = point.B * (onSourceStream ? point.S : point.T);
        for (const { shape } of level.inputs.values())
          add(
            level.path,
            shape.map(coefficients).reduce((a, b) => a * b, 1) *
              positions *
              (point.autocast ? 4 : point.bytes) *
              active *
              level.count,
          );
      }
    return { total, logits, byPath };
  }

  // Bytes of every tensor's elements under autocast, until nothing changes any more.
  private widen(): void {
    for (let changed = true; changed;) {
      changed = false;
      for (const { level, graph } of this.levels) {
        const reaching = (to: string): number => {
          const from = graph.edges.find(([, end]) => end === to)?.[0];
          return from ? (level.widths.get(from) ?? 2) : 2;
        };
        const raise = (endpoint: string, width: number): void => {
          if ((level.widths.get(endpoint) ?? 0) >= width) return;
          level.widths.set(endpoint, width);
          changed = true;
        };
        for (const node of graph.nodes) {
          const path = level.path ? `${level.path}/${node.id}` : node.id;
          if (node.type === 'boundary_in') {
            for (const port of Object.keys(node.params!.ports)) {
              const outside = level.around!.widths.get(level.inputs.get(port)!.endpoint) ?? 2;
              const back =
                level.kind === 'repeat'
                  ? level.around!.widths.get(`${level.path.split('/').at(-1)}:${port}`)
                  : 0;
              raise(`${node.id}:${port}`, Math.max(outside, back ?? 0));
            }
            continue;
          }
          const below = this.levels.find((other) => other.path === path && other.level !== level);
          if (below) {
            for (const [from, to] of below.graph.edges)
              if (to.startsWith('_out:'))
                raise(`${node.id}:${to.slice(5)}`, below.level.widths.get(from) ?? 2);
            continue;
          }
          const facts = primitives[node.type]?.(node.params ?? {});
          if (!facts) continue;
          const widest = Math.max(
            2,
            ...Object.keys(facts.in).map((p) => reaching(`${node.id}:${p}`)),
          );
          const width = facts.autocast === 'single' ? 4 : facts.autocast === 'half' ? 2 : widest;
          for (const port of Object.keys(facts.out)) raise(`${node.id}:${port}`, width);
        }
      }
    }
  }
}

function matched(axes: Pattern, shape: Shape, where: string): Shape | undefined {
  if (axes === '*') return undefined;
  const wrong = (): never => {
    throw new Error(`${where}: ${shapeText(shape)} arrives`);
  };
  const check = (wanted: readonly (Size | '...')[], given: Shape): void =>
    wanted.forEach((axis, i) => {
      if (axis === '...' || !equal(axis, given[i]!)) wrong();
    });
  const gap = axes.indexOf('...');
  if (gap < 0) {
    if (axes.length !== shape.length) wrong();
    check(axes, shape);
    return undefined;
  }
  const tail = axes.length - gap - 1;
  if (shape.length < axes.length - 1) wrong();
  check(axes.slice(0, gap), shape.slice(0, gap));
  check(axes.slice(gap + 1), shape.slice(shape.length - tail));
  return shape.slice(gap, shape.length - tail);
}

function inRepeat(level: Level): boolean {
  for (let at: Level | undefined = level; at; at = at.around) if (at.kind === 'repeat') return true;
  return false;
}

// The tensor that is kept: an entrance counts as a producer of its own, but what a repeat reads
// unchanged in every copy is the tensor outside, once.
function source(level: Level, endpoint: string): { key: string; shared: number } {
  const name = (at: Level, end: string): string => (at.path ? `${at.path}/${end}` : end);
  let key = name(level, endpoint);
  let shared = 1;
  let [at, end] = [level, endpoint];
  while (end.startsWith('_in:') && at.around) {
    const port = end.slice(4);
    if (at.kind === 'repeat' && at.carried.has(port)) break;
    end = at.inputs.get(port)!.endpoint;
    if (at.kind === 'repeat') {
      shared *= at.count;
      key = name(at.around, end);
    }
    at = at.around;
  }
  return { key, shared };
}

// A sequence's elements, with each length once for every axis it stretches; T where none is named.
function perSequence(shape: Shape, { T, S }: Point): number {
  const powers = (length: string): number =>
    shape.reduce((sum, axis) => sum + power(axis, length), 0);
  const [t, s] = [powers('T'), powers('S')];
  const elements = shape.map(coefficients).reduce((a, b) => a * b, 1);
  return elements * (t + s === 0 ? T : T ** t * S ** s);
}
