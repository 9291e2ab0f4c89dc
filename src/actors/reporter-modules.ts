/** In a place for reports: what lets test runners report. Checks only have to read it. */
export const REPORTER_MODULES = 'reporters';
