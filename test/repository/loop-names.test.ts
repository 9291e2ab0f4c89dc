import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LoopEvent } from '../../machines/events.ts';
import { PHASES } from '../../src/budget/phase.ts';
import { RunOptions } from '../../src/config/options.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { LoopMetrics, LoopState } from '../../src/projections/loop-state.ts';
import { loopNamesIn, ownNames, publicNames } from './loop-names.ts';
import { root } from './tool.ts';
import { trackedTree } from './tree.ts';

/** Where loops are known by their definitions alone. */
const FOLDERS = 'text kernel judging runtime log replay projections redecide charts termination testing cli'.split(' ');

const own = ownNames(shippedLoops);
const interfaces = ['src/strategies/strategy.ts', 'src/kernel/effect-handlers.ts'].map((path) =>
  readFileSync(join(root, path), 'utf8'),
);
const known = {
  /** `judge` is who is asked by `redecide`, in JSON and in a table. */
  names: new Set([
    ...publicNames([LoopEvent, RunOptions, LoopState, LoopMetrics], interfaces),
    ...PHASES,
    'judge',
    'ralph',
    // What editors are told for the end of a prompt.
    'end_turn',
    'max_turn_requests',
  ]),
  /** Of `redecide --json`: where the other judge first decides otherwise. */
  fields: new Set(['turn']),
};
const namesIn = (text: string, file = 'src/log/a.ts') => loopNamesIn(file, text, own, known).map(({ name }) => name);

test.each(FOLDERS)('src/%s names no loop, no effect and no event of a loop', (folder) => {
  const sources = [...trackedTree()].filter(([path]) => path.startsWith(`src/${folder}/`) && path.endsWith('.ts'));
  const found = sources.flatMap(([path, text]) => loopNamesIn(path, text, own, known));
  expect(found.map(({ file, line, name }) => `${file}:${line} ${name}`)).toEqual([]);
});

test('budget and detectors ask no run which loop it is', () => {
  const sources = [...trackedTree()].filter(([path]) => /^src\/(budget|detectors)\//.test(path));
  const asked = sources.filter(([, text]) => [...own.loops].some((loop) => text.includes(`loop === '${loop}'`)));
  expect(sources.length).toBeGreaterThan(50);
  expect(asked.map(([path]) => path)).toEqual([]);
});

test('the names are those of the shipped loops, their effects, the keys of these and their own events', () => {
  expect([...own.loops]).toEqual(['turn', 'iteration', 'ralph', 'improvement', 'contest']);
  expect([...own.effects]).toEqual(expect.arrayContaining(['streamModel', 'runTool', 'verifyWork', 'admitCalls']));
  expect([...own.keys]).toEqual(expect.arrayContaining(['judge', 'timer', 'agent', 'checks', 'call.']));
  expect([...own.events]).toEqual(
    expect.arrayContaining(['step.started', 'iteration.started', 'tool.', 'person.answered']),
  );
  expect([...own.events]).not.toEqual(expect.arrayContaining(['decision.made']));
  expect([...own.events]).not.toEqual(expect.arrayContaining(['child.settled']));
});

test.each([
  ['an identifier', 'const judgeTurn = 1;', 'judgeTurn'],
  ['a private member', 'class A { #isIteration = true; }', '#isIteration'],
  ['a property', 'a.iterationTable;', 'iterationTable'],
  ['the name of an effect', 'const { runTool } = effects;', 'runTool'],
  ['a string', "if (loop === 'turn') stop();", "'turn'"],
  ['a machine', "const newest = 'iteration@1';", "'iteration@1'"],
  ['a template', 'const text = `iteration ${n}`;', '`iteration ${'],
  ['prose', "const text = 'the turns of a run';", "'the turns of a run'"],
  ['an import', "import { a } from '../loops/turn/a.ts';", "'../loops/turn/a.ts'"],
  ['a type', "type Fact = EventOf<'step.started'>;", "'step.started'"],
  ['an event within a longer string', "falls = 'stream step.started 0';", "'stream step.started 0'"],
  ['what such types begin with', "type.startsWith('tool.');", "'tool.'"],
  ['a key', "key === 'agent';", "'agent'"],
  ['the judge as an actor', "actor === 'judge';", "'judge'"],
  ['keys that begin alike', 'const key = `call.${callId}`;', '`call.${'],
  ['a key as an index', "pending['model'];", "'model'"],
])('is caught naming a loop: %s', (_, text, name) => expect(namesIn(text)).toEqual([name]));

test('is caught naming a loop: a file', () =>
  expect(namesIn('', 'src/log/turn-ranking.ts')).toEqual(['src/log/turn-ranking.ts']));

test.each([
  [
    'limits, settings and recorded fields',
    "const { maxIterations } = limits; name === 'iterations'; payload.iteration;",
  ],
  ['events of every loop', "type Fact = EventOf<'decision.made' | 'child.settled' | 'effect.interrupted'>;"],
  ['what strategies are told', 'const event: IterationCompleteEvent = { totalIterations: 1 };'],
  [
    'names of options',
    "const CHANGES = ['maxIterations', 'strategy']; type A = Pick<B, 'strategy'>; option !== 'checks';",
  ],
  ['flags', "usage('--max-iterations <n>');"],
  ['a field of --json', "const { turn: first } = tree; first ?? tree.turn; type First = Tree['turn'];"],
  ['English', "return text('each in turn'); const returned = 'turn off';"],
  ['comments', '// one turn, runTool, step.started'],
])('is no name of a loop: %s', (_, text) => expect(namesIn(text)).toEqual([]));
