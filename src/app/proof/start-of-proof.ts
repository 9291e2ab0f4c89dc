import { relative } from 'node:path';
import type { ProofSettings } from '../../../machines/settings.ts';
import { originRepository } from '../../git/worktree/origin-repository.ts';
import { keepGrounds } from '../../git/run-refs.ts';
import { ApprovedGrounds } from '../../config/grounds-approval.ts';
import { checksOfWork } from '../../config/clean-tree.ts';
import { userFolder } from '../../config/places.ts';
import { inheritedText, sinceText, unloggedText } from '../../evidence/start-text.ts';
import { callOf } from '../../actors/capture-repository.ts';
import type { AppHost } from '../app-host.ts';
import { type ChangedBefore, committedUnder } from './commits-under-hooks.ts';
import { leftByEarlier } from './earlier-runs.ts';
import { inheritedBase } from './base-of-earlier.ts';
import { sinceEarlier } from './since-earlier.ts';
import { type Beginning, proofFrom, type WantedProof } from './proof-request.ts';

interface ProvenStart {
  readonly proof: ProofSettings;
  /** What a person should know before the run works. */
  readonly warnings: readonly string[];
}

/**
 * How the checks of a run prove its work: they go by the workspace as it is, but for grounds that earlier runs changed
 * and no person approved. Two runs cannot forge what one cannot. `changed`: what git goes by since earlier runs.
 * Throws a `GitError`.
 */
export async function provenStart(
  { log, variables }: Pick<AppHost, 'log' | 'variables'>,
  wanted: WantedProof,
  beginning: Beginning,
  changed: ChangedBefore,
): Promise<ProvenStart> {
  const proof = await proofFrom(wanted, beginning);
  const { run, settings, base: present } = beginning;
  const { isolation, directory } = settings;
  const call = callOf(settings);
  const origin = await originRepository(isolation?.origin ?? directory);
  if (origin === null) return { proof, warnings: [] };
  const approved = await new ApprovedGrounds(userFolder(variables)).of(origin.common);
  const { left, since, unread, unlogged } = await leftByEarlier({
    log,
    run,
    root: origin.root,
    present,
    call,
    approved,
  });
  const folder = isolation ? relative(isolation.top, directory) : origin.prefix.replace(/\/$/, '');
  const { protect, unprotect } = wanted;
  const rules = { checks: checksOfWork(settings.checks), folder, protect, unprotect };
  const { formatted, others } = await sinceEarlier(present, since, rules, call);
  const inherited = await inheritedBase(present, new Map([...left, ...formatted]), rules, call);
  const fresh = others.filter(({ isKnown }) => !isKnown);
  const gone = [
    ...(unlogged.length === 0 ? [] : [unloggedText(unlogged)]),
    ...(unread.length === 0 ? [] : [goneText(unread)]),
    ...(fresh.length === 0 ? [] : [sinceText(fresh)]),
    ...(await committedUnder(changed, { present, head: origin.head?.commit ?? null, rules, call })),
  ];
  // Also where there are none: later it can be told from a run that did not look.
  if (inherited === null) return { proof: { ...proof, inherited: [] }, warnings: gone };
  await keepGrounds(run, inherited.base, call);
  const { base, inherited: named } = inherited;
  return {
    proof: { ...proof, base, start: present, inherited: named },
    warnings: [...gone, `${inheritedText(named)} To let it count: ${approvals(named)}`],
  };
}

const approvals = (named: NonNullable<ProofSettings['inherited']>): string =>
  [...new Set(named.map(({ run }) => `loopfold approve ${run} grounds`))].join('; ');

const goneText = (runs: readonly string[]): string =>
  `git has no longer what ${runs.length === 1 ? 'run' : 'runs'} ${runs.join(', ')} began with or left, so it is not ` +
  'known which tests and configuration they changed: look at those yourself.';
