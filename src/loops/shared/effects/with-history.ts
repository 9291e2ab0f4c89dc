import { agentOfModel } from '../../../../machines/agent-model.ts';
import type { RunSettings } from '../../../../machines/settings.ts';
import { DEFAULT_CONTEXT_TOKENS } from '../../../actors/model/context-tokens.ts';
import { recentMessages } from '../../../actors/model/recent-messages.ts';
import { sessionIn } from '../../../agents/agent-session.ts';
import { specOf } from '../../../kernel/loop-definition.ts';
import type { EffectRequest } from '../effect.ts';
import { withPermitted } from './run-of-delegate.ts';
import type { EffectServices } from '../../../ports/services.ts';

/** Where the history of a child comes from. */
export type HistorySources = Pick<EffectServices, 'contextTokensOf' | 'conversations' | 'permittedCalls'>;

/**
 * The settings of a child, with what people have allowed for good before it, and with the newest messages of the child
 * before where the loop asks for that. Both are recorded with the settings, so a child that is resumed has the same.
 */
export async function withHistory(
  opened: RunSettings,
  { effect, context, memory: { child, loop, settings: ofParent } }: EffectRequest,
  { conversations, contextTokensOf, permittedCalls }: HistorySources,
): Promise<RunSettings> {
  const settings = await withPermitted(opened, context.run, { permittedCalls });
  if (child === null || !specOf(effect, loop).continues?.(ofParent)) return settings;
  const messages = await conversations(child);
  const session = sessionIn(messages, agentOfModel(settings.model) ?? '');
  const history = recentMessages(messages, {
    maxTokens: await historyTokens(settings, contextTokensOf),
    // Its own prompt shows them.
    shown: settings.images ?? [],
  });
  return history.length === 0 ? settings : { ...settings, history, ...(session === null ? {} : { session }) };
}

/** How long the history of a run may be, in estimated tokens: half of its window, and of its budget. */
export const historyTokens = async (
  settings: RunSettings,
  contextTokensOf: EffectServices['contextTokensOf'],
): Promise<number> => Math.floor(Math.min(await windowOf(settings, contextTokensOf), budgetOf(settings)) / 2);

/** The window of the smallest model that may answer. */
async function windowOf(
  { model, fallbackModel }: RunSettings,
  contextTokensOf: EffectServices['contextTokensOf'],
): Promise<number> {
  const windows = [contextTokensOf(model), ...(fallbackModel ? [contextTokensOf(fallbackModel, true)] : [])];
  return Math.min(...(await Promise.all(windows)).map((known) => known ?? DEFAULT_CONTEXT_TOKENS));
}

/** Every request sends the history again: it may not take the whole budget of the child. */
const budgetOf = ({ limits }: RunSettings): number => limits.maxTokens ?? Infinity;
