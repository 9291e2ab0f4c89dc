import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folder, loopfold } from './program.ts';

const CONFIG = JSON.stringify({ checks: ['touch ran'], walls: 'off' });
const DONE = JSON.stringify({ answers: [{ text: 'done' }] });

/** A folder that another person has configured, and the environment of a person without a terminal. */
async function cloned() {
  const cwd = await folder({ 'loopfold.config.json': CONFIG, 'done.json': DONE });
  return { cwd, env: { HOME: cwd } };
}

const RUN = ['run', '-m', 'script:done.json', '--tools', 'read,finish', 'say hello'];

describe('given a file of a project that takes walls away', () => {
  test('B6 a run is refused before anything of it runs', async () => {
    const { cwd, env } = await cloned();
    const { status, stderr } = await loopfold(RUN, { cwd, env });
    expect(status).toBe(2);
    expect(stderr).toContain('is not trusted: it sets walls');
    expect(existsSync(join(cwd, 'ran'))).toBe(false);
  });

  test('B6 config shows what it says, and that it is not in force', async () => {
    const { cwd, env } = await cloned();
    const { status, stdout } = await loopfold(['config'], { cwd, env });
    expect(status).toBe(2);
    expect(stdout).toMatch(/^walls +try$/m);
    expect(stdout).toMatch(
      /^not in force, since \S+ is not trusted \(it sets walls\):\n {2}checks +touch ran\n {2}walls +off$/m,
    );
  });

  test('B6 the digest that the refusal names trusts this text in CI, and no other', async () => {
    const { cwd, env } = await cloned();
    const { stderr } = await loopfold(['config'], { cwd, env });
    const [, digest = ''] = /LOOPFOLD_TRUST=([\da-f]+)/.exec(stderr) ?? [];
    const text = await readFile(join(cwd, 'loopfold.config.json'));
    expect(createHash('sha256').update(text).digest('hex').startsWith(digest)).toBe(true);
    const trusting = { ...env, LOOPFOLD_TRUST: digest };
    expect(await loopfold(['config'], { cwd, env: trusting })).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^walls +off$/m),
    });
    const other = await cloned();
    const short = { ...other.env, LOOPFOLD_TRUST: digest.slice(0, 8) };
    expect((await loopfold(['config'], { cwd: other.cwd, env: short })).status).toBe(2);
  });
});
