import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import type { LoopEvent, Usage } from '../../machines/events.ts';
import { unprepared } from '../../machines/improvement-lanes.ts';
import type { ImprovementContext } from '../../machines/improvement-progress.ts';
import { scriptedModel } from '../../src/actors/model/model-script.ts';
import { repeatableExecution } from '../../src/loops/shared/effects/execution.ts';
import type { RunContext } from '../../src/kernel/effect-handlers.ts';
import { lifeOf, type Outstanding } from '../../src/kernel/fold.ts';
import type { MakeHandlers } from '../../src/runtime/make-handlers.ts';
import * as has from '../loops/improvement/night-facts.ts';
import * as is from '../support/facts.ts';

interface How {
  /** Every experiment uses exactly so many tokens, nothing else uses any, and nothing passes. */
  readonly exactly?: number;
  /** The most that one iteration finds. */
  readonly most?: number;
  /** How many of them are tried. */
  readonly tried?: number;
}

const MAX_FOUND = 3;
/** How much more than was reserved a call may use. */
const MAX_ERROR = 20_000;
/** What a call of an experiment uses at most: its reservation is about the length of an answer. */
const MAX_CALL = 45_000;

/** What happens in a night, drawn from its seed: the same again for the same question, also after a crash. */
export class ScriptedNight {
  readonly #seed: number;
  readonly #how: How;
  /** How much more each effect has used than was reserved for it. */
  readonly errors: number[] = [];

  constructor(seed: number, how: How = {}) {
    this.#seed = seed;
    this.#how = how;
  }

  /** From 0 on, below 1. */
  draw(...about: readonly (string | number)[]): number {
    const hash = createHash('sha256').update([this.#seed, ...about].join('/'));
    return hash.digest().readUInt32BE() / 2 ** 32;
  }

  /** The model of its experiments and summaries. */
  readonly model = scriptedModel(({ messages, step }) => {
    const { exactly } = this.#how;
    if (exactly !== undefined) return { text: 'done', usage: { inputTokens: exactly - 1, outputTokens: 1 } };
    const [task] = messages;
    const about = [task && 'text' in task ? task.text : '', step];
    const usage = { inputTokens: Math.floor(this.draw('call', ...about) * MAX_CALL), outputTokens: 7 };
    const isMore = this.draw('more', ...about) < 0.3;
    return isMore ? { calls: [{ tool: 'note', arguments: {} }], usage } : { text: 'done', usage };
  });

  /** What an effect uses for which so many tokens are reserved: mostly less, now and then more. */
  #used(reserved: number, about: readonly (string | number)[]): { readonly usage?: Usage } {
    if (this.#how.exactly !== undefined) return {};
    const isOver = this.draw('over', ...about) < 0.1;
    const share = this.draw('share', ...about);
    const tokens = Math.floor(isOver ? reserved + share * MAX_ERROR : reserved * share);
    this.errors.push(Math.max(0, tokens - reserved));
    return tokens === 0 ? {} : { usage: { inputTokens: tokens, outputTokens: 0 } };
  }

  /** The events by which this night answers an effect. Null: a real handler does. */
  answers({ actor, key }: Outstanding, { state }: RunContext): readonly LoopEvent[] | null {
    const context = lifeOf(state) as ImprovementContext;
    const { iterations, lanes, reserved } = context;
    const candidate = unprepared(context)?.candidate ?? context.candidate ?? '';
    const usage = (about = '') => this.#used(reserved[key]?.tokens ?? 0, [actor, iterations, about]);
    const happens = (chance: number, what: string) => this.draw(what, iterations, candidate) < chance;
    const isExact = this.#how.exactly !== undefined;
    switch (actor) {
      case 'discover':
        return [has.discovered(this.#found(iterations), { canChange: true, ...usage() })];
      case 'filterDiscoveries':
        return [has.filtered(this.#found(iterations).slice(0, this.#how.tried ?? 2), usage())];
      case 'writePlans':
        return [
          has.planned(
            lanes.map((lane) => lane.candidate),
            usage(candidate).usage,
          ),
        ];
      case 'prepareExperiment':
        return [isExact || happens(0.9, 'prepared') ? preparedIn(candidate) : refused(candidate)];
      case 'evaluateCandidate': {
        const passed = !isExact && happens(0.4, 'passed');
        const tiers = [has.built(candidate), has.tier(candidate, 'L1', passed)];
        return [
          ...tiers,
          has.evaluated(candidate, passed ? null : 'L1', happens(0.2, 'priced') ? usage(candidate) : {}),
        ];
      }
      case 'integrateCandidate':
        return happens(0.8, 'kept')
          ? [is.workspaceCaptured(), has.integrated(candidate)]
          : [has.notIntegrated(candidate)];
      default:
        return null;
    }
  }

  #found(iteration: number): string[] {
    const { exactly, most = MAX_FOUND } = this.#how;
    const count = exactly === undefined ? Math.floor(this.draw('found', iteration) * (most + 1)) : 2;
    return Array.from({ length: count }, (_, index) => `found-${iteration}-${index}`);
  }

  /** Handlers of the loop that answer by this night; its experiments are real runs. */
  readonly around =
    (inner: MakeHandlers): MakeHandlers =>
    (run, settings, loop) => {
      const handlers = inner(run, settings, loop);
      if (settings.loop !== 'improvement') return handlers;
      return {
        ...handlers,
        execute: (effect, context) => {
          const answers = this.answers(effect, context);
          if (!answers) return handlers.execute(effect, context);
          return repeatableExecution(async function* () {
            yield* answers;
          });
        },
      };
    };
}

const refused = (candidate: string): LoopEvent => ({
  type: 'experiment.refused',
  payload: { candidate, fault: { code: 'refused', message: 'there is no room' } },
});

/** Nothing of an experiment touches the disk: its folder is any. */
function preparedIn(candidate: string): LoopEvent {
  const event = has.preparedFor(candidate);
  if (event.type !== 'experiment.prepared') throw new Error(event.type);
  const { isolation } = event.payload;
  return { ...event, payload: { ...event.payload, directory: tmpdir(), isolation: { ...isolation, top: tmpdir() } } };
}
