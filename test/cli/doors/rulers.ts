import type { EventOf } from '../../../machines/events.ts';
import type { Approver } from '../../../machines/recorded-proof.ts';
import { loopfold } from '../program.ts';

/** The people who have ruled over calls of the newest run of a folder, as its log has them. */
export async function rulersIn(directory: string): Promise<readonly (Approver | undefined)[]> {
  const { stdout } = await loopfold(['events', '--last', '--json'], { cwd: directory });
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as EventOf<'person.answered'>)
    .flatMap(({ type, payload }) => (type === 'person.answered' && payload.permission ? [payload.permission.by] : []));
}
