import { useEffect, useState } from 'preact/hooks';
import { useStore } from '../state/context';
import { text } from '../text/en';
import { openFiles } from './model-panel';

function carriesFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false;
}

// The whole page takes a dropped file.
export function DropTarget() {
  const store = useStore();
  const [over, setOver] = useState(false);
  useEffect(() => {
    let depth = 0; // enter and leave come once for every element that is crossed
    const enter = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      depth += 1;
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      depth = Math.max(0, depth - 1);
      if (depth === 0) setOver(false);
    };
    const allow = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
    };
    const drop = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      depth = 0;
      setOver(false);
      void openFiles(store, [...(event.dataTransfer?.files ?? [])]);
    };
    addEventListener('dragenter', enter);
    addEventListener('dragleave', leave);
    addEventListener('dragover', allow);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragenter', enter);
      removeEventListener('dragleave', leave);
      removeEventListener('dragover', allow);
      removeEventListener('drop', drop);
    };
  }, [store]);
  return over ? (
    <div class="drop" aria-hidden="true">
      <p>{text.model.drop}</p>
    </div>
  ) : null;
}
