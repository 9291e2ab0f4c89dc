import type { Command } from 'commander';
import type { AnswerFlags } from '../verbs/answer.ts';
import type { GrantFlags } from '../verbs/grant.ts';
import type { InboxFlags } from '../verbs/inbox.ts';
import {
  type LastFlag,
  type VerbParts,
  later,
  aboutRun,
  JSON_FLAG,
  named,
  needed,
  withRest,
  withText,
} from './verb-parts.ts';

const abort = later(async () => (await import('../verbs/abort.ts')).abort);
const answer = later(async () => (await import('../verbs/answer.ts')).answer);
const grant = later(async () => (await import('../verbs/grant.ts')).grant);
const inbox = later(async () => (await import('../verbs/inbox.ts')).inbox);
const pause = later(async () => (await import('../verbs/pause.ts')).pause);
const steer = later(async () => (await import('../verbs/steer.ts')).steer);

/** What runs ask people, and what a person says to a run. */
export function addPeopleVerbs(parts: VerbParts): void {
  addInbox(parts);
  addAnswer(parts);
  addRulings(parts);
  addSteering(parts);
}

/** Lists what runs ask people. */
function addInbox({ session, ends, verb }: VerbParts): void {
  verb('inbox', 'list what all runs wait for people to do, the longest wait first')
    .option(...JSON_FLAG)
    .option('--newest', 'the newest first')
    .option('--limit <n>', 'how many', '20')
    .action((flags: InboxFlags, command: Command) => ends(inbox(session(command), flags)));
}

/** Answers a question of a run. */
function addAnswer({ session, ends, verb }: VerbParts): void {
  aboutRun(verb('answer', 'answer a question of a run, by default the one that has not ended'))
    .argument('[text]', 'the answer, or the number of a choice; - reads it from stdin')
    .option('--call <id>', 'which question, where several are open')
    .option('--literal', 'a number is the answer itself, and no choice')
    .action(
      (
        id: string | undefined,
        text: string | undefined,
        flags: LastFlag & Omit<AnswerFlags, 'text'>,
        command: Command,
      ) => {
        const [about, said] = withText(id, text, flags);
        return ends(answer(session(command), about, { ...flags, text: needed('TEXT', said, 'answer') }));
      },
    );
}

/** Grants or refuses what a run asks for. */
function addRulings({ session, ends, verb }: VerbParts): void {
  for (const [name, granted, what] of [
    ['approve', true, 'grant'],
    ['deny', false, 'refuse'],
  ] as const) {
    const about = aboutRun(verb(name, `${what} a permission or an approval that a run asks for`));
    if (granted)
      about.option('--remember <where>', "a call of a tool: allow such calls for good, in this 'run' or 'project'");
    about
      .argument(
        '[call]',
        `which request, where several are open${granted ? '; grounds: also what an ended run has left' : ''}`,
      )
      .option('--reason <text>', 'for the model to read')
      .option('--digest <hex>', 'only while it allows what has this digest, as printed with it')
      .action(
        (
          id: string | undefined,
          callId: string | undefined,
          flags: LastFlag & Omit<GrantFlags, 'granted' | 'call'>,
          command: Command,
        ) => {
          const [about, call] = withRest(id, callId, flags);
          return ends(grant(session(command), about, { ...flags, granted, ...(call === undefined ? {} : { call }) }));
        },
      );
  }
}

/** Adds to the task of a run, pauses it, and ends it. */
function addSteering({ session, ends, verb }: VerbParts): void {
  aboutRun(verb('steer', 'add to the task of a run, by default the one that has not ended'))
    .argument('[text]', 'what to tell its model; - reads it from stdin')
    .action((id: string | undefined, text: string | undefined, flags: LastFlag, command: Command) => {
      const [about, said] = withText(id, text, flags);
      return ends(steer(session(command), about, needed('TEXT', said, 'steer')));
    });

  aboutRun(verb('pause', 'pause a run in the process that owns it; resume continues it')).action(
    (id: string | undefined, flags: LastFlag, command: Command) => ends(pause(session(command), named(id, flags))),
  );

  aboutRun(verb('abort', 'end a run, in the process that owns it or here'))
    .option('--reason <text>', 'kept in the log')
    .action((id: string | undefined, flags: LastFlag & { reason?: string }, command: Command) =>
      ends(abort(session(command), named(id, flags), flags)),
    );
}
