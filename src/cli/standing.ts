import type { Holder, Log, RunRecord } from '../log/log.ts';

/** How a run stands: ended, or served by somebody, or waiting to be resumed. */
export type Standing =
  | { readonly kind: 'ended'; readonly ending: string }
  | { readonly kind: 'running'; readonly by: Holder }
  | { readonly kind: 'paused' }
  /** Not ended, and nobody is at it: its process has gone without a word. */
  | { readonly kind: 'interrupted' };

export async function standingOf(log: Log, { run, root, closed, version }: RunRecord): Promise<Standing> {
  if (closed !== null) return { kind: 'ended', ending: closed };
  const by = await log.holder(root);
  if (by) return { kind: 'running', by };
  for await (const { type } of log.read(run, { from: version })) if (type === 'run.paused') return { kind: 'paused' };
  return { kind: 'interrupted' };
}
