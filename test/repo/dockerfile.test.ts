import { expect, test } from 'vitest'
import { deploymentOf, PROGRAM } from '#operator/deployment.ts'
import { BESIDE_THE_BUNDLE } from '#scripts/bundle.ts'
import { modules, programs } from '#test/conformance/programs/programs.ts'
import { ignoredBy, instructionsOf, stagesOf } from './dockerfile.ts'
import { problemsOfDockerfile } from './dockerfile-rules.ts'
import { filesMatching, textOf } from './tree.ts'

const text = await textOf('Dockerfile')
const stages = stagesOf(text)
const files = await filesMatching(/./)
const isIgnored = ignoredBy(await textOf('.dockerignore'))

/** The words of the one instruction of the image that has this name. */
const ofImage = (word: string): string[] =>
  stages.at(-1)?.instructions.find((one) => one.word === word)?.words ?? []

test('the Dockerfile keeps the rules', () => {
  expect(problemsOfDockerfile(text, { files, isIgnored })).toEqual([])
})

test('the image is what the Deployment expects', () => {
  const { securityContext, containers } = deploymentOf({ namespace: 'x', namespaces: [] }).spec
    .template.spec
  const [container] = containers
  const { runAsUser, runAsGroup } = container?.securityContext ?? {}

  expect(securityContext.runAsNonRoot).toBe(true)
  expect(ofImage('USER')).toEqual([`${runAsUser}:${runAsGroup}`])
  expect(ofImage('ENTRYPOINT')).toEqual([PROGRAM])
  expect(container?.command).toEqual([PROGRAM])
  expect(ofImage('CMD')).toEqual(container?.args.slice(0, 1))
  expect(ofImage('EXPOSE')).toEqual(container?.ports.map((port) => String(port.containerPort)))
})

test('every stage with Node has the release that the suites run the program on', async () => {
  const { optionalDependencies } = JSON.parse(
    await textOf('test/conformance/programs/node/package.json'),
  )
  const releases = stages
    .map(({ image }) => /^node:([\d.]+)-/.exec(image)?.[1])
    .filter((release) => release !== undefined)

  expect(releases).toHaveLength(3)
  expect([...new Set(releases)]).toEqual([...new Set(Object.values(optionalDependencies))])
})

test('Helm is built as the suites build theirs, by a Go that is new enough', async () => {
  const { instructions = [], image } = stages.find(({ name }) => name === 'helm') ?? {}
  const { rest = '' } = instructions.find(({ word }) => word === 'RUN') ?? {}
  const goMod = await textOf('test/conformance/programs/helm/go.mod')
  const [, needed = ''] = /^go (\S+)$/m.exec(goMod) ?? []
  const [, has = ''] = /^golang:([\d.]+)-/.exec(image ?? '') ?? []

  expect(rest).toContain(`-o helm ${programs.helm.goPackage} `)
  for (const [name, value] of Object.entries(modules.helm.stamps)) {
    expect(rest).toContain(`-X ${name}=${value}`)
  }
  expect(has.localeCompare(needed, 'en', { numeric: true })).toBeGreaterThanOrEqual(0)
})

test('what an installation has beside the bundle is what cannot be bundled', async () => {
  const { dependencies } = JSON.parse(await textOf('package.json'))

  expect(Object.keys(dependencies)).toEqual(BESIDE_THE_BUNDLE)
})

test('the builder is given what it needs, and nothing else', () => {
  expect(files.filter((file) => !isIgnored(file) && !NEEDED.test(file))).toEqual([])
  expect(['.npmrc', '.env', 'src/.env', '.git/config', 'dist/x.mjs'].map(isIgnored)).toEqual(
    Array(5).fill(true),
  )
})
const NEEDED =
  /^(bin|src)\/|^(LICENSE|(package(-lock)?|tsconfig)\.json)$|^scripts\/(build|bundle|licences)\.ts$|\/helm\/go\.(mod|sum)$/

// Keeps all rules, with two lines that each case replaces.
const GOOD = `
FROM --platform=$BUILDPLATFORM node:24.1.0-slim AS made
WORKDIR /made
COPY src src
RUN npm ci && echo 'a | b'
FROM node:24.1.0-slim@sha256:${'a'.repeat(64)}
ENV LANG=C
COPY --from=made /made/dist dist
USER 1:1
ENTRYPOINT ["/x"]
CMD ["run"]
`
const surroundings = {
  files: ['src/a.ts', 'secret/key'],
  isIgnored: ignoredBy('secret\n'),
}

test('one that keeps the rules is let through', () => {
  expect(problemsOfDockerfile(GOOD, surroundings)).toEqual([])
})

test.each([
  {
    what: 'a tag that moves',
    for: 'node:24.1.0-slim AS',
    is: 'node:24-slim AS',
    problem: 'node:24-slim is not one image',
  },
  {
    what: 'latest',
    for: 'node:24.1.0-slim AS',
    is: 'node:latest AS',
    problem: 'node:latest is not one image',
  },
  { what: 'no tag', for: 'node:24.1.0-slim AS', is: 'node AS', problem: 'node is not one image' },
  {
    what: 'a tag from outside',
    for: 'node:24.1.0-slim AS',
    is: 'node:$TAG AS',
    problem: 'node:$TAG is not one image',
  },
  { what: 'ADD', for: 'COPY src', is: 'ADD src', problem: 'ADD is not used here' },
  { what: 'no user', for: 'USER 1:1', is: '', problem: 'the image has no USER' },
  {
    what: 'a user in another stage only',
    for: 'USER 1:1\nE',
    is: 'FROM made\nE',
    problem: 'the image has no USER',
  },
  { what: 'root', for: 'USER 1:1', is: 'USER 0:0', problem: 'USER 0:0 is not the number' },
  {
    what: 'the group of root',
    for: 'USER 1:1',
    is: 'USER 1:0',
    problem: 'USER 1:0 is not the number',
  },
  {
    what: 'a user with a name',
    for: 'USER 1:1',
    is: 'USER node',
    problem: 'USER node is not the number',
  },
  { what: 'a shell at the start', for: '["/x"]', is: '/x', problem: 'ENTRYPOINT is no list' },
  { what: 'a shell for its arguments', for: '["run"]', is: 'run', problem: 'CMD is no list' },
  { what: 'nothing to start', for: 'ENTRYPOINT ["/x"]', is: '', problem: '0 times ENTRYPOINT' },
  {
    what: 'two to start',
    for: 'CMD [',
    is: 'ENTRYPOINT ["/y"]\nCMD [',
    problem: '2 times ENTRYPOINT',
  },
  {
    what: 'a command at the end',
    for: 'USER 1:1',
    is: 'RUN true\nUSER 1:1',
    problem: 'RUN in the last stage',
  },
  {
    what: 'one machine only',
    for: 'FROM node',
    is: 'FROM --platform=linux/amd64 node',
    problem: "builder's own machine",
  },
  {
    what: 'what is not there',
    for: 'COPY src',
    is: 'COPY sources',
    problem: 'there is no sources',
  },
  { what: 'what is ignored', for: 'COPY src', is: 'COPY secret', problem: 'secret is ignored' },
  { what: 'all that is there', for: 'COPY src', is: 'COPY .', problem: 'COPY . does not say what' },
  {
    what: 'a stage that is not there',
    for: '--from=made',
    is: '--from=elsewhere',
    problem: 'no stage elsewhere before',
  },
  {
    what: 'the stage itself',
    for: 'COPY src',
    is: 'COPY --from=made src',
    problem: 'no stage made before',
  },
  {
    what: 'a secret as a variable',
    for: 'ENV LANG',
    is: 'ENV NPM_TOKEN',
    problem: 'ENV NPM_TOKEN would be',
  },
  {
    what: 'a secret to build with',
    for: 'RUN npm',
    is: 'ARG apiKey API_KEY\nRUN npm',
    problem: 'ARG API_KEY would be',
  },
  {
    what: 'a folder that depends',
    for: 'WORKDIR /made',
    is: 'WORKDIR made',
    problem: 'WORKDIR made depends',
  },
  {
    what: 'versions of the day',
    for: 'npm ci',
    is: 'npm install',
    problem: 'npm install takes other versions',
  },
  { what: 'a download', for: 'npm ci', is: 'curl -O x', problem: 'is not pinned' },
  { what: 'a pipe', for: 'npm ci', is: 'npm ci | cat', problem: 'before a pipe is not noticed' },
  { what: 'another user’s rights', for: 'npm ci', is: 'sudo npm ci', problem: 'sudo is not there' },
])('one with $what is found out', ({ for: good, is: bad, problem }) => {
  const broken = GOOD.replace(good, bad)

  expect(broken).not.toBe(GOOD)
  expect(problemsOfDockerfile(broken, surroundings).join('\n')).toContain(problem)
})

test('lines that are continued are one instruction, with comments in between', () => {
  const [run, copy] = instructionsOf('run a \\\n# why\n  && b\nCOPY --from=x --chmod=644 a b c')

  expect(run).toMatchObject({ line: 1, word: 'RUN', rest: 'a   && b', isList: false })
  expect(copy).toMatchObject({
    ...{ line: 4, word: 'COPY', flags: { from: 'x', chmod: '644' }, words: ['a', 'b', 'c'] },
  })
})

test('of what is ignored, the last line that speaks of it decides', () => {
  const isKept = (path: string) => !ignoredBy('# all\n*\n!src\n!a/b.ts\n**/*.test.ts\n')(path)

  expect(['src/x.ts', 'src/deep/x.ts', 'a/b.ts'].filter(isKept)).toHaveLength(3)
  expect(['x', 'a/c.ts', 'src/x.test.ts', 'src/deep/x.test.ts', 'srcs'].filter(isKept)).toEqual([])
})
