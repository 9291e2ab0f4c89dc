import { LEASE_TTL_MS } from '../../src/log/lease-store.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { ended } from '../support/run-history.ts';
import { note, tool, untilStopped, verdicts } from '../support/stand-ins.ts';
import { contestProductions } from './contest-productions.ts';
import { ralphProductions } from './ralph-productions.ts';
import type { Recorder } from './recorder.ts';

/** What is recorded, by the name of its file: what it shows, and how it is played. To add one, see `record.ts`. */
export interface Production {
  readonly about: string;
  readonly play: (recorder: Recorder) => Promise<unknown>;
}

const noting = (step: number, count = 1) => Array.from(
  { length: count },
  (_, index) => ({ tool: 'note', arguments: { step, index } }),
);
const slow = untilStopped('slow', () => Promise.reject(new Error('cut short')), { effectClass: 'once' });
const fails = tool('fails', () => Promise.reject(new Error('no luck')));
const finish = { tool: 'finish', arguments: { answer: 'It is done.' } };
/** A step that is in the middle of a call, then the end. */
const inTheMiddle = { answers: [{ text: 'I begin.', calls: [{ tool: 'note' }, { tool: 'slow' }] }, { text: 'done' }] };

export const productions: Readonly<Record<string, Production>> = {
  'turn-success': {
    about: 'A turn with parallel calls, one of them failing, whose finished work is checked twice.',
    play: (recorder) =>
      recorder
        .harness({
          tools: [note, fails],
          services: { verify: verdicts(false, true) },
          model: ({ step }) => (step === 0 ? { calls: [...noting(0, 2), { tool: 'fails' }] } : {
            text: 'I finish.',
            calls: [{ ...finish, arguments: { answer: `try ${step}` } }],
          }),
        })
        .play({ loop: 'turn', checks: ['L1:npm test'] }),
  },
  'turn-text-only': {
    about: 'A turn of zero steps: its calls are ignored with a warning.',
    play: (recorder) =>
      recorder.harness({ tools: [note], model: () => ({ text: 'Words.', calls: noting(0) }) }).play({ maxSteps: 0 }),
  },
  'turn-cap-hit-steps': {
    about: 'A turn that meets its step limit.',
    play: (recorder) =>
      recorder.harness({ tools: [note], model: ({ step }) => ({ calls: noting(step) }) }).play({ maxSteps: 3 }),
  },
  'turn-cap-hit-time': {
    about: 'A turn whose deadline strikes in the middle of a call.',
    play: async (recorder) => {
      const clock = fakeClock();
      const live = await recorder.harness({ clock, tools: [note, slow], model: inTheMiddle }).start({ maxTime: '1m' });
      await live.observer.until('tool.completed');
      await live.observer.untilDelta(({ text }) => text === 'slow');
      clock.advance(60_000);
      return ended(live);
    },
  },
  'turn-doom-loop': {
    about: 'A turn that asks for the same call three times.',
    play: (recorder) => recorder.harness({
      tools: [note],
      model: { answers: [{ calls: [{ tool: 'note' }], repeat: 3 }] },
    }).play(),
  },
  'turn-budget-calls': {
    about: 'A turn whose tool budget is exhausted in the middle of an answer.',
    play: (recorder) =>
      recorder.harness({ tools: [note], model: ({ step }) => ({ calls: noting(step, 3) }) }).play({ maxToolCalls: 5 }),
  },
  'turn-budget-tokens': {
    about: 'A turn whose token budget is exhausted.',
    play: (recorder) => recorder.harness({
      tools: [note],
      model: ({ step }) => ({ calls: noting(step), usage: { inputTokens: 60, outputTokens: 7 } }),
    }).play({ maxTokens: 100 }),
  },
  'turn-abort-error': {
    about: 'A turn whose model fails, and its continuation that succeeds.',
    play: async (recorder) => {
      const harness = (isBroken: boolean) =>
        recorder.harness({
          model: () => (isBroken ? { error: { code: 'overloaded', message: 'too busy' } } : { text: 'done' }),
        });
      const { run } = await harness(true).play();
      return ended(await harness(false).resume(run));
    },
  },
  'turn-crash-resume-abort': {
    about: 
      'A turn that loses its process in the middle of a call, is resumed, paused, resumed, then aborted in another.',
    play: async (recorder) => {
      const model = {
        answers: [
          { calls: [{ tool: 'note' }, { tool: 'slow' }] },
          { calls: [{ tool: 'again' }] },
          { calls: [{ tool: 'slow' }] },
        ],
      };
      const harness = () => recorder.harness({
        tools: [note, slow, untilStopped('again', () => Promise.reject(new Error('cut short')))],
        model,
      });
      const first = await harness().start();
      await first.observer.until('tool.completed');
      await first.observer.untilDelta(({ text }) => text === 'slow');
      recorder.crash(LEASE_TTL_MS);
      const second = await harness().resume(first.run);
      await second.observer.untilDelta(({ text }) => text === 'again');
      await second.pause('signal');
      await second.done;
      const last = recorder.harness({ tools: [note, slow, { ...note, name: 'again' }], model });
      const third = await last.resume(first.run);
      await third.observer.untilDelta(({ text }) => text === 'slow');
      await third.abort('that is enough');
      return ended(third);
    },
  },
  'iteration-success': {
    about: 'A loop of attempts: failed checks, then an attempt that meets its step limit, then success.',
    play: (recorder) =>
      recorder
        .harness({
          tools: [note],
          services: { verify: verdicts(false, true) },
          model: ({ iteration, step }) => (step === 0 || iteration === 1
            ? { calls: noting(step, 2) }
            : { text: `attempt ${iteration}` }),
        })
        .play({ checks: ['L0:tsc', 'L1:npm test'], maxSteps: 2 }),
  },
  'iteration-abort': {
    about: 'A loop of attempts that is paused and resumed in the middle of one, and then aborted.',
    play: async (recorder) => {
      const harness = () => recorder.harness({
        tools: [note, slow],
        model: { answers: [{ calls: [{ tool: 'note' }, { tool: 'slow' }] }, { calls: [{ tool: 'slow' }] }] },
      });
      const first = await harness().start({ checks: ['npm test'] });
      await first.observer.until('tool.completed');
      await first.observer.untilDelta(({ text }) => text === 'slow');
      await first.pause('user');
      await first.done;
      const second = await harness().resume(first.run);
      await second.observer.untilDelta(({ text }) => text === 'slow');
      await second.abort();
      return ended(second);
    },
  },
  'iteration-cap-hit-continued': {
    about: 'A loop of attempts that runs out of iterations, and its continuation that succeeds.',
    play: async (recorder) => {
      const harness = recorder.harness({
        services: { verify: verdicts(false, true) },
        model: ({ iteration }) => ({ text: `attempt ${iteration}` }),
      });
      const { run } = await harness.play({ checks: ['npm test'], maxIterations: 1 });
      return ended(await harness.extend(run, { limits: { maxIterations: 3 } }));
    },
  },
  'turn-continued-twice': {
    about: 'A turn that meets its step limit, its continuation that does so too, and the continuation of that one.',
    play: async (recorder) => {
      const harness = recorder.harness({
        tools: [note],
        model: ({ step }) => (step < 4 ? { calls: noting(step) } : { text: 'done' }),
      });
      const { run } = await harness.play({ maxSteps: 2 });
      const second = await harness.extend(run, { limits: { maxSteps: 3 } });
      await ended(second);
      return ended(await harness.extend(second.run, { limits: { maxSteps: 9 } }));
    },
  },
  ...ralphProductions,
  ...contestProductions,
};
