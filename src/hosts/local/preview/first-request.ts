import type { RunSettings } from '../../../../machines/settings.ts';
import type { ModelRequest } from '../../../actors/model/model.ts';
import type { ToolSpec } from '../../../actors/tool-spec.ts';
import type { LoopDefinition } from '../../../kernel/loop-definition.ts';
import { askingFirst } from './asking-first.ts';

/** What a model is sent. */
export type Request = Pick<ModelRequest, 'system' | 'messages' | 'tools'>;

/** The time of an event that is not recorded. */
const NO_TIME = new Date(0).toISOString();

/**
 * The first request that a run with these settings sends, by the functions that compose it in a run. What the checks
 * say before any work is added to it when it begins. Null: only the loop knows what it asks.
 */
export function firstRequest(
  settings: RunSettings,
  loops: readonly LoopDefinition[],
  toolSpecs: (names: readonly string[]) => readonly ToolSpec[],
): Request | null {
  const asking = askingFirst(settings, loops);
  const conversation = asking?.loop.conversation?.();
  if (!asking || !conversation) return null;
  const { settings: own, loop } = asking;
  const payload = { machine: loop.id, settings: own };
  conversation.observe({ run: 'preview', version: 1, at: NO_TIME, type: 'run.started', payload });
  return {
    system: own.system,
    messages: conversation.messages(),
    tools: own.limits.maxSteps === 0 ? [] : toolSpecs(own.tools),
  };
}
