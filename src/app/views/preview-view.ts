import { z } from 'zod';
import { limitsText } from '../../budget/limits-text.ts';
import type { Preview } from '../preview/preview-run.ts';
import { MAX_LINE_CHARS, shownText } from './line-for-view.ts';

const count = z.int().nonnegative();

/** What a run would begin with. Nothing was sent, recorded or checked. Money is in billionths of a US dollar. */
export const PreviewView = z.object({
  loop: z.string(),
  strategy: z.string().nullable(),
  model: z.string(),
  directory: z.string(),
  /** It works in a worktree of its own. */
  isIsolated: z.boolean(),
  limits: z.string(),
  checks: z.array(z.object({ level: z.string(), name: z.string(), command: z.string() })),
  checkIn: z.string(),
  /** Of the first request. Null: it is not known before the run. */
  inputTokens: count.nullable(),
  costNanoUsd: count.nullable(),
  contextTokens: count.nullable(),
  system: z.string().nullable(),
  tools: z.array(z.string()),
  warnings: z.array(z.string()),
});
export type PreviewView = z.infer<typeof PreviewView>;

/** A preview as a page shows it. */
export function previewView(preview: Preview): PreviewView {
  const { settings, request, inputTokens, costNanoUsd, contextTokens, checkIn, warnings, isIsolated } = preview;
  return {
    loop: settings.loop,
    strategy: settings.strategy?.name ?? null,
    model: shownText(settings.model, MAX_LINE_CHARS),
    directory: shownText(settings.directory, MAX_LINE_CHARS),
    isIsolated,
    limits: limitsText(settings.limits),
    checks: settings.checks.map(({ level, name, command }) => ({
      level,
      name: shownText(name, MAX_LINE_CHARS),
      command: shownText(command, MAX_LINE_CHARS),
    })),
    checkIn: String(checkIn),
    inputTokens,
    costNanoUsd,
    contextTokens,
    system: request?.system == null ? null : shownText(request.system),
    tools: (request?.tools ?? []).map(({ name }) => name),
    warnings: warnings.map((warning) => shownText(warning, MAX_LINE_CHARS)),
  };
}
