import { expect, test } from 'vitest';
import { improvable } from './improving-project.ts';
import { loopfold } from './warm-process.ts';

test('I5 given a log among the files, when a night is to begin, then the log is no change to commit', async () => {
  const { words, how, write } = await improvable();
  await write({ 'my.db': '' });
  const asked = ['improve', ...words, '--dry-run'];
  const other = await loopfold(asked, how);
  expect(other.stderr).toContain('has changes that are not committed: my.db');
  const own = await loopfold([...asked, '--log', 'sqlite:my.db'], how);
  expect(own).toMatchObject({ status: 0, stderr: '' });
});
