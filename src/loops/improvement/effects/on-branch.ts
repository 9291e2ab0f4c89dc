import type { EventOf, LoopEvent } from '../../../../machines/events.ts';
import type { EffectCall } from '../../../actors/actor.ts';
import type { GitCall } from '../../../git/process/git.ts';
import {
  commitToBranch,
  type LoopCommit,
  type NoCommit,
  type PlannedCommit,
  plannedCommit,
} from '../../../git/bring/loop-branch.ts';
import { requestText } from '../request-text.ts';
import type { Integrated, IntegrationOrder } from './integration-order.ts';
import { openRequest } from './pull-request.ts';

const MAX_NAMED = 5;
const SHORT = 12;

/** The commit as it will be. A text: why there can be none. */
export async function planned(commit: LoopCommit, call: GitCall): Promise<PlannedCommit | string> {
  const plan = await plannedCommit(commit, call);
  return plan.kind === 'planned' ? plan : whyNot(plan, commit.branch);
}

function whyNot(why: NoCommit, branch: string): string {
  switch (why.kind) {
    case 'moved':
      return `another process moved the branch ${branch} to ${why.tip.slice(0, SHORT)}: nothing is put on top of that`;
    case 'checked_out':
      return `the branch ${branch} is checked out in ${why.at}, whose files would seem changed: switch to another one`;
    case 'beside':
      return `git keeps no branch ${branch} beside the branch ${why.other}: rename that`;
    case 'conflict': {
      const named = why.kept.slice(0, MAX_NAMED).map(({ path, because }) => `${path}: ${because}`);
      return `it does not fit on the branch ${branch}: ${named.join('; ')}`;
    }
  }
}

/**
 * Makes the commit, asks for a pull request where one is wanted, and answers with `integration.completed`. Returns a
 * text: why there is no commit.
 */
export async function* onBranch(
  plan: PlannedCommit,
  where: Pick<Integrated, 'to' | 'tree'>,
  order: IntegrationOrder,
  { signal }: EffectCall,
): AsyncGenerator<LoopEvent, string | null> {
  const { branch } = plan;
  const { options } = order;
  const commit = await commitToBranch(plan, order.call);
  if (commit === null) return `the branch ${branch} was moved by another process at this moment`;
  const { prCommand } = options.integrate;
  const event = completedBy({ branch, commit }, where, order);
  const { request = null } = event.payload;
  const opened =
    request === null || prCommand === null
      ? null
      : await openRequest({ command: prCommand, text: request, branch, commit }, order, signal);
  if (opened?.kind === 'failed')
    yield warning(`${branch} is there, but its pull request was not opened: ${opened.why}`);
  yield opened?.kind === 'opened' ? { ...event, payload: { ...event.payload, opened: opened.said } } : event;
  return null;
}

/** What is recorded once the commit is made, with the text of a pull request where one is wanted. */
export function completedBy(
  at: Pick<Integrated, 'branch' | 'commit'>,
  where: Pick<Integrated, 'to' | 'tree'>,
  { candidate, options, improvement }: IntegrationOrder,
): EventOf<'integration.completed'> {
  const { requireApproval, prCommand } = options.integrate;
  const isWanted = requireApproval || !options.evaluate.enabled || prCommand !== null;
  const request = isWanted ? { request: requestText(improvement, at) } : {};
  return { type: 'integration.completed', payload: { candidate: candidate.id, ...at, ...where, ...request } };
}

const warning = (message: string): LoopEvent => ({
  type: 'warning.raised',
  payload: { code: 'request_failed', message },
});
