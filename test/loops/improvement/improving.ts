import { repository } from '../../git/repository.ts';
import type { ToolContext } from '../../../src/actors/tools/tool.ts';
import { tool } from '../../support/stand-ins.ts';
import { office } from '../../hosts/local/office.ts';
import { FILES } from './night.ts';
import { NODE_TESTS } from '../../support/node-tests.ts';

/**
 * A real improvement run whose experiments call `work` until it returns, and are done. `command`: what they run in a
 * shell beside, from the folder of the person.
 */
export async function improving(
  work: (context: ToolContext) => Promise<void>,
  command: ((root: string) => string) | null = null,
) {
  const repo = await repository(FILES);
  await repo.commit();
  let isDone = false;
  const one = tool('work', async (_input, context) => {
    await work(context);
    isDone = true;
    return { output: 'worked' };
  });
  const beside = command === null ? [] : [{ tool: 'shell', arguments: { command: command(repo.root) } }];
  const script = () => (isDone ? { text: 'done' } : { calls: [{ tool: 'work', arguments: {} }, ...beside] });
  const warnings: string[] = [];
  const harness = office(script, { tools: [one], warn: (text) => void warnings.push(text) });
  const start = (more: object = {}) =>
    harness.start({
      loop: 'improvement',
      directory: repo.root,
      isolate: 'worktree',
      isolateFrom: 'HEAD',
      checks: [NODE_TESTS],
      maxIterations: 1,
      maxTokens: 1_000_000,
      tools: ['work', 'shell'],
      ...more,
      options: { phases: { experiment: { useBatchAPI: false }, discovery: { sources: ['failing-tests'] } } },
    } as never);
  return { ...repo, ...harness, start, warnings };
}
