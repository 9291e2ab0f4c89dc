import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { project } from './program.ts';
import { loopfold } from './warm-process.ts';

const TOKEN = 'a-token-of-thirty-two-characters';

let cwd = '';
beforeAll(async () => {
  cwd = await project({ answers: [{ text: 'done' }] }, {}, false);
  await writeFile(join(cwd, 'open.txt'), `${TOKEN} Ada\n`);
  await chmod(join(cwd, 'open.txt'), 0o666);
  await writeFile(join(cwd, 'odd.txt'), `${TOKEN}\n`, { mode: 0o600 });
});

test.each([
  ['another address without tokens', ['--host', '0.0.0.0'], /--host: expected 127\.0\.0\.1, or --tokens beside it/],
  ['a port that is no number', ['--port', 'all'], /--port: expected a whole number from 0 to 65535, found 'all'/],
  ['a port beyond the last', ['--port', '65536'], /--port: expected a whole number/],
  ['a file of tokens that is not there', ['--tokens', 'tokens'], /--tokens: expected a file of tokens/],
  ['a file of tokens that others can change', ['--tokens', 'open.txt'], /--tokens: expected a file that only you can/],
  ['a file of tokens out of shape', ['--tokens', 'odd.txt'], /--tokens: expected a token and a name on each line/],
])('W1 serve refuses %s, and repeats no token', async (_what, words, said) => {
  const { status, stderr, stdout } = await loopfold(['serve', ...words], { cwd });
  expect([status, stderr, stdout]).toEqual([2, expect.stringMatching(said), '']);
  expect(stderr).not.toContain(TOKEN);
});
