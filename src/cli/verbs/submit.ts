import type { SubmitOptions } from '../../app/start/submit-run.ts';
import { faultSentence } from '../../options/config-fault.ts';
import { readPrompt } from '../args/read-prompt.ts';
import { submittedOf, type SubmitFlags } from '../args/submit-flags.ts';
import { wholeNumber } from '../args/whole-number.ts';
import { Complaint } from '../pages/complaint.ts';
import { asJson } from '../pages/as-json.ts';
import type { Session } from '../session.ts';
import { EXIT } from '../terminal/exit-status.ts';

/** Records a run for whichever worker is free, and prints its id. */
export async function submit(session: Session, argument: string | undefined, flags: SubmitFlags): Promise<number> {
  const { out, err } = session.streams;
  const { values, faults } = submittedOf(flags);
  if (faults.length > 0) throw new Complaint(EXIT.usage, faults.map(faultSentence).join('\n'), ['submit', '--help']);
  const prompt = await readPrompt({ argument, file: flags.promptFile, stdin: process.stdin });
  const { key, atOnce, notBefore, repository, commit, branch } = flags;
  const options: SubmitOptions = {
    ...values,
    prompt,
    ...(key === undefined ? {} : { key }),
    ...(atOnce === undefined ? {} : { atOnce: wholeNumber('--at-once', atOnce) }),
    ...(notBefore === undefined ? {} : { notBefore }),
    ...(repository === undefined ? {} : { repository }),
    ...(commit === undefined ? {} : { commit }),
    ...(branch === undefined ? {} : { branch }),
  };
  const loops = await session.loopsOrNew();
  try {
    const { run, isNew } = await loops.submit(options, flags.id);
    if (flags.json) out.line(asJson({ run, isNew }, 2));
    else out.line(run);
    err.line(isNew ? 'A worker begins with it' : 'It was submitted before: nothing has changed');
    if (isNew) for (const verb of ['work', 'queue']) err.line(`next  ${session.again([verb])}`);
    return EXIT.success;
  } finally {
    await loops.log.close();
  }
}
