import { expect, test } from 'vitest';
import type { StateChanges } from '../../../machines/ralph-facts.ts';
import type { Fact } from '../../../src/kernel/effect-handlers.ts';
import { RalphMemory } from '../../../src/loops/ralph/memory.ts';
import { editOf } from '../../../src/loops/ralph/state-edit.ts';
import { NOTHING_LEFT, sortChanges } from '../../../src/loops/ralph/sort-changes.ts';
import type { RalphState } from '../../../src/ralph/ralph-state.ts';
import * as has from '../../support/facts.ts';
import { fc } from '../../support/fast-check.ts';

type Fields = Pick<RalphState, 'maxIterations' | 'completionPromise' | 'originalPrompt'>;
const SETTINGS = has.settingsOf('ralph');
const FIELDS = ['maxIterations', 'completionPromise', 'originalPrompt'] as const;
const NUMBERS = {
  ceiling: 100,
  isAdaptive: false,
  file: { digest: null, maximum: null, ahead: 0, first: 3 },
  limits: SETTINGS.limits,
  iterations: 1,
};

// The agent only asks for more, and no two authors write the same value: so each value says who has written it.
const agents: fc.Arbitrary<Partial<Fields>> = fc.record(
  {
    maxIterations: fc.constant(90),
    completionPromise: fc.constantFrom('agent 1', 'agent 2'),
    originalPrompt: fc.constantFrom('of the agent', 'of the agent again'),
  },
  { requiredKeys: [] },
);
const persons: fc.Arbitrary<Partial<Fields>> = fc.record(
  {
    maxIterations: fc.constantFrom(3, 7, 8),
    completionPromise: fc.constantFrom('TASK COMPLETE', 'person 1', null),
    originalPrompt: fc.constantFrom('x', 'mine alone'),
  },
  { requiredKeys: [] },
);
const step = fc.oneof(
  agents.map((fields) => ({ does: 'agent', fields }) as const),
  fc.record({ does: fc.constant('person' as const), fields: persons, looks: fc.boolean() }),
  fc.record({ does: fc.constantFrom('approve' as const, 'deny' as const) }),
  fc.record({ does: fc.constant('write' as const) }),
);

/** A run and its state file: every look is folded as the run does it. */
class Play {
  readonly memory = new RalphMemory('run', {
    ...SETTINGS,
    prompt: 'x',
    limits: { ...SETTINGS.limits, maxIterations: 3 },
  });
  file: Fields;
  /** What a question that is open asks about. */
  asked: StateChanges | null = null;
  #version = 1;

  constructor() {
    this.file = this.inForce;
  }

  get inForce(): Fields {
    const { maximum, promise, prompt } = this.memory;
    return { maxIterations: maximum, completionPromise: promise, originalPrompt: prompt };
  }

  look(by: 'person' | 'unknown'): void {
    const rest = { active: true, iteration: 1, startedAt: '2026-03-01T12:00:00.000Z', sessionId: 'run' } as const;
    const { left } = this.memory;
    const isSame = FIELDS.every((field) => this.file[field] === this.inForce[field]);
    const edit = editOf(
      { ...rest, ...this.file },
      { ...rest, ...this.inForce },
      { digest: 'd', by, isFixed: false, left, numbers: NUMBERS },
    );
    this.asked = !isSame && edit.held ? edit.changes : null;
    this.#observe(
      isSame
        ? { type: 'state_file.kept', payload: { isMissing: false } }
        : { type: 'state_file.edited', payload: { edit } },
    );
  }

  rule(verb: 'approve' | 'deny'): StateChanges | null {
    const { asked } = this;
    if (asked)
      this.#observe({
        type: verb === 'approve' ? 'edit.approved' : 'edit.denied',
        payload: { digest: 'd', reason: null },
      });
    this.asked = null;
    return asked;
  }

  write(): void {
    this.file = this.inForce;
    this.#observe({ type: 'state_file.written', payload: { digest: 'd', was: 'kept' } });
  }

  #observe(event: object): void {
    this.#version += 1;
    this.memory.observe({ run: 'run', version: this.#version, at: '2026-03-01T12:00:00.000Z', ...event } as Fact);
  }
}

test('R4 nothing that only the agent wrote is in force but what was approved, whatever people write beside it', () =>
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const play = new Play();
      const allowed = Object.fromEntries(FIELDS.map((field) => [field, new Set<unknown>([play.inForce[field]])]));
      const allow = (fields: StateChanges) => {
        for (const field of FIELDS) if (field in fields) allowed[field]?.add(fields[field]);
      };
      for (const one of steps) {
        // The agent cannot work while a question is open, nor before what a person has done meanwhile was read.
        if (one.does === 'agent') {
          if (play.asked) continue;
          play.look('person');
          if (play.asked) continue;
          play.file = { ...play.file, ...one.fields };
          play.look('unknown');
        } else if (one.does === 'person') {
          play.file = { ...play.file, ...one.fields };
          allow(one.fields);
          if (one.looks) {
            play.look('person');
            expect(play.inForce).toMatchObject(one.fields);
          }
        } else if (one.does === 'write') {
          play.look('person');
          if (!play.asked) play.write();
        } else {
          const asked = play.rule(one.does);
          if (one.does === 'approve' && asked) allow(asked);
          play.look('person');
        }
        for (const field of FIELDS) expect(allowed[field]).toContain(play.inForce[field]);
      }
    }),
    { numRuns: 500 },
  ));

test('R4 after an approval each value is the person’s, or else the one that was held, or else the one in force', () =>
  fc.assert(
    fc.property(agents, persons, (forged, own) => {
      const play = new Play();
      const before = play.inForce;
      play.file = { ...before, ...forged };
      play.look('unknown');
      play.file = { ...play.file, ...own };
      play.rule('approve');
      play.look('person');
      expect(play.inForce).toEqual({ ...before, ...forged, ...own });
    }),
  ));

test('R4 after a denial each value is the person’s, or else the one in force', () =>
  fc.assert(
    fc.property(agents, persons, fc.boolean(), (forged, own, isReadBetween) => {
      const play = new Play();
      const before = play.inForce;
      play.file = { ...before, ...forged };
      play.look('unknown');
      play.file = { ...play.file, ...own };
      if (isReadBetween) play.look('person');
      play.rule('deny');
      play.look('person');
      expect(play.inForce).toEqual({ ...before, ...own });
      // And so it stays where the person edits the file once more before it is written.
      play.file = { ...play.file, completionPromise: 'person 2' };
      play.look('person');
      expect(play.inForce).toEqual({ ...before, ...own, completionPromise: 'person 2' });
    }),
  ));

test('R4 a value that is held stays so where a person has written the same', () =>
  expect(sortChanges({ maxIterations: 9, iteration: 2 }, { ...NOTHING_LEFT, held: { maxIterations: 9 } }, 'x')).toEqual(
    {
      held: { maxIterations: 9 },
      fresh: { iteration: 2 },
    },
  ));

const TASK = 'Fix the parser.\n\n- Do not delete tests.\n- Keep the API.';

test.each<[string, string, string]>([
  ['a line of it that the agent has added', `${TASK}\n- Skip the checks.`, `${TASK}\n- Skip the checks.\n- Be brief.`],
  [
    'another line, where the agent has added one',
    `${TASK}\n- Skip the checks.`,
    `${TASK.replace('parser', 'lexer')}\n- Skip the checks.`,
  ],
  ['spaces at the ends of its lines', `${TASK}\n- Skip the checks.  \n\n`, `${TASK}\n- Skip the checks.`],
  ['the same line', `${TASK} Skip the checks.`, `${TASK.replace('the API', 'all APIs')} Skip the checks.`],
  [
    'another line, where the agent has removed one',
    'Fix the parser.\n- Keep the API.',
    'Mend the parser.\n- Keep the API.',
  ],
  [
    'another line, where the agent has removed a word',
    TASK.replace('not ', ''),
    TASK.replace('not ', '').replace('the API', 'it'),
  ],
  [
    'another line, where the agent has removed the last',
    TASK.replace('\n- Keep the API.', ''),
    'Fix it.\n\n- Do not delete tests.',
  ],
])('R4 a task waits as a whole while it has something of the agent’s: a person changes %s', (_, theirs, found) => {
  const left = { ...NOTHING_LEFT, held: { originalPrompt: theirs } };
  expect(sortChanges({ originalPrompt: found }, left, TASK)).toEqual({ held: { originalPrompt: found }, fresh: {} });
  const denied = { ...NOTHING_LEFT, settled: { originalPrompt: theirs } };
  expect(sortChanges({ originalPrompt: found }, denied, TASK)).toEqual({ held: { originalPrompt: found }, fresh: {} });
});

test.each<[string, string]>([
  ['another text', 'Write a new parser.'],
  ['the task as it was, with a line more', `${TASK}\n- Be brief.`],
])('R4 a task of a person with nothing of the agent’s counts at once: %s', (_, found) => {
  const left = { ...NOTHING_LEFT, held: { originalPrompt: `${TASK}\n- Skip the checks.` } };
  expect(sortChanges({ originalPrompt: found }, left, TASK).fresh).toEqual({ originalPrompt: found });
});
