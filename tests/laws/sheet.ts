// One graph of a design that is being drawn.
import type { Graph, Node } from './composites.js';
import type { Params } from './primitives.js';
import type { Random } from './random.js';

export type Length = 'T' | 'S';
/** A sequence of vectors: what the drawing goes on from. */
export interface Stream {
  readonly end: string;
  readonly length: Length;
  readonly dim: number;
}
/** What a graph needs from outside, a parent gives through the entrance. */
export class Sheet {
  readonly nodes: Node[] = [];
  readonly edges: [string, string][] = [];
  readonly entrance: Record<string, string> = {};
  /** The encoder's output, on the sheet outside of all others. */
  encoded: Stream | undefined;
  private readonly reached = new Map<string, string>();
  constructor(
    readonly random: Random,
    readonly depth: number,
    readonly hasSource: boolean,
    private readonly outside?: (what: string) => string,
  ) {}

  id(type: string): string {
    return `${type.slice(0, 4).replace('_', '')}${this.nodes.length}`;
  }

  /** Places a block, wired; its first output. */
  put(
    type: string,
    params: Params,
    wires: Record<string, string>,
    out = 'y',
    graph?: Graph,
  ): string {
    const id = this.id(type);
    const written = Object.fromEntries(Object.entries(params).filter(([, v]) => v !== undefined));
    this.nodes.push({ id, type, params: written, ...(graph && { graph }) });
    for (const [port, from] of Object.entries(wires)) this.edges.push([from, `${id}:${port}`]);
    return `${id}:${out}`;
  }

  /** Positions, documents, tables, the encoder's output, value embeddings. */
  reach(what: string): string {
    const known = this.reached.get(what);
    if (known) return known;
    const found = this.find(what);
    this.reached.set(what, found);
    return found;
  }
  private find(what: string): string {
    if (this.outside) {
      this.outside(what);
      this.entrance[what] = this.shapeOf(what);
      return `_in:${what}`;
    }
    if (what === 'doc' || what === 'pos') {
      const role = what === 'doc' ? 'documents' : 'positions';
      return this.put('input', { shape: 'B T', dtype: 'int32', role }, {}, 'x');
    }
    if (what === 'bias') return this.put('position_bias', { buckets: 8, heads: 8 }, {}, 'table');
    if (what.startsWith('memory')) {
      const params = { in_features: this.encoded!.dim, out_features: Number(what.slice(6)) };
      return this.put('linear', params, { x: this.encoded!.end });
    }
    if (!what.startsWith('ve')) throw new Error(`nothing gives ${what}`);
    const ids = this.put('input', { dtype: 'int64' }, {}, 'x');
    return this.put('embedding', { vocab: 40, dim: Number(what.slice(2)) }, { ids });
  }
  shapeOf(what: string): string {
    if (what === 'bias') return '8 8';
    if (what.startsWith('memory')) return `B S ${what.slice(6)}`;
    return what.startsWith('ve') ? `B T ${what.slice(2)}` : 'B T';
  }
}
