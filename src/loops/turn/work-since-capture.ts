import type { LoopEvent, Remade } from '../../../machines/events.ts';

/** The file that a call of a model has changed; null where its arguments name none. */
export const changedBy = (tool: string, input: unknown): string | null => {
  if (!CHANGING.has(tool)) return null;
  const { path } = (input ?? {}) as { readonly path?: unknown };
  return typeof path === 'string' ? path : null;
};

const CHANGING: ReadonlySet<string> = new Set(['write', 'edit', 'multi_edit']);

/** The files that calls of a conversation have changed since each of its captures. Folded from its facts. */
export class WorkSinceCapture {
  #changed: readonly string[] = [];
  /** How many had changed at the newest capture of each tree. */
  readonly #captured = new Map<string, number>();

  changes(path: string | null): void {
    if (path !== null) this.#changed = [...this.#changed, path];
  }

  observe({ type, payload }: LoopEvent): void {
    if (type === 'workspace.captured' && payload.hash !== null) this.#captured.set(payload.hash, this.#changed.length);
  }

  /** Forgets what was changed since a capture that the worktree was made again from, and returns it. */
  lose({ from, hash }: Remade): readonly string[] {
    if (from === 'end') return [];
    const still = this.#captured.get(hash) ?? 0;
    const lost = this.#changed.slice(still);
    this.#changed = this.#changed.slice(0, still);
    return [...new Set(lost)];
  }
}
