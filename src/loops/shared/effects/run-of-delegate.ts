import type { RunSettings } from '../../../../machines/settings.ts';
import { attempt } from '../../../actors/attempt.ts';
import type { EffectCall } from '../../../actors/actor.ts';
import { faultSentence } from '../../../options/config-fault.ts';
import type { ChildSettings } from '../../../kernel/effect-handlers.ts';
import { knownPrices } from '../../../budget/price-list.ts';
import { type DelegatedWork, settingsOfDelegate } from './turn-of-delegate.ts';
import type { EffectServices } from '../../../ports/services.ts';
import { MAX_REMEMBERED } from '../../../../machines/permissions.ts';

/** The time limit for finding an agent and loading its model. */
const AGENT_LIMIT_MS = 30_000;

type Found =
  | { readonly kind: 'settings'; readonly settings: RunSettings }
  | { readonly kind: 'none'; readonly code: string; readonly message: string };
/** What it takes to find an agent and to price its model. */
export type AgentSources = Pick<EffectServices, 'agents' | 'loadModel' | 'opened' | 'permittedCalls' | 'priceOf'>;

/** The settings of the run that does delegated work; or the failed call, where its agent cannot be used. */
export async function delegatedSettings(
  of: DelegatedWork,
  sources: AgentSources,
  call: EffectCall,
): Promise<ChildSettings> {
  const { agent: name } = of.delegation;
  if (name === undefined)
    return { kind: 'settings', settings: await withPermitted(settingsOfDelegate(of, {}), of.run, sources) };
  const { settled } = await attempt(() => found(name, of, sources), {
    timeoutMs: AGENT_LIMIT_MS,
    graceMs: 0,
    signal: call.signal,
  });
  const answer = settled.kind === 'returned' ? settled.value : unavailable(name, settled);
  if (answer.kind === 'settings') return answer;
  const { code, message } = answer;
  return { kind: 'refused', event: { type: 'tool.failed', payload: { callId: of.callId, fault: { code, message } } } };
}

async function found(
  name: string,
  of: DelegatedWork,
  { agents, loadModel, opened, permittedCalls, priceOf }: AgentSources,
): Promise<Found> {
  const answer = await agents(name, of.settings);
  if (answer.kind === 'refused') return { kind: 'none', code: 'agent_unavailable', message: answer.reason };
  if (answer.kind === 'unknown') {
    const known =
      answer.known.length === 0 ? 'there are none: leave agent out' : `there are: ${answer.known.join(', ')}`;
    return { kind: 'none', code: 'agent_unknown', message: `there is no agent ${JSON.stringify(name)}; ${known}` };
  }
  const child = settingsOfDelegate(of, { name, ...answer.agent });
  const settings = await withPermitted(await opened(child), of.run, { permittedCalls });
  if (answer.agent.model !== undefined) await loadModel(answer.agent.model);
  const prices = await knownPrices(settings, { priceOf });
  if (prices.kind === 'known')
    return { kind: 'settings', settings: prices.prices ? { ...settings, prices: prices.prices } : settings };
  return {
    kind: 'none',
    code: 'price_unknown',
    message: `the agent ${name}: ${prices.faults.map(faultSentence).join('; ')}`,
  };
}

function unavailable(
  name: string,
  how: { readonly kind: 'threw'; readonly error: unknown } | { readonly kind: 'silent' },
): Found {
  const why =
    how.kind === 'silent'
      ? `it was not found within ${AGENT_LIMIT_MS} ms`
      : String(Object(how.error).message ?? how.error);
  return {
    kind: 'none',
    code: 'agent_unavailable',
    message: `the agent ${JSON.stringify(name)} cannot be used: ${why}`,
  };
}

/** Where it is known what people have allowed. */
export type PermittedSources = Pick<EffectServices, 'permittedCalls'>;

/** The settings of a child, with what people have allowed for good in the runs of its tree since these began. */
export async function withPermitted(
  settings: RunSettings,
  run: string,
  { permittedCalls }: PermittedSources,
): Promise<RunSettings> {
  const { permissions } = settings;
  if (!permissions) return settings;
  const known = permissions.remembered ?? [];
  const remembered = [...new Set([...known, ...(await permittedCalls(run))])].slice(-MAX_REMEMBERED);
  return remembered.length === known.length ? settings : { ...settings, permissions: { ...permissions, remembered } };
}
