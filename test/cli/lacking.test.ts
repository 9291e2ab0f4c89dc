import { expect, test } from 'vitest';
import { EXIT } from '../../src/cli/terminal/exit-status.ts';
import { repository } from '../git/repository.ts';
import { MODEL, resultIn } from './program.ts';
import { loopfold } from './warm-process.ts';

const CHECK = "process.exit(require('node:fs').existsSync('.env.test') ? 0 : 1)";

test('B7 a run that ends because a checkout lacks a file proposes the same command with the flag', async () => {
  const files = {
    '.gitignore': '.env.test\n.loopfold\n',
    'check.cjs': CHECK,
    'model.json': '{"answers":[{"text":"x"}]}',
  };
  const { root, commit, write } = await repository(files);
  await commit();
  await write({ '.env.test': 'A=1' });
  const words = ['run', ...MODEL, '--verify', 'node check.cjs', '--output-format', 'json', 'make it'];
  const ended = await loopfold(words, { cwd: root });
  expect(ended.status).toBe(EXIT.environment);
  expect(resultIn(ended).next[0]).toMatch(/ run .*--verify 'node check.cjs' .*'make it' --provide .env.test$/);
});
