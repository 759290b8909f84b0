import { useId, useRef, useState } from 'preact/hooks';
import type { PresetSummary } from 'roofbeam';
import * as format from '../format/quantity';
import { useStore } from '../state/context';
import { readFile } from '../state/files';
import { withModel, type Model } from '../state/state';
import { isOptionProblem, type Store } from '../state/store';
import { text } from '../text/en';
import { Figure } from '../widgets/figure';
import { useNarrow } from '../widgets/narrow';
import { ProblemList } from '../widgets/problems';

const t = text.model;

export async function openFiles(store: Store, files: readonly File[]): Promise<void> {
  const [file] = files;
  if (!file) return;
  const read = await readFile(file);
  if (read.ok) await store.open(read.name, read.text);
  else store.reject(read);
}

export function ModelPanel() {
  const narrow = useNarrow();
  const choose = (
    <>
      <OpenFile />
      <PasteBox />
      <Gallery />
    </>
  );
  return (
    <section class="model" aria-labelledby="model-title">
      <h2 id="model-title" class="visually-hidden">
        {t.title}
      </h2>
      <Problems />
      {narrow ? (
        <details class="model-fold">
          <summary>{t.show}</summary>
          <div class="model-choose">{choose}</div>
        </details>
      ) : (
        <div class="model-choose">{choose}</div>
      )}
    </section>
  );
}

// What is wrong with the document in force, or with one that was given and not opened.
function Problems() {
  const store = useStore();
  const rejection = store.rejection.value;
  const inForce = store.answer.value.diagnostics.filter(
    (diagnostic) => !isOptionProblem(diagnostic),
  );
  return (
    <div role="alert">
      {rejection && (
        <div class="rejection">
          <h3>{t.rejected(rejection.name, rejection.diagnostics.length)}</h3>
          <ProblemList diagnostics={rejection.diagnostics} />
          <button type="button" class="link" onClick={() => store.dismissRejection()}>
            {t.dismiss}
          </button>
        </div>
      )}
      {inForce.length > 0 && (
        <div class="rejection">
          <h3>{t.unanswered(store.state.value.model.name)}</h3>
          <ProblemList diagnostics={inForce} />
        </div>
      )}
    </div>
  );
}

function OpenFile() {
  const store = useStore();
  const input = useRef<HTMLInputElement>(null);
  return (
    <div class="open">
      <input
        ref={input}
        class="visually-hidden"
        type="file"
        accept=".json,application/json"
        aria-label={t.open}
        tabIndex={-1}
        onChange={(event) => {
          const { files } = event.currentTarget;
          void openFiles(store, [...(files ?? [])]);
          event.currentTarget.value = ''; // the same file can be picked again after it was mended
        }}
      />
      <button type="button" class="button" onClick={() => input.current?.click()}>
        {t.open}
      </button>
      <p class="quiet">{t.dropHint}</p>
    </div>
  );
}

function PasteBox() {
  const store = useStore();
  const id = useId();
  const [pasted, setPasted] = useState('');
  const open = () => void store.open(t.pastedName, pasted);
  return (
    <details class="paste">
      <summary>{t.paste}</summary>
      <label for={id}>{t.pasteLabel}</label>
      <textarea
        id={id}
        rows={8}
        spellcheck={false}
        value={pasted}
        onInput={(event) => setPasted(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) open();
        }}
      />
      <button type="button" class="button" onClick={open}>
        {t.pasteOpen}
      </button>
    </details>
  );
}

function Gallery() {
  const store = useStore();
  const id = useId();
  const [query, setQuery] = useState('');
  const { model } = store.state.value;
  const presets = store.list.value?.presets ?? [];
  const shown = presets.filter((preset) => matches(preset, query));
  return (
    <div class="gallery">
      <label class="field" for={id}>
        <span>{t.search}</span>
        <input
          id={id}
          type="search"
          spellcheck={false}
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
      </label>
      <ul aria-label={t.presets}>
        {shown.map((preset) => (
          <PresetButton key={preset.name} preset={preset} model={model} />
        ))}
      </ul>
      {presets.length > 0 && shown.length === 0 && <p class="quiet">{t.none(query)}</p>}
    </div>
  );
}

function matches({ name, family }: PresetSummary, query: string): boolean {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return words.every((word) => `${name} ${family ?? ''}`.toLowerCase().includes(word));
}

function PresetButton({
  preset,
  model,
}: {
  readonly preset: PresetSummary;
  readonly model: Model;
}) {
  const store = useStore();
  const { name, family, published_params: params, notes } = preset;
  const current = model.kind === 'preset' && model.name === name;
  return (
    <li>
      <button
        type="button"
        class="preset"
        aria-current={current ? 'true' : undefined}
        title={notes ?? undefined}
        onClick={() => store.update((state) => withModel(state, { kind: 'preset', name }))}
      >
        <span class="preset-name">{name}</span>
        <span class="preset-family">{family}</span>
        {params !== null && <Figure quantity={format.count(params, t.parameters)} />}
      </button>
    </li>
  );
}
