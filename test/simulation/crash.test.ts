import { expect } from 'vitest';
import type { Message } from '../../src/actors/model/model.ts';
import { fc } from '../support/fast-check.ts';
import { testInTurn } from '../support/in-turn.ts';
import { seed } from '../support/seed.ts';
import { tenthOf, tenthOfMany } from '../support/tenth.ts';
import type { Kill } from './killing.ts';
import { expectSound, type Played, playThrough as playAll } from './played.ts';
import { bothSides, forEach } from './points.ts';
import type { ScenarioName } from './scenarios.ts';
import type { Story, Told } from './story.ts';
import { Theatre } from './harness.ts';

const KILLED_AGAIN_AND_AGAIN = 40;

/** Plays a scenario through kills, one process after the other, and then to the end. */
async function playThrough(scenario: ScenarioName, kills: readonly Kill[]): Promise<Played> {
  const theatre = await Theatre.open(scenario);
  return playAll(theatre, kills, (kill) => theatre.play(kill));
}

/** The scenario that two tests kill, as it goes when nothing is killed. */
let fixed: Promise<Played> | null = null;
const fixedUndisturbed = (): Promise<Played> => (fixed ??= playThrough('fixing', []));

/** The conversation, with whatever a call that was interrupted came to left open. */
const said = ({ messages, interrupted }: Told, open: readonly string[] = interrupted): readonly Message[] =>
  messages.map((message) =>
    message.role === 'tool' && open.includes(message.callId) ? { ...message, output: '', failed: true } : message,
  );

/** The same, without what an attempt has changed: calls that were interrupted may have changed less. */
const saidWithoutChanges = (messages: readonly Message[]): readonly Message[] =>
  messages.map((message) =>
    message.role === 'user'
      ? { ...message, text: message.text.replaceAll(/^It changed(?: no file\.|[\s\S]*?^`{3,}$)/gm, '') }
      : message,
  );

function expectSame(end: Story, undisturbed: Story): void {
  expect(end.outcome?.ending).toBe(undisturbed.outcome?.ending);
  const isUntouched = end.children.every(({ interrupted }) => interrupted.length === 0);
  const told = isUntouched ? (messages: readonly Message[]) => messages : saidWithoutChanges;
  expect(end.children.map((child) => told(said(child)))).toEqual(
    undisturbed.children.map((child, index) => told(said(child, end.children[index]?.interrupted ?? []))),
  );
  if (isUntouched) expect(workspaceOf(end)).toBe(workspaceOf(undisturbed));
  for (const { messages, interrupted } of end.children) {
    const lost = messages.filter((message) => message.role === 'tool' && message.output.startsWith('interrupted: '));
    expect(lost.map((message) => message.role === 'tool' && message.callId)).toEqual(interrupted);
  }
}

const workspaceOf = ({ outcome }: Story) => (outcome?.ending === 'success' ? outcome.verified?.workspace : null);

testInTurn('kill -9 before and after every commit: the same end, nothing repeated', async () => {
  const { end: undisturbed, appends } = await fixedUndisturbed();
  expect(undisturbed.outcome).toMatchObject({ ending: 'success', partial: false });
  expect(undisturbed.children).toHaveLength(3);
  expect(appends).toBeGreaterThan(25);
  // Killed before its first commit a run has never been.
  const points = bothSides(1, appends).slice(1);
  await forEach(tenthOf(points), async (kill) => {
    const played = await playThrough('fixing', [kill]);
    expect(played.crashes).toHaveLength(1);
    expectSound(played);
    expectSame(played.end, undisturbed);
  });
});

testInTurn('kill -9 before the first commit: the run has never been', async () => {
  const { crashes, end } = await playThrough('fixing', [{ when: 'before', append: 1 }]);
  expect(crashes.map(({ all }) => all)).toEqual([[]]);
  expect(end.outcome?.ending).toBe('success');
});

testInTurn('kill -9 again and again while it is resumed: it goes on to the same end', async () => {
  const { end: undisturbed, appends } = await fixedUndisturbed();
  const later = (most: number) =>
    fc.record({
      when: fc.constantFrom('before' as const, 'after' as const),
      append: fc.integer({ min: 2, max: most }),
    });
  const kills = fc.sample(fc.tuple(later(appends), later(10), later(5)), {
    seed,
    numRuns: tenthOfMany(KILLED_AGAIN_AND_AGAIN),
  });
  await forEach(kills, async (points) => {
    const played = await playThrough('fixing', points);
    expectSound(played);
    expectSame(played.end, undisturbed);
  });
});

testInTurn.each<[ScenarioName, string, object]>([
  ['aborted', 'abort.requested', { ending: 'abort', cause: 'user' }],
  ['overdue', 'timer.fired', { ending: 'cap_hit', limit: { name: 'time_ms' } }],
])('kill -9 while a run is %s: nothing starts again', async (scenario, from, outcome) => {
  const { end: undisturbed } = await playThrough(scenario, []);
  expect(undisturbed.outcome).toMatchObject(outcome);
  const ending = undisturbed.all
    .flatMap(({ facts }) => facts)
    .filter(({ type }) => type === from || type === 'abort.requested');
  expect(ending).toHaveLength(2);
  // What is not recorded did not happen: before the first of these commits the log holds no ending.
  const points = bothSides(1, 4, { from }).slice(1);
  await forEach(tenthOf(points), async (kill) => {
    const played = await playThrough(scenario, [kill]);
    expect(played.crashes).toHaveLength(1);
    expectSound(played);
    expect(played.end.outcome).toMatchObject(outcome);
    expect(played.end.children).toHaveLength(1);
    expect(played.end.trace).toEqual(['started']);
    expect(played.end.all.flatMap(({ facts }) => facts).filter(({ type }) => type === 'model.completed')).toHaveLength(
      1,
    );
  });
});

testInTurn('kill -9 in the middle of delegated work: each part is done once, and all usage is added up', async () => {
  const { end: undisturbed, appends } = await playThrough('delegating', []);
  expect(undisturbed.outcome).toMatchObject({ ending: 'success' });
  expect(undisturbed.children).toHaveLength(4);
  const points = bothSides(3, appends);
  await forEach(tenthOf(points), async (kill) => {
    const played = await playThrough('delegating', [kill]);
    expect(played.crashes).toHaveLength(1);
    expectSound(played);
    const { end } = played;
    expect(end.outcome).toEqual(undisturbed.outcome);
    expect(tasksOf(end)).toEqual(['far east', 'east', 'north', 'south'].toSorted());
    expect(stepsOf(end.root)).toBe(end.all.reduce((sum, told) => sum + ownSteps(told), 0));
  });
});

const tasksOf = ({ children }: Story) =>
  children
    .flatMap(({ facts: [first] }) => (first?.type === 'run.started' ? [first.payload.settings.prompt] : []))
    .toSorted();

const ownSteps = ({ facts }: Told) => facts.filter(({ type }) => type === 'step.started').length;

/** Its own steps, and those of its delegates. */
const stepsOf = (told: Told | null) =>
  (told?.facts ?? []).reduce(
    (sum, fact) => sum + (fact.type === 'child.settled' ? fact.payload.spend.steps : 0),
    told ? ownSteps(told) : 0,
  );
