import { describe, expect, test } from 'vitest';
import { type Message, type Model, ModelError } from '../../../../src/actors/model/model.ts';
import { imageIn } from '../../../../src/actors/model/image-file.ts';
import type { RunOptions } from '../../../../src/config/options.ts';
import { Loops } from '../../../../src/hosts/local/local-host.ts';
import { memoryLog } from '../../../../src/log/sqlite/engine.ts';
import { readSettings } from '../../../../src/runtime/read-settings.ts';
import { repository } from '../../../git/repository.ts';
import { testInTurn } from '../../../support/in-turn.ts';

const image = (name: string) => {
  const made = imageIn(Buffer.from(`GIF89a ${name}`), name);
  if (!made) throw new Error('a GIF is an image');
  return made;
};
/** As a caller gives it. */
const given = ({ name, data }: ReturnType<typeof image>) => ({ name, data });
const [lamp, door] = [image('lamp.gif'), image('door.gif')];

/** Runs of one thread, and what their models are given. */
async function thread(contextTokens = 100_000) {
  const { root: directory } = await repository({ 'a.txt': 'a' });
  const asked: (readonly Message[])[] = [];
  const answer: Model['answer'] = async ({ messages }) => (asked.push(messages), { text: 'I see.' });
  const log = memoryLog();
  const run = async (options: RunOptions) => {
    const loops = new Loops({ log, model: { name: 'own', answer, contextTokens: async () => contextTokens } });
    const live = await loops.start({ directory, ...options });
    const end = await live.done;
    if (end.kind !== 'ended') throw new ModelError('not_ended', end.kind);
    const settings = await readSettings(log, live.run);
    return { run: live.run, warnings: live.warnings, end, settings };
  };
  return { asked, run, newest: () => asked.at(-1) ?? [] };
}

const shownIn = (messages: readonly Message[]) =>
  messages.flatMap((message) => (message.role === 'user' ? (message.images ?? []) : []));
const textOf = (messages: readonly Message[]) => JSON.stringify(messages.map((one) => ('text' in one ? one.text : '')));

describe('G7 G8 images of a conversation that is continued', () => {
  test('are shown again in their place, and each run records its own alone', async () => {
    const { run, newest } = await thread();
    const first = await run({ prompt: 'What is it?', images: [given(lamp)], loop: 'turn' });
    const second = await run({ prompt: 'And this?', images: [given(door)], continues: first.run });
    expect(second.warnings).toEqual([]);
    const third = await run({ prompt: 'Which was first?', continues: second.run });
    expect(newest()[0]).toEqual({ role: 'user', text: 'What is it?', images: [lamp] });
    expect(shownIn(newest())).toEqual([lamp, door]);
    expect(third.end.answer).toBe('I see.');
    expect(JSON.stringify(third.settings)).not.toContain(lamp.data);
    expect(third.settings?.history).toContainEqual(
      expect.objectContaining({ images: [expect.not.objectContaining({ data: lamp.data })] }),
    );
  });

  testInTurn('are shown to each attempt of a loop, once', async () => {
    const { run, asked, newest } = await thread();
    const loop = { loop: 'iteration', checks: ['false'], checkIn: 'workspace' as const, maxIterations: 2 };
    const first = await run({ prompt: 'What is it?', images: [given(lamp)], ...loop });
    await run({ prompt: 'Look again.', images: [given(lamp)], continues: first.run });
    expect(asked).toHaveLength(4);
    expect(asked.map(shownIn)).toEqual([[lamp], [lamp], [lamp], [lamp]]);
    expect(newest()[0]).not.toHaveProperty('images');
    await run({ prompt: 'And now?', continues: first.run });
    expect(asked.slice(4).map(shownIn)).toEqual([[lamp], [lamp]]);
  });

  testInTurn('are left out for another model, which may take none: the model and the user are told', async () => {
    const { run, newest } = await thread();
    const first = await run({ prompt: 'What is it?', images: [given(lamp), given(door)], loop: 'turn' });
    const second = await run({ prompt: 'Go on.', continues: first.run, model: 'house/other' });
    expect(shownIn(newest())).toEqual([]);
    expect(textOf(newest())).toMatch(/The image lamp\.gif was shown here\. It is left out now.*What is it\?/);
    expect(second.warnings).toContainEqual(
      expect.stringMatching(
        /left out \(lamp\.gif and door\.gif\): default has seen them, and house\/other may take none/,
      ),
    );
  });

  testInTurn('are left out where they would take more than half of the room, the oldest first', async () => {
    const { run, newest } = await thread(8_000);
    const first = await run({ prompt: 'What is it?', images: [given(lamp), given(door)], loop: 'turn' });
    const second = await run({ prompt: 'Go on.', continues: first.run });
    expect(shownIn(newest())).toHaveLength(1);
    expect(second.warnings).toEqual([expect.stringContaining('have no room in it')]);
    expect(textOf(newest())).toContain('What is it?');
  });
});
