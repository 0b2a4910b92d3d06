import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { imagesInNamespace } from '#simulator/services/containerd.ts'
import { pullImage } from '#simulator/services/pull-image.ts'
import type { Answers } from '#simulator/services/served-method.ts'
import type { MachineService } from '#talos/generated/machine/machine_pb.ts'

/** The images of a machine, by the older calls. */
export const images: Answers<typeof MachineService> = {
  imageList: function* ({ namespace }, { machine }) {
    for (const image of machine.images.list(imagesInNamespace(namespace))) {
      yield {
        name: image.name,
        digest: image.digest,
        size: BigInt(image.bytes),
        createdAt: timestampFromDate(image.createdAt),
      }
    }
  },
  imagePull: async ({ namespace, reference }, { machine }) => {
    await pullImage(machine, reference, imagesInNamespace(namespace))
    return { messages: [{}] }
  },
}
