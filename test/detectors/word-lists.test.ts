import { expect, test } from 'vitest';
import { isNoteBy, NOTES } from '../../src/detectors/notes.ts';
import { detectorsOf } from '../../src/detectors/profile.ts';
import type { TraitsOf } from '../../src/detectors/traits.ts';
import { call, done, foundIn, step, times } from './turn-story.ts';

const SHELL: TraitsOf = () => ({ command: { argument: 'command', statusIn: () => 0 } });
const counted = { name: 'identical-calls', config: { results: 'count' } };
const looks = times(5, () => step(call('shell', { command: 'deployctl state shop' }), done('rolling out')));

function findings(choices: Parameters<typeof detectorsOf>[0]) {
  const chosen = detectorsOf(choices, SHELL);
  if (chosen.kind === 'refused') throw new Error(JSON.stringify(chosen.faults));
  return chosen.detectors.flatMap((detector) => foundIn(detector, looks)).map(({ level }) => level);
}

test('D17 words of commands that wait can be set, and hold for every detector', () => {
  expect(findings(['default', counted])).toContain('stop');
  const waiting = { name: 'no-progress', config: { waitingWords: ['deployctl state'] } };
  expect(findings(['default', counted, waiting])).toEqual([]);
});

test.each([
  ['NOTES.md', true],
  ['docs/progress-2.md', true],
  ['TODO.txt', true],
  ['logs/today/run.txt', true],
  ['build.log', true],
  ['src/notes.ts', false],
  ['planet.md', false],
  ['README.md', false],
])('D18 %s is a note or a log: %s', (path, isNote) => expect(isNoteBy(NOTES)(path)).toBe(isNote));

test('D18 names of notes can be set, with any text for a star', () => {
  const isNote = isNoteBy(['diary*.org', 'memory/*']);
  expect(['diary-3.org', 'a/memory/b/c.md', 'notes.md', 'diary.orgs'].map(isNote)).toEqual([true, true, false, false]);
  expect(isNoteBy([])('notes.md')).toBe(false);
});
