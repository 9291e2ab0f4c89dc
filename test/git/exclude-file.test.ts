import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { excludeFile, presentRules } from '../../src/git/capture/rules-of-start.ts';
import { repository, temporaryFolder } from './repository.ts';

const FILES = [
  'a.log',
  'keep.log',
  'deep/a.log',
  'deep/keep.log',
  'deep/er/only.txt',
  'deep/er/build/x',
  'deep/build/x',
  'build/x',
  'deep/#odd',
  'deep/!odd',
  'deep/space ',
  '[odd]/a.tmp',
  'o/a.tmp',
  'cache/.gitignore',
  'cache/deep/x',
  'tools/env/.gitignore',
  'tools/env/x',
  '.loopfold/.gitignore',
  '.loopfold/agents/a.md',
];

test('G10 the rules as one file ignore exactly what the .gitignore files of every folder do', async () => {
  const { root, git, write } = await repository(Object.fromEntries(FILES.map((path) => [path, path])));
  await write({
    '.gitignore': '\uFEFF*.log\r\n!keep.log\n# a comment\n\n',
    'deep/.gitignore': '!a.log\nkeep.log\n/er/only.txt\nbuild/\n\\#odd\n\\!odd\nspace\\ \n',
    '[odd]/.gitignore': '*.tmp\n',
    'cache/.gitignore': '*\n',
    'tools/env/.gitignore': '*\n',
    '.loopfold/.gitignore': '*\n',
    '.git/info/exclude': 'build/\n',
  });
  const rules = await presentRules(null, { directory: root });
  const file = join(await temporaryFolder(), 'exclude');
  await writeFile(file, excludeFile(rules), 'latin1');
  const others = (...options: string[]) => git('ls-files', '--others', '-z', ...options);
  expect(await others(`--exclude-from=${file}`)).toBe(await others('--exclude-standard'));
  expect(await others('--exclude-standard')).toContain('deep/a.log');
  expect(await presentRules(rules, { directory: root })).toEqual(rules);
});
