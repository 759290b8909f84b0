// The operating point's controls as data: one row an option, in the order they stand on the page. A row
// gives the option's place in the request, so a diagnostic's JSON Pointer finds its control, and the
// request, the link and the form are all made from this table.

export type OptionValue = number | string | boolean;

export const kGroups = ['workload', 'precision', 'machine', 'training', 'more'] as const;
export type OptionGroup = (typeof kGroups)[number];

export interface OptionField {
  readonly id: OptionId;
  readonly path: readonly [string] | readonly [string, string];
  readonly group: OptionGroup;
  readonly control:
    | { readonly kind: 'number' }
    | { readonly kind: 'choice'; readonly choices: readonly string[] }
    | { readonly kind: 'zero'; readonly choices: readonly number[] }
    | { readonly kind: 'device' }
    | { readonly kind: 'flag' };
}

export const kOptionIds = [
  'T',
  'B',
  'concurrency',
  'dtype',
  'kv_dtype',
  'hardware',
  'gpus',
  'dp',
  'tp',
  'pp',
  'zero',
  'optimizer',
  'recompute',
  'tokens',
  'S',
  'ep',
  'mfu',
  'decode_efficiency',
  'packing_mean',
  'packing_spread',
  'inference_dtype',
  'precision',
  'sequence_parallel',
  'flash',
] as const;
export type OptionId = (typeof kOptionIds)[number];

const kNumber = { kind: 'number' } as const;
const kFlag = { kind: 'flag' } as const;
const kDtype = { kind: 'choice', choices: ['bf16', 'fp16', 'fp8', 'fp32'] } as const;

export const kOptionFields: readonly OptionField[] = [
  { id: 'T', path: ['T'], group: 'workload', control: kNumber },
  { id: 'B', path: ['B'], group: 'workload', control: kNumber },
  { id: 'concurrency', path: ['concurrency'], group: 'workload', control: kNumber },
  { id: 'dtype', path: ['dtype'], group: 'precision', control: kDtype },
  { id: 'kv_dtype', path: ['kv_dtype'], group: 'precision', control: kDtype },
  { id: 'hardware', path: ['hardware'], group: 'machine', control: { kind: 'device' } },
  { id: 'gpus', path: ['gpus'], group: 'machine', control: kNumber },
  { id: 'dp', path: ['parallel', 'dp'], group: 'machine', control: kNumber },
  { id: 'tp', path: ['parallel', 'tp'], group: 'machine', control: kNumber },
  { id: 'pp', path: ['parallel', 'pp'], group: 'machine', control: kNumber },
  {
    id: 'zero',
    path: ['parallel', 'zero'],
    group: 'machine',
    control: { kind: 'zero', choices: [0, 1, 2, 3] },
  },
  {
    id: 'optimizer',
    path: ['optimizer'],
    group: 'training',
    control: {
      kind: 'choice',
      choices: ['adamw', 'adamw8bit', 'muon', 'sgd_momentum', 'sgd', 'bf16_adam'],
    },
  },
  {
    id: 'recompute',
    path: ['recompute'],
    group: 'training',
    control: { kind: 'choice', choices: ['none', 'selective', 'full'] },
  },
  { id: 'tokens', path: ['tokens'], group: 'more', control: kNumber },
  { id: 'S', path: ['S'], group: 'more', control: kNumber },
  { id: 'ep', path: ['parallel', 'ep'], group: 'more', control: kNumber },
  { id: 'mfu', path: ['mfu'], group: 'more', control: kNumber },
  { id: 'decode_efficiency', path: ['decode_efficiency'], group: 'more', control: kNumber },
  { id: 'packing_mean', path: ['packing', 'mean'], group: 'more', control: kNumber },
  { id: 'packing_spread', path: ['packing', 'spread'], group: 'more', control: kNumber },
  { id: 'inference_dtype', path: ['inference_dtype'], group: 'more', control: kDtype },
  {
    id: 'precision',
    path: ['precision'],
    group: 'more',
    control: { kind: 'choice', choices: ['mixed', 'autocast'] },
  },
  {
    id: 'sequence_parallel',
    path: ['parallel', 'sequence_parallel'],
    group: 'more',
    control: kFlag,
  },
  { id: 'flash', path: ['flash'], group: 'more', control: kFlag },
];

// What the person has set; an option not in it takes the engine's default.
export type OperatingPoint = { readonly [id in OptionId]?: OptionValue };

export function setOption(
  point: OperatingPoint,
  id: OptionId,
  value: OptionValue | undefined,
): OperatingPoint {
  const { [id]: _replaced, ...others } = point;
  return value === undefined ? others : { ...others, [id]: value };
}

// A typed number with the separators people use; anything else goes to the engine as it was typed, so
// that the engine says what is wrong with it.
export function typedNumber(text: string): number | string | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const bare = trimmed.replaceAll(/(?<=\d)[,_ \u00a0\u202f](?=\d)/g, '');
  return /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(bare) && Number.isFinite(Number(bare))
    ? Number(bare)
    : trimmed;
}

// The request's `options` object.
export function requestOptions(point: OperatingPoint): Record<string, unknown> {
  const options: Record<string, unknown> = {};
  for (const { id, path } of kOptionFields) {
    const value = point[id];
    if (value === undefined) continue;
    const [first, second] = path;
    if (second === undefined) {
      options[first] = value;
    } else {
      const inner = options[first];
      options[first] = { ...(typeof inner === 'object' ? inner : {}), [second]: value };
    }
  }
  return options;
}

// The option's value among the resolved ones that the engine echoes.
export function resolvedOption(options: object, field: OptionField): OptionValue | undefined {
  const [first, second] = field.path;
  const outer = isRecord(options) ? options[first] : undefined;
  const value = second === undefined ? outer : isRecord(outer) ? outer[second] : undefined;
  return typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean'
    ? value
    : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// "/options/parallel/tp" -> "tp"; undefined for a pointer to no control of this page.
export function optionAt(pointer: string): OptionId | undefined {
  const [root, ...path] = pointer.split('/').slice(1);
  if (root !== 'options') return undefined;
  return kOptionFields.find(
    (field) =>
      field.path.length === path.length && field.path.every((key, index) => key === path[index]),
  )?.id;
}
