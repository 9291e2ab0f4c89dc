import { z } from '@hono/zod-openapi';
import type { Listed } from '../app/views/list-runs.ts';
import { standingView } from '../app/views/status-view.ts';
import { Standing } from '../app/views/run-parts-view.ts';
import { MAX_LINE_CHARS, shownText } from '../app/views/line-for-view.ts';

const MAX_TASK_CHARS = 300;

/** A run as the list of runs has it. Times are RFC 3339. */
export const ListedView = z.object({
  run: z.string(),
  task: z.string(),
  loop: z.string(),
  /** The label that chose its loop. Null: none did. */
  label: z.string().nullable(),
  standing: Standing,
  /** The ending in words, with its worth. Null: it has not ended. */
  verdict: z.string().nullable(),
  ending: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
  version: z.int().nonnegative(),
  continues: z.string().nullable(),
  /** Until when it waits, as for a limit of its provider. */
  waitsUntil: z.string().nullable(),
  costUsd: z.number().nullable(),
  unreadable: z.int().nonnegative(),
});
export type ListedView = z.infer<typeof ListedView>;

export const listedView = (one: Listed): ListedView => ({
  run: one.run,
  task: shownText(one.task, MAX_TASK_CHARS),
  loop: one.loop ?? '',
  label: one.label === null ? null : shownText(one.label, MAX_LINE_CHARS),
  standing:
    one.standing.kind === 'damaged'
      ? { kind: 'damaged', words: shownText(one.standing.reason, MAX_LINE_CHARS), asks: 0 }
      : standingView(one.standing),
  verdict: one.verdict,
  ending: one.outcome?.ending ?? null,
  createdAt: one.createdAt,
  updatedAt: one.updatedAt,
  version: one.version,
  continues: one.continues?.run ?? null,
  waitsUntil: one.waitsUntil,
  costUsd: one.costUsd,
  unreadable: one.unreadable,
});
