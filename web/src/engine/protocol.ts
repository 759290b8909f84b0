// What the page and its worker say to each other: JSON text both ways, as the engine's own door.

export interface ToWorker {
  readonly id: number;
  readonly request: string;
}

export type FromWorker =
  | { readonly id: number; readonly response: string }
  // The instance aborted or trapped: its memory is in an unknown state, and it must not be asked again.
  | { readonly id: number; readonly crash: string };
