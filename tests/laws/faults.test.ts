// Drawn designs with one fault each, then with all of them: each is found, where it was made, whatever
// else is wrong.
import { beforeAll, describe, expect, test } from 'vitest';
import { type Engine, createEngine } from '../../dist/node.js';
import { draw } from './draw.js';

let engine: Engine;
beforeAll(async () => {
  engine = await createEngine();
});

type Json = any;

interface Findings {
  readonly ok: boolean;
  readonly findings: readonly {
    readonly rule: string;
    readonly severity: string;
    readonly path: string | null;
    readonly port: string | null;
    readonly message: string;
    readonly hint: string;
  }[];
}
function validate(design: Json): Findings {
  const request = { schema_version: 1, command: 'validate', design };
  const response = JSON.parse(engine.ask(JSON.stringify(request)));
  if (!response.ok) throw new Error(JSON.stringify(response.diagnostics));
  return response.result;
}

interface Fault {
  readonly name: string;
  /** Breaks a design; new blocks are named after `id`. */
  readonly make: (design: Json, id: string) => void;
  readonly rule: string;
  readonly path: (id: string) => string | null;
  readonly port?: string;
  readonly says: RegExp;
}

const node = (design: Json, id: string, type: string, params: Json, graph?: Json): void => {
  design.graph.nodes.push({ id, type, params, ...(graph && { graph }) });
};
const wire = (design: Json, from: string, to: string): void => {
  design.graph.edges.push([from, to]);
};
const reals = (design: Json, id: string, shape: string): void =>
  node(design, id, 'input', { shape, dtype: 'bf16' });
const sdpa = { heads: 4, kv_heads: 4, head_dim: 32 };
const heads = { d_model: 64, heads: 4, kv_heads: 4, head_dim: 16 };
const at = (id: string): string => id;
const nowhere = (): null => null;

const norms = (design: Json, id: string): void => {
  node(design, `${id}a`, 'rmsnorm', { dim: 64 });
  node(design, `${id}b`, 'rmsnorm', { dim: 64 });
};

/** A stack of repeats, each in the one before. */
function nest(depth: number): Json {
  const ports = { ports: { x: '... 8' } };
  const inner =
    depth === 0
      ? { id: 'n', type: 'rmsnorm', params: { dim: 8 } }
      : { id: 'n', type: 'repeat', params: { count: 2 }, graph: nest(depth - 1) };
  const [entry, exit] = depth === 0 ? ['n:x', 'n:y'] : ['n:x', 'n:x'];
  return {
    nodes: [
      { id: '_in', type: 'boundary_in', params: ports },
      inner,
      { id: '_out', type: 'boundary_out', params: ports },
    ],
    edges: [
      ['_in:x', entry],
      [exit, '_out:x'],
    ],
  };
}

const one = (
  name: string,
  type: string,
  params: Json,
  rule: string,
  says: RegExp,
  port?: string,
): Fault => ({
  name,
  make: (design, id) => node(design, id, type, params),
  rule,
  path: at,
  says,
  ...(port && { port }),
});

const faults: readonly Fault[] = [
  {
    name: 'a cycle',
    make: (design, id) => {
      norms(design, id);
      wire(design, `${id}a:y`, `${id}b:x`);
      wire(design, `${id}b:y`, `${id}a:x`);
    },
    rule: 'graph',
    path: (id) => `${id}a`,
    says: /cycle/,
  },
  {
    name: 'a wire from nowhere',
    make: (design, id) => {
      node(design, id, 'output', {});
      wire(design, `${id}x:y`, `${id}:x`);
    },
    rule: 'graph',
    path: nowhere,
    says: /not in this graph/,
  },
  {
    name: 'a wire without a port',
    make: (design, id) => {
      node(design, id, 'output', {});
      wire(design, `${id}z`, `${id}:x`);
    },
    rule: 'graph',
    path: nowhere,
    says: /node:port/,
  },
  {
    name: 'a port that a block lacks',
    make: (design, id) => {
      reals(design, id, 'B T 64');
      node(design, `${id}o`, 'output', {});
      wire(design, `${id}:y`, `${id}o:x`);
    },
    rule: 'graph',
    path: at,
    port: 'y',
    says: /no output "y"/,
  },
  {
    name: 'two writers',
    make: (design, id) => {
      reals(design, `${id}a`, 'B T 64');
      reals(design, `${id}b`, 'B T 64');
      node(design, id, 'output', {});
      wire(design, `${id}a:x`, `${id}:x`);
      wire(design, `${id}b:x`, `${id}:x`);
    },
    rule: 'shape',
    path: at,
    port: 'x',
    says: /two wires/,
  },
  {
    name: 'a rank that does not fit',
    make: (design, id) => {
      reals(design, `${id}a`, 'B T 64');
      node(design, id, 'rope', { heads: 2, head_dim: 32 });
      wire(design, `${id}a:x`, `${id}:x`);
    },
    rule: 'shape',
    path: at,
    port: 'x',
    says: /B T 64/,
  },
  {
    name: 'a width that does not fit',
    make: (design, id) => {
      reals(design, `${id}a`, 'B T 64');
      node(design, id, 'rmsnorm', { dim: 65 });
      wire(design, `${id}a:x`, `${id}:x`);
    },
    rule: 'shape',
    path: at,
    port: 'x',
    says: /dim 2 is 64, wanted .*65/,
  },
  {
    name: 'the target against the source',
    make: (design, id) => {
      design.symbols.S ??= { kind: 'runtime', default: 8 };
      reals(design, `${id}a`, 'B T 64');
      reals(design, `${id}b`, 'B S 64');
      node(design, id, 'add', { dim: 64 });
      wire(design, `${id}a:x`, `${id}:a`);
      wire(design, `${id}b:x`, `${id}:b`);
    },
    rule: 'shape',
    path: at,
    port: 'b',
    says: /B S.*B T/,
  },
  {
    name: 'a repeat that changes what it carries',
    make: (design, id) => {
      reals(design, `${id}a`, 'B T 8');
      const graph = {
        nodes: [
          { id: '_in', type: 'boundary_in', params: { ports: { x: 'B T 8' } } },
          { id: 'up', type: 'linear', params: { in_features: 8, out_features: 16 } },
          { id: '_out', type: 'boundary_out', params: { ports: { x: '...' } } },
        ],
        edges: [
          ['_in:x', 'up:x'],
          ['up:y', '_out:x'],
        ],
      };
      node(design, id, 'repeat', { count: 2 }, graph);
      wire(design, `${id}a:x`, `${id}:x`);
    },
    rule: 'shape',
    path: at,
    port: 'x',
    says: /does not preserve/,
  },
  {
    name: 'two blocks of one name',
    make: (design, id) => {
      norms(design, id);
      node(design, `${id}a`, 'rmsnorm', { dim: 8 });
    },
    rule: 'graph',
    path: nowhere,
    says: /have the id/,
  },
  {
    name: 'graphs as deep as they may be, with a block inside',
    make: (design, id) => node(design, id, 'repeat', { count: 1 }, nest(30)),
    rule: 'shape',
    path: at,
    port: 'x',
    says: /not connected/,
  },
  {
    name: 'a block that contains itself',
    make: (design, id) => {
      design.defs = {
        ...design.defs,
        again: {
          category: 'mlp',
          params: {},
          ports: { in: { x: '... 64' }, out: { y: '... 64' } },
          graph: {
            nodes: [{ id: 'inner', type: 'again' }],
            edges: [
              ['_in:x', 'inner:x'],
              ['inner:y', '_out:y'],
            ],
          },
        },
      };
      reals(design, `${id}a`, 'B T 64');
      node(design, id, 'again', {});
      wire(design, `${id}a:x`, `${id}:x`);
    },
    rule: 'graph',
    path: (id) => id + '/inner'.repeat(32),
    says: /deeper than 32/,
  },
  {
    name: 'a definition in the place of a built-in block',
    make: (design) => {
      design.defs = { ...design.defs, linear: { ...definition, params: {} } };
    },
    rule: 'user-blocks',
    path: () => 'linear',
    says: /already built in/,
  },
  {
    name: 'an unused definition that refers to nothing',
    make: (design) => {
      design.defs = { ...design.defs, unused: definition };
    },
    rule: 'user-blocks',
    path: () => 'unused',
    says: /\$none/,
  },
  {
    name: 'a symbol that divides by zero',
    make: (design) => {
      Object.assign(design.symbols, { Zero: '4/(Four-Four)', Four: 4 });
    },
    rule: 'symbols',
    path: nowhere,
    says: /Zero/,
  },
  {
    name: 'symbols in a cycle',
    make: (design) => {
      Object.assign(design.symbols, { Left: 'Right + 1', Right: 'Left + 1' });
    },
    rule: 'symbols',
    path: nowhere,
    says: /Left -> Right -> Left/,
  },
  {
    name: 'a name that is none',
    make: (design) => {
      design.symbols['9lives'] = 1;
    },
    rule: 'symbols',
    path: nowhere,
    says: /9lives/,
  },
  {
    name: 'indices where numbers belong',
    make: (design, id) => {
      node(design, `${id}a`, 'input', { shape: 'B T 64', dtype: 'int64' });
      node(design, id, 'rmsnorm', { dim: 64 });
      wire(design, `${id}a:x`, `${id}:x`);
    },
    rule: 'dtype',
    path: at,
    port: 'x',
    says: /integers/,
  },
  {
    name: 'a mask that reads what are no documents',
    make: (design, id) => {
      node(design, `${id}a`, 'input', { dtype: 'int32' });
      node(design, id, 'sdpa', { ...sdpa, mask: 'doc(b, q) == doc(b, kv)' });
      wire(design, `${id}a:x`, `${id}:doc`);
    },
    rule: 'input-roles',
    path: at,
    port: 'doc',
    says: /documents/,
  },
  one('an unknown block type', 'rmsnrom', {}, 'shape', /rmsnrom/),
  one('an unknown parameter', 'rmsnorm', { dim: 8, epps: 1 }, 'shape', /epps/),
  one('a missing parameter', 'rmsnorm', {}, 'shape', /dim/),
  one('a fraction', 'rmsnorm', { dim: 8.5 }, 'shape', /8.5/),
  one('a width of nothing', 'rmsnorm', { dim: 0 }, 'shape', /0/),
  one('a choice that is none', 'activation', { dim: 8, kind: 'geluu' }, 'shape', /geluu/),
  one('an unknown symbol', 'rmsnorm', { dim: 'Nope' }, 'shape', /Nope/),
  one('an open input', 'rmsnorm', { dim: 8 }, 'shape', /not connected/, 'x'),
  one('a head of odd width', 'rope', { heads: 1, head_dim: 7 }, 'ROPE-01', /7/),
  one(
    'positions but no rotation',
    'gqa_attention',
    { ...heads, positions: true },
    'ROPE-02',
    /rotary/,
  ),
  one('heads that do not divide', 'sdpa', { ...sdpa, kv_heads: 3 }, 'SDPA-01', /3/),
  one('a negative window', 'sdpa', { ...sdpa, window: -1 }, 'SDPA-02', /-1/),
  one('a mask that keeps nothing', 'sdpa', { ...sdpa, mask: 'kv > q' }, 'SDPA-04', /keeps no pair/),
  one('queries without keys', 'sdpa', { ...sdpa, mask: 'kv > 0' }, 'SDPA-05', /: 0/),
  one('causal cross-attention', 'sdpa', { ...sdpa, cross: true }, 'SDPA-07', /causal/),
  one('uneven heads in a composite', 'diff_attention', { ...heads, kv_heads: 3 }, 'ATTN-01', /3/),
  one(
    'a window written out',
    'gqa_attention',
    { ...heads, written_out: true, window: 4 },
    'ATTN-02',
    /window/,
  ),
  one(
    'more experts than there are',
    'topk_router',
    { d_model: 8, experts: 2, top_k: 3 },
    'ROUTER-01',
    /3/,
  ),
  one(
    'the same in a layer',
    'moe_layer',
    { d_model: 8, experts: 2, top_k: 3, expert_hidden: 8 },
    'MOE-01',
    /3/,
  ),
  one('a shift backwards', 'shift', { dim: 8, by: -1 }, 'SHIFT-01', /-1/),
  one(
    'heads beside the width',
    'ssd_scan',
    { d_inner: 60, heads: 4, head_dim: 16, state: 8, groups: 2, xbc_width: 92 },
    'SSD-01',
    /60/,
  ),
  one(
    'groups that do not divide',
    'ssd_scan',
    { d_inner: 64, heads: 4, head_dim: 16, state: 8, groups: 3, xbc_width: 112 },
    'SSD-02',
    /3/,
  ),
  one(
    'a negative value head',
    'gated_delta_scan',
    { heads: 2, head_dim: 8, v_head_dim: -8 },
    'GDN-01',
    /-8/,
  ),
  one('a mask that is no condition', 'sdpa', { ...sdpa, mask: 'q + kv' }, 'expression', /./),
  one('a score that forgets the score', 'sdpa', { ...sdpa, score: 'q' }, 'expression', /score/),
  one('a name no expression knows', 'sdpa', { ...sdpa, mask: 'q > kvv' }, 'expression', /kvv/),
];

const definition = {
  category: 'mlp',
  params: { d: { type: 'int' } },
  ports: { in: { x: '... d' }, out: { y: '... d' } },
  graph: {
    nodes: [
      { id: 'n', type: 'linear', params: { in_features: '$nowhere', out_features: '$none' } },
    ],
    edges: [],
  },
};

const broken = (seed: number, some: readonly Fault[]): Json => {
  const design = JSON.parse(JSON.stringify(draw(seed)));
  some.forEach((fault, i) => fault.make(design, `bad${i}`));
  return design;
};

function missing(findings: Findings['findings'], fault: Fault, id: string): string[] {
  const found = findings.some(
    ({ rule, path, port, message }) =>
      rule === fault.rule &&
      path === fault.path(id) &&
      (fault.port === undefined || port === fault.port) &&
      fault.says.test(message),
  );
  return found ? [] : [`${fault.name}: ${fault.rule} at ${fault.path(id)}`];
}

test('designs as drawn have no errors', () => {
  for (let seed = 1; seed <= 60; ++seed) expect(validate(draw(seed)).ok).toBe(true);
});

describe('a fault is found', () => {
  test.each(faults)('$name', (fault) => {
    for (const seed of [1, 2, 3]) {
      const { ok, findings } = validate(broken(seed, [fault]));
      expect(missing(findings, fault, 'bad0')).toEqual([]);
      expect(ok).toBe(false);
    }
  });
});

describe('faults are found together', () => {
  test.each([1, 2, 3, 4, 5])('in design %i', (seed) => {
    const { ok, findings } = validate(broken(seed, faults));
    expect(faults.flatMap((fault, i) => missing(findings, fault, `bad${i}`))).toEqual([]);
    expect(ok).toBe(false);
  });
});

test('errors of a block are listed under shape too, gravest findings first', () => {
  const { findings } = validate(broken(7, faults));
  const severities = ['error', 'warning', 'info'];
  const order = findings.map(({ severity }) => severities.indexOf(severity));
  expect(order).toEqual([...order].sort());
  for (const { rule, path, severity } of findings)
    if (/^[A-Z]/.test(rule) && severity === 'error')
      expect(findings.some((other) => other.rule === 'shape' && other.path === path)).toBe(true);
});

test('what an unknown block feeds is not called open', () => {
  const design = broken(1, []);
  node(design, 'lost', 'rmsnrom', { dim: 8 });
  node(design, 'after', 'rmsnorm', { dim: 8 });
  wire(design, 'lost:y', 'after:x');
  const about = validate(design).findings.filter(
    ({ path, port }) => path === 'after' && port === 'x',
  );
  expect(about.map(({ rule, severity }) => [rule, severity])).toEqual([['shape', 'warning']]);
});
