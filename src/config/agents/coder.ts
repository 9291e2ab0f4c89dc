/** The shipped agent that is used where none is named: on the command line, and in loops of attempts. */
export const CODER = 'Coder';

/** Its tool calls in one attempt. It has no step cap of its own. */
export const CODER_TOOL_CALLS = 200;

/** Whether an agent is it, by its name. */
export const isCoder = (name: string | null | undefined): boolean => name?.toLowerCase() === CODER.toLowerCase();
