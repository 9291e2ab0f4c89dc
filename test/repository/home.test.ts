import { readdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { expect, inject, test } from 'vitest';

test('tests have a home of their own, not that of the person who runs them, and nothing names another', () => {
  const { HOME = '', XDG_CONFIG_HOME } = process.env;
  expect(HOME.startsWith(inject('bundle'))).toBe(true);
  expect(HOME).not.toBe(userInfo().homedir);
  expect(readdirSync(HOME)).not.toContain('.gitconfig');
  expect(XDG_CONFIG_HOME).toBe('');
});
