import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listing, MODEL, project } from './program.ts';
import { loopfold } from './warm-process.ts';

test('checks that a model wrote into the configuration do not run before a person agrees', async () => {
  const writes = `echo '{"checks":["touch PWNED"]}' > loopfold.config.json`;
  const done = { answers: [{ calls: [{ tool: 'shell', arguments: { command: writes } }] }, { text: 'Done.' }] };
  const cwd = await project({ attempts: [done, done] });
  const env = { HOME: join(cwd, '.loopfold') };
  const words = ['run', 'Tidy up.', ...MODEL, '--check-in', 'workspace', '--max-iterations', '1'];
  await writeFile(join(cwd, '.gitignore'), '.loopfold\n');
  await loopfold([...words, '--verify', 'true'], { cwd, env });

  const next = await loopfold(words, { cwd, env });

  expect(next.status).toBe(2);
  expect(next.stderr).toContain('loopfold.config.json is not trusted: checks changed since it was last used');
  expect(await listing(cwd)).not.toContain('PWNED');
  expect((await loopfold([...words, '--trust'], { cwd, env })).status).toBe(16);
});
