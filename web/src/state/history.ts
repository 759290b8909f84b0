import { effect } from '@preact/signals';
import { decodeState, encodeState } from './url';
import type { AppState } from './state';
import type { Store } from './store';

// Keeps the address bar and the store in step. A change of model or view is a step that the back button
// takes back; everything else replaces the address of the step it belongs to.
export function bindHistory(store: Store, onBadLink: () => void): void {
  let written = location.hash;
  let previous: AppState | undefined;
  let newest = 0;

  effect(() => {
    const state = store.state.value;
    const isStep =
      previous !== undefined && (state.model !== previous.model || state.view !== previous.view);
    const isFirst = previous === undefined;
    previous = state;
    newest += 1;
    const number = newest;
    if (isFirst) return;
    void encodeState(state).then((fragment) => {
      if (fragment === location.hash || (number !== newest && !isStep)) return;
      written = fragment;
      if (isStep) history.pushState(undefined, '', fragment);
      else history.replaceState(undefined, '', fragment);
    });
  });

  const follow = () => {
    if (location.hash === written) return;
    written = location.hash;
    void decodeState(location.hash).then((state) => {
      if (!state) {
        onBadLink();
        return;
      }
      previous = state; // it came from the address bar: nothing to write back
      store.update(() => state);
    });
  };
  addEventListener('hashchange', follow);
  addEventListener('popstate', follow);
}
