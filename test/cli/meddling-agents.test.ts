import { expect, test } from 'vitest';
import { EXIT } from '../../src/cli/terminal/exit-status.ts';
import { loopfold, project } from './program.ts';

const FORGES = `import { DatabaseSync } from 'node:sqlite';
const log = new DatabaseSync('.loopfold/log.db');
log.exec("update events set payload = replace(payload, 'test -f hello', 'true') where position = 1");
`;

/** A run whose agent does its work, and something to our files beside it. Nothing stands around it. */
async function meddling(command: string) {
  const cwd = await project({ answers: [] }, { 'forge.mjs': FORGES });
  const agent = `cmd:touch hello; ${command}; echo {task}`;
  const words = ['run', '--agent', agent, '--verify', 'test -f hello', '--check-in', 'workspace', '--sandbox', 'off'];
  const ended = await loopfold([...words, '--accept', 'weak', 'Write hello.'], { cwd });
  return { cwd, ended };
}

test('X8 an agent that edits the configuration changes nothing of its run, and is named at the end', async () => {
  const { ended } = await meddling(`echo '{"maxIterations": 99}' > loopfold.config.json`);
  expect(ended.status).toBe(EXIT.success);
  expect(ended.stderr).toContain('changed what later runs go by: loopfold.config.json (configuration)');
});

test.each([
  ['removes the log', 'rm -rf .loopfold', EXIT.environment, 'the file was removed while it was open'],
  ['cuts the log', 'truncate -s 4000 .loopfold/log.db', EXIT.log, 'it was cut to 4000 bytes while it was open'],
  ['edits an event', `${process.execPath} forge.mjs`, EXIT.log, 'its hash chain does not hold at version 1'],
])(
  'X8 an agent that %s is no success: the run ends with what has happened to it',
  async (_, command, status, words) => {
    const { ended } = await meddling(command);
    expect(ended.stderr).toContain(words);
    expect(ended.status).toBe(status);
    expect(ended.stdout).not.toContain('success');
  },
);
