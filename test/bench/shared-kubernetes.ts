import { kinds } from '#api/kinds.ts'
import { installKinds } from '#test/conformance/kinds/install.ts'
import {
  type RealKubernetes,
  startKubernetes,
} from '#test/conformance/kubernetes/real-kubernetes.ts'
import { realPrograms } from '#test/conformance/programs/build.ts'

/** A real API for all rows that want one: started when it is first asked for, with all our kinds. */
export class SharedKubernetes implements AsyncDisposable {
  #started: Promise<RealKubernetes> | undefined

  get(): Promise<RealKubernetes> {
    this.#started ??= start()
    return this.#started
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const kubernetes = await this.#started?.catch(() => undefined)
    await kubernetes?.[Symbol.asyncDispose]()
  }
}

async function start(): Promise<RealKubernetes> {
  // Without its controllers: nothing here needs them, and they would take their share of the cores.
  const kubernetes = await startKubernetes(await realPrograms(['etcd', 'kube-apiserver']))
  try {
    await installKinds(kubernetes.send, kinds)
    return kubernetes
  } catch (error) {
    await kubernetes[Symbol.asyncDispose]()
    throw error
  }
}
