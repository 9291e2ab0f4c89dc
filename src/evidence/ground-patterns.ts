/** Files that checks rest on by a convention of an ecosystem. */
export interface Convention {
  readonly ecosystem: 'any' | 'javascript' | 'python' | 'go' | 'rust';
  /** Why they are grounds. Stable: programs read it. */
  readonly reason: ConventionReason;
  /** From the top of the workspace. Fitted in any case of letters, because some file systems find such names, too. */
  readonly globs: readonly string[];
}

/** Which files these are, for people. */
export const CONVENTION_REASONS = {
  'test-folder': 'in folders of tests and their data',
  'test-file': 'tests and snapshots, by their names',
  configuration: 'configuration of test runners, builds, compilers and linters',
  'import-hook': 'what Python loads before any test',
  'package-manager': 'settings of package managers',
  tasks: 'tasks that checks call',
  environment: 'environment, and versions of tools',
  'git-rules': 'what git ignores and converts',
} as const;
export type ConventionReason = keyof typeof CONVENTION_REASONS;

const TOOLS = 'vitest,vite,jest,playwright,cypress,karma,ava,babel,webpack,rollup,nyc,web-test-runner,wdio,nightwatch';
const MORE_TOOLS = 'eslint,biome,prettier,tsup,mocha,c8,tap,swc,stylelint,postcss';

/** A file belongs to the first of them that it fits. */
export const CONVENTIONS: readonly Convention[] = [
  {
    ecosystem: 'any',
    reason: 'test-folder',
    globs: [
      '**/{test,tests,__tests__,spec,e2e,testdata,fixtures,__fixtures__,__snapshots__,__image_snapshots__,__mocks__,cassettes,golden,goldens}/**',
    ],
  },
  { ecosystem: 'rust', reason: 'test-folder', globs: ['**/benches/**'] },
  {
    ecosystem: 'javascript',
    reason: 'test-file',
    globs: [
      '**/*.{test,spec}.{js,jsx,cjs,cjsx,mjs,mjsx,ts,tsx,cts,ctsx,mts,mtsx}',
      // As node:test, Deno and Bun take them. A `job-spec.ts` may as well be a source.
      '**/*[_-]test.{js,jsx,cjs,mjs,ts,tsx,cts,mts}',
      '**/*.snap',
      '**/*.{js,cjs,mjs,ts,cts,mts}.snapshot',
    ],
  },
  { ecosystem: 'python', reason: 'test-file', globs: ['**/{test_*,*_test,tests,conftest}.py'] },
  { ecosystem: 'go', reason: 'test-file', globs: ['**/*_test.go'] },
  {
    ecosystem: 'javascript',
    reason: 'configuration',
    globs: [
      `**/{${TOOLS},${MORE_TOOLS}}{,[.-]*}.{config,conf}{,[.-]*}.*`,
      '**/vitest.workspace.*',
      '**/.{mocha,nyc,c8,babel,eslint,prettier,swc,tap,oxlint,oxfmt,stylelint,postcss}rc*',
      '**/.{eslint,prettier,stylelint}ignore',
      '**/biome.json*',
      '**/{ts,js}config*.json',
      '**/bunfig.toml',
      '**/{deno,turbo,nx}.json{,c}',
      '**/.editorconfig',
    ],
  },
  {
    ecosystem: 'python',
    reason: 'configuration',
    globs: [
      '**/{,.}{pytest,mypy}.ini',
      '**/{,.}pytest.toml',
      '**/{,.}ruff.toml',
      '**/{tox.ini,setup.cfg,noxfile.py,.coveragerc,.flake8,pyrightconfig.json,.isort.cfg}',
      '**/{,.}pylintrc',
    ],
  },
  {
    ecosystem: 'rust',
    reason: 'configuration',
    globs: ['**/.cargo/**', '**/{,.}{clippy,rustfmt}.toml', '**/build.rs'],
  },
  { ecosystem: 'go', reason: 'configuration', globs: ['**/.golangci.*', '**/staticcheck.conf'] },
  {
    ecosystem: 'python',
    reason: 'import-hook',
    globs: ['**/{sitecustomize,usercustomize}.py', '**/*.pth', '**/*.{egg,dist}-info/**'],
  },
  {
    ecosystem: 'javascript',
    reason: 'package-manager',
    globs: [
      '**/.npmrc',
      '**/.yarnrc*',
      '**/.yarn/{plugins,releases,sdks,patches}/**',
      '**/.pnp.*',
      '**/pnpm-workspace.yaml',
      '**/.pnpmfile.cjs',
    ],
  },
  { ecosystem: 'go', reason: 'package-manager', globs: ['**/go.work'] },
  {
    ecosystem: 'any',
    reason: 'tasks',
    globs: ['**/{GNUmakefile,Makefile,*.mk,justfile,.justfile}', '**/Taskfile.*', '.github/**'],
  },
  {
    ecosystem: 'any',
    reason: 'environment',
    globs: ['**/.env*', '**/{.tool-versions,.nvmrc,.node-version,.python-version}', '**/rust-toolchain{,.toml}'],
  },
  { ecosystem: 'any', reason: 'git-rules', globs: ['**/.{gitignore,gitattributes}'] },
];
