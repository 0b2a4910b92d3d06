import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseYaml, toYaml } from '#base/yaml.ts'
import { PROGRAM } from '#operator/deployment.ts'
import type { RunningApi } from '#test/conformance/apis.ts'
import type { Run } from '#test/conformance/commands.ts'
import { startChild } from '#test/conformance/kubernetes/child.ts'

const IN_REPOSITORY = join(import.meta.dirname, '..', '..', '..', 'bin', 'talos-operator')

/** Settings for an operator that is to lead soon: whoever led before is given the time to have stopped. */
export const QUICK_ELECTION = [
  '--leader-election-lease-duration=2s',
  '--leader-election-renew-deadline=1s',
  '--leader-election-retry-period=200ms',
]

/** What a Deployment in an API starts, without a kubelet. Disposing of it ends it. */
export interface DeployedProgram extends AsyncDisposable {
  /** What it has logged. */
  log(): Promise<string>
}

interface Place {
  namespace: string
  deployment: string
  /** What the pod would be called. */
  pod: string
  /** Where the program of the image is on this machine; in the repository, unless told. */
  program?: string
  /** The command that it is started by, in surroundings of its own; none, unless told. */
  within?: readonly string[]
  /** Flags after those of the Deployment, over which they go: for what a pod has of its own and this machine once. */
  flags?: readonly string[]
}

interface Variable {
  name: string
  value?: string
  valueFrom?: { fieldRef: { fieldPath: string } }
}

/**
 * Starts the program by hand as the kubelet would: with exactly the arguments and the variables of the Deployment, and with
 * the token of its account, to which what was installed with it is bound and nothing else.
 */
export async function startDeployed(
  run: Run,
  api: RunningApi,
  place: Place,
): Promise<DeployedProgram> {
  const { namespace, deployment, pod, program = IN_REPOSITORY, within = [], flags = [] } = place
  const kubectl = async (...args: string[]) =>
    (await run('kubectl', [...args, '--namespace', namespace])).stdout
  const { spec } = JSON.parse(await kubectl('get', 'deployment', deployment, '-o', 'json')).spec
    .template
  const [{ command, args, env }] = spec.containers
  const token = await kubectl('create', 'token', spec.serviceAccountName)
  const folder = await mkdtemp(join(tmpdir(), 'talos-operator-deployed-'))
  const kubeconfig = join(folder, 'kubeconfig')
  await writeFile(kubeconfig, await kubeconfigWith(api, token.trim(), namespace))
  // Whoever it runs as can read it.
  await chmod(folder, 0o755)

  const variables = env.map(({ name, value, valueFrom }: Variable) =>
    // The only field that is asked for.
    valueFrom?.fieldRef.fieldPath === 'metadata.name' ? `${name}=${pod}` : `${name}=${value}`,
  )
  const own = [`PATH=${process.env.PATH}`, `KUBECONFIG=${kubeconfig}`]
  const started = command.map((part: string) => part.replace(PROGRAM, program))
  const log = join(folder, 'log')
  const line = [...within, 'env', '-i', ...own, ...variables, ...started, ...args, ...flags]
  const child = startChild('/usr/bin/env', line, { log })
  return {
    log: () => readFile(log, 'utf8'),
    [Symbol.asyncDispose]: async () => {
      await child[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function kubeconfigWith(api: RunningApi, token: string, namespace: string): Promise<string> {
  const { clusters } = Object(parseYaml(await readFile(api.kubeconfig, 'utf8')))
  const [{ name: cluster }] = clusters
  return toYaml({
    ...{ apiVersion: 'v1', kind: 'Config', clusters },
    users: [{ name: 'account', user: { token } }],
    contexts: [{ name: 'account', context: { cluster, user: 'account', namespace } }],
    'current-context': 'account',
  })
}
