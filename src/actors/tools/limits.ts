/** What a model sees of one call: result, answer, or failure. */
export const MAX_OUTPUT_BYTES = 30_000;
/** More than this is no result but a flood, and a failed call. */
export const FLOOD_BYTES = 10_000_000;
/** Of a text file that is read, written or edited. */
export const MAX_FILE_BYTES = 5_000_000;
export const MAX_LIST_ENTRIES = 1_000;
export const TOOL_TIMEOUT_MS = 120_000;
/** How long a tool that was told to stop may take to say what it has done. Longer than a command needs to be killed. */
export const STOP_GRACE_MS = 5_000;
/** How long a search may take before it answers with what it has found so far. */
export const SEARCH_MS = 15_000;
/** Past that, how long a single pattern may take with a single file or name before the search is ended. */
export const STUCK_MS = 5_000;
export const MAX_SEARCH_DEPTH = 100;
export const MAX_PATTERN_CHARACTERS = 2_000;
