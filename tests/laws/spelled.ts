// A drawn design, written as people write them: with symbols and expressions.
import type { Graph } from './composites.js';
import type { Document } from './draw.js';
import { Random } from './random.js';

// Parameters that take an expression.
const spellable =
  /^(vocab|dim|max_seq|in_features|out_features|in_channels|out_channels|channels|in_h|in_w|heads|kv_heads|head_dim|v_head_dim|d_model|ffn_hidden|hidden|experts|top_k|n|d_inner|state|xbc_width|expert_hidden|count|window|q_lora|kv_lora|nope_dim|rope_dim|v_dim|value_heads|d|buckets|decompressed_dim|memory_dim|sizes|from|to)$/;

/** The same design with symbols and expressions where numbers stood. */
export function spelled(document: Document, seed: number): Document {
  const random = new Random(seed);
  const symbols: Record<string, unknown> = { ...document.symbols };
  const word = (n: number): string => {
    const choice = random.below(4);
    if (n < 2 || choice === 0) return String(n);
    if (choice === 1 && n % 2 === 0) {
      symbols[`h${n}`] ??= n / 2;
      return `2*h${n}`;
    }
    if (choice === 2) {
      if (!(`n${n}` in symbols)) {
        symbols[`a${n}`] = n - 1;
        symbols[`n${n}`] = { kind: 'design', value: `a${n} + 1` };
      }
    } else {
      symbols[`n${n}`] ??= n;
    }
    return `n${n}`;
  };
  const inPattern = (text: string): string =>
    text.replace(/(?<![\w$+])\d+(?!\w)/g, (digits) => word(Number(digits)));
  const value = (v: unknown): unknown => {
    if (typeof v === 'number' && Number.isInteger(v) && v > 0)
      return random.chance(0.3) ? v : word(v);
    if (typeof v === 'string' && !v.includes('$')) return inPattern(v);
    return Array.isArray(v) ? v.map(value) : v;
  };
  const graph = ({ nodes, edges }: Graph): Graph => ({
    nodes: nodes.map((node) => ({
      ...node,
      ...(node.params && {
        params: Object.fromEntries(
          Object.entries(node.params).map(([key, v]) => {
            if (key === 'ports')
              return [
                key,
                Object.fromEntries(Object.entries(v).map(([port, p]) => [port, value(p)])),
              ];
            return [key, spellable.test(key) ? value(v) : v];
          }),
        ),
      }),
      ...(node.graph && { graph: graph(node.graph) }),
    })),
    edges,
  });
  const written = graph(document.graph);
  return { ...document, symbols, graph: written };
}
