import { nearest } from '../../text/nearest.ts';
import { type GivenPrice, type Providers, type Wire, versionedUrl, ollamaUrl } from './providers.ts';
import { ModelError } from './model.ts';
import { addressFault, isSendableKey, oddHeader } from './sendable.ts';

/** The address of a model, and the API it is called with. */
export interface Endpoint {
  /** As the settings of a run name it: `openai/gpt-5`. */
  readonly name: string;
  readonly provider: string;
  /** What the provider calls its model. */
  readonly id: string;
  readonly wire: Wire;
  readonly baseUrl: string;
  /** Null where none is asked for. */
  readonly key: string | null;
  /** What to do when the provider refuses the key, or a request without one: a sentence. */
  readonly keyRemedy: string;
  readonly headers: { readonly [name: string]: string };
  readonly price: GivenPrice | null;
}

export type Environment = { readonly [variable: string]: string | undefined };

interface Known {
  readonly wire: Wire;
  readonly baseUrl: string | null;
  readonly baseUrlVariable: string;
  readonly keyVariables: readonly string[];
  readonly isKeyAsked: boolean;
}

const OPENAI = {
  baseUrl: 'https://api.openai.com/v1',
  baseUrlVariable: 'OPENAI_BASE_URL',
  keyVariables: ['OPENAI_API_KEY'],
  isKeyAsked: true,
} as const;

const KNOWN: ReadonlyMap<string, Known> = new Map<string, Known>([
  ['openai', { ...OPENAI, wire: 'openai' }],
  ['openai-chat', { ...OPENAI, wire: 'openai-chat' }],
  [
    'anthropic',
    {
      wire: 'anthropic',
      baseUrl: 'https://api.anthropic.com/v1',
      baseUrlVariable: 'ANTHROPIC_BASE_URL',
      keyVariables: ['ANTHROPIC_API_KEY'],
      isKeyAsked: true,
    },
  ],
  [
    'google',
    {
      wire: 'google',
      baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
      baseUrlVariable: 'GOOGLE_GENERATIVE_AI_BASE_URL',
      keyVariables: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'],
      isKeyAsked: true,
    },
  ],
  [
    'openrouter',
    {
      wire: 'openai-compatible',
      baseUrl: 'https://openrouter.ai/api/v1',
      baseUrlVariable: 'OPENROUTER_BASE_URL',
      keyVariables: ['OPENROUTER_API_KEY'],
      isKeyAsked: true,
    },
  ],
  [
    'openai-compatible',
    {
      wire: 'openai-compatible',
      baseUrl: null,
      baseUrlVariable: 'OPENAI_COMPATIBLE_BASE_URL',
      keyVariables: ['OPENAI_COMPATIBLE_API_KEY'],
      isKeyAsked: false,
    },
  ],
  [
    'ollama',
    {
      wire: 'openai-compatible',
      baseUrl: 'http://127.0.0.1:11434/v1',
      baseUrlVariable: 'OLLAMA_HOST',
      keyVariables: ['OLLAMA_API_KEY'],
      isKeyAsked: false,
    },
  ],
]);

/** Providers that need no settings. */
export const KNOWN_PROVIDERS: readonly string[] = [...KNOWN.keys()];

/**
 * Where the model of a name answers: settings first, then the usual variables of the environment. Throws a
 * `ModelError`: `unknown_model` where the name or the place is missing, `authentication` where the key is.
 * `withoutKey`: for its price and its window alone, which need none.
 *
 * @example
 * const endpoint = endpointOf('openai/gpt-5', {}, process.env);
 */
export function endpointOf(
  name: string,
  providers: Providers,
  environment: Environment,
  { withoutKey = false } = {},
): Endpoint {
  const [provider, id] = split(name, providers);
  const settings = Object.hasOwn(providers, provider) ? (providers[provider] ?? {}) : {};
  const known = KNOWN.get(provider);
  const wire = settings.wire ?? known?.wire;
  if (wire === undefined) throw unknown(`${provider} needs a wire: say providers.${provider}.wire`);
  const given = settings.baseUrl ?? baseUrlFrom(provider, known, environment);
  if (given === null) throw unknown(missingPlace(provider, known));
  const baseUrl = versionedUrl(given, wire);
  const fault = addressFault(baseUrl);
  if (fault !== null)
    throw unknown(`${settings.baseUrl ? `providers.${provider}.baseUrl` : known?.baseUrlVariable} ${fault}`);
  const headers = settings.headers ?? {};
  const odd = oddHeader(headers);
  if (odd !== null) throw unknown(`providers.${provider}.headers: ${odd} cannot be sent as it is`);
  return {
    name,
    provider,
    id,
    wire,
    baseUrl,
    ...(withoutKey ? NO_KEY : keyOf(name, settings.apiKeyVariable, known, environment)),
    headers,
    price: priceIn(settings.prices ?? {}, id),
  };
}

const NO_KEY = { key: null, keyRemedy: 'No key was looked for.' } as const;

function split(name: string, providers: Providers): [provider: string, id: string] {
  const slash = name.indexOf('/');
  const known = [...new Set([...KNOWN_PROVIDERS, ...Object.keys(providers)])];
  const list = `known: ${known.map((one) => `${one}/MODEL`).join(', ')}, script:FILE`;
  if (slash <= 0 || slash === name.length - 1) {
    const guess = houseOf(name);
    throw unknown(`${name} does not say whose model it is${guess ? `; did you mean ${guess}/${name}?` : ''} (${list})`);
  }
  const provider = name.slice(0, slash);
  if (known.includes(provider)) return [provider, name.slice(slash + 1)];
  const near = nearest(provider, known);
  throw unknown(
    `no provider is called ${provider}${near ? `; did you mean ${near}${name.slice(slash)}?` : ''} (${list})`,
  );
}

/** Whose model an id without provider most likely is. */
function houseOf(id: string): string | null {
  if (/^(gpt|chatgpt|codex|o\d)/.test(id)) return 'openai';
  if (id.startsWith('claude')) return 'anthropic';
  return id.startsWith('gemini') ? 'google' : null;
}

function baseUrlFrom(provider: string, known: Known | undefined, environment: Environment): string | null {
  const said = known && environment[known.baseUrlVariable]?.trim();
  if (!said) return known?.baseUrl ?? null;
  return provider === 'ollama' ? ollamaUrl(said) : said;
}

function keyOf(
  name: string,
  variable: string | undefined,
  known: Known | undefined,
  environment: Environment,
): Pick<Endpoint, 'key' | 'keyRemedy'> {
  const variables = variablesOf(variable, known);
  const holder = setVariable(variables, environment);
  const key = holder && environment[holder]?.trim();
  if (key && isSendableKey(key)) return { key, keyRemedy: `Check the key in ${holder}.` };
  if (key)
    throw new ModelError(
      'authentication',
      `${name}: ${holder} does not hold a valid key: it contains a space or an unexpected character. Set it again.`,
    );
  if (variable === undefined && !known?.isKeyAsked) {
    const where = variables[0] ?? `a variable, and name it in providers.${name.split('/', 1)[0]}.apiKeyVariable`;
    return { key: null, keyRemedy: `No key was sent: put one into ${where}.` };
  }
  throw new ModelError(
    'authentication',
    `${name} needs a key. Set the environment variable ${variables.join(', or ')}.`,
  );
}

const variablesOf = (given: string | undefined, known: Known | undefined): readonly string[] =>
  given === undefined ? (known?.keyVariables ?? []) : [given];

const setVariable = (variables: readonly string[], environment: Environment): string | undefined =>
  variables.find((one) => environment[one]?.trim());

/** The variables in which the key of a provider is looked up, and the first of them that is set. */
export function keyVariablesOf(
  provider: string,
  providers: Providers,
  environment: Environment,
): { readonly variables: readonly string[]; readonly set: string | null } {
  const settings = Object.hasOwn(providers, provider) ? providers[provider] : undefined;
  const variables = variablesOf(settings?.apiKeyVariable, KNOWN.get(provider));
  return { variables, set: setVariable(variables, environment) ?? null };
}

const priceIn = (prices: { readonly [id: string]: GivenPrice }, id: string) =>
  Object.hasOwn(prices, id) ? (prices[id] ?? null) : null;

const missingPlace = (provider: string, known: Known | undefined) =>
  `${provider} needs a base URL: ${known ? `set ${known.baseUrlVariable}, or ` : ''}say providers.${provider}.baseUrl`;

const unknown = (message: string) => new ModelError('unknown_model', message);
