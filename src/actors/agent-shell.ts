import { existsSync } from 'node:fs';

/**
 * Variables by which programs open no editor and no pager, and ask nothing: a command has no terminal and no input. An
 * editor keeps the text as it is, so that `git commit --amend` and `git rebase --continue` go on with the message that
 * is there. Neither `CI` nor `NO_COLOR` is among them: a project may behave otherwise with them.
 */
export const UNATTENDED: Readonly<Record<string, string>> = {
  EDITOR: 'true',
  VISUAL: 'true',
  GIT_EDITOR: 'true',
  // A setting of git comes before GIT_EDITOR, and this variable before that.
  GIT_SEQUENCE_EDITOR: 'true',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  DEBIAN_FRONTEND: 'noninteractive',
  // Without a network npm asks for its newest version for a minute before it ends.
  npm_config_update_notifier: 'false',
};

/** Where systems have bash. `PATH` is not looked at: an agent may write to its folders. */
const BASH_PLACES = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'] as const;

/** Returns the shell of an agent's commands: bash where there is one, as models expect, else `/bin/sh`. */
export const agentShell = (): string => BASH_PLACES.find((place) => existsSync(place)) ?? '/bin/sh';

/** A question is the last thing that a command prints before it waits. */
const MAX_QUESTION_CHARS = 200;
const QUESTION =
  /\?\s*$|\b(?:password|passphrase|username|y\/n|yes\/no)\b.{0,40}$|\bpress (?:any key|enter|return)\b.{0,40}$|^[\w ,'"()./-]{1,80}[:>]\s*$/i;
const WATCH_FLAG = /\s--watch(?:All)?(?![\w=-])|\s--watch(?:All)?=true\b/;
const WATCHES =
  /\bwatch(?:ing)? (?:mode|usage|(?:for )?(?:file )?changes|files)\b|\bwaiting for (?:file )?changes\b|\bpress [`'"]?[qh][`'"]? (?:to|for)\b/i;

/** Returns the reason why a command that its time has ended would not have ended by itself. Null: none is seen. */
export function endlessBecause(command: string, output: string): string | null {
  if ([command, output].some((text) => WATCH_FLAG.test(text)) || WATCHES.test(output)) {
    return 'it seems to watch files, which never ends: run it once, without watch mode';
  }
  const last = output.slice(output.lastIndexOf('\n') + 1);
  if (last.length > MAX_QUESTION_CHARS || !QUESTION.test(last)) return null;
  return 'it seems to wait for an answer, and commands have no input: answer by a flag such as --yes, or a file';
}
