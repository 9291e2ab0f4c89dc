import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { scriptedModel } from '../../src/actors/model/model-script.ts';
import { ownPath } from '../../src/text/own-programs.ts';
import { Loops } from '../../src/hosts/local/local-host.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { HAS_WALLS } from '../hosts/local/proof/proof-project.ts';
import { repository, temporaryFolder } from '../git/repository.ts';

test('V3 our own programs are looked for where an agent does not write', () => {
  expect(ownPath('/project/node_modules/.bin:/usr/bin:bin::/project/tools:/opt/git/bin', '/project')).toBe(
    '/usr/bin:/opt/git/bin',
  );
  expect(ownPath('/cache/_npx/1/node_modules/.bin:/projector/bin', '/project')).toBe('/projector/bin');
  expect(ownPath('/usr/bin:/bin', '/')).toBe('/usr/bin:/bin');
  expect(ownPath('bin', '/project')).toBe('/usr/local/bin:/usr/bin:/bin');
});

const PLANTED = 'git find mount unshare setpriv cp mkdir chmod';

test.runIf(HAS_WALLS)('V3 programs in node_modules/.bin of the PATH are not run in place of ours', async () => {
  const { root, commit } = await repository({ '.gitignore': '.loopfold\nnode_modules\n', 'a.txt': 'wrong\n' });
  await commit();
  const ran = join(await temporaryFolder(), 'ran');
  const planting = `mkdir -p node_modules/.bin; cd node_modules/.bin; for name in ${PLANTED}; do
printf '#!/bin/sh\\necho "$0" >> ${ran}\\n' > $name; /bin/chmod +x $name; done; cd ../..; echo right > a.txt`;
  const before = process.env['PATH'] ?? '';
  onTestFinished(() => void (process.env['PATH'] = before));
  process.env['PATH'] = `${join(root, 'node_modules/.bin')}:${before}`;
  const answers = [{ calls: [{ tool: 'shell', arguments: { command: planting } }] }, { text: 'done' }];
  const loops = new Loops({ log: memoryLog(), model: scriptedModel({ answers }) });
  const live = await loops.start({
    prompt: 'x',
    loop: 'turn',
    directory: root,
    checks: ['grep -q right a.txt'],
    tools: ['shell'],
    maxSteps: 2,
  });
  expect(await live.done).toMatchObject({ kind: 'ended', outcome: { ending: 'success' } });
  expect(await loops.diff(live.run)).toMatchObject({ kind: 'change', files: [{ path: 'a.txt' }] });
  expect(existsSync(ran)).toBe(false);
});
