import type { streamText } from 'ai';
import type { ConnectedModel } from './connected-model.ts';
import type { ModelRequest } from './model.ts';

type Settings = Parameters<typeof streamText>[0];
type Sent = Pick<Settings, 'providerOptions' | 'reasoning' | 'temperature'>;
type ProviderOptions = NonNullable<Settings['providerOptions']>;

/** How a request is made, beside what it says: as the user has it, over what every request to that API has. */
export function parametersFor(connected: ConnectedModel, { parameters = {} }: ModelRequest): Sent {
  const { effort = 'default', temperature, providerOptions = {} } = parameters;
  const all = merged(alwaysFor(connected), namedAsInSdk(providerOptions as ProviderOptions));
  return {
    ...(effort === 'default' ? {} : { reasoning: effort }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(Object.keys(all).length === 0 ? {} : { providerOptions: all }),
  };
}

function alwaysFor({ wire, provider }: ConnectedModel): ProviderOptions {
  // The log is the memory of a run: nothing needs to lie with the provider.
  if (wire === 'openai') return { openai: { store: false } };
  // Each step sends the conversation of the one before again: what was read once need not be paid in full twice.
  return wire === 'anthropic' && provider === 'anthropic' ? { anthropic: { cacheControl: { type: 'ephemeral' } } } : {};
}

/** Both APIs of OpenAI have the options of one provider. */
function namedAsInSdk({ 'openai-chat': chat, ...others }: ProviderOptions): ProviderOptions {
  return chat === undefined ? others : { ...others, openai: { ...others['openai'], ...chat } };
}

function merged(one: ProviderOptions, other: ProviderOptions): ProviderOptions {
  const providers = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...providers].map((provider) => [provider, { ...one[provider], ...other[provider] }]));
}
