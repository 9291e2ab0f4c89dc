// What the git directories that are made by us have in common.

/** Of `info/attributes`, which outranks every other attribute: git converts nothing, and runs no filter. */
export const RAW_ATTRIBUTES = '* -text -eol -crlf -ident -filter -working-tree-encoding\n';

/** The text of a `config`. `settings`: lines of the section `core`. `format`: of the objects, such as `sha1`. */
export function configText(format: string, settings: readonly string[] = []): string {
  const extensions = format === 'sha1' ? [] : ['[extensions]', `\tobjectFormat = ${format}`];
  const version = extensions.length === 0 ? 0 : 1;
  const core = ['[core]', `\trepositoryFormatVersion = ${version}`, '\tbare = false', ...settings];
  return [...core, ...extensions].map((line) => `${line}\n`).join('');
}
