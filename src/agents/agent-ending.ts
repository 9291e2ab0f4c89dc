import { excerpt } from '../text/excerpt.ts';

/**
 * How the work of an agent ended. None of these is a success: `stopped` says that the agent thinks that it is done, or
 * gave up without a word, and the checks decide.
 */
export interface AgentEnding {
  readonly code: keyof typeof ENDINGS;
  /** A sentence for people. */
  readonly message: string;
  /** The words of the agent or of the system about it. */
  readonly reason: string | null;
}

/** The one table of endings. */
const ENDINGS = {
  stopped: 'the agent stopped by itself',
  refused: 'the agent refused the task',
  'cut-off': 'the answer of the agent was cut off by the length that its model allows',
  'many-requests': 'the agent reached its own limit of requests',
  cancelled: 'the agent was told to stop',
  'timed-out': 'the time of the attempt was over',
  silent: 'the agent gave no sign of life for too long, and was ended',
  flooded: 'the agent printed more than is read, and was ended',
  'asked-too-often': 'the agent asked for permission again and again, and was ended',
  crashed: 'the agent ended in the middle of its work',
  'over-budget': 'a call of the agent was refused, because the budget of the run is used up',
  'not-installed': 'the agent is not installed',
  'not-logged-in': 'the agent is not logged in, or its key was refused',
  'too-old': 'the agent speaks another version of the protocol',
  failed: 'the agent reported an error',
  'not-started': 'the agent could not be given the task',
} as const;

const MAX_REASON_CHARS = 1_000;

/** The ending of that code. `reason`: in the words of the agent or of the system. */
export function endingOf(code: AgentEnding['code'], reason: string | null = null): AgentEnding {
  const said = reason?.trim() ? excerpt(reason.trim(), MAX_REASON_CHARS) : null;
  return { code, message: said === null ? ENDINGS[code] : `${ENDINGS[code]}: ${said}`, reason: said };
}

const OF_STOP_REASON: Readonly<Record<string, AgentEnding['code']>> = {
  end_turn: 'stopped',
  max_tokens: 'cut-off',
  max_turn_requests: 'many-requests',
  refusal: 'refused',
  cancelled: 'cancelled',
};

/** The ending that a stop reason of the Agent Client Protocol stands for. */
export function endingOfStop(reason: string): AgentEnding {
  const code = Object.hasOwn(OF_STOP_REASON, reason) ? OF_STOP_REASON[reason] : undefined;
  return code ? endingOf(code) : endingOf('failed', `it stopped for a reason that is not known: ${reason}`);
}

/** The code of an error of the protocol, where an agent has no login. */
const AUTHENTICATION_REQUIRED = -32_000;
/** Words by which providers and agents refuse a key, or ask for one. */
const NOT_LOGGED_IN =
  /\b(401|unauthori[sz]ed|authentication (required|failed)|invalid (x-)?api[- ]key|not logged in|please (run )?\/?log ?in)\b/i;

/** The ending that an error stands for, by its code and words. */
export const endingOfError = (code: number | null, message: string): AgentEnding =>
  endingOf(code === AUTHENTICATION_REQUIRED || NOT_LOGGED_IN.test(message) ? 'not-logged-in' : 'failed', message);

/** The exit code of a shell that has found no such command. */
const NOT_FOUND = 127;

/** The ending of an agent whose process is gone before it has ended its work. `said`: the end of what it printed. */
export function endingOfExit(exit: { exitCode: number | null; signal: string | null }, said: string): AgentEnding {
  const how = exit.signal === null ? `exit code ${exit.exitCode}` : `signal ${exit.signal}`;
  if (exit.exitCode === NOT_FOUND) return endingOf('not-installed', said);
  if (NOT_LOGGED_IN.test(said)) return endingOf('not-logged-in', said);
  return endingOf('crashed', said.trim() === '' ? how : `${how}\n${said}`);
}
