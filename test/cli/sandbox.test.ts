import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/cli/terminal/exit-status.ts';
import { HAS_WALLS } from '../hosts/local/proof/proof-project.ts';
import { folder, loopfold } from './program.ts';
import { testInTurn } from '../support/in-turn.ts';

const KEY = 'sk-proj-of-the-person';
const LOOKS = `cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep OPENAI_API_KEY | rev
echo x > "$HOME/.bashrc"; ls -A`;

/** A run whose model starts one command, in a home of its own. */
async function ran(...flags: readonly string[]) {
  const answers = [{ calls: [{ tool: 'shell', arguments: { command: LOOKS } }] }, { text: 'done' }];
  const cwd = await folder({ 'model.json': JSON.stringify({ answers }) });
  const home = await folder({});
  await writeFile(join(home, '.bashrc'), 'of the person\n');
  const env = { HOME: home, OPENAI_API_KEY: KEY };
  const words = ['run', '-m', 'script:model.json', '--loop', 'turn', ...flags, 'look'];
  const ended = await loopfold(words, { cwd, env });
  const events = await loopfold(['events', '--last', '--json'], { cwd, env });
  const shown = await loopfold(['show', '--last'], { cwd, env });
  return { ended, events: events.stdout, shown: shown.stdout, home };
}

const REVERSED = [...KEY].toReversed().join('');

describe.skipIf(!HAS_WALLS)('given a run whose agent has a shell', () => {
  test('B1 behind walls a command finds no key of the person, and the page says which walls there were', async () => {
    const { ended, events, shown } = await ran('--sandbox', 'required');
    expect(ended.status).toBe(EXIT.success);
    expect(events).not.toContain(REVERSED);
    expect(events).toContain('model.json');
    expect(shown).toMatch(/^ {2}walls +around the commands of the agent; network: none$/m);
  });

  testInTurn('B1 without them it finds one, so that the walls are what kept it', async () => {
    const { events, shown } = await ran();
    expect(events).toContain(REVERSED);
    expect(shown).not.toContain('around the commands of the agent');
  });
});

test('B1 a limit of the network without walls is said to be none', async () => {
  const cwd = await folder({ 'model.json': JSON.stringify({ answers: [{ text: 'done' }] }) });
  const words = ['run', '-m', 'script:model.json', '--loop', 'turn', '--network', 'none', 'look'];
  const { stderr } = await loopfold(words, { cwd, env: { HOME: cwd } });
  expect(stderr).toContain("network and sandboxWrite are not used: they need sandbox 'required' or 'try'.");
});

testInTurn('B1 where walls are required and cannot stand, no run begins', async () => {
  const cwd = await folder({ 'model.json': JSON.stringify({ answers: [{ text: 'done' }] }) });
  const bin = await folder({});
  const words = ['run', '-m', 'script:model.json', '--loop', 'turn', '--sandbox', 'required', 'look'];
  const { status, stderr } = await loopfold(words, { cwd, env: { HOME: cwd, PATH: bin } });
  expect(status).toBe(EXIT.environment);
  expect(stderr).toContain('Walls around the commands of the agent cannot stand here');
});
