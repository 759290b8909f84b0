// Every word the page says, in one place, ready for another language. Sentences about figures (verdicts,
// findings, diagnostics, notes) come from the engine.

import type { OptionGroup, OptionId } from '../state/options';
import type { View } from '../state/state';

interface OptionText {
  readonly label: string; // what stands over the control
  readonly name: string; // what a screen reader and the tooltip say
}

const options: Readonly<Record<OptionId, OptionText>> = {
  T: { label: 'Sequence T', name: 'Sequence length T, in tokens' },
  B: { label: 'Batch B', name: 'Micro-batch size B, in sequences' },
  concurrency: { label: 'Concurrency', name: 'Sequences served at once' },
  dtype: { label: 'Dtype', name: 'Training dtype of weights and activations' },
  kv_dtype: { label: 'Cache dtype', name: 'Dtype of the key/value cache' },
  hardware: { label: 'Device', name: 'Device' },
  gpus: { label: 'GPUs', name: 'Number of GPUs' },
  dp: { label: 'DP', name: 'Data-parallel degree' },
  tp: { label: 'TP', name: 'Tensor-parallel degree' },
  pp: { label: 'PP', name: 'Pipeline-parallel degree' },
  zero: { label: 'ZeRO', name: 'ZeRO stage' },
  optimizer: { label: 'Optimizer', name: 'Optimizer' },
  recompute: { label: 'Recompute', name: 'Activation recomputation' },
  tokens: { label: 'Training tokens', name: 'Training tokens' },
  S: { label: 'Source S', name: 'Source length S of an encoder, in tokens' },
  ep: { label: 'EP', name: 'Expert-parallel degree' },
  mfu: { label: 'MFU', name: 'Model FLOPs utilisation, 0 to 1' },
  decode_efficiency: {
    label: 'Decode efficiency',
    name: 'Share of peak FLOP/s reached while decoding, 0 to 1',
  },
  packing_mean: { label: 'Document mean', name: 'Mean length of packed documents, in tokens' },
  packing_spread: {
    label: 'Document spread',
    name: 'Coefficient of variation of packed document lengths',
  },
  inference_dtype: { label: 'Serving dtype', name: 'Dtype of the weights while serving' },
  precision: { label: 'Precision', name: 'Mixed-precision scheme' },
  sequence_parallel: {
    label: 'Sequence parallel',
    name: 'Sequence parallelism within a tensor-parallel group',
  },
  flash: { label: 'Fused attention', name: 'Fused attention kernel, which keeps no score matrix' },
};

const choices: Readonly<Record<string, string>> = {
  adamw: 'AdamW',
  adamw8bit: 'AdamW 8-bit',
  muon: 'Muon',
  sgd_momentum: 'SGD + momentum',
  sgd: 'SGD',
  bf16_adam: 'Adam in bf16',
};

const groups: Readonly<Record<OptionGroup, string>> = {
  workload: 'Workload',
  precision: 'Precision',
  machine: 'Machine',
  training: 'Training',
  more: 'More',
};

const views: Readonly<Record<View, string>> = {
  overview: 'Overview',
  paths: 'By path',
  structure: 'Structure',
  diff: 'Diff',
};

export const text = {
  product: 'Roofbeam',
  tagline: 'What a model costs to train and to serve',
  skipToFigures: 'Skip to the figures',

  header: {
    share: 'Copy link',
    shared: 'Link copied',
    shareFailed: 'Copy the address bar instead',
    theme: (theme: 'auto' | 'light' | 'dark') => `Theme: ${theme}`,
  },

  model: {
    title: 'Model',
    show: 'Change model',
    search: 'Search models',
    none: (query: string) => `No preset matches “${query}”.`,
    presets: 'Presets',
    open: 'Open a file…',
    paste: 'Paste a config',
    pasteLabel: 'config.json or design document',
    pasteOpen: 'Analyse',
    pastedName: 'pasted text',
    dropHint:
      'or drop a config.json or *.tensorcad.json anywhere on this page. It stays in this browser.',
    drop: 'Drop to analyse',
    rejected: (name: string, problems: number) =>
      `${name} was not opened: ${problems === 1 ? '1 problem' : `${problems} problems`}`,
    unanswered: (name: string) => `${name} has no answer`,
    dismiss: 'Dismiss',
    wholeDocument: 'document',
    parameters: 'parameters',
  },

  files: {
    tooLarge: (size: number, largest: number) => ({
      code: 'file.too_large',
      message: `the file has ${size.toLocaleString('en-US')} bytes; a config.json or design document of at most ${largest.toLocaleString('en-US')} bytes is expected`,
      hint: 'drop the config.json beside the weights, not the weights',
    }),
    unreadable: {
      code: 'file.unreadable',
      message: 'the file could not be read; a single JSON file is expected',
      hint: 'drop the file itself, not a folder',
    },
    utf16: {
      code: 'file.utf16',
      message: 'the text is encoded as UTF-16; JSON in UTF-8 is expected',
      hint: 'save the file as UTF-8',
    },
    notUtf8: {
      code: 'file.not_utf8',
      message: 'the bytes are not UTF-8 text; JSON in UTF-8 is expected',
      hint: 'check that this is the config.json and not a weight file',
    },
    severalFiles: (taken: string) => `Several files were dropped; ${taken} was opened.`,
  },

  options: {
    title: 'Operating point',
    fields: options,
    groups,
    choice: (value: string) => choices[value] ?? value,
    reset: 'Reset',
    resetName: 'Reset every option to its default',
    on: 'on',
    off: 'off',
  },

  views: { label: 'Views', names: views },

  answer: {
    waiting: 'Computing…',
    stale: 'These figures are for the last settings that could be answered.',
    updated: 'Figures updated.',
    failed: 'The settings could not be answered.',
    crash:
      'The engine stopped unexpectedly and was started anew. The last change has no answer yet.',
    tryAgain: 'Try again',
    badLink: 'This link could not be read; it may be cut off or come from a newer version.',
    newVersion: 'A new version of this page is ready.',
    reload: 'Reload',
  },

  overview: {
    verdict: 'Verdict',
    training: 'Training',
    serving: 'Serving',
    exact: 'exact value',

    parameters: 'Parameters',
    total: 'Total',
    active: 'Active per token',
    embedding: 'Embedding',
    head: 'Output head',
    nonEmbedding: 'Non-embedding',
    nonEmbeddingActive: 'Non-embedding, active',
    expert: 'Experts',
    byCategory: 'By category',

    compute: 'Compute per token',
    forward: 'Forward, causal',
    forwardUnmasked: 'Forward, unmasked',
    matrix: 'Matrix products',
    attention: 'Attention, causal',
    elementwise: 'Elementwise',
    trainPerToken: 'Training',
    attentionShare: 'Attention share of forward',
    ruleOfThumb: (factor: 2 | 6) => `Rule of thumb ${factor}N`,

    cache: 'Cache',
    perToken: 'Per token',
    perSequenceFixed: 'Per sequence, fixed',
    perSequence: 'Per sequence at T',
    decompressed: 'Per token, decompressed',

    trainingMemory: 'Training memory',
    perGpu: 'Per GPU',
    wholeModel: 'All shards',
    weights: 'Weights',
    gradients: 'Gradients',
    optimizer: 'Optimizer state',
    activations: 'Activations',
    logits: 'of which logits',
    castWeights: 'of which cast weights',
    totalRow: 'Total',
    capacity: 'Device capacity',
    capacityOf: (device: string) => `${device} holds`,

    servingMemory: 'Serving memory',
    kvCache: 'Cache',
    overhead: 'Overhead',

    speed: 'Speed',
    decode: 'Decode, tokens/s',
    decodeStep: 'Decode step',
    decodeBytes: 'Bytes per decode step',
    decodeFlops: 'FLOPs per decode step',
    prefill: 'Prefill',
    boundBy: 'Decode is bound by',
    memoryBound: 'memory bandwidth',
    computeBound: 'compute',
    ridge: 'Ridge point, FLOP/B',

    cost: 'Training cost',
    tokens: 'Tokens',
    totalFlops: 'Total compute',
    gpuHours: 'GPU-hours',
    wallClock: 'Wall clock',
    dollars: 'Price',
    mfu: 'MFU',

    chinchilla: 'Chinchilla',
    budget: 'Token budget',
    optimalTokens: 'Compute-optimal tokens',
    tokensPerParam: 'Tokens per parameter',
    tokensPerActiveParam: 'Tokens per active parameter',
    ratio: 'Tokens against optimal',
    lossHoffmann: 'Predicted loss, Hoffmann',
    lossEpoch: 'Predicted loss, Epoch',

    findings: 'Findings',
    noFindings: 'No rule has anything to say about this design.',
    severities: { error: 'Error', warning: 'Warning', info: 'Note' },
    notes: 'Notes',
  },

  paths: {
    title: 'By path',
    filter: 'Filter paths',
    grouped: 'Group by block',
    columns: {
      path: 'Path',
      params: 'Parameters',
      flops: 'FLOP/token',
      activations: 'Activations',
    },
    shown: (shown: number, all: number) =>
      shown === all ? `${all} paths` : `${shown} of ${all} paths`,
    none: 'No path matches.',
    root: 'model',
    sortHint: 'Press a column to sort by it.',
  },

  structure: {
    title: 'Structure',
    hint: 'Choose a block to see what it is, what it was given and what it costs.',
    block: 'Block',
    type: 'Kind',
    parameters: 'Parameters',
    oneCopy: 'Parameters of one copy',
    shapes: 'Output',
    unknownShape: 'unknown',
    fold: (path: string) => `What ${path} is made of`,
    output: (port: string, numeric: string | null, to: readonly string[]) =>
      `${port}${numeric === null ? '' : `: ${numeric}`}${to.length === 0 ? '' : `, to ${to.join(', ')}`}`,
    explanation: 'Explanation',
    close: 'Close',
    share: 'Share of the design',
    active: 'Active',
    flops: 'Forward FLOP/token',
    activations: 'Activations kept',
    cachePerToken: 'Cache per token, at 2 bytes',
    cachePerSequence: 'Cache per sequence, fixed',
    copies: 'Copies',
    given: 'Given',
    ports: 'Shapes',
    port: (side: 'in' | 'out', name: string) => `${side} ${name}`,
    breakdown: 'Where its parameters are',
    mask: (path: string, head: number, heads: number) =>
      `Attention mask of ${path}, head ${head + 1} of ${heads}`,
    maskCaption: (length: number) =>
      `What each query (down) sees of the keys (across), ${length.toLocaleString('en-US')} tokens a side`,
    references: 'References',
  },

  diff: {
    against: 'Compare with',
    choose: 'Choose a preset',
    openFile: 'Open another file…',
    none: 'Choose a second design to see what differs, in structure and in figures.',
    figures: 'Figures',
    at: (T: number | null, B: number | null, device: string) =>
      `T ${T ?? '–'}, B ${B ?? '–'}, ${device}`,
    change: 'Change',
    ratio: 'Ratio',
    identical: 'The two designs have the same structure.',
    symbols: 'Symbols',
    definitions: 'Definitions',
    blocks: 'Blocks',
    wires: 'Wires',
    what: 'What',
    absent: '–',
    defined: 'defined',
    definedOtherwise: 'defined otherwise',
  },
} as const;
