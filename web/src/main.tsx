import { signal } from '@preact/signals';
import { render } from 'preact';
import { registerSW } from 'virtual:pwa-register';
import { EngineClient } from './engine/client';
import { StoreProvider } from './state/context';
import { bindHistory } from './state/history';
import { kInitialState } from './state/state';
import { Store } from './state/store';
import { applyTheme } from './state/theme';
import { decodeState } from './state/url';
import { App } from './views/app';
import './styles/tokens.css';
import './styles/page.css';

applyTheme();

const engine = new EngineClient(
  () =>
    new Worker(new URL('./engine/worker.ts', import.meta.url), {
      type: 'module',
      name: 'roofbeam engine',
    }),
);
engine.warmUp();

const badLink = signal(false);
const update = signal<(() => void) | undefined>(undefined);

const linked = await decodeState(location.hash);
badLink.value = linked === undefined;
const store = new Store(engine, linked ?? kInitialState);
bindHistory(store, () => {
  badLink.value = true;
});
void store.start();

const root = document.getElementById('app');
if (!root) throw new Error('index.html has no #app');
render(
  <StoreProvider value={store}>
    <App notices={{ badLink, update }} />
  </StoreProvider>,
  root,
);

const reload = registerSW({
  onNeedRefresh: () => {
    update.value = () => void reload(true);
  },
});
