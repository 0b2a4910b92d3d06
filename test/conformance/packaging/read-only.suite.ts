import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kinds } from '#api/kinds.ts'
import { PROGRAM } from '#operator/deployment.ts'
import { type AnApi, anApi } from '#test/an-api.ts'
import { freePort } from '#test/bench/free-port.ts'
import { userOf } from '#test/conformance/commands.ts'
import { until } from '#test/until.ts'
import { QUICK_ELECTION, startDeployed } from './deployed-program.ts'
import { type Layout, layoutOf } from './image-layout.ts'

// As the Deployment has it: nobody whom the system knows, and a disk that cannot be written but for one folder. That takes
// mounts of one's own, which only root may make, and not root either where containers keep it from that.

const NAMESPACE = 'talos-operator-system'
const NOBODY = 65532
const FIRST_FETCH_MS = 15 * 60_000
const RESTRICTED = `
mount --rbind / "$1" && mount -o remount,ro,bind "$1" && mount -t tmpfs -o mode=1777 tmpfs "$1$2" || exit 9
root=$1; shift 2
exec chroot "$root" setpriv --reuid ${NOBODY} --regid ${NOBODY} --clear-groups --no-new-privs "$@"`

const aFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'talos-operator-read-only-'))
  for (const name of ['root', 'results']) await mkdir(join(folder, name))
  await chmod(folder, 0o755)
  return folder
}
const within = (folder: string): string[] => [
  ...['unshare', '--mount', 'sh', '-c', RESTRICTED, 'sh'],
  ...[join(folder, 'root'), join(folder, 'results')],
]

async function whyNot(): Promise<string | undefined> {
  const folder = await aFolder()
  const touch = ['sh', '-c', 'node --version && ! touch /talos-operator-was-here 2>/dev/null']
  return promisify(execFile)('/usr/bin/env', [...within(folder), ...touch])
    .then(() => undefined)
    .catch((error: Error) => error.message.trim().split('\n').at(-1))
    .finally(() => rm(folder, { recursive: true }))
}

const reason = await whyNot()
const title = reason === undefined ? 'on it' : `skipped, as nothing can be mounted: ${reason}`

describe.skipIf(reason !== undefined)(`a disk that cannot be written, ${title}`, () => {
  let api: AnApi
  let folder: string
  let image: Layout
  beforeAll(async () => {
    image = await layoutOf()
    api = await anApi({ kinds })
    folder = await aFolder()
  }, FIRST_FETCH_MS)
  afterAll(async () => {
    await api?.[Symbol.asyncDispose]()
    await image?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  test('the program of an image works there, as nobody', async () => {
    const run = await userOf(api.kubeconfig)
    const probes = await freePort()
    const values = `metrics.port=${await freePort()},probes.port=${probes},results.path=${folder}/results`
    const place = ['--namespace', NAMESPACE, '--create-namespace']
    await run('helm', [
      ...['install', 'talos-operator', 'charts/talos-operator', ...place],
      ...['--set', values, '--set', `extraArgs={${QUICK_ELECTION}}`],
    ])
    await run('kubectl', ['apply', '-f', 'examples/kubernetes-cluster-simple.yaml'])

    await using program = await startDeployed(run, api, {
      ...{ namespace: NAMESPACE, deployment: 'talos-operator', pod: 'pod-1' },
      program: join(image.path, PROGRAM),
      within: within(folder),
    })
    const written = 'jsonpath={.status.conditions[?(@.type=="FilesGenerated")].status}'
    const look = async () => ({
      said: (await run('kubectl', ['get', 'kc', 'simple-cluster', '--output', written])).stdout,
      log: await program.log(),
    })
    await until('the files of its Machines', look, ({ said }) => said === 'True')

    const { status } = await fetch(`http://127.0.0.1:${probes}/readyz`)
    expect(status).toBe(200)
    const lines = (await program.log()).split('\n')
    expect(lines.filter((line) => /"level":"(error|warn)"/.test(line))).toEqual([])
    // They are in a volume of its own, which nobody else sees.
    await expect(stat(join(folder, 'results', 'simple-cluster'))).rejects.toThrow('ENOENT')
  })
})
