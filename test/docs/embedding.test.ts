import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../repository/tool.ts';
import { testInTurn } from '../support/in-turn.ts';
import { inFreshRepository } from './fresh-repository.ts';

// That it compiles is proven with the other examples.
const code = readFileSync(join(root, 'docs/examples/embedding/deployment.ts'), 'utf8');

test('the deployment invokes its loop, and goes on by the outcome', () => {
  const { status, output } = inFreshRepository(code);
  expect(output).toBe('preparing\ndeployed\nsuccess: Now it has three parts.\n');
  expect(status).toBe(0);
});

testInTurn('a deployment whose loop proves nothing goes to review', () => {
  const hopeless = code.replace("write('2.0.0')", "write('1.9.9')");
  expect(hopeless).not.toBe(code);
  expect(inFreshRepository(hopeless).output).toMatch(/^preparing\ninReview\n/);
});
