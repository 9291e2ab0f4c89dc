import { quoted } from '../text/shell-words.ts';

/** A command for a shell outside of the walls, and the variables that it needs. */
interface CellCommand {
  readonly command: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** The walls of a run, as an agent of it enters them. */
export interface AgentCell {
  /** Returns a command that does the same behind them, in the folder of the task. */
  readonly enter: (command: string, environment: Readonly<Record<string, string>>) => CellCommand;
}

/** The command of an agent, behind the walls where there are some. */
export const entering = (
  cell: AgentCell | undefined,
  command: string,
  environment: Readonly<Record<string, string>>,
): CellCommand => cell?.enter(command, environment) ?? { command, environment };

/**
 * A command that takes its input as the file that stands for a word in it: files outside are not there behind walls.
 * Its own input is empty.
 */
export const withInputAsFile = (command: string, word: string): string =>
  `task=$(mktemp) && cat > "$task" && exec < /dev/null && ${command.replaceAll(word, () => '"$task"')}`;

/** A command that finds settings in a file that only it and its user can read. `variable` says where that is. */
export const withSettingsFile = (
  command: string,
  { variable, text }: { readonly variable: string; readonly text: string },
): string => `${variable}=$(mktemp) && printf %s ${quoted(text)} > "$${variable}" && export ${variable} && ${command}`;
