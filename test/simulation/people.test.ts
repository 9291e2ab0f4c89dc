import { expect, test } from 'vitest';
import { testInTurn } from '../support/in-turn.ts';
import { tenthOf } from '../support/tenth.ts';
import type { Kill } from './killing.ts';
import { bothSides, forEach } from './points.ts';
import type { Story } from './story.ts';
import { Theatre } from './harness.ts';

const MAX_PROCESSES = 8;

interface Kills {
  readonly playing?: Kill;
  readonly answering?: Kill;
  readonly resuming?: Kill;
}

/** Runs until a question is open, answers it, and resumes, each in processes of its own that may be killed. */
async function converse({ playing, answering, resuming }: Kills) {
  const theatre = await Theatre.open('asking');
  try {
    let story = await playUntil(theatre, (now) => now.isAsking, playing);
    const first = await theatre.answer('tabs', answering);
    const second = await theatre.answer('spaces');
    story = await playUntil(theatre, (now) => now.isOver, resuming);
    return { story, first, second };
  } finally {
    await theatre.close();
  }
}

async function playUntil(theatre: Theatre, isReached: (story: Story) => boolean, kill?: Kill): Promise<Story> {
  for (let count = 0; count < MAX_PROCESSES; count += 1) {
    await theatre.play(count === 0 ? (kill ?? null) : null);
    const story = await theatre.story();
    if (isReached(story)) return story;
  }
  throw new Error(`not reached within ${MAX_PROCESSES} processes`);
}

/** One answer, once, in the log and in what the model was told, and everything came to its end. */
function expectAnswered(story: Story, text: string): void {
  expect(story.all.map(({ isIntact, record }) => [isIntact, record.closed])).toEqual([
    [true, 'success'],
    [true, 'success'],
  ]);
  const answers = story.all.flatMap(({ facts }) =>
    facts.flatMap((fact) => (fact.type === 'person.answered' ? [fact.payload.answer] : [])),
  );
  expect(answers).toEqual([text]);
  const told = story.children.flatMap(({ messages }) =>
    messages.filter((message) => message.role === 'tool' && message.tool === 'ask_user'),
  );
  expect(told).toMatchObject([{ output: text, failed: false }]);
  expect(new Set(story.trace).size).toBe(story.trace.length);
}

test('T9 an answer from another process to an unowned run reaches the model after a restart', async () => {
  const { story, first, second } = await converse({});
  expectAnswered(story, 'tabs');
  expect(story.trace).toEqual(['asked', 'answered']);
  expect(first).toMatchObject({ kind: 'received' });
  expect(second).toMatchObject({ kind: 'refused', because: 'nothing_asked' });
});

testInTurn('T9 kill -9 around every commit near a question and its answer: one answer, delivered once', async () => {
  const kills: Kills[] = [
    ...bothSides(1, 2, { from: 'calls.admitted' }).map((playing) => ({ playing })),
    ...bothSides(1, 1).map((answering) => ({ answering })),
    ...bothSides(1, 3, { from: 'run.resumed' }).map((resuming) => ({ resuming })),
  ];
  await forEach(tenthOf(kills), async (kill) => {
    const { story, first, second } = await converse(kill);
    expectAnswered(story, 'tabs');
    if (kill.answering) expect(first).toBeNull();
    else expect(first).toMatchObject({ kind: 'received' });
    // What the killed process had left in the inbox came first.
    expect(second).toMatchObject({ kind: 'refused' });
  });
});

testInTurn.each<Kill | null>([
  null,
  { when: 'before', append: 1, from: 'person.answered' },
  { when: 'after', append: 1, from: 'person.answered' },
])(
  'T9 an answer from another process reaches the process that runs the run, or its successor: killed %o',
  async (kill) => {
    const theatre = await Theatre.open('attended');
    try {
      const served = theatre.play(kill);
      await expect.poll(async () => (await theatre.story()).isAsking, { timeout: 120_000, interval: 100 }).toBe(true);
      const heard = await theatre.answer('tabs');
      expect(heard).toMatchObject({ kind: 'received' });
      expect((await served) === null).toBe(kill !== null);
      expectAnswered(await playUntil(theatre, (story) => story.isOver), 'tabs');
    } finally {
      await theatre.close();
    }
  },
);
