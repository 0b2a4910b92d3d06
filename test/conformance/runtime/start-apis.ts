import { kinds } from '#api/kinds.ts'
import { anApi } from '#test/an-api.ts'
import { installKinds } from '#test/conformance/kinds/install.ts'
import { startKubernetes } from '#test/conformance/kubernetes/real-kubernetes.ts'
import { realPrograms } from '#test/conformance/programs/build.ts'
import { type MisbehavingApi, startMisbehaving } from '#test/misbehaving/front.ts'
import { Part, Widget } from './widget.ts'

/** The embedded API with all kinds, widgets and parts, behind a front that can misbehave. */
export const startEmbedded = (): Promise<MisbehavingApi> =>
  startMisbehaving(() => anApi({ kinds: [...kinds, Widget, Part] }))

/** A real kube-apiserver with all kinds, widgets and parts, behind a front that can misbehave. */
export const startReal = (): Promise<MisbehavingApi> =>
  startMisbehaving(async () => {
    const kubernetes = await startKubernetes(await realPrograms(['etcd', 'kube-apiserver']))
    await installKinds(kubernetes.send, [...kinds, Widget, Part])
    return kubernetes
  })
