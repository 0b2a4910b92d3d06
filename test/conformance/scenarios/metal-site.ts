import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Cluster } from '#api/cluster.ts'
import { parseYaml, toYaml } from '#base/yaml.ts'
import { type Child, startChild } from '#test/conformance/kubernetes/child.ts'
import { startKubernetes } from '#test/conformance/kubernetes/real-kubernetes.ts'
import { realPrograms } from '#test/conformance/programs/build.ts'
import { until } from '#test/until.ts'
import { type AShell, aShell } from './a-shell.ts'

const NAMESPACE = 'talos-operator-system'
const ACCOUNT = 'talos-operator-controller-manager'
const OPERATOR = `system:serviceaccount:${NAMESPACE}:${ACCOUNT}`
const SPEED = 40
const KUBERNETES = ['etcd', 'kube-apiserver', 'kube-controller-manager'] as const
// Shorter than it is unless told: whoever starts first waits that long for one that may have been before.
const ELECTION = { 'lease-duration': '3s', 'renew-deadline': '2s', 'retry-period': '500ms' }

const COMPLAINT = /forbidden|"level":"error"/

/** A real Kubernetes API, the operator and machines, all in processes of their own, and one who uses them. */
export interface MetalSite extends AsyncDisposable {
  /** An administrator of the management cluster. */
  readonly user: AShell
  /** The operator's name in the management cluster. */
  readonly operator: string
  /** Of the operator's account, which has the generated roles and nothing else. */
  readonly operatorKubeconfig: string
  /** What the operator has logged. */
  operatorLog(): Promise<string>
  /** Those of its lines that tell of something that it may not do, or that somebody should look at. */
  complaints(): Promise<string[]>
  /** As `kill -9` does. Nobody takes its place. */
  killOperator(): Promise<void>
}

/**
 * Installs our kinds and the generated roles as a user would, and starts the operator with no more than
 * these roles give it, and machines in maintenance mode.
 */
export async function aMetalSite(
  firstAddress: string,
  machines: number,
  speed = SPEED,
): Promise<MetalSite> {
  const started: AsyncDisposable[] = []
  const stop = async () => {
    for (const one of started.toReversed()) await one[Symbol.asyncDispose]()
  }
  const kept = <One extends AsyncDisposable>(one: One): One => {
    started.push(one)
    return one
  }
  try {
    const user = kept(await aShell(['kubectl', 'talosctl']))
    const flags = ['--machines', `${machines}`, '--address-base', firstAddress]
    kept(ours(user, 'simulate', [...flags, '--speed', `${speed}`]))
    const { kubeconfig } = kept(await startKubernetes(await realPrograms(KUBERNETES)))
    user.exported.set('KUBECONFIG', kubeconfig)
    await install(user)
    const operatorKubeconfig = await kubeconfigOfOperator(user, kubeconfig)
    const running = kept(ours(user, 'run', runFlags(operatorKubeconfig)))
    const operatorLog = () => readFile(logOf(user, 'run'), 'utf8')
    return {
      ...{ user, operatorKubeconfig },
      operator: OPERATOR,
      operatorLog,
      complaints: async () =>
        (await operatorLog()).split('\n').filter((line) => COMPLAINT.test(line)),
      killOperator: async () => {
        if (running.group !== undefined) process.kill(-running.group, 'SIGKILL')
        await running.exited
      },
      [Symbol.asyncDispose]: stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

const ours = (user: AShell, command: string, flags: string[]): Child =>
  startChild(join(user.repository, 'bin', 'talos-operator'), [command, ...flags], {
    log: logOf(user, command),
  })

const logOf = ({ folder }: AShell, command: string): string => join(folder, `${command}.log`)

const runFlags = (kubeconfig: string): string[] => [
  ...['--kubeconfig', kubeconfig],
  ...['--metrics-bind-address', '0', '--health-probe-bind-address', '0'],
  ...Object.entries(ELECTION).flatMap(([name, value]) => [`--leader-election-${name}`, value]),
]

async function install(user: AShell): Promise<void> {
  await user.types(`kubectl apply --server-side -k ${user.repository}/config/crd`)
  await user.types('kubectl wait --for=condition=Established crd --all')
  await user.types(`kubectl create namespace ${NAMESPACE}`)
  await user.types(`kubectl apply -k ${user.repository}/config/rbac`)
  await until('the API to know the roles', () => mayLook(user), Boolean)
}

/** An API goes by its roles a moment after it has taken them; an operator that starts before is refused, and says so. */
async function mayLook(user: AShell): Promise<boolean> {
  const resource = `${Cluster.plural}.${Cluster.group}`
  const { stdout } = await user.tries(`kubectl auth can-i watch ${resource} -A --as ${OPERATOR}`)
  return stdout.trim() === 'yes'
}

/** As in a pod: the token of its account, to which the generated roles are bound and nothing else. */
async function kubeconfigOfOperator(user: AShell, admins: string): Promise<string> {
  const token = await user.types(`kubectl create token ${ACCOUNT} -n ${NAMESPACE}`)
  const path = join(user.folder, 'operator.kubeconfig')
  const config = {
    ...Object(parseYaml(await readFile(admins, 'utf8'))),
    users: [{ name: 'test', user: { token: token.trim() } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test', namespace: NAMESPACE } }],
  }
  await writeFile(path, toYaml(config), { mode: 0o600 })
  return path
}
