import { useRef } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { useStore } from '../state/context';
import { kViews, type View } from '../state/state';
import { text } from '../text/en';

// The views, as tabs: arrows move, the panel follows.
export function Tabs({ children }: { readonly children: ComponentChildren }) {
  const store = useStore();
  const list = useRef<HTMLDivElement>(null);
  const { view } = store.state.value;
  const show = (next: View) => {
    store.update((state) => ({ ...state, view: next }));
    list.current?.querySelector<HTMLButtonElement>(`#tab-${next}`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const target = neighbour(view, event.key);
    if (!target) return;
    event.preventDefault();
    show(target);
  };
  return (
    <>
      <div
        class="tabs"
        role="tablist"
        aria-label={text.views.label}
        ref={list}
        onKeyDown={onKeyDown}
      >
        {kViews.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-selected={name === view}
            aria-controls="view"
            tabIndex={name === view ? 0 : -1}
            onClick={() => show(name)}
          >
            {text.views.names[name]}
          </button>
        ))}
      </div>
      <div id="view" role="tabpanel" aria-labelledby={`tab-${view}`} class="view">
        {children}
      </div>
    </>
  );
}

function neighbour(view: View, key: string): View | undefined {
  const at = kViews.indexOf(view);
  switch (key) {
    case 'ArrowRight':
      return kViews[(at + 1) % kViews.length];
    case 'ArrowLeft':
      return kViews.at(at - 1);
    case 'Home':
      return kViews[0];
    case 'End':
      return kViews.at(-1);
    default:
      return undefined;
  }
}
