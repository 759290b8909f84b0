// Results of the commands whose shapes the contract leaves open. Numbers are null where the engine has no
// finite one.

type Figure = number | null;

// show: the design's blocks as a tree, with what composites consist of.
export interface ShowResult {
  readonly name: string;
  readonly tree: readonly ShownBlock[];
}

export interface ShownBlock {
  readonly path: string;
  readonly id: string;
  readonly type: string;
  readonly kind: 'primitive' | 'composite' | 'container' | 'unknown';
  readonly label: string | null;
  readonly params: Figure; // weights of one copy
  readonly repeat: Figure; // of a repeat container: its count
  readonly arguments: Readonly<Record<string, unknown>>; // as written
  readonly outputs: readonly ShownOutput[];
  readonly children: readonly ShownBlock[];
}

export interface ShownOutput {
  readonly port: string;
  readonly shape: string | null; // "B T D"
  readonly numeric_shape: string | null; // "B T 4096"
  readonly to: readonly string[]; // "node:port" of the same graph
}

// explain: what a block is and what it costs at the operating point.
export interface ExplainResult {
  readonly path: string;
  readonly type: string;
  readonly kind: string;
  readonly label: string | null;
  readonly docs: {
    readonly name: string;
    readonly summary: string;
    readonly formula: string;
    readonly refs: readonly string[];
  };
  readonly copies: { readonly total: Figure; readonly active: Figure };
  readonly params: Readonly<Record<string, ExplainedParameter>>;
  readonly ports: ExplainedPorts<string>; // patterns
  readonly shapes: ExplainedPorts<string | null>; // what was inferred for them
  readonly contribution: {
    readonly params: Figure;
    readonly active_params: Figure;
    readonly share_of_params: Figure;
    readonly flops_per_token: Figure;
    readonly share_of_flops: Figure;
    readonly activation_bytes: Figure;
    readonly cache_bytes_per_token: Figure;
    readonly cache_bytes_per_sequence: Figure;
  };
  readonly breakdown: readonly {
    readonly path: string;
    readonly type: string;
    readonly params: Figure;
  }[];
  readonly mask: ExplainedMask | null;
}

export interface ExplainedParameter {
  readonly expression: string | null; // null unless it is written as one
  readonly value: unknown;
  readonly doc: string;
}

interface ExplainedPorts<Shape> {
  readonly in: Readonly<Record<string, Shape>>;
  readonly out: Readonly<Record<string, Shape>>;
}

// Which keys the queries of one head see: `cells` x `cells` shares, queries downwards.
export interface ExplainedMask {
  readonly path: string;
  readonly head: number;
  readonly heads: number;
  readonly length: number; // tokens along both sides
  readonly cells: number;
  readonly kept: readonly Figure[];
}

// diff: what two designs say differently, and their figures at one operating point.
export interface DiffResult {
  readonly a: string;
  readonly b: string;
  readonly identical: boolean; // in structure
  readonly at: {
    readonly T: Figure;
    readonly B: Figure;
    readonly S: Figure;
    readonly hardware: string;
  };
  readonly symbols: {
    readonly added: readonly DiffedSymbol[];
    readonly removed: readonly DiffedSymbol[];
    readonly changed: readonly {
      readonly name: string;
      readonly from: unknown; // as written
      readonly to: unknown;
      readonly from_value: Figure;
      readonly to_value: Figure;
    }[];
  };
  readonly definitions: Changes<string, string>;
  readonly blocks: Changes<DiffedBlock, ChangedBlock>;
  readonly edges: {
    readonly added: readonly DiffedWire[];
    readonly removed: readonly DiffedWire[];
  };
  readonly metrics: readonly DiffedMetric[];
}

interface Changes<Whole, Changed> {
  readonly added: readonly Whole[];
  readonly removed: readonly Whole[];
  readonly changed: readonly Changed[];
}

export interface DiffedSymbol {
  readonly name: string;
  readonly written: unknown;
  readonly value: Figure;
}

export interface DiffedBlock {
  readonly path: string;
  readonly type: string;
}

interface TextChange {
  readonly from: string | null;
  readonly to: string | null;
}

export interface ChangedBlock {
  readonly path: string;
  readonly type: TextChange | null; // null where equal
  readonly label: TextChange | null;
  readonly params: readonly {
    readonly name: string;
    readonly from: unknown;
    readonly to: unknown;
  }[];
}

export interface DiffedWire {
  readonly graph: string; // the container it is in; "<root>" outside of all
  readonly from: string;
  readonly to: string;
}

export interface DiffedMetric {
  readonly id: string;
  readonly label: string;
  readonly unit: 'count' | 'flops' | 'bytes';
  readonly a: Figure;
  readonly b: Figure;
  readonly delta: Figure;
  readonly ratio: Figure;
}
