// The engine's thread. It holds one instance and answers one question at a time; an instance that
// aborted is reported as crashed and not asked again (the page ends this worker).

import { createEngine } from 'roofbeam';
import type { FromWorker, ToWorker } from './protocol';

const engine = createEngine();
// Told with the first question; until then nobody is there to be told.
engine.catch(() => undefined);

async function answer({ id, request }: ToWorker): Promise<FromWorker> {
  try {
    return { id, response: (await engine).ask(request) };
  } catch (error) {
    return { id, crash: error instanceof Error ? error.message : String(error) };
  }
}

onmessage = ({ data }: MessageEvent<ToWorker>) => {
  void answer(data).then((message) => postMessage(message));
};
