import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { availablePrograms, type ProgramsOptions, realPrograms } from './build.ts'
import { withLock } from './cache-lock.ts'
import { isRecentEnough } from './go.ts'
import { programNames, programs } from './programs.ts'

const HERE = import.meta.dirname

test.each(programNames)('%s has the version that its module pins', async (name) => {
  const { goPackage, module, version } = programs[name]

  const goMod = await readFile(join(HERE, module, 'go.mod'), 'utf8')

  const pinned = [...goMod.matchAll(/^(?:require |\t)(\S+) (v\S+) \/\/ indirect$/gm)]
  const owners = pinned.filter(([, owner]) => `${goPackage}/`.startsWith(`${owner}/`))
  expect(owners.map(([, , pin]) => pin)).toEqual([version])
  expect(goMod).toContain(goPackage)
})

test('builds what is missing once, and takes it from the cache after that', async () => {
  const workshop = await aWorkshop()

  const first = await realPrograms(['etcd', 'kubectl', 'helm'], workshop.options)
  const second = await realPrograms(['helm', 'etcd', 'kubectl'], workshop.options)

  expect(second).toEqual(first)
  expect(basename(first.etcd)).toBe('etcd')
  expect(dirname(first.etcd)).toMatch(/talos-operator\/programs\/kubernetes-[0-9a-f]{16}$/)
  expect(dirname(first.kubectl)).toBe(dirname(first.etcd))
  expect(dirname(first.helm)).toMatch(/talos-operator\/programs\/helm-[0-9a-f]{16}$/)
  expect(await workshop.builds()).toEqual([
    'go.etcd.io/etcd/server/v3 k8s.io/kubernetes/cmd/kubectl',
    'helm.sh/helm/v4/cmd/helm',
  ])
})

test('tells what is built, and how long it took', async () => {
  const workshop = await aWorkshop()

  await realPrograms(['helm'], workshop.options)

  expect(workshop.lines).toEqual([
    'helm: building helm v4.2.4; about 2 minutes when cold',
    expect.stringMatching(/^helm: done in \d+ s: helm \d+ MB$/),
  ])
})

test('another pin is another build, and the builds of other checkouts stay', async () => {
  const workshop = await aWorkshop()
  const old = await realPrograms(['helm', 'etcd'], workshop.options)

  await workshop.pin('helm', 'module helm // another pin\n\ngo 1.26.0\n')
  const next = await realPrograms(['helm', 'etcd'], workshop.options)

  expect(next.helm).not.toBe(old.helm)
  expect(next.etcd).toBe(old.etcd)
  const folders = [old.helm, next.helm, old.etcd].map((file) => basename(dirname(file)))
  expect(await workshop.cached()).toEqual([...folders, 'lock'].sort())
})

test('a build clears away what of its module nobody has used for two weeks', async () => {
  const workshop = await aWorkshop()
  const ages = {
    [`helm-${'a'.repeat(16)}`]: 15,
    [`helm-${'b'.repeat(16)}`]: 13,
    [`helm-${'c'.repeat(16)}.partial-x1Y2z3`]: 2,
    [`helm-${'d'.repeat(16)}.partial-x1Y2z3`]: 0,
    [`kubernetes-${'e'.repeat(16)}`]: 15,
    'helm-of-somebody-else': 15,
  }
  for (const [folder, days] of Object.entries(ages)) {
    await mkdir(join(workshop.cache, folder), { recursive: true })
    await workshop.age(folder, days)
  }

  const { helm } = await realPrograms(['helm'], workshop.options)

  const [, young, , partial, other, stranger] = Object.keys(ages)
  expect(await workshop.cached()).toEqual(
    [basename(dirname(helm)), young, partial, other, stranger, 'lock'].sort(),
  )
})

test('what is in use is not cleared away, however old it is', async () => {
  const workshop = await aWorkshop()
  const old = await realPrograms(['helm'], workshop.options)
  await workshop.age(basename(dirname(old.helm)), 100)
  await realPrograms(['helm'], workshop.options)

  await workshop.pin('helm', 'module helm // another pin\n\ngo 1.26.0\n')
  await realPrograms(['helm'], workshop.options)

  expect(await workshop.cached()).toContain(basename(dirname(old.helm)))
})

test.each([
  ['no Go', (workshop: Workshop) => rm(workshop.go)],
  ['a Go too old', (workshop: Workshop) => workshop.installGo({ version: 'go1.20.0' })],
])('what is in the cache serves with %s', async (_, change) => {
  const workshop = await aWorkshop()
  const built = await realPrograms(['helm', 'etcd'], workshop.options)

  await change(workshop)

  expect(await realPrograms(['helm', 'etcd'], workshop.options)).toEqual(built)
})

test.each(['GOOS', 'GOARCH', 'GOAMD64', 'GOEXPERIMENT'])(
  '%s of whoever builds does not reach Go',
  async (name) => {
    const workshop = await aWorkshop()
    await workshop.installGo({ ending: `echo "$${name}" >> "$0.log"` })

    const env = { ...workshop.env, [name]: 'strange' }
    await realPrograms(['helm'], { ...workshop.options, env })

    expect(await workshop.builds()).not.toContain('strange')
  },
)

test('KUBEBUILDER_ASSETS spares the building of what is there', async () => {
  const workshop = await aWorkshop()
  await rm(workshop.go)
  const assets = await workshop.assets(['kube-apiserver', 'etcd', 'kubectl'])

  const paths = await realPrograms(['kube-apiserver', 'etcd', 'kubectl'], assets.options)

  expect(paths).toEqual({
    'kube-apiserver': join(assets.folder, 'kube-apiserver'),
    etcd: join(assets.folder, 'etcd'),
    kubectl: join(assets.folder, 'kubectl'),
  })
})

test('a program that KUBEBUILDER_ASSETS lacks is named with its path', async () => {
  const workshop = await aWorkshop()
  const assets = await workshop.assets(['kube-apiserver', 'kubectl'])

  const programsThere = realPrograms(['kube-apiserver', 'etcd'], assets.options)

  await expect(programsThere).rejects.toThrow(join(assets.folder, 'etcd'))
  expect(await workshop.builds()).toEqual([])
})

test('only the controller manager is built when KUBEBUILDER_ASSETS lacks nothing else', async () => {
  const workshop = await aWorkshop()
  const assets = await workshop.assets(['etcd'])

  const paths = await realPrograms(['etcd', 'kube-controller-manager'], assets.options)

  expect(paths.etcd).toBe(join(assets.folder, 'etcd'))
  expect(paths['kube-controller-manager']).toContain(workshop.cache)
  expect(await workshop.builds()).toEqual(['k8s.io/kubernetes/cmd/kube-controller-manager'])
})

test('without Go, what KUBEBUILDER_ASSETS lacks is left out if it is only wanted if available', async () => {
  const workshop = await aWorkshop()
  await rm(workshop.go)
  const assets = await workshop.assets(['kube-apiserver', 'etcd', 'kubectl'])

  const paths = await availablePrograms(['etcd', 'kube-controller-manager'], assets.options)

  expect(paths).toEqual({ etcd: join(assets.folder, 'etcd') })
  expect(workshop.lines).toEqual([
    'cannot build kube-controller-manager: there is no Go on the PATH; going on without it',
  ])
})

test('with Go, what is wanted if available is built', async () => {
  const workshop = await aWorkshop()

  const paths = await availablePrograms(['etcd', 'helm'], workshop.options)

  expect(paths).toEqual(await realPrograms(['etcd', 'helm'], workshop.options))
})

test('without Go the command line fails and says what to do', async () => {
  const workshop = await aWorkshop()
  await rm(workshop.go)

  const { code, stderr } = await commandLine(['etcd', 'talosctl'], workshop.env)

  expect(code).toBe(1)
  expect(stderr).toContain('cannot build etcd, talosctl: there is no Go on the PATH')
  expect(stderr).toContain('install Go 1.26.1 or newer')
  expect(stderr).toContain('for etcd it is enough to set KUBEBUILDER_ASSETS')
})

test.each([
  ['helm', {}],
  ['helm', { KUBEBUILDER_ASSETS: '/assets' }],
  ['kube-controller-manager', { KUBEBUILDER_ASSETS: '/assets' }],
] as const)('nobody is told to set KUBEBUILDER_ASSETS for %s with %j', async (name, settings) => {
  const workshop = await aWorkshop()
  await rm(workshop.go)

  const refused = realPrograms([name], {
    ...workshop.options,
    env: { ...workshop.env, ...settings },
  })

  await expect(refused).rejects.toThrow(/what to do: (?!.*set KUBEBUILDER_ASSETS)/)
})

test('the command line goes on without what is not available, if told so', async () => {
  const workshop = await aWorkshop()
  await rm(workshop.go)
  const { folder, options } = await workshop.assets(['kube-apiserver', 'etcd', 'kubectl'])

  const { code, stdout, stderr } = await commandLine(['--available'], options.env)

  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: ['kube-apiserver', 'kubectl', 'etcd'].map((name) => `${join(folder, name)}\n`).join(''),
  })
  expect(stderr).toContain('cannot build talosctl')
})

test('a command line that is interrupted says so, and leaves nothing half done', async () => {
  const workshop = await aWorkshop()
  await workshop.installGo({ ending: 'kill -INT $PPID; exec /bin/sleep 30' })

  const { code, stderr } = await commandLine(['helm'], workshop.env)

  expect({ code, stderr }).toEqual({
    code: 130,
    stderr: expect.stringMatching(/\nstopped; what was complete stays in the cache\n$/),
  })
  expect(await workshop.cached()).toEqual(['lock'])
})

test('a Go that is too old is refused before anything is built', async () => {
  const workshop = await aWorkshop()
  await workshop.installGo({ version: 'go1.25.9' })

  const refused = realPrograms(['etcd'], workshop.options)

  await expect(refused).rejects.toThrow('cannot build etcd: the Go here is go1.25.9')
  expect(await workshop.builds()).toEqual([])
})

test.each([
  ['go1.26.1', '1.26.1', true],
  ['go1.26.8', '1.26.1', true],
  ['go1.27', '1.26.1', true],
  ['devel go1.27-3f1a', '1.26.1', true],
  ['go2.0', '1.26.1', true],
  ['go1.26', '1.26.1', false],
  ['go1.9.9', '1.26.1', false],
])('whether %s serves a module that needs Go %s: %s', (version, needed, serves) => {
  expect(isRecentEnough(version, needed)).toBe(serves)
})

test('a failed build says what Go said and how to repeat it, and leaves nothing behind', async () => {
  const workshop = await aWorkshop()
  await workshop.installGo({ ending: 'echo "chart.go:7: undefined: Chart" >&2; exit 1' })

  const failed = realPrograms(['helm'], workshop.options)

  await expect(failed).rejects.toThrow('chart.go:7: undefined: Chart')
  await expect(failed).rejects.toThrow(
    /cd \S+helm && CGO_ENABLED=0 GOFLAGS=-mod=readonly .* go build -v -trimpath -ldflags '-s -w -X /,
  )
  expect(await workshop.cached()).toEqual(['lock'])
})

test('what a killed builder left behind neither counts as built nor blocks the next', async () => {
  const workshop = await aWorkshop()
  await workshop.installGo({ ending: 'kill -9 $PPID' })
  await commandLine(['helm'], workshop.env)
  const [left = '', ...others] = await workshop.cached()
  expect(left).toMatch(/^helm-[0-9a-f]{16}\.partial-\w{6}$/)
  expect(others).toEqual(['lock'])

  await workshop.installGo()
  const { helm } = await realPrograms(['helm'], { ...workshop.options, modulesFolder: HERE })

  expect(await workshop.builds()).toHaveLength(2)
  expect(await workshop.cached()).toEqual([basename(dirname(helm)), left, 'lock'])
  expect(await readdir(join(workshop.cache, 'lock'))).toEqual([])
})

test('two that need the same program at once have it built once', async () => {
  const workshop = await aWorkshop()

  const both = [1, 2].map(() => realPrograms(['helm'], workshop.options))
  const [one, other] = await Promise.all(both)

  expect(one).toEqual(other)
  expect(await workshop.builds()).toHaveLength(1)
})

test('a lock keeps out a second holder until the first lets go, and names the first', async () => {
  const folder = await aFolder()
  const events: string[] = []
  let second = Promise.resolve()

  await withLock(folder, { onWait: failTest }, async () => {
    const holder = await new Promise<number>((onWait) => {
      second = withLock(folder, { onWait }, async () => {
        events.push('second holds')
      })
    })
    events.push(`second waits for ${holder}`, 'first lets go')
  })
  await second

  expect(events).toEqual([`second waits for ${process.pid}`, 'first lets go', 'second holds'])
})

test('of many that want a lock at once, one at a time has it', async () => {
  const folder = await aFolder()
  let holders = 0
  const seen: number[] = []

  await Promise.all(
    Array.from({ length: 5 }, () =>
      withLock(folder, { onWait: () => {} }, async () => {
        holders += 1
        seen.push(holders)
        await readdir(folder)
        holders -= 1
      }),
    ),
  )

  expect(seen).toEqual([1, 1, 1, 1, 1])
})

test('the lock of a holder that died is taken over', async () => {
  const folder = await aFolder()
  const holder = spawn(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', holdForEver(folder)],
    { cwd: HERE, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await once(holder.stdout, 'data')
  expect(await readdir(folder)).toHaveLength(1)

  holder.kill('SIGKILL')
  await once(holder, 'exit')

  expect(await withLock(folder, { onWait: failTest }, async () => 'taken over')).toBe('taken over')
})

test('giving up the wait for a lock leaves no claim on it', async () => {
  const folder = await aFolder()
  const stop = new AbortController()

  await withLock(folder, { onWait: failTest }, async () => {
    const second = withLock(
      folder,
      { onWait: () => stop.abort(), signal: stop.signal },
      async () => {},
    )
    await expect(second).rejects.toThrow('aborted')
  })

  expect(await readdir(folder)).toEqual([])
})

type Workshop = Awaited<ReturnType<typeof aWorkshop>>

/** A folder of its own with a Go that compiles nothing, tiny modules, and an empty cache. */
async function aWorkshop() {
  const home = await aFolder()
  const go = join(home, 'bin', 'go')
  const modulesFolder = join(home, 'modules')
  const cache = join(home, '.cache', 'talos-operator', 'programs')
  const env = { PATH: dirname(go), HOME: home }
  const lines: string[] = []
  const options: ProgramsOptions = { env, modulesFolder, log: (line) => lines.push(line) }
  const installGo = (fake: { version?: string; ending?: string } = {}) =>
    writeExecutable(go, fakeGo(fake))
  const pin = async (module: string, goMod: string) => {
    await mkdir(join(modulesFolder, module), { recursive: true })
    await writeFile(join(modulesFolder, module, 'go.mod'), goMod)
    await writeFile(join(modulesFolder, module, 'go.sum'), '')
  }
  const assets = async (names: string[]) => {
    const folder = join(home, 'assets')
    for (const name of names) await writeExecutable(join(folder, name), '#!/bin/sh\n')
    return { folder, options: { ...options, env: { ...env, KUBEBUILDER_ASSETS: folder } } }
  }
  const builds = async () => {
    const log = await readFile(`${go}.log`, 'utf8').catch(() => '')
    return log.split('\n').filter(Boolean)
  }

  const cached = async () => (await readdir(cache)).sort()
  const age = (folder: string, days: number) => {
    const then = new Date(Date.now() - days * 86_400_000)
    return utimes(join(cache, folder), then, then)
  }

  await installGo()
  for (const module of ['helm', 'kubernetes']) await pin(module, `module ${module}\n\ngo 1.26.0\n`)
  return { env, options, lines, cache, cached, age, go, installGo, pin, assets, builds }
}

/** Names its output as Go does, notes the packages beside itself, and only uses what /bin/sh has. */
function fakeGo({ version = 'go1.26.8', ending = '' }): string {
  return `#!/bin/sh
if [ "$1" = env ]; then
  echo ${version}
  exit
fi
while [ "$1" != -o ]; do shift; done
folder=$2
shift 2
echo "$@" >> "$0.log"
for package in "$@"; do
  name=\${package%/v3}
  name=\${name##*/}
  echo '#!/bin/sh' > "$folder$name"
  /bin/chmod +x "$folder$name"
done
${ending}
`
}

function holdForEver(folder: string): string {
  return `
    import { withLock } from ${JSON.stringify(join(HERE, 'cache-lock.ts'))}
    setInterval(() => {}, 60_000)
    await withLock(${JSON.stringify(folder)}, { onWait: () => {} }, () => {
      process.stdout.write('held')
      return new Promise(() => {})
    })
  `
}

async function commandLine(args: string[], env: NodeJS.ProcessEnv) {
  const script = join(HERE, 'build.ts')
  const child = spawn(process.execPath, ['--import', 'tsx', script, ...args], { cwd: HERE, env })
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { code, stdout, stderr }
}

async function writeExecutable(file: string, content: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content)
  await chmod(file, 0o755)
}

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'programs-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

function failTest(): never {
  throw new Error('nobody else wants the lock')
}
