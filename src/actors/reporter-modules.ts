/**
 * The name, in a place for reports, of the folder with what lets test runners report. Checks only have to read it.
 * Whatever measures coverage leaves out what lies in a folder of this name.
 */
export const REPORTER_MODULES = 'node_modules';
