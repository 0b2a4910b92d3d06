import { basename, delimiter, dirname, isAbsolute, relative } from 'node:path'

interface Started {
  /** The file that Node was told to run, as in `process.argv[1]`. */
  file: string | undefined
  /** The folder that it was started in. */
  folder: string
  /** The variable PATH. */
  path: string | undefined
}

const NAME = 'talos-operator'

/** What a user who started this program types to start it again: its name alone only where a shell finds it. */
export function ownCommand({ file, folder, path = '' }: Started): string {
  if (file === undefined) return NAME
  if (basename(file) !== NAME) return `node ${quoted(near(file, folder))}`
  return path.split(delimiter).includes(dirname(file)) ? NAME : quoted(near(file, folder))
}

/** The shorter way to a file below the folder; `./` where a shell would look for it elsewhere. */
function near(file: string, folder: string): string {
  const way = relative(folder, file)
  if (way === '' || way.startsWith('..') || isAbsolute(way)) return file
  return way.includes('/') ? way : `./${way}`
}

const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
