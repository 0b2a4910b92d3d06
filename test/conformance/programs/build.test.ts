import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { type ProgramsOptions, realPrograms } from './build.ts'
import { withLock } from './cache-lock.ts'
import { isRecentEnough } from './go.ts'
import { programNames, programs } from './programs.ts'

const here = import.meta.dirname

test.each(programNames)('%s has the version that its module pins', async (name) => {
  const { goPackage, module, version } = programs[name]

  const goMod = await readFile(path.join(here, module, 'go.mod'), 'utf8')

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
  expect(path.basename(first.etcd)).toBe('etcd')
  expect(path.dirname(first.etcd)).toMatch(/talos-operator\/programs\/kubernetes-[0-9a-f]{16}$/)
  expect(path.dirname(first.kubectl)).toBe(path.dirname(first.etcd))
  expect(path.dirname(first.helm)).toMatch(/talos-operator\/programs\/helm-[0-9a-f]{16}$/)
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

test('another pin is another build, and the old one is cleared away', async () => {
  const workshop = await aWorkshop()
  const old = await realPrograms(['helm', 'etcd'], workshop.options)
  await mkdir(path.join(workshop.cache, 'helm-of-somebody-else'))

  await workshop.pin('helm', 'module helm // another pin\n\ngo 1.26.0\n')
  const next = await realPrograms(['helm', 'etcd'], workshop.options)

  expect(next.helm).not.toBe(old.helm)
  expect(next.etcd).toBe(old.etcd)
  expect(await workshop.cached()).toEqual([
    path.basename(path.dirname(next.helm)),
    'helm-of-somebody-else',
    path.basename(path.dirname(next.etcd)),
    'lock',
  ])
})

test('another Go is another build', async () => {
  const workshop = await aWorkshop()
  const old = await realPrograms(['helm'], workshop.options)

  await workshop.installGo({ version: 'go1.27.0' })

  expect(await realPrograms(['helm'], workshop.options)).not.toEqual(old)
})

test('KUBEBUILDER_ASSETS spares the building of what is there', async () => {
  const workshop = await aWorkshop()
  await rm(workshop.go)
  const assets = await workshop.assets(['kube-apiserver', 'etcd', 'kubectl'])

  const paths = await realPrograms(['kube-apiserver', 'etcd', 'kubectl'], assets.options)

  expect(paths).toEqual({
    'kube-apiserver': path.join(assets.folder, 'kube-apiserver'),
    etcd: path.join(assets.folder, 'etcd'),
    kubectl: path.join(assets.folder, 'kubectl'),
  })
})

test('a program that KUBEBUILDER_ASSETS lacks is named with its path', async () => {
  const workshop = await aWorkshop()
  const assets = await workshop.assets(['kube-apiserver', 'kubectl'])

  const programsThere = realPrograms(['kube-apiserver', 'etcd'], assets.options)

  await expect(programsThere).rejects.toThrow(path.join(assets.folder, 'etcd'))
  expect(await workshop.builds()).toEqual([])
})

test('only the controller manager is built when KUBEBUILDER_ASSETS lacks nothing else', async () => {
  const workshop = await aWorkshop()
  const assets = await workshop.assets(['etcd'])

  const paths = await realPrograms(['etcd', 'kube-controller-manager'], assets.options)

  expect(paths.etcd).toBe(path.join(assets.folder, 'etcd'))
  expect(paths['kube-controller-manager']).toContain(workshop.cache)
  expect(await workshop.builds()).toEqual(['k8s.io/kubernetes/cmd/kube-controller-manager'])
})

test('without Go the command line fails and says what to do', async () => {
  const workshop = await aWorkshop()
  await rm(workshop.go)

  const { code, stderr } = await commandLine(['helm', 'talosctl'], workshop.env)

  expect(code).toBe(1)
  expect(stderr).toContain('cannot build helm, talosctl: there is no Go on the PATH')
  expect(stderr).toContain('install Go 1.26.1 or newer')
  expect(stderr).toContain('KUBEBUILDER_ASSETS')
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
  expect(await workshop.cached()).toEqual([
    expect.stringMatching(/^helm-[0-9a-f]{16}\.partial-\d+$/),
    'lock',
  ])

  await workshop.installGo()
  const { helm } = await realPrograms(['helm'], { ...workshop.options, modulesFolder: here })

  expect(await workshop.builds()).toHaveLength(2)
  expect(await workshop.cached()).toEqual([path.basename(path.dirname(helm)), 'lock'])
  expect(await readdir(path.join(workshop.cache, 'lock'))).toEqual([])
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
    { cwd: here, stdio: ['ignore', 'pipe', 'inherit'] },
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

/** A folder of its own with a Go that compiles nothing, tiny modules, and an empty cache. */
async function aWorkshop() {
  const home = await aFolder()
  const go = path.join(home, 'bin', 'go')
  const modulesFolder = path.join(home, 'modules')
  const cache = path.join(home, '.cache', 'talos-operator', 'programs')
  const env = { PATH: path.dirname(go), HOME: home }
  const lines: string[] = []
  const options: ProgramsOptions = { env, modulesFolder, log: (line) => lines.push(line) }
  const installGo = (fake: { version?: string; ending?: string } = {}) =>
    writeExecutable(go, fakeGo(fake))
  const pin = async (module: string, goMod: string) => {
    await mkdir(path.join(modulesFolder, module), { recursive: true })
    await writeFile(path.join(modulesFolder, module, 'go.mod'), goMod)
    await writeFile(path.join(modulesFolder, module, 'go.sum'), '')
  }
  const assets = async (names: readonly string[]) => {
    const folder = path.join(home, 'assets')
    for (const name of names) await writeExecutable(path.join(folder, name), '#!/bin/sh\n')
    return { folder, options: { ...options, env: { ...env, KUBEBUILDER_ASSETS: folder } } }
  }
  const builds = async () => {
    const log = await readFile(`${go}.log`, 'utf8').catch(() => '')
    return log.split('\n').filter(Boolean)
  }

  const cached = async () => (await readdir(cache)).sort()

  await installGo()
  for (const module of ['helm', 'kubernetes']) await pin(module, `module ${module}\n\ngo 1.26.0\n`)
  return { env, options, lines, cache, cached, go, installGo, pin, assets, builds }
}

/** Names its output as Go does, notes the packages beside itself, and only uses what /bin/sh has. */
function fakeGo({ version = 'go1.26.8', ending = '' }): string {
  return `#!/bin/sh
if [ "$1" = env ]; then
  printf '%s\\n' ${version} linux amd64
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
    import { withLock } from ${JSON.stringify(path.join(here, 'cache-lock.ts'))}
    setInterval(() => {}, 60_000)
    await withLock(${JSON.stringify(folder)}, { onWait: () => {} }, () => {
      process.stdout.write('held')
      return new Promise(() => {})
    })
  `
}

async function commandLine(args: readonly string[], env: NodeJS.ProcessEnv) {
  const script = path.join(here, 'build.ts')
  const child = spawn(process.execPath, ['--import', 'tsx', script, ...args], { cwd: here, env })
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  return { code, stderr }
}

async function writeExecutable(file: string, content: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, content)
  await chmod(file, 0o755)
}

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'programs-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

function failTest(): never {
  throw new Error('nobody else wants the lock')
}
