import { Refusal } from '#simulator/refusal.ts'
import {
  type InstallArtifactsSource,
  LifecycleService,
} from '#talos/generated/machine/lifecycle_pb.ts'
import { imagesIn } from './containerd.ts'
import { served } from './served-method.ts'

/** Installation and upgrade as v1.13 brought them: they tell what they do, and reboot nothing. */
export const lifecycleCalls = served(LifecycleService, {
  install: async function* ({ containerd, source, destination }, { machine }) {
    const namespace = imagesIn(containerd)
    const disk = destination?.disk ?? ''
    yield* progress(machine.lifecycleInstall({ image: imageOf(source), namespace, disk }))
  },
  upgrade: async function* ({ containerd, source }, { machine }) {
    const namespace = imagesIn(containerd)
    yield* progress(machine.lifecycleUpgrade({ image: imageOf(source), namespace }))
  },
})

function imageOf(source: InstallArtifactsSource | undefined): string {
  if (!source?.imageName) throw new Refusal('InvalidArgument', 'installer image name is required')
  return source.imageName
}

async function* progress(lines: AsyncIterable<string | { exitCode: number }>) {
  for await (const line of lines) {
    const response =
      typeof line === 'string'
        ? ({ case: 'message', value: line } as const)
        : ({ case: 'exitCode', value: line.exitCode } as const)
    yield { progress: { response } }
  }
}
