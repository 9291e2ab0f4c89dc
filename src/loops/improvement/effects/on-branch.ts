import type { EventOf, LoopEvent } from '../../../../machines/events.ts';
import type { EffectCall } from '../../../actors/actor.ts';
import { type GitCall, git } from '../../../git/process/git.ts';
import {
  commitToBranch,
  type LoopCommit,
  type NoCommit,
  type PlannedCommit,
  plannedCommit,
} from '../../../git/bring/loop-branch.ts';
import { requestText } from '../request-text.ts';
import type { Integrated, IntegrationOrder } from './integration-order.ts';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../../log/temporary-folders.ts';
import { runCommand } from '../../../actors/subprocess.ts';
import { runRef, runRefs } from '../../../git/run-refs.ts';
import { tail } from '../../../text/excerpt.ts';

const TIMEOUT_MS = 300_000;
const MAX_OUTPUT_BYTES = 64 * 1024;
const MAX_SHOWN_CHARS = 2_000;

interface WantedRequest {
  readonly command: string;
  readonly text: string;
  readonly branch: string;
  readonly commit: string;
}

/** What became of the command that opens a pull request. */
export type Opened =
  | { readonly kind: 'opened'; readonly said: string }
  | { readonly kind: 'failed'; readonly why: string };

/**
 * Runs the command that opens a pull request, in the folder that the run was given, with the text on its standard
 * input. It is run once for each commit: after a crash it is not known whether it has opened one. Never throws.
 */
async function openRequest(
  { command, text, branch, commit }: WantedRequest,
  { run, settings, isolation, call }: IntegrationOrder,
  signal: AbortSignal,
): Promise<Opened> {
  const folder = await makeTemporaryFolder('request');
  try {
    if ((await runRefs(run, call)).get('request') === commit) return { kind: 'failed', why: interrupted(branch) };
    await git(['update-ref', runRef(run, 'request'), commit], call);
    const file = join(folder, 'request.md');
    await writeFile(file, text);
    const ran = await runCommand({
      run: null,
      command: `{ ${command}\n} <"$LOOPFOLD_REQUEST"`,
      directory: isolation.origin,
      environment: { LOOPFOLD_REQUEST: file, LOOPFOLD_BRANCH: branch, LOOPFOLD_COMMIT: commit },
      passes: settings.environment ?? [],
      timeoutMs: TIMEOUT_MS,
      signal,
      maxOutputBytes: MAX_OUTPUT_BYTES,
    });
    if (ran.kind === 'not_started') return { kind: 'failed', why: ran.message };
    const said = tail(ran.output.trim(), MAX_SHOWN_CHARS);
    if (ran.kind === 'exited' && ran.exitCode === 0) return { kind: 'opened', said };
    const how = ran.kind === 'exited' ? `it ended with ${ran.exitCode ?? ran.signal}` : `it was ${HOW[ran.kind]}`;
    return { kind: 'failed', why: said === '' ? how : `${how}: ${said}` };
  } catch (error) {
    return { kind: 'failed', why: error instanceof Error ? error.message : String(error) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const HOW = { timed_out: `stopped after ${TIMEOUT_MS / 1000} s`, stopped: 'told to stop' } as const;

const interrupted = (branch: string): string =>
  `its process was killed while it ran, so it may have opened a pull request for ${branch}: look, and open one yourself`;

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
