import { type Instruction, type Stage, stagesOf } from './dockerfile.ts'

/** What a Dockerfile is judged with: what there is to copy, and what is kept from the builder. */
export interface Surroundings {
  files: readonly string[]
  isIgnored(path: string): boolean
}

type Rule = (stages: Stage[], surroundings: Surroundings) => (string | undefined)[]

const KNOWN = [
  ...['ARG', 'CMD', 'COPY', 'ENTRYPOINT', 'ENV', 'EXPOSE', 'LABEL', 'RUN', 'USER', 'WORKDIR'],
]
const SECRET = /TOKEN|PASSW|SECRET|CREDENTIAL|PRIVATE|AUTH|(^|_)KEY/i
/** A name, and a tag that will never be given to another release. */
const PINNED = /^[\w./-]+:\d+\.\d+\.\d+(-[\w.-]+)?(@sha256:[0-9a-f]{64})?$/

const all = (stages: Stage[], word: string): Instruction[] =>
  stages.flatMap(({ instructions }) => instructions.filter((one) => one.word === word))
const last = (stages: Stage[]): Stage[] => stages.slice(-1)

const imagesArePinned: Rule = (stages) =>
  stages.map(({ image, line }, at) => {
    const isStage = stages.slice(0, at).some(({ name }) => name === image)
    return isStage || PINNED.test(image)
      ? undefined
      : `${line}: ${image} is not one image: a tag with a full version is`
  })

const nothingIsUnknown: Rule = (stages) =>
  stages
    .flatMap(({ instructions }) => instructions)
    .filter(({ word }) => !KNOWN.includes(word))
    .map(({ line, word }) => `${line}: ${word} is not used here`)

const nobodyIsRoot: Rule = (stages) => {
  const users = all(last(stages), 'USER')
  const wrong = users
    .filter(({ rest }) => !/^[1-9]\d*:[1-9]\d*$/.test(rest))
    .map(({ line, rest }) => `${line}: USER ${rest} is not the number of a user and of a group`)
  return [users.length === 0 ? 'the image has no USER, and so runs as root' : undefined, ...wrong]
}

const startsWithoutShell: Rule = (stages) => {
  const starts = ['ENTRYPOINT', 'CMD'].map((word) => ({ word, found: all(last(stages), word) }))
  return starts.flatMap(({ word, found }) => [
    found.length === 1 ? undefined : `the image has ${found.length} times ${word}`,
    ...found
      .filter(({ isList }) => !isList)
      .map(({ line }) => `${line}: ${word} is no list, so a shell would get the signals`),
  ])
}

const onlyFilesAtTheEnd: Rule = (stages) =>
  last(stages).flatMap(({ platform, line, instructions }) => [
    platform === undefined
      ? undefined
      : `${line}: the image would be one for the builder's own machine`,
    ...instructions
      .filter(({ word }) => word === 'RUN')
      .map(({ line }) => `${line}: RUN in the last stage needs an emulator`),
  ])

const whatIsCopiedIsThere: Rule = (stages, { files, isIgnored }) =>
  stages.flatMap(({ instructions }, at) =>
    instructions
      .filter(({ word }) => word === 'COPY')
      .flatMap(({ line, flags: { from }, words }) => {
        if (from !== undefined) {
          const isThere = stages.slice(0, at).some(({ name }) => name === from)
          return [isThere ? undefined : `${line}: there is no stage ${from} before`]
        }
        return words.slice(0, -1).map((source) => {
          if (/^\.?\/?$|[*?]/.test(source)) return `${line}: COPY ${source} does not say what`
          const copied = files.filter((file) => file === source || file.startsWith(`${source}/`))
          if (copied.length === 0) return `${line}: there is no ${source}`
          return copied.every(isIgnored) ? `${line}: ${source} is ignored` : undefined
        })
      }),
  )

const noSecretIsKept: Rule = (stages) =>
  [...all(stages, 'ENV'), ...all(stages, 'ARG')].flatMap(({ line, word, rest }) =>
    [...rest.matchAll(/(?:^|\s)(\w+)(?==|\s|$)/g)]
      .filter(([, name = '']) => SECRET.test(name))
      .map(([, name]) => `${line}: ${word} ${name} would be in the history of the image`),
  )

const foldersAreSaid: Rule = (stages) =>
  all(stages, 'WORKDIR')
    .filter(({ rest }) => !rest.startsWith('/'))
    .map(({ line, rest }) => `${line}: WORKDIR ${rest} depends on the one before`)

const buildsAreRepeatable: Rule = (stages) =>
  all(stages, 'RUN').flatMap(({ line, rest }) => [
    /\bnpm (i|install|add)\b/.test(rest)
      ? `${line}: npm install takes other versions than the lock file's`
      : undefined,
    /\b(curl|wget|apt-get|apk|npx|git clone)\b|go (install|get)\b/.test(rest)
      ? `${line}: what is fetched there is not pinned`
      : undefined,
    /[^|]\|[^|]/.test(rest.replace(/'[^']*'/g, '').replace(/\bcase\b.*?\besac\b/s, ''))
      ? `${line}: what fails before a pipe is not noticed`
      : undefined,
    /\bsudo\b/.test(rest) ? `${line}: sudo is not there` : undefined,
  ])

const RULES = [
  ...[imagesArePinned, nothingIsUnknown, nobodyIsRoot, startsWithoutShell, onlyFilesAtTheEnd],
  ...[whatIsCopiedIsThere, noSecretIsKept, foldersAreSaid, buildsAreRepeatable],
]

/** What is wrong with a Dockerfile; nothing, when nothing is. */
export const problemsOfDockerfile = (text: string, surroundings: Surroundings): string[] => {
  const stages = stagesOf(text)
  const found = RULES.flatMap((rule) => rule(stages, surroundings))
  return found.filter((problem) => problem !== undefined)
}
