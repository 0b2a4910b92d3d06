import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { anApi } from '#test/an-api.ts'
import type { RunningApi } from '#test/conformance/apis.ts'
import { startKubernetes } from '#test/conformance/kubernetes/real-kubernetes.ts'
import { realPrograms } from '#test/conformance/programs/build.ts'

// What the embedded API does as well. With workload controllers every Deployment would get Pods.
const CONTROLLERS = [
  'clusterrole-aggregation-controller',
  'garbage-collector-controller',
  'namespace-controller',
  'root-ca-certificate-publisher-controller',
  'serviceaccount-controller',
]

/** The real API and the embedded one, with the same controllers. Disposing of it ends both. */
export interface BothApis extends AsyncDisposable {
  real: RunningApi
  embedded: RunningApi
}

/** Starts them at once. */
export async function startBothApis(): Promise<BothApis> {
  const [real, embedded] = await Promise.all([startRealApi(), anApi()])
  return {
    real,
    embedded,
    [Symbol.asyncDispose]: async () => {
      await real[Symbol.asyncDispose]()
      await embedded[Symbol.asyncDispose]()
    },
  }
}

/** A real Kubernetes that has no other controllers than the embedded API. */
export async function startRealApi(): Promise<RunningApi> {
  const programs = await realPrograms(['etcd', 'kube-apiserver', 'kube-controller-manager'])
  const folder = await mkdtemp(join(tmpdir(), 'talos-operator-controllers-'))
  const few = join(folder, 'kube-controller-manager')
  const program = programs['kube-controller-manager']
  await writeFile(few, `#!/bin/sh\nexec '${program}' "$@" --controllers=${CONTROLLERS}\n`)
  await chmod(few, 0o755)
  const api = await startKubernetes({ ...programs, 'kube-controller-manager': few })
  return {
    ...api,
    [Symbol.asyncDispose]: async () => {
      await api[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
