import type { PlanEntry, SessionUpdate } from '@agentclientprotocol/sdk';
import type { LevelResult } from '../../../machines/events.ts';
import type { Fact } from '../../kernel/effect-handlers.ts';
import { oneLine } from '../../projections/phrases.ts';
import type { Watched } from '../live/watch-runs.ts';
import { wordsOf } from '../pages/loop-text.ts';

const MAX_NAME_CHARS = 200;

type Status = PlanEntry['status'];

/** The plan of a run with checks, as an editor shows it: the round that works, and each check until it passes. */
export class CheckPlan {
  readonly #checks = new Map<string, Status>();
  #work: { readonly name: string; readonly status: Status } = { name: 'work', status: 'pending' };

  /** Takes a fact of the run at the top of a tree. Returns the plan, where the fact changes it. */
  observe({ type, payload }: Fact, { beginsRound, rounds, mostRounds, loop }: Watched): readonly SessionUpdate[] {
    if (type === 'run.started') {
      for (const { level, name } of payload.settings.checks) this.#checks.set(nameOf(level, name), 'pending');
      return this.#plan();
    }
    if (beginsRound) {
      const name = `${wordsOf(loop).round} ${rounds}${mostRounds === null ? '' : ` of ${mostRounds}`}`;
      this.#work = { name, status: 'in_progress' };
      return this.#plan();
    }
    if (type === 'workspace.captured') return this.#set(() => 'in_progress', 'completed');
    if (type !== 'verification.completed') return [];
    const passed = new Set(payload.levels.flatMap(passedOf));
    return this.#set((name) => (passed.has(name) ? 'completed' : 'pending'), 'completed');
  }

  #set(statusOf: (check: string) => Status, work: Status): readonly SessionUpdate[] {
    for (const name of this.#checks.keys()) this.#checks.set(name, statusOf(name));
    this.#work = { ...this.#work, status: work };
    return this.#plan();
  }

  /** Without checks there is no plan that could be kept. */
  #plan(): readonly SessionUpdate[] {
    if (this.#checks.size === 0) return [];
    const entries = [this.#work, ...[...this.#checks].map(([name, status]) => ({ name, status }))];
    return [
      {
        sessionUpdate: 'plan',
        entries: entries.map(({ name, status }) => ({ content: name, status, priority: 'medium' })),
      },
    ];
  }
}

const nameOf = (level: string, name: string): string => `check ${level} ${oneLine(name, MAX_NAME_CHARS)}`;

const passedOf = ({ level, checks }: LevelResult): string[] =>
  checks.filter(({ passed }) => passed).map(({ name }) => nameOf(level, name));
