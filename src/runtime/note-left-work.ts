// What a run could not stop when it left, such as a command that has to be killed, may still be at work when this
// process resumes or continues the run: what it does then is neither of a person nor of the new attempt.

/** By log, as runs of two logs may have one id; then by the root of the tree. */
const known = new WeakMap<object, Map<string, Set<Promise<void>>>>();

/** Notes what the runs of a tree leave at work, until each of it has ended. */
export function noteLeft(log: object, root: string, working: Iterable<Promise<void>>): void {
  for (const over of working) {
    const roots = known.get(log) ?? new Map<string, Set<Promise<void>>>();
    const left = roots.get(root) ?? new Set();
    known.set(log, roots.set(root, left.add(over)));
    void over.then(() => {
      left.delete(over);
      if (left.size === 0 && roots.get(root) === left) roots.delete(root);
    });
  }
}

/** What the runs of a tree have left at work in this process, as far as it has not ended. */
export const leftAtWork = (log: object, root: string): ReadonlySet<Promise<void>> =>
  known.get(log)?.get(root) ?? new Set();
