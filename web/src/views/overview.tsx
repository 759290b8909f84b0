import type { AnalyzeResult } from 'roofbeam';
import * as format from '../format/quantity';
import { text } from '../text/en';
import { Row, Section } from '../widgets/figure';
import { CategoryTable } from './categories';
import { FindingList, Notes } from './findings';
import { ServingMemory, TrainingMemory } from './memory';

const t = text.overview;

interface OverviewProps {
  readonly result: AnalyzeResult;
  readonly remarks: readonly string[];
}

export function Overview({ result, remarks }: OverviewProps) {
  return (
    <div class="overview">
      <div class="sections-memory">
        <TrainingMemory result={result} />
        <ServingMemory result={result} />
      </div>
      <div class="sections">
        <Parameters result={result} />
        <Compute result={result} />
        <Speed result={result} />
        <Cache result={result} />
        <Cost result={result} />
        <Chinchilla result={result} />
      </div>
      <div class="sections-words">
        <FindingList findings={result.findings} />
        <Notes remarks={remarks} notes={result.notes} />
      </div>
    </div>
  );
}

function Parameters({ result: { params } }: { readonly result: AnalyzeResult }) {
  const sparse = params.active !== params.total;
  return (
    <Section id="parameters" title={t.parameters}>
      <dl class="rows">
        <Row label={t.total} quantity={format.count(params.total, 'parameters')} kind="main" />
        {sparse && <Row label={t.active} quantity={format.count(params.active, 'parameters')} />}
        <Row label={t.embedding} quantity={format.count(params.embedding, 'parameters')} />
        <Row label={t.head} quantity={format.count(params.head, 'parameters')} />
        <Row label={t.nonEmbedding} quantity={format.count(params.non_embedding, 'parameters')} />
        {sparse && (
          <Row
            label={t.nonEmbeddingActive}
            quantity={format.count(params.non_embedding_active, 'parameters')}
          />
        )}
        {sparse && <Row label={t.expert} quantity={format.count(params.expert, 'parameters')} />}
      </dl>
      <CategoryTable categories={params.by_category} />
    </Section>
  );
}

function Compute({ result: { flops } }: { readonly result: AnalyzeResult }) {
  return (
    <Section id="compute" title={t.compute}>
      <dl class="rows">
        <Row label={t.forward} quantity={format.flops(flops.fwd_total)} kind="main" />
        <Row label={t.matrix} quantity={format.flops(flops.fwd_dense)} kind="part" />
        <Row label={t.attention} quantity={format.flops(flops.fwd_attention)} kind="part" />
        <Row label={t.forwardUnmasked} quantity={format.flops(flops.fwd_total_unmasked)} />
        <Row label={t.elementwise} quantity={format.flops(flops.elementwise)} />
        <Row label={t.trainPerToken} quantity={format.flops(flops.train_per_token)} kind="main" />
        <Row label={t.attentionShare} quantity={format.percent(flops.attention_share)} />
        <Row label={t.ruleOfThumb(2)} quantity={format.flops(flops.rule_of_thumb2_n)} />
        <Row label={t.ruleOfThumb(6)} quantity={format.flops(flops.rule_of_thumb6_n)} />
      </dl>
    </Section>
  );
}

function Cache({ result: { kv } }: { readonly result: AnalyzeResult }) {
  return (
    <Section id="cache" title={t.cache}>
      <dl class="rows">
        <Row label={t.perToken} quantity={format.bytes(kv.bytes_per_token)} kind="main" />
        {kv.bytes_per_sequence !== undefined && (
          <Row label={t.perSequence} quantity={format.bytes(kv.bytes_per_sequence)} />
        )}
        <Row label={t.perSequenceFixed} quantity={format.bytes(kv.bytes_per_sequence_fixed)} />
        {kv.bytes_per_token_decompressed !== kv.bytes_per_token && (
          <Row label={t.decompressed} quantity={format.bytes(kv.bytes_per_token_decompressed)} />
        )}
      </dl>
    </Section>
  );
}

function Speed({ result: { throughput } }: { readonly result: AnalyzeResult }) {
  return (
    <Section id="speed" title={t.speed}>
      <dl class="rows">
        <Row
          label={t.decode}
          quantity={format.count(throughput.decode_tokens_per_second, 'tokens per second')}
          kind="main"
        />
        <div class="row">
          <dt>{t.boundBy}</dt>
          <dd>{throughput.memory_bound ? t.memoryBound : t.computeBound}</dd>
        </div>
        <Row label={t.decodeStep} quantity={format.seconds(throughput.decode_seconds_per_step)} />
        <Row label={t.decodeBytes} quantity={format.bytes(throughput.decode_bytes_per_step)} />
        <Row label={t.decodeFlops} quantity={format.flops(throughput.decode_flops_per_step)} />
        <Row label={t.prefill} quantity={format.seconds(throughput.prefill_seconds)} kind="main" />
        <Row label={t.ridge} quantity={format.count(throughput.ridge_point, 'FLOP per byte')} />
      </dl>
    </Section>
  );
}

function Cost({ result: { cost } }: { readonly result: AnalyzeResult }) {
  return (
    <Section id="cost" title={t.cost}>
      <dl class="rows">
        <Row label={t.dollars} quantity={format.dollars(cost.dollars)} kind="main" />
        <Row label={t.gpuHours} quantity={format.count(cost.gpu_hours, 'GPU-hours')} kind="main" />
        <Row label={t.wallClock} quantity={format.hours(cost.wall_clock_hours)} />
        <Row label={t.tokens} quantity={format.count(cost.tokens, 'tokens')} />
        <Row label={t.totalFlops} quantity={format.flops(cost.total_flops)} />
        <Row label={t.mfu} quantity={format.percent(cost.mfu)} />
      </dl>
    </Section>
  );
}

function Chinchilla({ result: { chinchilla } }: { readonly result: AnalyzeResult }) {
  const { predicted_loss: loss, verdict } = chinchilla;
  return (
    <Section id="chinchilla" title={t.chinchilla}>
      <dl class="rows">
        {verdict !== undefined && (
          <div class="row">
            <dt>{t.budget}</dt>
            <dd>{verdict}</dd>
          </div>
        )}
        <Row label={t.ratio} quantity={format.times(chinchilla.over_training_ratio)} kind="main" />
        <Row label={t.optimalTokens} quantity={format.count(chinchilla.optimal_tokens, 'tokens')} />
        <Row label={t.tokensPerParam} quantity={format.ratio(chinchilla.tokens_per_param)} />
        <Row
          label={t.tokensPerActiveParam}
          quantity={format.ratio(chinchilla.tokens_per_active_param)}
        />
        <Row label={t.lossHoffmann} quantity={format.plain(loss.hoffmann)} />
        <Row label={t.lossEpoch} quantity={format.plain(loss.epoch)} />
      </dl>
    </Section>
  );
}
