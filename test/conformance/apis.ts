import { anApi } from '#test/an-api.ts'
import type { Send } from './kubernetes/https-json.ts'
import { startKubernetes } from './kubernetes/real-kubernetes.ts'
import { availablePrograms, realPrograms } from './programs/build.ts'

/** A Kubernetes API that the suites are run against. Disposing of it ends it. */
export interface RunningApi extends AsyncDisposable {
  /** A kubeconfig file for an administrator. */
  kubeconfig: string
  send: Send
}

export interface Api {
  name: string
  start(): Promise<RunningApi>
}

/** For suites whose cases are run against the embedded API without real programs, as tests. */
export const realApi: Api = {
  name: 'kube-apiserver',
  start: async () =>
    startKubernetes({
      ...(await realPrograms(['etcd', 'kube-apiserver'])),
      // Few suites need controllers, and folders of test programs seldom have them.
      ...(await availablePrograms(['kube-controller-manager'])),
    }),
}

/** Every implementation. A suite that runs against one runs against all of them. */
export const apis: readonly Api[] = [{ name: 'embedded API', start: () => anApi() }, realApi]
