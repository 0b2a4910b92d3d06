import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { manifestsOf, shellOf } from '#test/repo/pages.ts'
import { filesOf } from '#test/repo/tree.ts'
import { realApi } from './apis.ts'
import { userOf } from './commands.ts'
import { startChild } from './kubernetes/child.ts'
import { runPodOf } from './packaging/pretend-kubelet.ts'
import { type AShell, aShell } from './scenarios/a-shell.ts'

const ROOT = join(import.meta.dirname, '..', '..')

// What the README tells to type is typed, as it stands there. All that is otherwise here than for its reader:
//
// * The machines are simulated, and the cluster for the operator has no nodes: the test is its kubelet (runPodOf).
// * Of what is typed, what is named below.
const SUBSTITUTIONS = [
  {
    why: 'simulated machines are at addresses of loopback',
    words: /\b192\.0\.2\.(?=\d)/g,
    by: '127.96.0.',
  },
  {
    why: 'nobody is there to type Ctrl-C: it is enough when a machine is Available',
    words: /^(kubectl .* --watch) +# Ctrl-C .*$/gm,
    by: '{ $1 || true; } | grep --max-count=1 Available',
  },
  {
    why: 'there is no container engine: the image is rehearsed',
    words: /^make (docker-build .*)$/gm,
    by: `make --dry-run --directory '${ROOT}' $1`,
  },
  {
    why: 'there is no registry',
    words: /^docker push .*$/gm,
    by: ': $&',
  },
]

const [FIRST, COUNT, SPEED] = ['127.96.0.11', 5, 40]
const ALL_SAID = 'Ctrl-C ends the demo'
const LONG_MS = 5 * 60_000

const readme = await readFile(join(ROOT, 'README.md'), 'utf8')
const sections = new Map(
  readme.split(/^## /m).map((text) => [text.slice(0, text.indexOf('\n')), text] as const),
)
const TRY_IT = 'Try it'
const REAL = 'Your first real cluster in five minutes'
const blocksOf = (heading: string): string[] =>
  shellOf(sections.get(heading) ?? '').map(({ code }) => code)
/** Commands that are named on the way, in sentences. */
const namedIn = (heading: string): string[] =>
  [...(sections.get(heading) ?? '').matchAll(/`((?:kubectl|bin\/talos-operator) [^`\n]+)`/g)].map(
    ([, command = '']) => command,
  )
/** What is typed before Enter. */
const linesOf = (block: string): string[] => block.split(/(?<!\\)\n/).filter(Boolean)

test('whatever the README tells to type is typed here', () => {
  const told = [...sections].filter(([, text]) => shellOf(text).length > 0)

  expect(told.map(([heading]) => heading)).toEqual([TRY_IT, REAL])
})

describe(REAL, () => {
  const typed = (text: string) =>
    SUBSTITUTIONS.reduce((left, { words, by }) => left.replace(words, by), text)
  const manifest = manifestsOf(sections.get(REAL) ?? '').map(({ code }) => code)

  test('what is typed otherwise here is there to be typed', () => {
    const all = [...blocksOf(REAL), ...manifest].join('\n')

    expect(SUBSTITUTIONS.filter(({ words }) => all.search(words) === -1)).toEqual([])
  })

  test('leads to a cluster whose nodes are ready, seen through its kubeconfig', {
    timeout: LONG_MS,
  }, async () => {
    await using api = await realApi.start()
    await using user = await aShell(['kubectl', 'helm', 'talosctl'])
    user.exported.set('KUBECONFIG', api.kubeconfig)
    for (const part of ['bin', 'charts']) await symlink(join(ROOT, part), join(user.folder, part))
    await using _machines = simulated(user)
    await writeFile(join(user.folder, 'cluster.yaml'), typed(manifest.join('---\n')))
    const [install = '', make = '', enter = ''] = blocksOf(REAL).map(typed)
    const types = async (block: string) => {
      let printed = ''
      for (const line of linesOf(block)) printed += await user.types(line)
      return printed
    }

    const place = { namespace: 'talos-operator-system', deployment: 'talos-operator' }
    // The last line of what installs waits for the pod, which waits for somebody to run it.
    const [installed, operator] = await Promise.all([
      types(install),
      runPodOf(await userOf(api.kubeconfig), api, place),
    ])
    await using running = operator
    const made = await types(make)
    const nodes = await types(enter)
    const named = await types(namedIn(REAL).join('\n'))

    expect(made).toMatch(/^first-127\.96\.0\.1\d +Available /m)
    expect(made).toMatch(/^taloscluster\S+\/first condition met$/m)
    expect(made.match(/^talosmachine\S+ +Available /gm)).toHaveLength(COUNT)
    expect(nodes.match(/ Ready .* v1\.35\.0 +127\.96\.0\.1\d /g)).toHaveLength(COUNT)
    expect(named).toMatch(/^Name: +first\n.*\nno machine changes\n.* "first" deleted /s)
    const image = await imageOf(user, place)
    expect(installed).toContain(`IMG=${image} `)
    expect(install).toContain(`docker push ${image}`)
    expect((await running.log()).split('\n').filter((line) => COMPLAINT.test(line))).toEqual([])
  })
})

const COMPLAINT = /forbidden|"level":"error"/

const simulated = ({ folder }: AShell) =>
  startChild(
    join(ROOT, 'bin', 'talos-operator'),
    ['simulate', '--address-base', FIRST, '--machines', `${COUNT}`, '--speed', `${SPEED}`],
    { log: join(folder, 'machines.log') },
  )

const imageOf = (user: AShell, { namespace, deployment }: Record<string, string>) =>
  user.types(
    `kubectl -n ${namespace} get deployment ${deployment} -o jsonpath='{.spec.template.spec.containers[0].image}'`,
  )

describe(TRY_IT, () => {
  let clone: string
  let env: NodeJS.ProcessEnv
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'talos-operator-stranger-'))
    clone = await aClone(join(folder, 'clone'))
    env = await bareEnvironment(folder)
    return () => rm(folder, { recursive: true, force: true })
  })

  const [demo = '', rest = ''] = blocksOf(TRY_IT).flatMap(linesOf)

  test('a cluster comes up in a clone where there is Node, npm and make alone, and Ctrl-C leaves nothing behind', {
    timeout: LONG_MS + 30_000,
  }, async () => {
    const child = spawn('bash', ['-e', '-c', demo], {
      ...{ cwd: clone, detached: true, stdio: ['ignore', 'pipe', 'inherit'], env },
    })
    const exited = once(child, 'exit')
    // As a terminal does: all that runs in it is told.
    const tell = (signal: NodeJS.Signals) => child.pid && process.kill(-child.pid, signal)
    const cancel = systemClock.after(LONG_MS, () => tell('SIGKILL'))
    let text = ''
    child.stdout?.setEncoding('utf8').on('data', (more) => {
      if (text.includes(ALL_SAID)) return
      text += more
      if (text.includes(ALL_SAID)) tell('SIGINT')
    })
    await exited
    cancel()

    expect(text).toContain('The cluster demo is ready')
    const [, folder = ''] = /^The demo is in (\S+) until/m.exec(text) ?? []
    await expect(access(folder)).rejects.toThrow('ENOENT')
  })

  test('the tests are there to be run', async () => {
    expect(rest).toMatch(/^make test\b/)

    const [command = ''] = rest.split('#')
    const child = spawn('bash', ['-e', '-c', `${command.trim()} --dry-run`], { cwd: clone, env })
    expect(await once(child, 'exit')).toEqual([0, null])
  })
})

/** What a clone of the repository would hold, as it is now. */
async function aClone(folder: string): Promise<string> {
  for (const path of await filesOf(ROOT)) await cp(join(ROOT, path), join(folder, path))
  return folder
}

// Beside Node, npm and make: the shell that make has, and what any Unix has and our scripts use.
const TOOLS = ['make', 'npm', 'bash', 'sh', 'env', 'dirname', 'readlink', 'touch']

/** Nothing but what the README asks for. Where npm finds packages is the machine's business. */
async function bareEnvironment(home: string): Promise<NodeJS.ProcessEnv> {
  const tools = join(home, 'tools')
  await mkdir(tools)
  const places = (process.env.PATH ?? '').split(delimiter)
  for (const tool of TOOLS) await symlink(await placeOf(tool, places), join(tools, tool))
  await symlink(process.execPath, join(tools, 'node'))
  return {
    ...{ PATH: tools, HOME: home },
    NPM_CONFIG_USERCONFIG: process.env.NPM_CONFIG_USERCONFIG ?? join(homedir(), '.npmrc'),
    NPM_CONFIG_CACHE: process.env.NPM_CONFIG_CACHE ?? join(homedir(), '.npm'),
  }
}

async function placeOf(tool: string, folders: readonly string[]): Promise<string> {
  for (const folder of folders) {
    const path = join(folder, tool)
    if (await isThere(path)) return path
  }
  throw new Error(`there is no ${tool} on the PATH`)
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
