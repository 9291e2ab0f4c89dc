import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { HAS_WALLS } from '../hosts/local/proof/proof-project.ts';
import { loopfold, project } from './program.ts';

const FAILED = 'FAIL money.test.js > rounds: expected 3 got 4';
/** A check that fails with a megabyte of colours, and says why in its middle. */
const CHECK = `
const line = '\\u001B[31m' + 'x'.repeat(100) + '\\u001B[0m\\n';
process.stdout.write(line.repeat(5000) + '\\u001B[1m${FAILED}\\u001B[0m\\n' + line.repeat(5000) + 'y\\n');
process.exitCode = 1;
`;
/** Reads the whole output of the check that its prompt names, and says what it saw. */
const MODEL = `
export default ({ messages }) => {
  const [prompt, ...more] = messages.map((message) => JSON.stringify(message));
  const place = /output is in ([^ ]+)[: ]/.exec(prompt)?.[1].replace(/:$/, '');
  const last = more.at(-1);
  if (!last) return { calls: [{ tool: 'grep', arguments: { path: place, pattern: '^FAIL .*got 4' } }] };
  const shown = [prompt.includes('${FAILED}'), prompt.length < 20000, prompt.includes('u001b')].join();
  return { text: 'prompt ' + shown + '; grep ' + last.includes('1.txt:5001:FAIL money') + ' ' + place };
};
`;

test('B8 a failure in the middle of a megabyte is in the prompt, and the agent greps all by its path', async () => {
  const cwd = await project({ answers: [] }, { 'check.mjs': CHECK, 'model.mjs': MODEL });
  const flags = ['-m', 'script:model.mjs', '--verify', 'node check.mjs', '--max-iterations', '1'];
  const env = { LOOPFOLD_SANDBOX: HAS_WALLS ? 'try' : 'off' };
  await loopfold(['run', 'Mend it.', ...flags], { cwd, env });
  const { stdout } = await loopfold(['events', '--last', '--json'], { cwd });
  const [said = '', place = ''] = /prompt [a-z,]+; grep \w+ ([^"\\]+)/.exec(stdout) ?? [];
  expect(said).toMatch(/^prompt true,true,false; grep true \//);
  expect(existsSync(place)).toBe(false);
});
