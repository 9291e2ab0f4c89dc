/** Lines that are wrong at the end of a file, softest first. `LABEL` is a word that no other text has. */
export type ErrorTexts = readonly string[];

// First what a linter or a formatter reports, then what a compiler does, then what no reader of the language can read.
// A harder one may hide from a tool what it would say of a softer one, so they do not stand in one text.

const SCRIPT = 'var   LABEL  =LABELundefined';
const UNREADABLE_SCRIPT = 'LABEL LABEL (';

const JAVASCRIPT = [SCRIPT, UNREADABLE_SCRIPT];
const TYPESCRIPT = [SCRIPT, "export const LABELtyped: number = 'LABEL';", UNREADABLE_SCRIPT];
const PYTHON = ['import LABEL\nLABELname   =LABELundefined', 'LABELtyped: int = "LABEL"', 'def LABEL(:'];
const C = [
  'static   int LABEL( void ){int LABELunused;return 0;}',
  'static int LABELname(void) { return LABELundefined; }',
  '#error LABEL\nint LABEL = ;',
];
const GO = ['func   LABEL( ){ }', 'func LABEL() { LABELunused := 1 }\n\nvar LABELtyped int = "LABEL"', 'func LABEL( {'];
const RUST = ['fn   LABEL( ){let LABELunused=1;}', 'const LABELTYPED: i32 = "LABEL";', 'fn LABEL( {'];
const JAVA = ['class   LABEL{private int LABELunused;}', 'class LABEL { int typed = "LABEL"; }', 'class LABEL {{'];
const SHELL = ['LABEL=$(ls *.LABEL);   echo $LABEL', 'if then LABEL ('];
const RUBY = ['def   LABEL( )\n      LABELunused=1\nend', 'def LABEL((('];
const PHP = ['$LABEL   =LABELundefined( ) ;', 'function LABEL( {'];
const CSS = ['.LABEL{colour:#LABEL ; color:RED}', '.LABEL { color: red } }', '.LABEL {{{ "'];
const JSON_TEXT = ['\n\n   ', '{ "LABEL"'];
const YAML = ['LABEL:   [ 1,2 ]   \nLABEL: 2', 'LABEL: ["'];
const MARKDOWN = ['\n\n\n#LABEL\n*    LABEL   \n\tLABEL'];
const TOML = ['LABEL   =[ 1,2 ]', 'LABEL = ['];

/** Errors by what the name of a file ends with, in small letters. */
const TEXTS: Readonly<Record<string, ErrorTexts>> = {
  ...Object.fromEntries(['js', 'mjs', 'cjs', 'jsx'].map((ending) => [ending, JAVASCRIPT])),
  ...Object.fromEntries(['ts', 'mts', 'cts', 'tsx'].map((ending) => [ending, TYPESCRIPT])),
  ...Object.fromEntries(['py', 'pyi'].map((ending) => [ending, PYTHON])),
  ...Object.fromEntries(['c', 'h', 'cc', 'hh', 'cpp', 'hpp', 'cxx', 'hxx'].map((ending) => [ending, C])),
  ...Object.fromEntries(['sh', 'bash'].map((ending) => [ending, SHELL])),
  ...Object.fromEntries(['css', 'scss', 'less'].map((ending) => [ending, CSS])),
  ...Object.fromEntries(['yml', 'yaml'].map((ending) => [ending, YAML])),
  go: GO,
  rs: RUST,
  java: JAVA,
  rb: RUBY,
  php: PHP,
  json: JSON_TEXT,
  md: MARKDOWN,
  toml: TOML,
};

const endingOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1).toLowerCase();

/** The errors for the language of a file. None: its language is not known. */
export const errorTexts = (path: string): ErrorTexts =>
  Object.hasOwn(TEXTS, endingOf(path)) ? (TEXTS[endingOf(path)] ?? []) : [];

/** Tells whether the name of a file ends with one of these. */
export const endsWithOne = (path: string, endings: readonly string[]): boolean =>
  path.includes('.') && endings.includes(endingOf(path));
