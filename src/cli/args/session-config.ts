import { resolve } from 'node:path';
import { Attending } from '../live/attendant.ts';
import { placed } from '../../config/layer.ts';
import { TRUST_VARIABLE } from '../../config/environment.ts';
import { type Effective, type LeftOut, loadConfig } from '../../config/load-config.ts';
import { userFolder } from '../../config/places.ts';
import { plain } from '../../projections/phrases.ts';
import { type ConfigFault, faultSentence } from '../../options/config-fault.ts';
import { Complaint } from '../pages/complaint.ts';
import { type Asking, shortDigest, trustIn } from '../terminal/ask-trust.ts';
import { EXIT } from '../terminal/exit-status.ts';
import type { Streams } from '../terminal/output.ts';
import { isInsideCommand } from './run-around.ts';
import { assertNoFolder } from './own-loops.ts';
import { configOfFlags, type OptionFlags } from './run-flags.ts';

export { type Shown, shownBy } from './show-parts.ts';

/** Flags every verb takes. */
export interface CommonFlags {
  readonly directory?: string;
  readonly log?: string;
  readonly trust?: boolean;
  readonly color: boolean;
}

/** What a session does with its log. `work`: read, write, and execute runs, with models and checks. */
export type Mode = 'read' | 'write' | 'work';

export interface Called {
  readonly streams: Streams;
  readonly verb: string;
  readonly flags: CommonFlags & OptionFlags;
  /** Absolute. */
  readonly directory: string;
  /** The words of the call, as they were typed. */
  readonly words: readonly string[];
  /** Who is asked before a detector ends a run that is watched. */
  readonly attending: Attending;
}

/** A call in the folder that its flags name. */
export const calledWith = (call: Omit<Called, 'directory' | 'attending'>): Called => ({
  ...call,
  directory: resolve(call.flags.directory ?? '.'),
  attending: new Attending(),
});

/** How a user is asked whether a file may be read. */
export const askingFor = ({ streams, flags }: Pick<Called, 'streams' | 'flags'>, isOptional: boolean): Asking => ({
  streams,
  userFolder: userFolder(process.env),
  isTrusted: flags.trust === true,
  isOptional,
});

/** A file has to be trusted first. */
export function untrusted({ file, reason, sha256 }: Omit<LeftOut, 'value'>): Complaint {
  const why = `${file} is not trusted: ${reason}. Read it, then use it this once with --trust`;
  const inCi = `In CI set ${TRUST_VARIABLE}=${shortDigest(sha256)}, which is this text and no other.`;
  const next = ['config', '--trust'];
  return new Complaint(EXIT.usage, `${why}, or say yes on a terminal once and for all. ${inCi}`, next);
}

/**
 * The effective configuration of a call. `showsAll`: a file that is not
 * trusted is left out, and named. Throws a `Complaint` where it is refused, or not trusted.
 */
export async function sessionConfig(called: Called, mode: Mode, showsAll = false): Promise<Effective> {
  const { streams, verb, flags, directory } = called;
  const { values, faults } = configOfFlags(flags);
  if (faults.length > 0) throw new Complaint(EXIT.usage, faults.map(faultSentence).join('\n'), [verb, '--help']);
  if (values.loop !== undefined) await assertNoFolder(values.loop);
  const loaded = await loadConfig({
    directory,
    cwd: process.cwd(),
    env: process.env,
    flags: values,
    isStrict: mode === 'work',
    remembersUse: flags.trust !== true,
    trust: async (file, reason) => {
      const answer = await trustIn(file, reason, askingFor(called, mode !== 'work'));
      return answer === 'refuse' && showsAll ? 'skip' : answer;
    },
  });
  switch (loaded.kind) {
    case 'refused':
      throw new Complaint(EXIT.usage, loaded.problems.join('\n'), [verb, '--help']);
    case 'untrusted':
      throw untrusted(loaded);
    case 'loaded':
      for (const warning of loaded.config.warnings) streams.err.line(`warning: ${plain(warning)}`);
      // Later changes are compared with the last use by a person.
      return (await isInsideCommand()) ? { ...loaded.config, noteUse: async () => {} } : loaded.config;
  }
}

/** Faults that the options have together, each with the place where its option stands. */
export const located = (faults: readonly ConfigFault[], { from }: Effective): Promise<ConfigFault[]> =>
  Promise.all(
    faults.map((fault) => {
      const layer = [...from].find(([option]) => option === fault.field.split(/[.[]/, 1)[0])?.[1];
      return layer ? placed(fault, layer) : fault;
    }),
  );
