import { Observable } from 'rxjs';
import type { Watch } from '../../runtime/supervisor.ts';
import type { RunDelta } from '../../runtime/tree.ts';

/** Keeps the deltas of a tree that is about to begin within reach. */
export function listening(watch: Watch | undefined) {
  let tree: Observable<RunDelta> | null = null;
  const ears: Watch = (facts, deltas) => {
    tree = deltas;
    watch?.(facts, deltas);
  };
  return { watch: ears, deltas: new Observable<RunDelta>((subscriber) => tree?.subscribe(subscriber)) };
}
