import type { SessionUpdate, ToolCallContent } from '@agentclientprotocol/sdk';
import type { CheckResult, LevelResult, ToolCall } from '../../../machines/events.ts';
import type { Fact } from '../../kernel/effect-handlers.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import type { WorkPart } from '../../kernel/work-part.ts';
import { oneLine, plain } from '../../projections/phrases.ts';
import type { RunDelta } from '../../runtime/run-tree.ts';
import { head } from '../../text/excerpt.ts';
import { WatchedRuns } from '../live/watch-runs.ts';
import { hasHeadlines, wordsOf } from '../pages/loop-text.ts';
import { notice } from '../pages/notices.ts';
import { callUpdate, diffOf, endedCallUpdate } from './call-updates.ts';
import { CheckPlan } from './check-plan.ts';

const MAX_TEXT_CHARS = 100_000;
const MAX_REASON_CHARS = 1_000;
const MAX_NAME_CHARS = 200;

interface OpenCall {
  readonly id: string;
  readonly diff: readonly ToolCallContent[];
}

/** The updates that the work of a tree of runs is for an editor: texts, calls, checks, a plan, and decisions. */
export class RunUpdates {
  readonly #watched: WatchedRuns;
  #isPast: boolean;
  readonly #plan = new CheckPlan();
  readonly #directories = new Map<string, string>();
  /** By run and call. */
  readonly #calls = new Map<string, OpenCall>();
  /** Runs whose newest answer was shown while it came. */
  readonly #streamed = new Set<string>();
  /** The beginnings of the ids of effects whose text is no answer. */
  readonly #unshown = new Set<string>();
  #root: string | null = null;

  /** `isPast`: of a run that is over, whose files have changed since. */
  constructor(loops: readonly LoopDefinition[], { isPast = false } = {}) {
    this.#watched = new WatchedRuns(loops);
    this.#isPast = isPast;
  }

  /** A piece of an answer. Summaries, which are asked for beside the work, are not shown. */
  delta({ kind, text, run, effect }: RunDelta): readonly SessionUpdate[] {
    if (kind !== 'text' || this.#unshown.has(effect.slice(0, effect.lastIndexOf('/')))) return [];
    this.#streamed.add(run);
    return [message(text)];
  }

  /** What a run recorded before it was followed here: nothing of it is shown. */
  recall(fact: Fact): void {
    const isPast = this.#isPast;
    this.#isPast = true;
    this.observe(fact);
    this.#isPast = isPast;
  }

  observe(fact: Fact): readonly SessionUpdate[] {
    const watched = this.#watched.observe(fact);
    const { run, type, version, payload } = fact;
    if (type === 'run.started') {
      this.#root ??= run;
      this.#directories.set(run, payload.settings.directory);
    }
    const plan = run === this.#root ? this.#plan.observe(fact, watched) : [];
    const parts = watched.loop?.describe.work?.(fact) ?? [];
    const work = parts.flatMap((part) => this.#work(fact, part));
    switch (type) {
      case 'baseline.taken':
        return [...checked(fact, payload.levels, ', before any work'), ...plan];
      case 'verification.completed':
        return [...checked(fact, payload.levels, ''), ...plan];
      case 'decision.made': {
        if (payload.sink) this.#unshown.add(`${run}/${version}`);
        // The last decision is told once the log was verified.
        const isNews = run === this.#root && watched.endsRound && hasHeadlines(watched.loop) && !payload.sink;
        const words = `${wordsOf(watched.loop).round} ${watched.rounds} → ${payload.action}: ${payload.reason}`;
        return [...plan, ...(isNews ? [thought(words)] : [])];
      }
      default: {
        const said = notice(fact);
        return [...work, ...plan, ...(said ? [thought(said.text)] : [])];
      }
    }
  }

  #work({ run, version }: Fact, part: WorkPart): readonly SessionUpdate[] {
    switch (part.kind) {
      case 'said':
        return this.#answer(run, part.text);
      case 'called':
        return [this.#begin(run, version, part.call)];
      case 'returned':
        return this.#end(run, part.callId, part.isFailed ? 'failed' : 'completed', part.text);
      case 'beside':
        this.#unshown.add(`${run}/${version}`);
        return [];
    }
  }

  #answer(run: string, text: string): SessionUpdate[] {
    // Its pieces were told while they came.
    if (this.#streamed.delete(run)) return text.trim() === '' ? [] : [message('\n\n')];
    return text.trim() === '' ? [] : [message(`${head(text, MAX_TEXT_CHARS)}\n\n`)];
  }

  #begin(run: string, version: number, call: ToolCall): SessionUpdate {
    const directory = this.#directories.get(run) ?? '/';
    const id = `${run}/${version}/${call.callId}`;
    this.#calls.set(`${run}/${call.callId}`, { id, diff: diffOf(call, directory, this.#isPast) });
    return callUpdate(id, call, directory);
  }

  #end(run: string, callId: string, status: 'completed' | 'failed', output: string): readonly SessionUpdate[] {
    const call = this.#calls.get(`${run}/${callId}`);
    this.#calls.delete(`${run}/${callId}`);
    return call ? [endedCallUpdate(call.id, status, output, call.diff)] : [];
  }
}

/** A piece of an answer, as an editor shows it. */
export const message = (text: string): SessionUpdate => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text: plain(text) },
});

const thought = (text: string): SessionUpdate => ({
  sessionUpdate: 'agent_thought_chunk',
  content: { type: 'text', text: `${oneLine(text, MAX_REASON_CHARS)}\n` },
});

/** Each check is a call that has ended: what it printed stands below it. */
const checked = ({ run, version }: Fact, levels: readonly LevelResult[], when: string): SessionUpdate[] =>
  levels
    .flatMap(({ level, checks }) => checks.map((check) => ({ level, check })))
    .flatMap(({ level, check }, index) => checkUpdates(`${run}/${version}/check-${index}`, `${level} `, check, when));

function checkUpdates(id: string, level: string, check: CheckResult, when: string): SessionUpdate[] {
  const title = `check ${level}${oneLine(check.name, MAX_NAME_CHARS)}${when}`;
  const status = check.passed ? 'completed' : 'failed';
  return [
    { sessionUpdate: 'tool_call', toolCallId: id, title, kind: 'execute', status: 'in_progress' },
    endedCallUpdate(id, status, check.output),
  ];
}
