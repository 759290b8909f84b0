// What the composite blocks are made of, as the papers draw them: nodes in the order of their figures
// and the wires between. Written beside the engine's templates, not from them.
import { type Params, tablesOf } from './primitives.js';

export interface Node {
  readonly id: string;
  readonly type: string;
  readonly params?: Params;
  readonly graph?: Graph;
}
export interface Graph {
  readonly nodes: readonly Node[];
  readonly edges: readonly (readonly [string, string])[];
}

class Drawing {
  readonly nodes: Node[] = [];
  readonly edges: [string, string][] = [];
  private readonly inputs: string[] = [];

  input(port: string): void {
    this.inputs.push(port);
  }
  node(id: string, type: string, params: Params = {}, graph?: Graph): void {
    this.nodes.push({ id, type, params, ...(graph && { graph }) });
  }
  /** Wires each to the next; `a` stands for both a:x and a:y, and what is absent is skipped. */
  wire(...stops: (string | false | null | undefined)[]): void {
    const there = stops.filter((stop) => stop !== false && stop != null);
    for (let i = 0; i + 1 < there.length; ++i) {
      const [from, to] = [there[i]!, there[i + 1]!];
      const out = from.startsWith('_in:') ? from : `${from.split(':')[0]}:y`;
      this.edges.push([
        from.includes('>') ? from.replace('>', ':') : out,
        to.includes(':') ? to : `${to}:x`,
      ]);
    }
  }
  graph(): Graph {
    const ports = (names: readonly string[]) => ({
      ports: Object.fromEntries(names.map((name) => [name, '*'])),
    });
    return {
      nodes: [
        { id: '_in', type: 'boundary_in', params: ports(this.inputs) },
        ...this.nodes,
        { id: '_out', type: 'boundary_out', params: ports(['y']) },
      ],
      edges: this.edges,
    };
  }
}

const linear = (from: number, to: number, bias: boolean | undefined): Params => ({
  in_features: from,
  out_features: to,
  bias: bias ?? false,
});

function norm(p: Params): Params {
  return p.norm === 'layernorm'
    ? { dim: p.d_model, bias: p.norm_bias ?? true }
    : { dim: p.d_model };
}

function gqa(d: Drawing, p: Params): void {
  const [D, H, K, h] = [p.d_model, p.heads, p.kv_heads, p.head_dim];
  const eager = p.written_out || p.talking_heads;
  d.node('q_proj', 'linear', linear(D, H * h, p.bias));
  d.node('k_proj', 'linear', linear(D, K * h, p.bias));
  d.node('v_proj', 'linear', linear(D, K * h, p.bias));
  d.node('q_heads', 'rearrange', { from: `B T (${H} ${h})`, to: `B ${H} T ${h}` });
  d.node('k_heads', 'rearrange', { from: `B T (${K} ${h})`, to: `B ${K} T ${h}` });
  d.node('v_heads', 'rearrange', { from: `B T (${K} ${h})`, to: `B ${K} T ${h}` });
  if (p.qk_norm) for (const side of 'qk') d.node(`${side}_norm`, 'rmsnorm', { dim: h });
  if (p.rope) {
    d.node('rope_q', 'rope', { heads: H, head_dim: h, positions: p.positions });
    d.node('rope_k', 'rope', { heads: K, head_dim: h, positions: p.positions });
  }
  if (p.value_embeddings) {
    d.input('ve');
    d.node('ve_heads', 'rearrange', { from: `B T (${K} ${h})`, to: `B ${K} T ${h}` });
    d.node('v_mix', 'mix', { dim: h });
    d.wire('_in:ve', 've_heads', 'v_mix:b');
  }
  if (p.positions) {
    d.input('pos');
    d.wire('_in:pos', 'rope_q:pos');
    d.wire('_in:pos', 'rope_k:pos');
  }
  if (eager) {
    d.node('attn', 'eager_attention', {
      heads: H,
      kv_heads: K,
      head_dim: h,
      causal: p.causal,
      talking_heads: p.talking_heads,
    });
  } else {
    const { causal, window, flash, logit_softcap, mask, score, sinks } = p;
    const settings = { causal, window, flash, logit_softcap, mask, score, sinks };
    d.node('attn', 'sdpa', { heads: H, kv_heads: K, head_dim: h, ...settings });
    for (const table of tablesOf(p)) {
      d.input(table);
      d.edges.push([`_in:${table}`, `attn:${table}`]);
    }
  }
  d.node('o_merge', 'rearrange', { from: `B ${H} T ${h}`, to: `B T (${H} ${h})` });
  if (p.output_gate) {
    d.node('gate_proj', 'linear', linear(D, H * h, p.bias));
    d.node('gate_act', 'activation', { dim: H * h, kind: 'sigmoid' });
    d.node('out_gate', 'mul', { dim: H * h });
    d.wire('_in:x', 'gate_proj', 'gate_act', 'out_gate:b');
  }
  d.node('o_proj', 'linear', linear(H * h, D, p.o_bias ?? p.bias));
  d.wire('_in:x', 'q_proj', 'q_heads', p.qk_norm && 'q_norm', p.rope && 'rope_q', 'attn:q');
  d.wire('_in:x', 'k_proj', 'k_heads', p.qk_norm && 'k_norm', p.rope && 'rope_k', 'attn:k');
  d.wire('_in:x', 'v_proj', 'v_heads', p.value_embeddings && 'v_mix:a', 'attn:v');
  d.wire('attn', 'o_merge', p.output_gate && 'out_gate:a', 'o_proj', '_out:y');
}

function crossAttention(d: Drawing, p: Params): void {
  const [D, H, K, h] = [p.d_model, p.heads, p.kv_heads, p.head_dim];
  d.input('memory');
  d.node('q_proj', 'linear', linear(D, H * h, p.bias));
  for (const side of 'kv')
    d.node(`${side}_proj`, 'linear', linear(p.memory_dim || D, K * h, p.bias));
  d.node('q_heads', 'rearrange', { from: `B T (${H} ${h})`, to: `B ${H} T ${h}` });
  for (const side of 'kv')
    d.node(`${side}_heads`, 'rearrange', { from: `B S (${K} ${h})`, to: `B ${K} S ${h}` });
  const heads = { heads: H, kv_heads: K, head_dim: h };
  d.node('attn', 'sdpa', { ...heads, causal: false, cross: true, flash: p.flash });
  d.node('o_merge', 'rearrange', { from: `B ${H} T ${h}`, to: `B T (${H} ${h})` });
  d.node('o_proj', 'linear', linear(H * h, D, p.bias));
  d.wire('_in:x', 'q_proj', 'q_heads', 'attn:q');
  for (const side of 'kv') d.wire('_in:memory', `${side}_proj`, `${side}_heads`, `attn:${side}`);
  d.wire('attn', 'o_merge', 'o_proj', '_out:y');
}

function diffAttention(d: Drawing, p: Params): void {
  const [D, H, K, h] = [p.d_model, p.heads, p.kv_heads, p.head_dim];
  const sides = [
    ['q1', H, 'attn1:q'],
    ['q2', H, 'attn2:q'],
    ['k1', K, 'attn1:k'],
    ['k2', K, 'attn2:k'],
  ] as const;
  for (const [side, heads] of sides) d.node(`${side}_proj`, 'linear', linear(D, heads * h, p.bias));
  d.node('v_proj', 'linear', linear(D, K * 2 * h, p.bias));
  for (const [side, heads] of sides)
    d.node(`${side}_heads`, 'rearrange', { from: `B T (${heads} ${h})`, to: `B ${heads} T ${h}` });
  d.node('v_heads', 'rearrange', { from: `B T (${K} ${2 * h})`, to: `B ${K} T ${2 * h}` });
  if (p.rope)
    for (const [side, heads] of sides) d.node(`rope_${side}`, 'rope', { heads, head_dim: h });
  const { causal, flash } = p;
  const settings = { heads: H, kv_heads: K, head_dim: h, v_head_dim: 2 * h, causal, flash };
  d.node('attn1', 'sdpa', settings);
  d.node('attn2', 'sdpa', { ...settings, shared_values: true });
  d.node('combine', 'diff_combine', { heads: H, head_dim: h, dim: 2 * h });
  d.node('subln', 'rmsnorm', { dim: 2 * h });
  d.node('rescale', 'scale', { dim: 2 * h });
  d.node('o_merge', 'rearrange', { from: `B ${H} T ${2 * h}`, to: `B T (${H} ${2 * h})` });
  d.node('o_proj', 'linear', linear(H * 2 * h, D, p.bias));
  for (const [side, , to] of sides)
    d.wire('_in:x', `${side}_proj`, `${side}_heads`, p.rope && `rope_${side}`, to);
  d.wire('_in:x', 'v_proj', 'v_heads', 'attn1:v');
  d.wire('v_heads', 'attn2:v');
  d.wire('attn1', 'combine:a');
  d.wire('attn2', 'combine:b');
  d.wire('combine', 'subln', 'rescale', 'o_merge', 'o_proj', '_out:y');
}

function mla(d: Drawing, p: Params): void {
  const [D, H, no, ro, v] = [p.d_model, p.heads, p.nope_dim, p.rope_dim, p.v_dim];
  const [ql, kl] = [p.q_lora, p.kv_lora];
  d.node('q_down', 'linear', linear(D, ql, p.bias));
  d.node('q_norm', 'rmsnorm', { dim: ql });
  d.node('q_up', 'linear', linear(ql, H * (no + ro), p.bias));
  d.node('q_heads', 'rearrange', { from: `B T (${H} ${no + ro})`, to: `B ${H} T ${no + ro}` });
  d.node('kv_down', 'linear', linear(D, kl + ro, p.bias));
  d.node('latent', 'kv_latent_cache', { dim: kl + ro, decompressed_dim: H * (no + v) + ro });
  d.node('kv_split', 'split', { from: `B T ${kl + ro}`, sizes: [kl, ro] });
  d.node('kv_norm', 'rmsnorm', { dim: kl });
  d.node('k_up', 'linear', linear(kl, H * no, p.bias));
  d.node('k_nope_heads', 'rearrange', { from: `B T (${H} ${no})`, to: `B ${H} T ${no}` });
  d.node('v_up', 'linear', linear(kl, H * v, p.bias));
  d.node('v_heads', 'rearrange', { from: `B T (${H} ${v})`, to: `B ${H} T ${v}` });
  d.node('k_rope_shared', 'expand_heads', { heads: H, dim: ro });
  d.node('k_rope', 'rope', { heads: H, head_dim: ro });
  d.node('k_cat', 'concat', { to: `B ${H} T ${no + ro}`, sizes: [no, ro] });
  const heads = { heads: H, kv_heads: H, head_dim: no + ro, v_head_dim: v };
  d.node('attn', 'sdpa', { ...heads, causal: p.causal, cache: false });
  d.node('o_merge', 'rearrange', { from: `B ${H} T ${v}`, to: `B T (${H} ${v})` });
  d.node('o_proj', 'linear', linear(H * v, D, p.bias));
  d.wire('_in:x', 'q_down', 'q_norm', 'q_up', 'q_heads', 'attn:q');
  d.wire('_in:x', 'kv_down', 'latent', 'kv_split');
  d.wire('kv_split>y0', 'kv_norm', 'k_up', 'k_nope_heads', 'k_cat:y0');
  d.wire('kv_split>y1', 'k_rope_shared', 'k_rope', 'k_cat:y1');
  d.wire('kv_norm', 'v_up', 'v_heads', 'attn:v');
  d.wire('k_cat', 'attn:k');
  d.wire('attn', 'o_merge', 'o_proj', '_out:y');
}

function mlp(d: Drawing, p: Params, gated: boolean): void {
  const bias = p.bias ?? !gated;
  d.node('up', 'linear', linear(p.d_model, p.hidden, bias));
  d.node('act', 'activation', { dim: p.hidden, kind: p.act ?? (gated ? 'silu' : 'gelu') });
  d.node('down', 'linear', linear(p.hidden, p.d_model, bias));
  if (gated) {
    d.node('gate', 'linear', linear(p.d_model, p.hidden, bias));
    d.node('gated', 'mul', { dim: p.hidden });
    d.wire('_in:x', 'gate', 'act', 'gated:a');
    d.wire('_in:x', 'up', 'gated:b');
    d.wire('gated', 'down', '_out:y');
  } else {
    d.wire('_in:x', 'up', 'act', 'down', '_out:y');
  }
}

function moe(d: Drawing, p: Params): void {
  const [D, F] = [p.d_model, p.expert_hidden];
  const { experts, top_k, act = 'silu', bias = false } = p;
  const inside = new Drawing();
  inside.input('x');
  inside.node('expert', 'gated_mlp', { d_model: D, hidden: F, act, bias });
  inside.wire('_in:x', 'expert', '_out:y');
  d.node('router', 'topk_router', { d_model: D, experts, top_k, bias: p.router_bias });
  d.node('experts', 'moe_experts', { experts, top_k }, inside.graph());
  d.node('combine', 'weighted_sum', { dim: D, n: top_k });
  d.edges.push(['router:weights', 'combine:weights']);
  d.wire('_in:x', 'router');
  d.wire('_in:x', 'experts', 'combine', p.shared_experts ? 'merge:a' : '_out:y');
  if (!p.shared_experts) return;
  d.node('shared', 'gated_mlp', { d_model: D, hidden: p.shared_experts * F, act, bias });
  if (p.shared_expert_gate) {
    d.node('shared_gate', 'linear', linear(D, 1, false));
    d.node('shared_gate_act', 'activation', { dim: 1, kind: 'sigmoid' });
    d.node('shared_scale', 'gate', { dim: D });
    d.wire('_in:x', 'shared_gate', 'shared_gate_act', 'shared_scale:g');
  }
  d.node('merge', 'add', { dim: D });
  d.wire('_in:x', 'shared', p.shared_expert_gate && 'shared_scale', 'merge:b');
  d.wire('merge', '_out:y');
}

function mamba(d: Drawing, p: Params): void {
  const [D, n, r] = [p.d_model, p.state, p.dt_rank];
  const inner = (p.expand ?? 2) * D;
  d.node('in_proj', 'linear', linear(D, 2 * inner, p.bias));
  d.node('split_gate', 'split', { from: `B T ${2 * inner}`, sizes: [inner, inner] });
  d.node('conv', 'conv1d', { channels: inner, kernel: p.conv_kernel, bias: p.conv_bias });
  d.node('conv_act', 'activation', { dim: inner });
  d.node('x_proj', 'linear', linear(inner, r + 2 * n, false));
  d.node('split_dtbc', 'split', { from: `B T ${r + 2 * n}`, sizes: [r, n, n] });
  d.node('dt_proj', 'linear', linear(r, inner, true));
  d.node('scan', 'selective_scan', { d_inner: inner, state: n });
  d.node('gate_act', 'activation', { dim: inner });
  d.node('gate', 'mul', { dim: inner });
  d.node('out_proj', 'linear', linear(inner, D, p.bias));
  if (p.norm_inputs) {
    d.node('dt_norm', 'rmsnorm', { dim: r });
    d.node('b_norm', 'rmsnorm', { dim: n });
    d.node('c_norm', 'rmsnorm', { dim: n });
  }
  d.wire('_in:x', 'in_proj', 'split_gate');
  d.wire('split_gate>y0', 'conv', 'conv_act', 'x_proj', 'split_dtbc');
  d.wire('split_dtbc>y0', p.norm_inputs && 'dt_norm', 'dt_proj', 'scan:dt');
  d.wire('split_dtbc>y1', p.norm_inputs && 'b_norm', 'scan:b');
  d.wire('split_dtbc>y2', p.norm_inputs && 'c_norm', 'scan:c');
  d.wire('conv_act', 'scan:x');
  d.wire('scan', 'gate:a');
  d.wire('split_gate>y1', 'gate_act', 'gate:b');
  d.wire('gate', 'out_proj', '_out:y');
}

function mamba2(d: Drawing, p: Params): void {
  const D = p.d_model;
  const { expand = 2, head_dim = 64, state = 128, groups = 1 } = p;
  const inner = expand * D;
  const heads = inner / head_dim;
  const xbc = inner + 2 * groups * state;
  const all = inner + xbc + heads;
  d.node('in_proj', 'linear', linear(D, all, p.bias));
  d.node('split', 'split', { from: `B T ${all}`, sizes: [inner, xbc, heads] });
  d.node('gate_act', 'activation', { dim: inner });
  d.node('conv', 'conv1d', { channels: xbc, kernel: p.conv_kernel, bias: p.conv_bias });
  d.node('conv_act', 'activation', { dim: xbc });
  d.node('scan', 'ssd_scan', { d_inner: inner, heads, head_dim, state, groups, xbc_width: xbc });
  d.node('norm', 'rmsnorm', { dim: inner });
  d.node('gate', 'mul', { dim: inner });
  d.node('out_proj', 'linear', linear(inner, D, p.bias));
  d.wire('_in:x', 'in_proj', 'split');
  d.wire('split>y0', 'gate_act', 'gate:b');
  d.wire('split>y1', 'conv', 'conv_act', 'scan:xbc');
  d.wire('split>y2', 'scan:dt');
  d.wire('scan', 'norm', 'gate:a');
  d.wire('gate', 'out_proj', '_out:y');
}

function deltanet(d: Drawing, p: Params): void {
  const [D, H, K, h, v] = [p.d_model, p.value_heads, p.heads, p.head_dim, p.v_head_dim];
  const [keys, values] = [K * h, H * v];
  const qkv = 2 * keys + values;
  d.node('in_proj', 'linear', linear(D, qkv + values, p.bias));
  d.node('split_gate', 'split', { from: `B T ${qkv + values}`, sizes: [qkv, values] });
  d.node('conv', 'conv1d', {
    channels: qkv,
    kernel: p.conv_kernel,
    bias: p.conv_bias ?? false,
  });
  d.node('conv_act', 'activation', { dim: qkv });
  d.node('split_qkv', 'split', { from: `B T ${qkv}`, sizes: [keys, keys, values] });
  d.node('q_heads', 'rearrange', { from: `B T (${K} ${h})`, to: `B ${K} T ${h}` });
  d.node('k_heads', 'rearrange', { from: `B T (${K} ${h})`, to: `B ${K} T ${h}` });
  d.node('v_heads', 'rearrange', { from: `B T (${H} ${v})`, to: `B ${H} T ${v}` });
  d.node('ba_proj', 'linear', linear(D, 2 * H, p.bias));
  d.node('scan', 'gated_delta_scan', { heads: K, head_dim: h, v_head_dim: v, value_heads: H });
  d.node('norm', 'rmsnorm', { dim: v });
  d.node('gate_heads', 'rearrange', { from: `B T (${H} ${v})`, to: `B ${H} T ${v}` });
  d.node('gate_act', 'activation', { dim: v });
  d.node('gate', 'mul', { dim: v });
  d.node('merge', 'rearrange', { from: `B ${H} T ${v}`, to: `B T (${H} ${v})` });
  d.node('out_proj', 'linear', linear(values, D, p.bias));
  d.wire('_in:x', 'in_proj', 'split_gate');
  d.wire('split_gate>y0', 'conv', 'conv_act', 'split_qkv');
  d.wire('split_qkv>y0', 'q_heads', 'scan:q');
  d.wire('split_qkv>y1', 'k_heads', 'scan:k');
  d.wire('split_qkv>y2', 'v_heads', 'scan:v');
  d.wire('_in:x', 'ba_proj', 'scan:gates');
  d.wire('scan', 'norm', 'gate:a');
  d.wire('split_gate>y1', 'gate_heads', 'gate_act', 'gate:b');
  d.wire('gate', 'merge', 'out_proj', '_out:y');
}

function transformer(d: Drawing, p: Params): void {
  const { d_model, heads, kv_heads, head_dim, causal, rope } = p;
  const kind = p.norm ?? 'rmsnorm';
  d.node('norm1', kind, norm(p));
  if (p.attention === 'mla') {
    const { q_lora, kv_lora, nope_dim, rope_dim, v_dim } = p;
    const widths = { q_lora, kv_lora, nope_dim, rope_dim, v_dim };
    d.node('attn', 'mla_attention', { d_model, heads, ...widths, causal, bias: p.attn_bias });
  } else if (p.attention === 'diff') {
    const widths = { d_model, heads, kv_heads, head_dim };
    d.node('attn', 'diff_attention', { ...widths, causal, rope, bias: p.attn_bias });
  } else {
    const { window, qk_norm, logit_softcap, mask, score, sinks, positions } = p;
    const { written_out, talking_heads, value_embeddings, output_gate } = p;
    d.node('attn', 'gqa_attention', {
      ...{ d_model, heads, kv_heads, head_dim, causal, rope, window, qk_norm, logit_softcap },
      ...{ mask, score, sinks, positions, written_out, talking_heads, value_embeddings },
      ...{ output_gate, bias: p.attn_bias, o_bias: p.attn_o_bias },
    });
    const extra = [value_embeddings && 've', positions && 'pos', ...tablesOf(p)];
    for (const port of extra.filter(Boolean)) {
      d.input(port);
      d.edges.push([`_in:${port}`, `attn:${port}`]);
    }
  }
  d.node('resid1', 'add', { dim: d_model });
  d.node('norm2', kind, norm(p));
  if (p.mlp === 'moe') {
    const { experts, top_k, expert_hidden, shared_experts, shared_expert_gate, router_bias } = p;
    const counts = { experts, top_k, expert_hidden, shared_experts, shared_expert_gate };
    const settings = { act: p.act, bias: p.mlp_bias, router_bias };
    d.node('mlp', 'moe_layer', { d_model, ...counts, ...settings });
  } else {
    const settings = { act: p.act ?? 'silu', bias: p.mlp_bias ?? false };
    d.node('mlp', `${p.mlp ?? 'gated'}_mlp`, { d_model, hidden: p.ffn_hidden, ...settings });
  }
  d.node('resid2', 'add', { dim: d_model });
  if (p.post_norm) {
    d.node('post_attn_norm', kind, norm(p));
    d.node('post_mlp_norm', kind, norm(p));
  }
  let middle = 'resid1';
  if (p.cross_attention) {
    middle = 'resid_cross';
    d.input('memory');
    d.node('norm_cross', kind, norm(p));
    d.node('cross', 'cross_attention', { d_model, heads, kv_heads, head_dim, bias: p.attn_bias });
    d.node('resid_cross', 'add', { dim: d_model });
    d.edges.push(['_in:memory', 'cross:memory']);
    d.wire('resid1', 'norm_cross', 'cross', 'resid_cross:a');
    d.wire('resid1', 'resid_cross:b');
  }
  d.wire('_in:x', 'norm1', 'attn', p.post_norm && 'post_attn_norm', 'resid1:a');
  d.wire('_in:x', 'resid1:b');
  d.wire(middle, 'norm2', 'mlp', p.post_norm && 'post_mlp_norm', 'resid2:a');
  d.wire(middle, 'resid2:b');
  d.wire('resid2', '_out:y');
}

function mtp(d: Drawing, p: Params): void {
  const D = p.d_model;
  d.input('e');
  d.node('norm_h', p.norm ?? 'rmsnorm', norm(p));
  d.node('ahead', 'shift', { dim: D });
  d.node('norm_e', p.norm ?? 'rmsnorm', norm(p));
  d.node('join', 'concat', { to: `... ${2 * D}`, sizes: [D, D] });
  d.node('proj', 'linear', linear(2 * D, D, p.bias));
  d.wire('_in:x', 'norm_h', 'join:y0');
  d.wire('_in:e', 'ahead', 'norm_e', 'join:y1');
  d.wire('join', 'proj', '_out:y');
}

function eager(p: Params): Graph {
  const d = new Drawing();
  for (const port of 'qkv') d.input(port);
  d.node('scores', 'attn_scores', p);
  if (p.talking_heads) d.node('mix_logits', 'head_mix', p);
  d.node('softmax', 'attn_softmax', p);
  if (p.talking_heads) d.node('mix_weights', 'head_mix', p);
  d.node('values', 'attn_values', { ...p, v_head_dim: p.head_dim });
  const mixed = p.talking_heads;
  d.wire('_in:q', 'scores:q');
  d.wire('_in:k', 'scores:k');
  d.wire('scores', mixed && 'mix_logits', 'softmax', mixed && 'mix_weights', 'values:p');
  d.wire('_in:v', 'values:v');
  d.wire('values', '_out:y');
  return d.graph();
}

const drawings: Readonly<Record<string, (d: Drawing, p: Params) => void>> = {
  gqa_attention: gqa,
  cross_attention: crossAttention,
  diff_attention: diffAttention,
  mla_attention: mla,
  gated_mlp: (d, p) => mlp(d, p, true),
  dense_mlp: (d, p) => mlp(d, p, false),
  moe_layer: moe,
  mamba_block: mamba,
  mamba2_block: mamba2,
  gated_deltanet_block: deltanet,
  transformer_block: transformer,
  mtp_head: mtp,
};

export const composites: readonly string[] = ['eager_attention', ...Object.keys(drawings)];

/** What a composite block is made of, or nothing where the type is none. */
export function expansion(type: string, p: Params): Graph | undefined {
  if (type === 'eager_attention') return eager(p);
  const draw = drawings[type];
  if (!draw) return undefined;
  const d = new Drawing();
  d.input('x');
  draw(d, p);
  return d.graph();
}
