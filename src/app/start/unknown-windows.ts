import type { RunSettings } from '../../../machines/settings.ts';
import { DEFAULT_CONTEXT_TOKENS } from '../../actors/model/context-tokens.ts';
import { isAgentModel } from '../../../machines/agent-model.ts';
import type { ModelServices } from '../../ports/services.ts';

type Sources = Pick<ModelServices, 'contextTokensOf' | 'onlyModel' | 'recordedModel'>;

/** Warns of models of providers whose window is unknown: what is assumed, and how to set it. */
export async function unknownWindows(
  { model, fallbackModel }: Pick<RunSettings, 'model' | 'fallbackModel'>,
  { contextTokensOf, onlyModel, recordedModel }: Sources,
): Promise<string[]> {
  // A program knows its own model; a script has no window.
  const isOwn = onlyModel !== null && recordedModel === null;
  const names = [...(isOwn ? [] : [recordedModel ?? model]), ...(fallbackModel ? [fallbackModel] : [])];
  const unknown = await Promise.all(
    names.map(async (name, index) => {
      const isUnknown = isOfProvider(name) && (await contextTokensOf(name, isOwn || index > 0)) === null;
      return isUnknown ? [warningOf(name)] : [];
    }),
  );
  return unknown.flat();
}

const isOfProvider = (name: string) => name.includes('/') && !name.startsWith('script:') && !isAgentModel(name);

function warningOf(name: string): string {
  const slash = name.indexOf('/');
  const [provider, id] = [name.slice(0, slash), JSON.stringify(name.slice(slash + 1))];
  return (
    `The window of ${name} is unknown: ${DEFAULT_CONTEXT_TOKENS} tokens are assumed where a conversation is shortened, ` +
    `and requests grow until one is refused. Set it: providers.${provider}.contextTokens[${id}].`
  );
}
