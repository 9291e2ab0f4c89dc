import type { Random } from '../random.ts';
import type { Family, Handing, Told } from '../telling.ts';
import { times } from '../telling.ts';

const D12 = 'handoff-cycle';
const AGENTS = ['Planner', 'Builder', 'Tester', 'Reviewer', 'Researcher', 'Writer'];
const TASKS = [
  'the login page',
  'the invoice export',
  'the search index',
  'the nightly job',
  'the mail digest',
  'the price table',
];
const VERBS = ['Plan', 'Build', 'Test', 'Review', 'Document', 'Measure'];

const handing = (prompt: string, hands: readonly Handing[]): Told => ({ kind: 'handing', prompt, hands });
const work = (random: Random, count: number) => {
  const what = random.one(TASKS);
  return random.some(VERBS, count).map((verb) => `${verb} ${what}.`);
};

/** Each hands its task to the next, the last one back to one before. */
function chain(random: Random, length: number, back: number): readonly Handing[] {
  const agents = random.some(AGENTS, length);
  const tasks = work(random, length);
  const station = (index: number) => ({ agent: agents[index] ?? '', task: tasks[index] ?? '' });
  return [
    { task: 'Ship it.', to: [station(0)] },
    ...times(length, (index) => ({ task: tasks[index] ?? '', to: [station(index + 1 === length ? back : index + 1)] })),
  ];
}

/** Stories about delegation. */
export const handoffCycle: readonly Family[] = [
  {
    detector: D12,
    label: 'loop',
    story: 'three agents in a ring',
    count: 7,
    tell: (random) => handing('Ship it.', chain(random, 3, 0)),
  },
  {
    detector: D12,
    label: 'loop',
    story: 'two agents send it to and fro',
    count: 7,
    tell: (random) => handing('Ship it.', chain(random, 2, 0)),
  },
  {
    detector: D12,
    label: 'loop',
    story: 'four agents, and the last two in a ring',
    count: 4,
    tell: (random) => handing('Ship it.', chain(random, 4, 2)),
  },
  {
    detector: D12,
    label: 'loop',
    story: 'hands its own task to itself',
    count: 4,
    tell: (random) => handing('Ship it.', chain(random, 1, 0)),
  },
  {
    detector: D12,
    label: 'lookalike',
    story: 'hands part after part to the same agent',
    count: 7,
    tell: (random) => {
      const agent = random.one(AGENTS);
      return handing('Ship it.', [
        { task: 'Ship it.', to: work(random, random.from(3, 5)).map((task) => ({ agent, task })) },
      ]);
    },
  },
  {
    detector: D12,
    label: 'lookalike',
    story: 'a line of agents, each with its own part',
    count: 7,
    tell: (random) => {
      const hands = chain(random, random.from(3, 4), 0);
      return handing('Ship it.', [...hands.slice(0, -1), { task: hands.at(-1)?.task ?? '', to: [] }]);
    },
  },
  {
    detector: D12,
    label: 'lookalike',
    story: 'the same task, seen by one agent after another',
    count: 5,
    tell: (random) => {
      const [task = ''] = work(random, 1);
      return handing('Ship it.', [
        { task: 'Ship it.', to: random.some(AGENTS, random.from(2, 4)).map((agent) => ({ agent, task })) },
      ]);
    },
  },
  {
    detector: D12,
    label: 'lookalike',
    story: 'an agent comes by twice, with another task',
    count: 5,
    tell: (random) => {
      const [agent = '', other = ''] = random.some(AGENTS, 2);
      const [first = '', second = '', third = ''] = work(random, 3);
      return handing('Ship it.', [
        { task: 'Ship it.', to: [{ agent, task: first }] },
        { task: first, to: [{ agent: other, task: second }] },
        { task: second, to: [{ agent, task: third }] },
      ]);
    },
  },
];
