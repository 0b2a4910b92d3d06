import { kinds } from '#api/kinds.ts'
import { installKinds } from '#test/conformance/kinds/install.ts'
import {
  type RealKubernetes,
  startKubernetes,
} from '#test/conformance/kubernetes/real-kubernetes.ts'
import { realPrograms } from '#test/conformance/programs/build.ts'

/** Starts a real API with all our kinds. */
export async function kubernetesWithKinds({ isDurable = false } = {}): Promise<RealKubernetes> {
  // Without its controllers: nothing here needs them, and they would take their share of the cores.
  const kubernetes = await startKubernetes(await realPrograms(['etcd', 'kube-apiserver']), {
    isDurable,
  })
  try {
    await installKinds(kubernetes.send, kinds)
    return kubernetes
  } catch (error) {
    await kubernetes[Symbol.asyncDispose]()
    throw error
  }
}
