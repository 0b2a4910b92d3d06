import { kinds } from '#api/kinds.ts'
import { installKinds } from '#test/conformance/kinds/install.ts'
import { startKubernetes } from '#test/conformance/kubernetes/real-kubernetes.ts'
import { realPrograms } from '#test/conformance/programs/build.ts'
import { type MisbehavingApi, startFront } from '#test/misbehaving/front.ts'
import { startSmallApi } from '#test/small-api/small-api.ts'
import { Part, Widget } from './widget.ts'

/** The API in this process, with widgets and parts. */
export const startSmall = (): Promise<MisbehavingApi> =>
  startSmallApi({
    resources: [Widget, Part].map(({ group, version, plural, kind }) => ({
      ...{ group, version, plural, kind },
      namespaced: true,
      hasStatus: true,
    })),
  })

/** A real kube-apiserver with all kinds, widgets and parts, behind a front that can misbehave. */
export async function startReal(): Promise<MisbehavingApi> {
  const kubernetes = await startKubernetes(await realPrograms(['etcd', 'kube-apiserver']))
  await installKinds(kubernetes.send, [...kinds, Widget, Part])
  const front = await startFront(kubernetes)
  return {
    ...front,
    get watchers() {
      return front.watchers
    },
    async [Symbol.asyncDispose]() {
      await front[Symbol.asyncDispose]()
      await kubernetes[Symbol.asyncDispose]()
    },
  }
}
