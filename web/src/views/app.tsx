import { signal, type ReadonlySignal } from '@preact/signals';
import type { AnalyzeResult } from 'roofbeam';
import { useStore } from '../state/context';
import type { View } from '../state/state';
import type { Answer } from '../state/store';
import { text } from '../text/en';
import { Diff } from './diff';
import { DropTarget } from './drop-target';
import { Header } from './header';
import { ModelPanel } from './model-panel';
import { OperatingPointControls } from './operating-point';
import { Overview } from './overview';
import { Paths } from './paths';
import { Structure } from './structure';
import { Tabs } from './tabs';
import { VerdictLines } from './verdict';

// What the page itself has to say: a link it could not read, a newer version of it.
export interface PageNotices {
  readonly badLink: ReadonlySignal<boolean>;
  readonly update: ReadonlySignal<(() => void) | undefined>; // reloads into the new version
}

export const kNoNotices: PageNotices = { badLink: signal(false), update: signal(undefined) };

export function App({ notices = kNoNotices }: { readonly notices?: PageNotices }) {
  return (
    <>
      <a class="skip" href="#view">
        {text.skipToFigures}
      </a>
      <Header />
      <div class="workspace">
        <aside class="side">
          <ModelPanel />
        </aside>
        <main>
          <Notices notices={notices} />
          <ModelTitle />
          <OperatingPointControls />
          <Tabs>
            <Answered />
          </Tabs>
        </main>
      </div>
      <DropTarget />
    </>
  );
}

function Notices({ notices }: { readonly notices: PageNotices }) {
  const store = useStore();
  const crash = store.crash.value;
  const reload = notices.update.value;
  return (
    <div class="notices" role="status">
      {notices.badLink.value && <p class="notice">{text.answer.badLink}</p>}
      {crash !== undefined && (
        <p class="notice notice-error">
          {text.answer.crash} <code>{crash}</code>{' '}
          <button type="button" class="link" onClick={() => store.retry()}>
            {text.answer.tryAgain}
          </button>
        </p>
      )}
      {reload && (
        <p class="notice">
          {text.answer.newVersion}{' '}
          <button type="button" class="link" onClick={reload}>
            {text.answer.reload}
          </button>
        </p>
      )}
    </div>
  );
}

// The model's name and the answer in words, before any figure.
function ModelTitle() {
  const store = useStore();
  const { model } = store.state.value;
  const { result } = store.answer.value;
  return (
    <div class={freshness(store.answer.value)}>
      <h2 class="title">{result?.name ?? model.name}</h2>
      {result && <VerdictLines result={result} />}
    </div>
  );
}

// The last figures, dimmed while they are not those of the settings on screen.
function Answered() {
  const store = useStore();
  const { result, remarks, pending, diagnostics } = store.answer.value;
  const failed = diagnostics.length > 0;
  if (!result) return <p class="quiet">{failed ? text.answer.failed : text.answer.waiting}</p>;
  return (
    <>
      {failed && <p class="notice">{text.answer.stale}</p>}
      <div class={freshness(store.answer.value)} aria-busy={pending}>
        <CurrentView view={store.state.value.view} result={result} remarks={remarks} />
      </div>
    </>
  );
}

function freshness({ pending, diagnostics }: Answer): string {
  return pending || diagnostics.length > 0 ? 'figures stale' : 'figures';
}

interface CurrentViewProps {
  readonly view: View;
  readonly result: AnalyzeResult;
  readonly remarks: readonly string[];
}

function CurrentView({ view, result, remarks }: CurrentViewProps) {
  switch (view) {
    case 'overview':
      return <Overview result={result} remarks={remarks} />;
    case 'paths':
      return <Paths result={result} />;
    case 'structure':
      return <Structure findings={result.findings} />;
    case 'diff':
      return <Diff />;
  }
}
