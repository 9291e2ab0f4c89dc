/**
 * Limits of one capture for files that are there beside the work: those that git ignores since the run began, and those
 * of repositories that the run has made or cloned. Each kind has them for itself.
 */
export const MAX_INCIDENTAL_FILES = 1_000;
export const MAX_INCIDENTAL_BYTES = 64 * 1024 * 1024;

/** For people. */
export const INCIDENTAL_LIMITS = `more than ${MAX_INCIDENTAL_FILES} files or 64 MiB`;
