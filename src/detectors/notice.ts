import type { Finding } from '../../machines/outcome.ts';
import type { Refusal } from './detector.ts';

type Found = Omit<Finding, 'level' | 'evidence' | 'calls'> & { readonly evidence: readonly string[] };

/** Withdraws a refusal where a count that has come to no rung has begun anew. */
export const begunAnew = (count: number, before: number): { readonly finding?: Finding; readonly refusal?: null } =>
  count < before ? { refusal: null } : {};

/** Reports a rung that a count has come to. `actions` and `tools`: the calls that go on like before. */
export function noticedAt(
  rung: 'nudge' | 'refuse' | 'stop',
  found: Found,
  { actions = [], tools = [] }: Partial<Pick<Refusal, 'actions' | 'tools'>>,
): { readonly finding?: Finding; readonly refusal?: Refusal } {
  const finding: Finding = { ...found, level: rung === 'refuse' ? 'block' : rung, evidence: [...found.evidence] };
  return rung === 'refuse' ? { refusal: { finding, actions, tools } } : { finding };
}
