import { expect, test } from 'vitest';
import { Grade } from '../../machines/outcome.ts';
import { EXIT, exitOf } from '../../src/cli/terminal/exit-status.ts';

test.each(Grade.options)('V15 the status of a success that is %s goes by whether that was enough', (grade) => {
  const ended = (enough: boolean) =>
    exitOf({ ending: 'success', verified: { version: 3, workspace: null, grade, enough }, partial: false }, true);
  expect([ended(true), ended(false)]).toEqual([EXIT.success, EXIT.unverified]);
});
