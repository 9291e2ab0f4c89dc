import type { AskedCall } from './call-request.ts';
import type { CallResult, Took } from './call-results.ts';
import type { Observed } from './observation.ts';
import { outcomeOf } from './outcome-digest.ts';
import { withoutOwnWords } from './own-words.ts';
import { plainIdentity, withoutVolatile } from './result-identity.ts';
import type { TraitsOf } from './traits.ts';

/** The code of a call's fault where there is no tool of that name. */
export const TOOL_UNKNOWN = 'tool_unknown';

/** A command waits where it takes longer than this, and less of a processor than the share. */
const LEAST_WAIT_MS = 5_000;
const MOST_CPU_SHARE = 0.05;
const GIST_CHARS = 16;
/** The end of a failed command that names no test and no error: it says how the command failed. */
const MAX_OUTCOME_CHARS = 500;
const MAX_BAD_CHARS = 500;
const BAD =
  /not found|no such|denied|refused|invalid|usage:|unknown|cannot|forbidden|unauthori[sz]ed|timed? ?out|unavailable/i;

/** The end of a call: what it brought, in the terms that detectors compare. */
export type EndedCall = Omit<Observed, Exclude<keyof AskedCall, 'callId'> | 'evidence'> & { readonly id: string };

/** A result of a call that was asked for. */
export function endedCall(
  call: AskedCall,
  { id, text, code, took, failed, isRefused }: CallResult,
  traits: TraitsOf,
): EndedCall {
  const own = traits(call.tool);
  const status = failed ? 1 : (own.command?.statusIn(text) ?? 0);
  const isAnswer = !failed && status === 1 && call.isAnswering;
  const isDone = !failed && (status === 0 || isAnswer);
  const waitedMs = isDone || call.polls ? waitOf(call, took) : null;
  const plain = withoutVolatile(text);
  const gist = withoutOwnWords(plain, call.words);
  const shows = !call.isReading && !isRefused;
  const outcome = shows ? outcomeOf(gist) : null;
  return {
    id,
    result: plainIdentity(`${failed ? 'failed' : 'done'}\n${plain}`),
    gist: digestOf(gist),
    outcome: outcome ?? (isDone || !shows ? null : digestOf(gist.slice(-MAX_OUTCOME_CHARS))),
    isBad: !isDone || outcome !== null || BAD.test(text.slice(0, MAX_BAD_CHARS)),
    failed,
    isRefused,
    end: isDone ? 'done' : failedAs(code),
    // A command that finds nothing prints nothing but its status.
    foundNothing: isAnswer ? !text.includes('\n') : isDone && (own.foundNothing?.(text) ?? false),
    isPolling: call.polls || waitedMs !== null,
    waitedMs: waitedMs ?? 0,
  };
}

const failedAs = (code: string | undefined) => (code === TOOL_UNKNOWN ? 'unknown' : 'failed');

/** Its time with the processor at rest, or what its words say. Null: it does not wait. */
function waitOf({ waits }: AskedCall, took: Took | undefined): number | null {
  const isIdle = took?.cpuMs != null && took.wallMs > LEAST_WAIT_MS && took.cpuMs < took.wallMs * MOST_CPU_SHARE;
  if (!isIdle && waits === null) return null;
  // A look that is over at once is no pause.
  return !took || (waits === 0 && took.wallMs <= LEAST_WAIT_MS) ? waits : took.wallMs;
}

const digestOf = (text: string): string => plainIdentity(text).slice(0, GIST_CHARS);
