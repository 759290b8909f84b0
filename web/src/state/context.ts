import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Store } from './store';

const StoreContext = createContext<Store | undefined>(undefined);

export const StoreProvider = StoreContext.Provider;

export function useStore(): Store {
  const store = useContext(StoreContext);
  if (!store) throw new Error('a view was drawn outside of a StoreProvider');
  return store;
}
