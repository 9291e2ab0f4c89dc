import type { SelectedTests } from '../../evidence/test-selection.ts';

/** Folders as a command sees them. */
export interface ReportFolders {
  /** Has our modules. */
  readonly modules: string;
  /** Where the runners of this command report. */
  readonly reports: string;
  /** The tests that runners which can are to run alone. Absent: all. */
  readonly only?: SelectedTests | undefined;
}

/** What a command would see without us, of the variables that test runners go by. */
export type GivenEnvironment = Readonly<Record<string, string | undefined>>;

/** Variables that the person may have set, too. */
const SHARED = [
  'NODE_OPTIONS',
  'PYTHONPATH',
  'PYTEST_PLUGINS',
  'GOFLAGS',
  'RUBYLIB',
  'SPEC_OPTS',
  'PHP_INI_SCAN_DIR',
] as const;

/** Those of this process that a command sees, and the path that it sees. */
export const givenEnvironment = (passes: readonly string[], path: string | undefined): GivenEnvironment => ({
  ...Object.fromEntries(SHARED.filter((name) => passes.includes(name)).map((name) => [name, process.env[name]])),
  PATH: path,
});

/**
 * The variables by which the test runners that a command starts report to a folder, whatever starts them. What the
 * person has set is kept, and ours is added.
 *
 * @example
 * const folders = { modules: '/tmp/place/reporters', reports: '/tmp/place/reports/1' };
 * reportingEnvironment(folders, { PATH: '/usr/bin' })['PATH']; // '/tmp/place/reporters/bin:/usr/bin'
 */
export function reportingEnvironment(
  { modules, reports, only }: ReportFolders,
  given: GivenEnvironment,
): Readonly<Record<string, string>> {
  const { NODE_OPTIONS, PATH, PYTHONPATH, PYTEST_PLUGINS, GOFLAGS, RUBYLIB, SPEC_OPTS, PHP_INI_SCAN_DIR } = given;
  // Go takes one program to run others by, and splits its name at spaces.
  const takesProgram = !GOFLAGS?.includes('-exec') && !/[\s'"]/.test(modules);
  return {
    LOOPFOLD_REPORTS: reports,
    NODE_OPTIONS: joined(' ', NODE_OPTIONS, `--require=${quoted(`${modules}/preload.cjs`)}`),
    PATH: joined(':', `${modules}/bin`, PATH),
    PYTHONPATH: joined(':', PYTHONPATH, modules),
    PYTEST_PLUGINS: joined(',', PYTEST_PLUGINS, 'loopfold_pytest'),
    RUBYLIB: joined(':', RUBYLIB, modules),
    SPEC_OPTS: joined(' ', SPEC_OPTS, '--require loopfold_rspec'),
    // An empty name stands for the folder that PHP looks into by itself.
    PHP_INI_SCAN_DIR: `${PHP_INI_SCAN_DIR ?? ''}:${modules}/php`,
    ...(takesProgram
      ? { GOFLAGS: joined(' ', GOFLAGS, `-exec=${modules}/go-exec.sh`, only ? `-run=${only.go}` : undefined) }
      : {}),
    ...(only ? { LOOPFOLD_ONLY: only.pattern } : {}),
  };
}

const joined = (separator: string, ...values: readonly (string | undefined)[]): string =>
  values.filter((value) => value !== undefined && value !== '').join(separator);

/** As Node reads a value with spaces. */
const quoted = (path: string): string => `"${path.replace(/[\\"]/g, String.raw`\$&`)}"`;
