// Over 300 lines because each edit that an editor of charts makes is written out.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LoopEvent } from '../../machines/events.ts';
import type { CatalogueEntry } from '../../machines/index.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { fold, open, refusalOf, type RunState } from '../../src/kernel/fold.ts';
import { definitionOf, type LoopDefinition } from '../../src/kernel/loop-definition.ts';
import { placeOf } from '../../src/kernel/position.ts';
import { lint } from '../../src/testing/lint/lint.ts';
import * as has from '../support/facts.ts';
import { timeAt } from '../support/given.ts';
import { tenthOf } from '../support/tenth.ts';
import { impurities } from './machine-sources.ts';
import { scratch } from './scratch.ts';
import { both, chart, type Edit, provide, renameAction, renameGuard } from './stately/edits.ts';
import { edited, extracted } from './stately/extractor.ts';
import { imported, running, withoutWhatIsNotTold, written } from './stately/readings.ts';
import { root, run, runTool } from './tool.ts';

type Loop = 'turn' | 'iteration';
interface Case {
  readonly loop: Loop;
  readonly edit: Edit;
  /** How many lines of the file are new or gone at most. */
  readonly lines: number;
  /** What becomes of the places that a run comes to. */
  readonly places?: (places: readonly string[]) => readonly string[];
  /** What happens in the run beside the usual. */
  readonly story?: (events: readonly LoopEvent[]) => readonly LoopEvent[];
}

const source = (loop: Loop): string => readFileSync(join(root, 'machines', `${loop}.machine.ts`), 'utf8');

const ending = [has.decidedToEnd('success'), has.summaryWritten, has.strategyEnded];
const stories: Readonly<Record<Loop, readonly LoopEvent[]>> = {
  turn: [
    has.decidedToGoOn,
    has.stepStarted(0),
    has.modelAskedFor('0.0'),
    has.callsAdmitted('0.0'),
    has.toolFinished('0.0'),
    has.workspaceCaptured(),
    has.checked(true),
    ...ending,
  ],
  iteration: [
    has.decidedToGoOn,
    has.iterationStarted(0),
    has.attemptSettled(has.outcomeOf('success')),
    has.workspaceCaptured(),
    has.checked(true),
    ...ending,
  ],
};
const placesOf: Readonly<Record<Loop, readonly string[]>> = {
  turn: ['decide.judging', 'stream.asking', 'tools.admitting', 'tools.running', 'verify.capturing', 'verify.checking'],
  iteration: ['decide.judging', 'stream', 'tools', 'verify.checking'],
};
const last = ['decide.ending.summarising', 'decide.ending.farewell', 'success'];

/**
 * An arrow that is led elsewhere. The editor marks it as one that reenters, so the rules want to know why it is taken.
 */
const led = (sourcePath: string[], event: string, newTargetPath: string[], index = 0): Edit => {
  const transitionPath: ['on', string, number] = ['on', event, index];
  return chart(
    { type: 'reanchor_transition', sourcePath, transitionPath, newTargetPath },
    { type: 'set_description', statePath: sourcePath, transitionPath, description: 'Led elsewhere.' },
  );
};

/** A further state after the checks, in which the work is captured once more. */
const reviewing = (loop: Loop): Case => ({
  loop,
  edit: both(
    chart(
      { type: 'add_state', path: ['verify'], name: 'reviewing' },
      { type: 'set_description', statePath: ['verify', 'reviewing'], description: 'A reviewer looks at it.' },
      { type: 'add_invoke', path: ['verify', 'reviewing'], invokeIndex: 0, source: 'captureWorkspace', id: 'capture' },
      {
        type: 'add_transition',
        sourcePath: ['verify', 'reviewing'],
        targetPath: ['decide'],
        transitionPath: ['on', 'workspace.captured', 0],
        external: true,
      },
      {
        type: 'add_action',
        path: ['verify', 'reviewing'],
        actionPath: ['on', 'workspace.captured', 0, 0],
        name: 'noteCapture',
      },
    ),
    led(['verify', 'checking'], 'verification.completed', ['verify', 'reviewing'], 1),
  ),
  lines: 28,
  places: (places) => [...places, 'verify.reviewing'],
  story: (events) =>
    events.flatMap((event) => (event.type === 'verification.completed' ? [event, has.workspaceCaptured()] : [event])),
});

const renaming = (loop: Loop, path: string[], name: string, lines: number): Case => ({
  loop,
  edit: chart({ type: 'rename_state', path, name }),
  lines,
  places: (places) =>
    places.map((place) => (place === path.join('.') ? [...path.slice(0, -1), name].join('.') : place)),
});

const unproven = chart({
  type: 'add_guard',
  path: ['verify', 'checking'],
  transitionPath: ['on', 'verification.completed', 1],
  name: 'isProven',
});
const proven: Edit = both(unproven, provide('guards', 'isProven: () => true'));
const told: Edit = both(
  chart({
    type: 'add_action',
    path: ['verify', 'checking'],
    actionPath: ['on', 'verification.completed', 1, 2],
    name: 'noteProof',
  }),
  provide('actions', 'noteProof: assign(() => ({}))'),
);

const cases: Readonly<Record<string, Case>> = {
  'turn: a sub-state is added': reviewing('turn'),
  'iteration: a sub-state is added': reviewing('iteration'),
  'turn: a state that many arrows lead to is renamed': renaming('turn', ['decide', 'judging'], 'weighing', 14),
  'turn: a state with sub-paths of a name that others have is renamed': renaming(
    'turn',
    ['tools', 'running'],
    'working',
    14,
  ),
  'iteration: a state is renamed': renaming('iteration', ['verify', 'checking'], 'proving', 10),
  'turn: an arrow is led elsewhere': {
    loop: 'turn',
    edit: led(['verify', 'checking'], 'verification.completed', ['decide', 'judging'], 1),
    lines: 8,
  },
  'iteration: an arrow is led elsewhere': {
    loop: 'iteration',
    edit: led(['tools'], 'workspace.captured', ['verify', 'checking']),
    lines: 8,
  },
  'turn: a guard is added': { loop: 'turn', edit: proven, lines: 8 },
  'turn: a guard is renamed': { loop: 'turn', edit: renameGuard('hasChecks', 'isToBeChecked'), lines: 8 },
  'turn: an action is added': { loop: 'turn', edit: told, lines: 6 },
  'iteration: an action is renamed': {
    loop: 'iteration',
    edit: renameAction('noteVerification', 'noteProof'),
    lines: 8,
  },
  'turn: what a state is for is said in other words': {
    loop: 'turn',
    edit: chart({ type: 'set_description', statePath: ['stream'], description: 'It thinks.' }),
    lines: 2,
  },
  'iteration: what an arrow is for is said in other words': {
    loop: 'iteration',
    edit: chart({
      type: 'set_description',
      statePath: ['stream'],
      transitionPath: ['on', 'child.answered', 0],
      description: 'On.',
    }),
    lines: 2,
  },
  'turn: it is drawn in another way': {
    loop: 'turn',
    edit: chart({
      type: 'update_layout_string',
      layoutString: 'N4IgpgJg5mDOIC5QBcD2UoBsCeA6AlhAI4CuAdgG5gBOAxANoAMAuoqAA6qz6r4A==',
    }),
    lines: 1,
  },
};

/** The machines, and edited ones beside them. */
function beside(edited: Readonly<Record<string, string>>): string {
  const within = join(root, 'machines');
  const all = readdirSync(within).filter((name) => name.endsWith('.ts'));
  const options = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { rootDir: '.', paths: {} },
    include: ['machines'],
  };
  return scratch({
    'package.json': '{"type":"module"}',
    'tsconfig.json': JSON.stringify(options),
    ...Object.fromEntries(all.map((name) => [`machines/${name}`, readFileSync(join(within, name), 'utf8')])),
    ...Object.fromEntries(Object.entries(edited).map(([name, text]) => [`machines/${name}.machine.ts`, text])),
  });
}

// Threads of its own would take it twice the processor time.
const compiled = (folder: string): string =>
  runTool('typescript-native', ['--noEmit', '--singleThreaded'], folder, 'tsc').output;

function built(file: string, loop: Loop): LoopDefinition {
  const machines = createRequire(import.meta.url)(file) as Record<Loop, CatalogueEntry['machine']>;
  return { ...definitionOf(`${loop}@1`, shippedLoops), machine: machines[loop] };
}

/** The places of a short run. */
function walk(entry: CatalogueEntry, loop: Loop, events: readonly LoopEvent[]): string[] {
  const opened = open({ ...has.started(loop, { checks: true }), at: timeAt(0), version: 1 }, [entry]);
  if (opened.kind !== 'opened') throw new Error(opened.kind);
  const states = events.reduce<RunState[]>(
    (before, event, index) => {
      const state = before.at(-1) ?? opened.state;
      const recorded = { ...event, at: timeAt(index + 1), version: index + 2 };
      if (refusalOf(state, recorded)) throw new Error(`${event.type} is refused in ${placeOf(state.snapshot)}`);
      return [...before, fold(state, recorded)];
    },
    [opened.state],
  );
  return [...new Set(states.map(({ snapshot }) => placeOf(snapshot)))];
}

describe('a chart that was edited in Stately', () => {
  test('compiles, keeps the rules, is read as it runs, runs, and is the same file but for the edit', () => {
    // Of each loop some.
    const drawn = [...Map.groupBy(Object.entries(cases), ([, { loop }]) => loop).values()];
    const edited = drawn
      .flatMap((all) => tenthOf(all))
      .map(([what, one], index) => ({
        ...one,
        what,
        name: `edited-${index}`,
        text: one.edit(source(one.loop)),
      }));
    const folder = beside({
      ...Object.fromEntries(edited.map(({ name, text }) => [name, text])),
      unproven: unproven(source('turn')),
    });
    // Among them one that names an unprovided function: that, and nothing else, does not compile.
    const errors = compiled(folder)
      .split('\n')
      .filter((line) => line.startsWith('machines'));
    expect(errors).toEqual([expect.stringMatching(/^machines\/unproven.machine.ts.*"?isProven"?/)]);
    for (const { what, name, text, loop, lines, places = asItIs, story = asItIs } of edited) {
      const file = join(folder, 'machines', `${name}.machine.ts`);
      const entry = built(file, loop);
      expect({ what, offences: lint(entry), impurities: impurities(text) }).toEqual({
        what,
        offences: [],
        impurities: [],
      });
      const runs = running(entry.machine);
      expect({ what, chart: written(text) }).toEqual({ what, chart: runs });
      expect({ what, chart: withoutWhatIsNotTold(imported(text)) }).toEqual({
        what,
        chart: withoutWhatIsNotTold(runs),
      });
      const expected = [...places([...placesOf[loop]]), ...places(last)].filter(
        (place, at, all) => all.indexOf(place) === at,
      );
      expect({ what, places: walk(entry, loop, story(stories[loop])) }).toEqual({ what, places: inOrder(expected) });
      const changed = linesChanged(folder, join(folder, 'machines', `${loop}.machine.ts`), file);
      expect({ what, changed, isSmall: changed > 0 && changed <= lines }).toEqual({ what, changed, isSmall: true });
    }
  });
});

const asItIs = <Value>(value: Value): Value => value;

/** A place that an edit has added comes before the ending. */
const inOrder = (places: readonly string[]): string[] => [...places.filter((place) => !last.includes(place)), ...last];

function linesChanged(folder: string, before: string, after: string): number {
  const { stdout } = run('git', ['diff', '--no-index', '--numstat', before, after], folder);
  const [added = '0', gone = '0'] = stdout.split('\t');
  return Number(added) + Number(gone);
}

describe('an edit that breaks a rule is told so', () => {
  test.each<[string, Edit, rule: string]>([
    ['a tenth state', chart({ type: 'add_state', path: [], name: 'review' }), 'nine-states'],
    [
      'an ending that tools lead to',
      chart({
        type: 'reanchor_transition',
        sourcePath: ['tools', 'running'],
        transitionPath: ['always', 0],
        newTargetPath: ['success'],
      }),
      'only-decide-ends',
    ],
    [
      'an actor without an id',
      chart({ type: 'edit_invoke', path: ['stream', 'asking'], invokeIndex: 0, id: null }),
      'invokes-have-ids',
    ],
    ['another beginning', chart({ type: 'set_initial_state', path: [], initialState: 'stream' }), 'begins-in-decide'],
    [
      'an ending that is not final',
      chart({ type: 'set_state_type', path: ['budget'], stateType: 'normal' }),
      'five-endings',
    ],
    [
      'a state without a word',
      chart({ type: 'set_description', statePath: ['tools'], description: null }),
      'states-are-described',
    ],
    ['a guard that is not provided', unproven, 'names-are-provided'],
    [
      'an action that is no longer used',
      chart({ type: 'remove_action', path: ['stream', 'asking'], actionPath: ['on', 'model.limited', 1, 1] }),
      'what-is-provided-is-used',
    ],
  ])('%s', (_what, edit, rule) => {
    const before = source('turn');
    const after = edit(before);
    expect(after).not.toBe(before);
    const file = join(beside({ broken: after }), 'machines', 'broken.machine.ts');
    expect(lint(built(file, 'turn')).map((offence) => offence.rule)).toContain(rule);
  });
});

describe('what the extractor cannot edit, as long as it cannot', () => {
  test('what stands behind a name', () => {
    const text = source('turn');
    const [setup] = text.split('.createMachine(');
    const after = edited(text, [{ type: 'add_action', path: ['tools'], actionPath: ['entry', 0], name: 'unheardOf' }]);
    expect(after.split('.createMachine(')[0]).toBe(setup);
  });

  test('a guard of a new arrow: it is written as XState 4 calls it', () => {
    const edit = {
      type: 'add_transition' as const,
      sourcePath: ['stream'],
      targetPath: ['decide'],
      transitionPath: ['on', 'model.failed', 0] as ['on', string, number],
      external: true,
    };
    expect(edited(source('turn'), [{ ...edit, guard: 'isPending' }])).toContain(
      "cond: 'isPending'".replaceAll("'", '"'),
    );
  });

  test('what a new action is given: it is a bare name', () => {
    const after = edited(source('turn'), [
      { type: 'add_action', path: ['stream', 'waiting'], actionPath: ['entry', 0], name: 'awaitResult' },
    ]);
    const [action] = extracted(after).getStateNodeByPath(['stream', 'waiting'])?.ast.entry ?? [];
    expect(action).toMatchObject({ name: 'awaitResult', declarationType: 'named' });
  });

  test('an arrow that leads out of its state: it is marked as one that reenters, which changes nothing', () => {
    const after = edited(source('iteration'), [
      {
        type: 'reanchor_transition',
        sourcePath: ['tools'],
        transitionPath: ['on', 'workspace.failed', 0],
        newTargetPath: ['verify'],
      },
    ]);
    const way = written(after)
      .places.find(({ path }) => path === 'tools')
      ?.ways.find(({ event }) => event === 'workspace.failed');
    expect(way).toMatchObject({ target: ['verify'], reenter: true });
  });
});
