import { expect, test } from 'vitest';
import { builtinTools } from '../../src/actors/tools/builtin.ts';
import { withPolling } from '../../src/detectors/poll-commands.ts';
import { detectorsOf } from '../../src/detectors/profile.ts';
import { says, type TraitsOf } from '../../src/detectors/traits.ts';
import { call, done, levelsIn, step, times } from './turn-story.ts';

const tools = new Map(builtinTools().map(({ name, traits = {} }) => [name, traits]));
const traits: TraitsOf = (name) => tools.get(name) ?? {};
const polls = (command: unknown, ...patterns: string[]) =>
  says(withPolling(traits, patterns)('shell').polling, { arguments: { command } as never });

test.each([
  ['gh run view 71 --json status', 'gh run *'],
  ['sleep 30 && gh run view 71', 'gh run *'],
  ['cd app; GH_TOKEN=x timeout 60 gh run list | head -3', 'gh run *'],
  ['kubectl get pods', 'kubectl get pods'],
  ['curl -sf http://localhost:8080/health?full=1', '*/health?full=1'],
  ['until curl -sf x; do sleep 1; done', 'sleep *'],
  ['  make wait\n', 'make wait'],
  ["tail -n1 'build log.txt'", 'tail -n1 build log.txt'],
])('D8 %j polls where %j is declared', (command, pattern) => expect(polls(command, 'no such', pattern)).toBe(true));

test.each([
  ['gh pr view 3', 'gh run *'],
  ['kubectl get pods -A', 'kubectl get pods'],
  ['echo gh run view', 'gh run *'],
  ['gh runner', 'gh run'],
  ['ghXrun view', 'gh.run *'],
  ['', 'gh run *'],
  [7, '*'],
  [undefined, '*'],
])('D8 %j does not poll where %j is declared', (command, pattern) => expect(polls(command, pattern)).toBe(false));

test('D8 only tools that run commands are looked at, and a tool that polls goes on polling', () => {
  const own = withPolling((tool) => (tool === 'wait' ? { polling: true } : {}), ['*']);
  expect([own('read'), own('wait')]).toEqual([{}, { polling: true }]);
  const both = withPolling(() => ({ ...traits('shell'), polling: true }), ['gh run *'])('shell');
  expect(says(both.polling, { arguments: { command: 'ls' } })).toBe(true);
});

test('D8 D13 D14 D0+ a command that is declared has the long thresholds: a nudge at 20 calls, the end at 30', () => {
  const chosen = detectorsOf(['default'], withPolling(traits, ['gh run *']));
  const detectors = chosen.kind === 'detectors' ? chosen.detectors : [];
  const levels = (result: string, command: (index: number) => string) =>
    detectors
      .map((detector) => [
        detector.name,
        ...levelsIn(
          detector,
          times(30, (index) => step(call('shell', { command: command(index) }), done(result))),
        ),
      ])
      .filter(([, ...found]) => found.length > 0);
  expect(levels('queued', () => 'gh run view 71')).toEqual([['no-progress', 'nudge at 40', 'stop at 60']]);
  expect(levels('not found\n[exit code 1]', (index) => `sleep ${index}; gh run view 71`)).toEqual([]);
  expect(levels('queued', (index) => `gh pr view 71 # ${index}`)).toEqual([
    ['same-result', 'nudge at 16', 'block at 25', ...times(15, (index) => `stop at ${32 + 2 * index}`)],
  ]);
});
