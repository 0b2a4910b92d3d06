import { quote } from '#machineconfig/quote.ts'
import {
  type Section,
  sectionAt,
  sectionsAt,
  textAt,
  textsAt,
} from '#machineconfig/validate/checks/fields.ts'

const OPTIONS = ['ro', 'rw', 'noexec', 'nosuid', 'nodev', 'noatime', 'rbind', 'rshared']
const SOURCES = ['userVolume', 'tmpfs', 'hostPath'] as const

/** What is wrong with the mounts of a container. */
export function* mountErrors(fields: Section): Iterable<string> {
  const destinations = new Set<string>()
  for (const [i, mount] of sectionsAt(fields, 'mounts').entries()) {
    const problems = [...mountProblems(mount)]
    if (problems.length > 0) {
      yield `mounts[${i}]: ${problems.join('\n')}`
      continue
    }
    const destination = destinationOf(mount)
    if (destinations.has(destination)) {
      yield `mounts[${i}]: duplicate destination ${quote(destination)}`
    }
    destinations.add(destination)
  }
}

const destinationOf = (mount: Section): string =>
  SOURCES.map((source) => textAt(sectionAt(mount, source), 'destination')).join('')

function* mountProblems(mount: Section): Iterable<string> {
  const [source, another] = SOURCES.filter((key) => sectionAt(mount, key) !== undefined)
  if (source === undefined || another !== undefined) {
    yield 'exactly one of userVolume, tmpfs or hostPath must be set'
    return
  }
  const fields = sectionAt(mount, source)
  if (source === 'userVolume' && textAt(fields, 'name') === '') yield 'userVolume.name is required'
  if (source === 'hostPath') yield* absolutePathErrors('hostPath.source', textAt(fields, 'source'))
  yield* absolutePathErrors(`${source}.destination`, textAt(fields, 'destination'))
  yield* optionProblems(textsAt(fields, 'options'))
}

function* optionProblems(options: readonly string[]): Iterable<string> {
  for (const option of options) {
    if (!OPTIONS.includes(option)) yield `unsupported mount option ${quote(option)}`
  }
  if (options.includes('ro') && options.includes('rw')) {
    yield 'mount options ro and rw are mutually exclusive'
  }
}

/** What is wrong with a path that has to begin at the root. */
export function* absolutePathErrors(what: string, path: string): Iterable<string> {
  if (path === '') yield `${what} is required`
  else if (!path.startsWith('/')) yield `${what} ${quote(path)} must be an absolute path`
}
