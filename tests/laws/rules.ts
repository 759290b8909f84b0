// Which design rules fire on a design without faults, reckoned from the rules' own words.
import type { Graph } from './composites.js';
import type { Reckoning } from './reckoning.js';

const fusedHeads = [32, 64, 96, 128, 160, 192, 256];

/** `rule path:port` of every finding, in any order. */
export function expectedFindings(
  reckoning: Reckoning,
  graph: Graph,
  options: Record<string, any>,
  wanted: Record<string, any>,
): string[] {
  const findings: string[] = [];
  const { flops, train } = wanted;
  if (flops.fwd_attention / flops.fwd_total >= 0.2) findings.push('attention-share ');
  if (train.logits >= 0.25 * train.activations && train.logits > 0) findings.push('logits-memory ');
  const { activations, total } = train.per_gpu;
  if (options.recompute === 'none' && activations >= 0.5 * total) findings.push('recompute-hint ');

  for (const { path, type, params: p, source, level } of reckoning.blocks) {
    const say = (rule: string, at = path): number => findings.push(`${rule} ${at}`);
    const length = source ? options.S : options.T;
    if (type === 'lm_head' && p.vocab % 128 !== 0) say('vocab-padding');
    if (type === 'linear')
      for (const width of new Set([p.in_features, p.out_features]))
        if (width % 64 !== 0) say('tensor-core-multiples');
    if (type === 'sdpa') {
      for (const width of new Set([p.head_dim, p.v_head_dim || p.head_dim]))
        if (!fusedHeads.includes(width)) say('flash-head-dim');
      if (p.window && p.window >= length) say('window-vs-context');
      const expressions = p.mask || p.score || p.sinks;
      if (expressions) say('SDPA-06');
      if (p.logit_softcap && !expressions) say('SDPA-03');
    }
    if (type === 'attn_values') {
      let inRepeat = false;
      for (let at: typeof level | undefined = level; at; at = at.around)
        inRepeat ||= at.kind === 'repeat';
      if (options.recompute === 'full' && inRepeat) continue;
      const inside = level.path && /(^|\/)values$/.test(path);
      say('eager-attention', inside ? level.path : path);
    }
  }

  const read = new Set(graph.edges.map(([from]) => from));
  const own = new Set(graph.nodes.map(({ id }) => id));
  for (const end of reckoning.shapes.keys())
    if (own.has(end.split(':')[0]!) && !read.has(end)) findings.push(`dangling-output ${end}`);
  return findings;
}
